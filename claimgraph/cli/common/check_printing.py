"""Print a check in a terminal: the text with its statements in the colours of their verdicts, then its problems.

A problem takes at most three lines: the statement, the reason, and the sentence that decides with its place; supported
statements take one line together. Where that is more than two lines a sentence, less is shown, the worst first: it
must fit a screen to be read. `verbose` shows all claims with their evidence and signals instead.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from claimgraph.cli.common.printing import COLOURS, counted, excerpt, short
from claimgraph.kgstore.id_search import SHOWN
from claimgraph.kgstore.model import Outcome

if TYPE_CHECKING:
    from claimgraph.kgstore.model import Claim, Document, Report, Span, Verdict
    from claimgraph.reports.statements import StatementVerdict
    from claimgraph.reports.stored_document import StoredDocument

NAMES = {Outcome.REFUTED: "REFUTED", Outcome.NOT_ENOUGH_INFO: "NOT ENOUGH INFO", Outcome.SUPPORTED: "SUPPORTED"}
_INDENT = "  "
_LEAST_LINES = 24
"""Lines that every check may print, however short its text; also those of a small terminal."""


def print_report(report: Report, *, verbose: bool = False, quiet: bool = False) -> None:
    """Print the text in colours where the terminal has some, the problems, counts and notes; `quiet`: refuted ones
    alone.
    """
    from claimgraph.reports.places import sources_of
    from claimgraph.reports.statements import problems, statements

    console = Console()
    found = statements(report)
    shown = problems(found)
    if quiet:
        refuted = [one for one in shown if one.outcome is Outcome.REFUTED]
        print_lines(
            console,
            [line for block in _blocks(refuted, report.document, sources_of(report), console) for line in block],
        )
        return
    foot = _summary(report, found)
    if verbose:
        pairs = zip(report.claims, report.verdicts, strict=True)
        body = [line for claim, verdict in pairs for line in claim_lines(claim, verdict, sources_of(report))]
    else:
        budget = max(_LEAST_LINES, 2 * len(report.sentences)) - len(foot)
        body = _fitting(console, report, found, shown, budget)
    print_lines(console, [*body, *foot])


def _fitting(
    console: Console,
    report: Report,
    found: Sequence[StatementVerdict],
    shown: Sequence[StatementVerdict],
    budget: int,
) -> list[Text]:
    """Return the text and the problems in at most `budget` lines: in full, or shortened step by step."""
    from claimgraph.reports.places import sources_of

    blocks = _blocks(shown, report.document, sources_of(report), console, report.sentences)
    short_blocks = [
        block if one.outcome is Outcome.REFUTED else block[:1] for one, block in zip(shown, blocks, strict=True)
    ]
    whole, part = _texts(console, report.document.text, report.sentences, found, shown)
    for text, some in ((whole, blocks), (part, blocks), (part, short_blocks)):
        if len(text) + sum(map(len, some)) <= budget:
            return [*text, *(line for block in some for line in block)]
    kept, left = list[Text](), budget - 1
    for at, block in enumerate(short_blocks):
        if len(block) > left:
            return [*kept, Text(f"and {len(shown) - at} more, which -v shows", style="dim")]
        kept, left = [*kept, *block], left - len(block)
    return kept


def _texts(
    console: Console,
    text: str,
    sentences: Sequence[Span],
    found: Sequence[StatementVerdict],
    shown: Sequence[StatementVerdict],
) -> tuple[list[Text], list[Text]]:
    """Return the lines of the text, and of its sentences with problems; none where the terminal shows no styles."""
    from claimgraph.cli.common.coloured_text import coloured, shortened, trimmed

    if not console.is_terminal or console.is_dumb_terminal:
        return [], []
    marked = coloured(text, found, colours=console.color_system is not None and not console.no_color)
    both = trimmed(marked), shortened(marked, sentences, shown)
    whole, part = ([*one.wrap(console, console.width), Text()] if one else [] for one in both)
    return whole, part


def _blocks(
    shown: Iterable[StatementVerdict],
    document: Document,
    sources: Mapping[str, Document],
    console: Console,
    sentences: Sequence[Span] = (),
) -> list[list[Text]]:
    return [_block(one, document.text, sources, console.width, sentences) for one in shown]


def _block(
    one: StatementVerdict, text: str, sources: Mapping[str, Document], width: int, sentences: Sequence[Span]
) -> list[Text]:
    """Return the lines of a problem: the statement, the reason, and the deciding sentence with its place.

    A statement that begins with a pronoun is followed by the sentence before it.
    """
    from claimgraph.reports.places import cited, place_of
    from claimgraph.reports.statements import sentence_before

    line = f", line {place_of(text, one.span).line}" if "\n" in text.strip() else ""
    before = sentence_before(one, text, sentences)
    after = (f" (after “{before}”)", "dim") if before else ""
    head = Text.assemble((NAMES[one.outcome], f"bold {COLOURS[one.outcome.value]}"), f"{line}  {one.text}", after)
    citation, known = one.decided_by, f"{one.text} {one.reason}"
    if citation is None:
        return [cut(head, width), cut(Text(_INDENT + one.reason), width)]
    nearest = "" if one.outcome is Outcome.REFUTED else "nearest: "
    source = f"{_INDENT}{nearest}{cited(citation.evidence, sources)}"
    room = max(width - len(source) - 3, 24)
    quote = Text.assemble((source, "bold"), f" “{excerpt(citation.evidence.text, known, room)}”")
    reason = [cut(Text(_INDENT + one.reason), width)] if one.outcome is Outcome.REFUTED else []
    return [cut(head, width), *reason, cut(quote, width)]


def cut(line: Text, width: int) -> Text:
    """Cut a line to the width, with an ellipsis; return it."""
    line.truncate(width, overflow="ellipsis")
    return line


def _summary(report: Report, found: Sequence[StatementVerdict]) -> list[Text]:
    """Return the counts, what made them, and the notes."""
    from claimgraph.detect.text.span_index import SpanIndex
    from claimgraph.reports.statements import outcome_counts

    places = SpanIndex(("", one.span) for one in found)
    silent = sum(not places.overlapping("", one.start, one.end) for one in report.sentences)
    sentences = counted(len(report.sentences), "sentence")
    told = sum(outcome_counts(found).values())
    head = f"{counted(told, 'statement')} in {sentences}{_nothing(report, silent)}: "
    by = f"By {_method(report)} in {report.seconds:.1f} s. Document {report.document.id[:SHOWN]}"
    notes = [Text(f"Note: {note}", style="yellow") for note in report.notes]
    return [Text(head) + counts_line(found), Text(by), *notes]


def _nothing(report: Report, number: int) -> str:
    """Return how many sentences claim nothing, and their kinds: " (3 claim nothing: 2 questions, 1 opinion)"."""
    kinds = Counter(one.why.value for one in report.silent)
    listed = ", ".join(counted(count, kind) for kind, count in kinds.most_common())
    verb = "claims" if number == 1 else "claim"
    return f" ({number} {verb} nothing{f': {listed}' if listed else ''})" if number else ""


def counts_line(found: Sequence[StatementVerdict]) -> Text:
    """Return how many statements have each outcome: "2 refuted, 1 not enough info, 4 supported."."""
    from claimgraph.reports.statements import outcome_counts

    counts = outcome_counts(found)
    parts = [
        Text(f"{count} {NAMES[outcome].lower()}", style=COLOURS[outcome.value] if count else "")
        for outcome, count in counts.items()
    ]
    return Text(", ").join(parts) + Text(".")


def _method(report: Report) -> str:
    from claimgraph.reports.check_report import preset

    name = preset(report.run)
    return f"{report.run.method} (preset {name})" if name else report.run.method


def print_stored(found: StoredDocument) -> None:
    """Print a document of the store: its text in colours, all its problems, and the counts."""
    from claimgraph.reports.statements import problems, statements

    console, text = Console(), found.document.text
    all_of_it = statements(found)
    shown = problems(all_of_it)
    whole, _ = _texts(console, text, (), all_of_it, shown)
    blocks = _blocks(shown, found.document, found.sources, console)
    name = found.document.name or "Document"
    foot = Text(f"{name}, {found.document.id[:SHOWN]}: ") + counts_line(all_of_it)
    print_lines(console, [*whole, *(line for block in blocks for line in block), foot])


def claim_lines(claim: Claim, verdict: Verdict, sources: Mapping[str, Document]) -> Iterable[Text]:
    """Yield the lines of a claim: its verdict and triple, its reason, then evidence and signals."""
    from claimgraph.reports.places import cited

    sure = "" if verdict.confidence is None else f" {verdict.confidence:.2f}"
    style = f"bold {COLOURS[verdict.outcome.value]}"
    yield Text.assemble(
        (f"{NAMES[verdict.outcome]}{sure}", style), f"  {claim.triple.text}", ("  " + claim.id[:SHOWN], "dim")
    )
    yield Text(_INDENT + verdict.reason)
    for citation in verdict.citations:
        where = cited(citation.evidence, sources)
        said = f"{_INDENT}{citation.stance.value} {citation.score:.2f}  {short(citation.evidence.text)}"
        yield Text.assemble((said, "dim"), (f"  [{where}]", "dim italic"))
    known = [one for one in verdict.signals if one.value is not None]
    for method, signals in groupby(known, key=lambda one: one.method):
        yield Text(f"{_INDENT}{method}: {', '.join(f'{one.name} {one.value:.2f}' for one in signals)}", style="dim")


def print_lines(console: Console, lines: Iterable[Text]) -> None:
    """Print lines as they are, none of them broken."""
    for line in lines:
        console.print(line, highlight=False, soft_wrap=True)


def reason_and_evidence(verdict: Verdict) -> Text:
    """Return a verdict's reason, and under it the evidence it cites first."""
    lines = Text(verdict.reason)
    for citation in verdict.citations[:3]:
        lines.append(f"\n{citation.stance.value} {citation.score:.2f}  {short(citation.evidence.text)}", style="dim")
        lines.append(f"  [{citation.evidence.source}]", style="dim italic")
    return lines

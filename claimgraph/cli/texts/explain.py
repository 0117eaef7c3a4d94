"""`claimgraph explain` and `claimgraph history`: why a claim or a document was judged so, and what was said before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from claimgraph.cli.common.completion import ids

if TYPE_CHECKING:
    from rich.console import Console

    from claimgraph.kgstore.store import GraphStore
    from claimgraph.reports.explanation import Told
    from claimgraph.reports.stored_document import StoredDocument
    from claimgraph.wiring.models import Models

ClaimId = Annotated[
    str, typer.Argument(metavar="CLAIM", help="The claim: its id, or how that begins.", autocompletion=ids("claim"))
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def explain(
    key: Annotated[
        str,
        typer.Argument(
            metavar="CLAIM|DOCUMENT",
            help="The claim or the checked text: its id, or how that begins.",
            autocompletion=ids("claim", "document"),
        ),
    ],
    edits: Annotated[
        bool,
        typer.Option("--edits", help="Also KEA Explain's contradictory pairs, and the fewest edits to the evidence."),
    ] = False,
    llm: Annotated[
        bool, typer.Option("--llm", help="Let the language model of the settings explain too (KEA Explain's prompt).")
    ] = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Of a claim also the numbers of methods.")] = False,
    json: Json = False,
) -> None:
    """Show why a claim has its verdict, with the evidence at its place; of a document, its text and its problems."""
    from rich.console import Console

    from claimgraph.cli.common.check_printing import print_stored
    from claimgraph.cli.common.printing import print_json, typer_echo
    from claimgraph.kgstore.id_search import find_id
    from claimgraph.reports.check_report import claim_json
    from claimgraph.reports.stored_document import stored_claim, stored_document
    from claimgraph.settings import load_settings
    from claimgraph.wiring import open_store
    from claimgraph.wiring.models import Models

    settings = load_settings()
    with open_store(settings, read_only=True) as store:
        full = find_id(store, key, ("claim", "document"))
        one = full.startswith("c1:")
        found = stored_claim(store, full) if one else stored_document(store, full)
        told = _told(store, found, Models(settings), llm=llm) if edits or llm else None
    if json:
        pairs = zip(found.claims, found.verdicts, strict=True)
        claims = [claim_json(claim, verdict, found.sources) for claim, verdict in pairs]
        print_json(claims if told is None else {"claims": claims} | told.as_json())
        return
    if one:
        _print(Console(), found, verbose=verbose)
    else:
        print_stored(found)
    for line in told.lines(found, edits=edits) if told else ():
        typer_echo(line)


def _told(store: GraphStore, found: StoredDocument, models: Models, *, llm: bool) -> Told:
    """Return KEA's explanation, with the language model's where it is asked for."""
    from claimgraph.reports import explanation

    chat = models.chat_for("--llm") if llm else None
    explained = explanation.explanation(store, found, models.embedder)
    return explanation.Told(explained, explanation.in_words(found, explained, chat) if chat else None)


def history(claim: ClaimId, json: Json = False) -> None:
    """Show all verdicts ever given on a claim: the one that holds, then the latest first."""
    from claimgraph.cli.common.printing import print_json
    from claimgraph.cli.common.verdict_listing import print_history
    from claimgraph.kgstore.id_search import find_id
    from claimgraph.kgstore.listings import claim_history
    from claimgraph.settings import load_settings
    from claimgraph.wiring import open_store

    with open_store(load_settings(), read_only=True) as store:
        rows = claim_history(store, find_id(store, claim, ("claim",)))
    if json:
        print_json(rows)
    else:
        print_history(rows)


def _print(console: Console, found: StoredDocument, *, verbose: bool) -> None:
    """Print a claim, its verdict, each piece of evidence at its place, and its corrections; `verbose`: the signals."""
    from rich.text import Text

    from claimgraph.cli.common.check_printing import claim_lines
    from claimgraph.reports.places import cited, place_of
    from claimgraph.reports.stored_document import distinct, excerpt

    [claim], [verdict] = found.claims, found.verdicts
    place = place_of(found.document.text, claim.span)
    name = found.document.name or f"document {found.document.id[:11]}"
    console.print(f"{name}, line {place.line}: {claim.sentence}", highlight=False, markup=False)
    head, reason, *_ = claim_lines(claim, verdict, found.sources)
    for line in (head, reason):
        console.print(line, highlight=False)
    for citation in distinct(verdict.citations):
        where = f"{citation.stance.value} {citation.score:.2f}  {cited(citation.evidence, found.sources)}"
        console.print(Text(f"\n{where}", style="bold"), highlight=False)
        at = excerpt(citation, found.sources)
        shown = Text.assemble(at.before, (at.cited, "underline"), at.after) if at else Text(citation.evidence.text)
        console.print(Text(" ").join(shown.split()), highlight=False)
    for signal in verdict.signals if verbose else ():
        if signal.value is not None:
            console.print(Text(f"{signal.method} {signal.name} {signal.value:.3f}", style="dim"), highlight=False)
    for one in found.corrections:
        if one.claim == claim.id:
            console.print(f"Corrected: {one.before} → {one.after} ({one.method})", markup=False, highlight=False)

"""A draft of 123 words beside a source of 416 words, models loaded, on an empty cache; and `check` in a loop."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from itertools import count as count_from
from itertools import islice
from pathlib import Path
from typing import Any

import claimgraph
from benchmarks.figures import Figure, processor
from claimgraph import wiring
from claimgraph.detect.text.windows import windows
from claimgraph.input_texts import document_from_text
from claimgraph.pipeline import prepare
from claimgraph.settings import Settings

FOLDER = Path(__file__).resolve().parents[1] / "documents"
LOOP = 12


class Counted:
    """Passes calls on to a model's method and counts the texts or pairs it is given."""

    def __init__(self, model: Any, name: str) -> None:
        self.count, self._given = 0, getattr(model, name)
        setattr(model, name, self)

    def __call__(self, what: Sequence[Any]) -> Any:
        self.count += len(what)
        return self._given(what)


def measured(*, full: bool) -> Iterator[Figure]:
    """Yield the check beside version 0.1.0's procedure, and the loop beside a session."""
    with tempfile.TemporaryDirectory() as folder:
        yield _document(Path(folder))
    with tempfile.TemporaryDirectory() as folder:
        yield _loop(Path(folder), LOOP * (4 if full else 1))


def _document(folder: Path) -> Figure:
    draft, source = (
        document_from_text((FOLDER / name).read_text(), 10_000, name) for name in ("draft.txt", "source.txt")
    )
    short = document_from_text("Rome is the capital of Italy.", 100, "a short text")
    settings = Settings(store=folder / "store", cache=folder / "cache", model_threads=1)
    with wiring.Checker(settings) as checker:
        checker.check(short, context=short)
        texts = Counted(checker.models.embedder._embedder, "embed")
        pairs = Counted(checker.models.entailment._entailment, "entail")
        seconds = processor(lambda: checker.check(draft, context=source))
        counts = {"texts embedded": texts.count, "pairs read": pairs.count}
        before = processor(lambda: _everything(checker, draft, source, texts, pairs))
    counts |= {"texts and pairs of the baseline": texts.count + pairs.count - sum(counts.values())}
    reached = before / seconds >= 6 and counts["texts embedded"] <= 60 and counts["pairs read"] <= 40
    goal = "6 times, 60 texts, 40 pairs"
    return Figure(
        "check of a draft against 400 words, warm", seconds, "all windows, all triples", before, goal, reached, counts
    )


def _everything(checker: wiring.Checker, draft: Any, source: Any, embed: Counted, entail: Counted) -> None:
    """Read, embed all triples and their parts, and let the model read every window for every claim, as 0.1.0 did."""
    given = prepare(draft, extractor=checker.extractor, contexts=[source])
    case = given.case
    facts = [case.facts.triple(fact) for fact in case.facts.facts]
    triples = [*facts, *(claim.triple for claim in case.claims)]
    parts = {part for t in triples for part in (t.text, t.subject, t.predicate, t.object)}
    embed(sorted(parts | {passage.text for passage in case.passages}))
    entail([(window.text, claim.sentence) for window in windows(case.passages) for claim in case.claims])


def _loop(folder: Path, count: int) -> Figure:
    settings = Settings(store=folder / "store", cache=folder / "cache", entailment="none")
    context = "The mine opened in 1881. The mine closed in 1903."
    texts = (f"The mine opened in {number}." for number in count_from(1000))
    claimgraph.check(next(texts), context=context, settings=settings)
    alone = processor(
        lambda: [claimgraph.check(text, context=context, settings=settings) for text in islice(texts, count)], 5
    )
    with claimgraph.Session(settings) as session:
        together = processor(lambda: [session.check(text, context=context) for text in islice(texts, count)], 5)
    reached = alone <= 1.1 * together
    return Figure("claimgraph.check in a loop", alone, "a Session", together, "within 10 %", reached, {"texts": count})

"""KGR (Guan et al. 2023): a draft's claims held against a knowledge graph, and the draft retrofitted to it, again and
again. A pure generator: what it yields is asked of the outside, which may be a language model, rules, or a test.

    text ──Extract──▶ claims ──Detect──▶ links ──Select──▶ facts ──Verify──▶ verdicts ──Rewrite──▶ text ──▶ again

It stops where no claim is refuted, where a rewriting changes nothing, where a text comes back that was there before
(a cycle), or at the limit. The last text is always verified. The five stages as one prompt were rejected: what a stage
did could not be seen, blamed or replaced.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Protocol

from claimgraph.detect.repair.correction import Corrected
from claimgraph.kgstore.model import Extraction, Link, Outcome, Passage, Subgraph, Verdict
from claimgraph.kgstore.store import Step as Write


class Mode(StrEnum):
    """What does the stages' work: rules and the evidence's words, or a language model as in the paper."""

    DETERMINISTIC = "deterministic"
    LLM = "llm"


class Stop(StrEnum):
    """Why no further iteration was made."""

    CONSISTENT = "no claim refuted"
    UNCHANGED = "nothing changed"
    CYCLE = "cycle"
    LIMIT = "limit"


@dataclass(frozen=True, slots=True)
class Chunk:
    """Facts that were looked through at once for some claim: ids of those offered, and of those chosen, best first.

    `chosen` None says that the answer could not be used; empty, that no fact of the chunk is relevant. `outside` are
    the numbers that a model chose and that no fact of the chunk has.
    """

    claim: str
    offered: tuple[str, ...]
    chosen: tuple[str, ...] | None
    outside: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Selection:
    """The facts around the detected entities, and which of them are critical for which claim.

    `by_claim` is parallel to the claims: fact ids best first. `passages` are texts that serve beside or instead of
    facts. `scope` names the evidence with its version, and `sources` are by document id the steps that store the texts
    passages stand in, as pipeline.EvidenceSet has both.
    """

    around: Subgraph
    by_claim: tuple[tuple[str, ...], ...]
    scope: str
    chunks: tuple[Chunk, ...] = ()
    passages: tuple[Passage, ...] = ()
    sources: Mapping[str, Sequence[Write]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Pass:
    """What one iteration found; `links` and `verdicts` as in the pipeline, `verdicts` parallel to the claims.

    `rewritten` is None where nothing was rewritten after it.
    """

    extraction: Extraction
    links: tuple[Link, ...]
    selection: Selection
    verdicts: tuple[Verdict, ...]
    rewritten: Corrected | None = None

    @property
    def refuted(self) -> int:
        """How many claims are refuted."""
        return sum(verdict.outcome is Outcome.REFUTED for verdict in self.verdicts)


@dataclass(frozen=True, slots=True)
class Retrofitted:
    """The draft, what it became, every pass in order, and why it ended.

    Edits of a pass have spans in that pass's text; made in order, pass after pass, they lead from draft to text.
    """

    original: str
    text: str
    passes: tuple[Pass, ...]
    stopped: Stop

    @property
    def iterations(self) -> int:
        """Rewritings that changed the text."""
        return sum(one.rewritten is not None and one.rewritten.text != one.rewritten.original for one in self.passes)


class Stages(Protocol):
    """The five stages of KGR.

    `name` is the method of the verdicts, and with `config` (JSON: all that stages depend on, and as `against` what
    they were given, as a run records it) fixes their ids.
    """

    mode: Mode
    name: str
    config: str

    def extract(self, text: str) -> Extraction:
        """Claim extraction: the statements of the text that can be checked."""
        ...

    def detect(self, extraction: Extraction) -> tuple[Link, ...]:
        """Entity detection: for each claim and role the entities that are critical to verify it, or a NIL."""
        ...

    def select(self, extraction: Extraction, links: tuple[Link, ...]) -> Selection:
        """Fact selection: of the facts around the entities, chunk by chunk, those critical for each claim."""
        ...

    def verify(self, extraction: Extraction, links: tuple[Link, ...], selection: Selection) -> tuple[Verdict, ...]:
        """Claim verification: one verdict a claim, in order, which cites its evidence."""
        ...

    def rewrite(self, found: Pass) -> Corrected:
        """Response retrofitting: the pass's text put right; an edit for each refuted claim, applied or left."""
        ...


@dataclass(frozen=True, slots=True)
class Extract:
    """Asks for stage 1."""

    text: str


@dataclass(frozen=True, slots=True)
class Detect:
    """Asks for stage 2."""

    extraction: Extraction


@dataclass(frozen=True, slots=True)
class Select:
    """Asks for stage 3."""

    extraction: Extraction
    links: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class Verify:
    """Asks for stage 4."""

    extraction: Extraction
    links: tuple[Link, ...]
    selection: Selection


@dataclass(frozen=True, slots=True)
class Rewrite:
    """Asks for stage 5."""

    found: Pass


Step = Extract | Detect | Select | Verify | Rewrite


def retrofit(text: str, *, limit: int) -> Generator[Step, Any, Retrofitted]:
    """Yield the whole of KGR for one draft with at most `limit` rewritings, limit >= 0; each Step is answered by what
    the method of Stages with its name returns.

    After a cycle the text of it with the fewest refuted claims is returned, ties: the earliest.
    """
    passes: list[Pass] = []
    latest = text
    while True:
        extraction: Extraction = yield Extract(latest)
        links: tuple[Link, ...] = yield Detect(extraction)
        selection: Selection = yield Select(extraction, links)
        verdicts: tuple[Verdict, ...] = yield Verify(extraction, links, selection)
        passes.append(Pass(extraction, links, selection, verdicts))
        stopped = _stop(passes, limit)
        if stopped is None:
            corrected: Corrected = yield Rewrite(passes[-1])
            passes[-1] = replace(passes[-1], rewritten=corrected)
            if corrected.text == latest:
                stopped = Stop.UNCHANGED
            latest = corrected.text
        if stopped:
            return Retrofitted(text, _best(passes).extraction.document.text, tuple(passes), stopped)


def _stop(passes: Sequence[Pass], limit: int) -> Stop | None:
    """Why nothing is to be rewritten after the last pass, whose text has just been verified."""
    *before, last = passes
    if not last.refuted:
        return Stop.CONSISTENT
    if any(one.extraction.document.id == last.extraction.document.id for one in before):
        return Stop.CYCLE
    return Stop.LIMIT if len(before) >= limit else None


def _best(passes: Sequence[Pass]) -> Pass:
    """Return the last pass, or where its text stood before the one with the fewest refuted claims since then."""
    last = passes[-1].extraction.document.id
    first = next(row for row, one in enumerate(passes) if one.extraction.document.id == last)
    return min(passes[first:], key=lambda one: one.refuted)


def drive(steps: Generator[Step, Any, Retrofitted], stages: Stages) -> Retrofitted:
    """Answer each step by the stages. Raises what they raise."""
    try:
        step = next(steps)
        while True:
            step = steps.send(_answered(step, stages))
    except StopIteration as end:
        found: Retrofitted = end.value
        return found


def _answered(step: Step, stages: Stages) -> object:
    match step:
        case Extract(text):
            return stages.extract(text)
        case Detect(extraction):
            return stages.detect(extraction)
        case Select(extraction, links):
            return stages.select(extraction, links)
        case Verify(extraction, links, selection):
            return stages.verify(extraction, links, selection)
        case Rewrite(found):
            return stages.rewrite(found)

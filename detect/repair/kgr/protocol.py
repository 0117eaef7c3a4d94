"""Run KGR (Guan et al. 2023): check a draft's claims against a knowledge graph and rewrite the draft, repeatedly.

A pure generator: its steps are answered from outside, by a language model, rules, or a test.

    text ──Extract──▶ claims ──Detect──▶ links ──Select──▶ facts ──Verify──▶ verdicts ──Rewrite──▶ text ──▶ again

It stops where no claim is refuted, where a rewriting changes nothing, where an earlier text comes back (a cycle), or at
the limit. The last text is always verified. The five stages as one prompt were rejected: what a stage did could not be
seen, blamed or replaced.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Protocol

from claimgraph.detect.repair.correction import Corrected
from claimgraph.kgstore.model import Extraction, Link, Outcome, Passage, Subgraph, Verdict
from claimgraph.kgstore.store import Step


class Mode(StrEnum):
    """Implementation of the stages: rules and the evidence's words, or a language model as in the paper."""

    DETERMINISTIC = "deterministic"
    LLM = "llm"


class Stop(StrEnum):
    """Reasons to stop iterating."""

    CONSISTENT = "no claim refuted"
    UNCHANGED = "nothing changed"
    CYCLE = "cycle"
    LIMIT = "limit"


@dataclass(frozen=True, slots=True)
class Chunk:
    """Facts offered at once for some claim: ids of those offered, and of those chosen, best first.

    `chosen` None: the answer could not be used; empty: no fact of the chunk is relevant. `outside` are numbers chosen
    by a model that no fact of the chunk has.
    """

    claim: str
    offered: tuple[str, ...]
    chosen: tuple[str, ...] | None
    outside: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Selection:
    """The facts around the detected entities, and those critical for each claim.

    `by_claim` is parallel to the claims: fact ids best first. `passages` are texts that serve beside or instead of
    facts. `scope` names the evidence with its version, and `sources` are by document id the steps that store the texts
    of the passages, as in EvidenceSet.
    """

    around: Subgraph
    by_claim: tuple[tuple[str, ...], ...]
    scope: str
    chunks: tuple[Chunk, ...] = ()
    passages: tuple[Passage, ...] = ()
    sources: Mapping[str, Sequence[Step]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Pass:
    """The results of one iteration; `links` and `verdicts` as in the pipeline, `verdicts` parallel to the claims.

    `rewritten` is None where nothing was rewritten after it.
    """

    extraction: Extraction
    links: tuple[Link, ...]
    selection: Selection
    verdicts: tuple[Verdict, ...]
    rewritten: Corrected | None = None

    @property
    def refuted(self) -> int:
        """Number of refuted claims."""
        return sum(verdict.outcome is Outcome.REFUTED for verdict in self.verdicts)


@dataclass(frozen=True, slots=True)
class Retrofitted:
    """The draft, the final text, every pass in order, and the reason to stop.

    Edits of a pass have spans in that pass's text; made in order, pass after pass, they lead from draft to text.
    """

    original: str
    text: str
    passes: tuple[Pass, ...]
    stopped: Stop

    @property
    def iterations(self) -> int:
        """Number of rewritings that changed the text."""
        return sum(one.rewritten is not None and one.rewritten.text != one.rewritten.original for one in self.passes)


class Stages(Protocol):
    """The five stages of KGR.

    `name` is the method of the verdicts, and with `config` (JSON: everything that stages depend on, and as `against`
    their evidence, as a run records it) fixes their ids.
    """

    mode: Mode
    name: str
    config: str

    def extract(self, text: str) -> Extraction:
        """Extract the claims of the text that can be checked."""
        ...

    def detect(self, extraction: Extraction) -> tuple[Link, ...]:
        """Detect for each claim and role the entities that are critical to verify it, or a NIL."""
        ...

    def select(self, extraction: Extraction, links: tuple[Link, ...]) -> Selection:
        """Select the facts around the entities, chunk by chunk, that are critical for each claim."""
        ...

    def verify(self, extraction: Extraction, links: tuple[Link, ...], selection: Selection) -> tuple[Verdict, ...]:
        """Verify the claims: one verdict a claim, in order, which cites its evidence."""
        ...

    def rewrite(self, found: Pass) -> Corrected:
        """Rewrite the pass's text; return an edit for each refuted claim, applied or left."""
        ...


@dataclass(frozen=True, slots=True)
class Extract:
    """Requests stage 1."""

    text: str


@dataclass(frozen=True, slots=True)
class Detect:
    """Requests stage 2."""

    extraction: Extraction


@dataclass(frozen=True, slots=True)
class Select:
    """Requests stage 3."""

    extraction: Extraction
    links: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class Verify:
    """Requests stage 4."""

    extraction: Extraction
    links: tuple[Link, ...]
    selection: Selection


@dataclass(frozen=True, slots=True)
class Rewrite:
    """Requests stage 5."""

    found: Pass


StageRequest = Extract | Detect | Select | Verify | Rewrite


def retrofit(text: str, *, limit: int) -> Generator[StageRequest, Any, Retrofitted]:
    """Run KGR on one draft with at most `limit` rewritings, limit >= 0.

    Each yielded Step is answered by the result of the method of Stages with its name. After a cycle the text of it with
    the fewest refuted claims is returned, ties: the earliest.
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
    """Return the reason to stop after the last pass, whose text has just been verified, or None."""
    *before, last = passes
    if not last.refuted:
        return Stop.CONSISTENT
    if any(one.extraction.document.id == last.extraction.document.id for one in before):
        return Stop.CYCLE
    return Stop.LIMIT if len(before) >= limit else None


def _best(passes: Sequence[Pass]) -> Pass:
    """Return the last pass, or after a cycle the pass in it with the fewest refuted claims."""
    last = passes[-1].extraction.document.id
    first = next(row for row, one in enumerate(passes) if one.extraction.document.id == last)
    return min(passes[first:], key=lambda one: one.refuted)


def drive(steps: Generator[StageRequest, Any, Retrofitted], stages: Stages) -> Retrofitted:
    """Answer each step by the stages. Raises what they raise."""
    try:
        step = next(steps)
        while True:
            step = steps.send(_answered(step, stages))
    except StopIteration as end:
        found: Retrofitted = end.value
        return found


def _answered(step: StageRequest, stages: Stages) -> object:
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

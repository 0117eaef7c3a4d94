"""Run KGR with a record: a draft retrofitted, every pass stored as it is made, every edit with its verdict.

detect/repair/kgr/protocol.py decides the next step and knows no store; the stages are given. A pass is stored as soon
as it is verified, so the results of a long run survive its interruption. Storing the last text alone was rejected: an
edit would have no reason.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from claimgraph.detect.extraction.claim_kg import claim_kg
from claimgraph.detect.prompting.prompts import provenance
from claimgraph.detect.repair.correction import Corrected, Edit, EditStatus
from claimgraph.detect.repair.kgr import protocol as kgr
from claimgraph.detect.repair.kgr.protocol import Pass, Selection, Stages, Stop
from claimgraph.kgstore import identity, records
from claimgraph.kgstore.errors import InputError
from claimgraph.kgstore.model import HUMAN, Claim, Document, Extraction, Link, Outcome, Run, Triple, Verdict
from claimgraph.kgstore.store import GraphStore
from claimgraph.kgstore.stored_check import judged_steps
from claimgraph.pipeline import ruled, said
from claimgraph.repair.correction import made_steps

METHOD = "kgr"
"""What corrections made here are called, whatever their stages."""
LIMIT = 3


@dataclass(frozen=True, slots=True)
class RetrofitEdit:
    """A change that was made. `iteration` counts from 1, and [start, end) is in the text that this one began with.

    The same change for two claims is listed twice and was made once.
    """

    iteration: int
    start: int
    end: int
    before: str
    after: str
    claim: Claim
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Unresolved:
    """A claim of the last text that is not supported, and the edit that was not made for it, None where none was
    planned.
    """

    claim: Claim
    verdict: Verdict
    edit: Edit | None


@dataclass(frozen=True, slots=True)
class RetrofitReport:
    """The result of `retrofit`: the draft, the final text, and the edits that lead from one to the other.

    `passes` holds every iteration, with those after `text` where there was a cycle; `iterations` counts rewritings that
    changed something. `notes` are lines for the reader.
    """

    original: str
    text: str
    edits: tuple[RetrofitEdit, ...]
    iterations: int
    stopped: Stop
    mode: kgr.Mode
    passes: tuple[Pass, ...]
    seconds: float
    notes: tuple[str, ...] = ()

    @property
    def final(self) -> Pass:
        """The pass over the returned text."""
        return self.passes[_place(self.passes, self.text)]

    @property
    def left(self) -> tuple[Unresolved, ...]:
        """The claims of the returned text that are not supported, in their order, and why."""
        found = self.final
        edits = {edit.claim: edit for edit in (found.rewritten.edits if found.rewritten else ())}
        pairs = zip(found.extraction.claims, found.verdicts, strict=True)
        return tuple(Unresolved(c, v, edits.get(c.id)) for c, v in pairs if v.outcome is not Outcome.SUPPORTED)

    @property
    def statuses(self) -> dict[str, int]:
        """Return the number of verdicts of all passes by status, and as `empty_chunk` and `failed_chunk` the number of
        chunks of facts without a relevant one, or without a usable answer.
        """
        counts = Counter(verdict.status.value for one in self.passes for verdict in one.verdicts)
        chunks = [chunk.chosen for one in self.passes for chunk in one.selection.chunks]
        counts["empty_chunk"] = chunks.count(())
        counts["failed_chunk"] = chunks.count(None)
        return dict(counts)


def retrofit(
    document: Document,
    *,
    stages: Stages,
    store: GraphStore,
    limit: int = LIMIT,
    caveat: str | None = None,
    notes: Sequence[str] = (),
) -> RetrofitReport:
    """Retrofit a document with at most `limit` rewritings, and store passes and edits.

    A claim that a person has ruled SUPPORTED is not changed. Repeating it changes nothing in the store where the stages
    answer the same. `caveat` is added to every verdict's reason and to the notes. Raises InputError for a negative
    limit, and what the stages raise.
    """
    if limit < 0:
        raise InputError(f"the number of iterations cannot be negative: {limit}")
    clock = time.perf_counter()
    found = kgr.drive(kgr.retrofit(document.text, limit=limit), _Stored(document, stages, store, caveat))
    seconds = time.perf_counter() - clock
    return RetrofitReport(
        original=found.original,
        text=found.text,
        edits=_edits(found.passes[: _place(found.passes, found.text)]),
        iterations=found.iterations,
        stopped=found.stopped,
        mode=stages.mode,
        passes=found.passes,
        seconds=seconds,
        notes=(*((caveat,) if caveat else ()), *notes),
    )


def _place(passes: Sequence[Pass], text: str) -> int:
    """Return the number of the first pass over a text."""
    return next(at for at, one in enumerate(passes) if one.extraction.document.text == text)


def _edits(passes: Sequence[Pass]) -> tuple[RetrofitEdit, ...]:
    return tuple(edit for at, one in enumerate(passes, 1) for edit in _edits_of(one, at))


def _edits_of(found: Pass, iteration: int) -> list[RetrofitEdit]:
    about = {claim.id: (claim, verdict) for claim, verdict in zip(found.extraction.claims, found.verdicts, strict=True)}
    return [
        RetrofitEdit(iteration, edit.start, edit.end, edit.before, edit.after, *about[edit.claim])
        for edit in (found.rewritten.edits if found.rewritten else ())
        if edit.status is EditStatus.APPLIED
    ]


class _Stored:
    """Wraps stages and stores each pass once it is verified, with the edits that led to it."""

    def __init__(self, document: Document, stages: Stages, store: GraphStore, caveat: str | None) -> None:
        self.mode, self.name, self.config = stages.mode, stages.name, stages.config
        self._document, self._stages, self._store, self._caveat = document, stages, store, caveat
        self._started = datetime.now(UTC)
        self._before: Corrected | None = None
        self._ruled: dict[Triple, Verdict] = {}

    def extract(self, text: str) -> Extraction:
        """Return the stages' extraction; the document has the draft's name, source and language."""
        self._started = datetime.now(UTC)
        found, given = self._stages.extract(text), self._document
        name = f"{given.name}, retrofitted" if given.name else None
        changed = Document(found.document.id, text, name, language=given.language)
        return replace(found, document=given if text == given.text else changed)

    def detect(self, extraction: Extraction) -> tuple[Link, ...]:
        """Return the stages' links."""
        return self._stages.detect(extraction)

    def select(self, extraction: Extraction, links: tuple[Link, ...]) -> Selection:
        """Return the stages' selection."""
        return self._stages.select(extraction, links)

    def verify(self, extraction: Extraction, links: tuple[Link, ...], selection: Selection) -> tuple[Verdict, ...]:
        """Return the stages' verdicts, or a person's rulings, and store them."""
        found = self._stages.verify(extraction, links, selection)
        verdicts = tuple(said(verdict, self._caveat) for verdict in found)
        document = extraction.document
        edits = made_steps(self._before, document, METHOD, self.config) if self._before else []
        run = self._run(document, selection.scope)
        graph = claim_kg(extraction, identity.claim_graph(document.id))
        self._store.write(
            *records.extraction_steps(extraction, graph),
            *records.link_steps(links),
            *judged_steps(run, verdicts, selection.sources),
            *edits,
        )
        return self._upheld(extraction.claims, verdicts)

    def _upheld(self, claims: Sequence[Claim], verdicts: Sequence[Verdict]) -> tuple[Verdict, ...]:
        """Return the verdicts, some replaced by a person's ruling: it holds for the statement in all later texts."""
        held = ruled(self._store, verdicts)
        self._ruled |= {c.triple: v for c, v in zip(claims, held, strict=True) if v.method == HUMAN}
        return tuple(
            replace(self._ruled[c.triple], claim=c.id) if c.triple in self._ruled else v
            for c, v in zip(claims, held, strict=True)
        )

    def rewrite(self, found: Pass) -> Corrected:
        """Return the stages' rewriting."""
        self._before = self._stages.rewrite(found)
        return self._before

    def _run(self, document: Document, scope: str) -> Run:
        model, prompt_hash = provenance(self.config)
        return Run(
            id=identity.run_id("retrofit", self.name, self.config, document.id, scope),
            method=self.name,
            config=self.config,
            started_at=self._started,
            finished_at=datetime.now(UTC),
            status="complete",
            model=model,
            prompt_hash=prompt_hash,
        )

"""Checking again what no longer rests on what it cites, the way it was checked: `claimgraph recheck --stale`.

A run records what it was given (pipeline.py), so the same text goes through the same method against the same context
and graphs as they are now. The new verdicts supersede the stale ones; what they were stays in the store. To check all
texts again was rejected: a refresh touches few of them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from claimgraph import wiring
from claimgraph.settings import Settings
from kgstore import reads
from kgstore.errors import InputError, NotFound, UsageError
from kgstore.model import Document, Report, Verdict
from kgstore.stale import mark_stale, stale_verdicts
from kgstore.store import GraphStore, Row


@dataclass(frozen=True, slots=True)
class Flip:
    """A claim whose verdict is another than it was; `why` is the new verdict's reason."""

    claim: str
    text: str
    document: str
    method: str
    before: str
    after: str
    why: str


@dataclass(frozen=True, slots=True)
class Left:
    """A claim whose verdict is stale still, and why."""

    claim: str
    why: str


@dataclass(frozen=True, slots=True)
class Rechecked:
    """What was done: `stale` verdicts found, texts checked again (`documents`), claims whose outcome is as it was
    (`unchanged`), those that flipped, those left, and lines for the reader."""

    stale: int
    documents: int
    unchanged: int
    flips: tuple[Flip, ...]
    left: tuple[Left, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Job:
    """One text to check again: its stale verdicts, and how they were given."""

    document: str
    method: str
    config: dict[str, Any]
    rows: tuple[Row, ...]

    @property
    def against(self) -> dict[str, Any]:
        """What the run was given; {} where it did not record it."""
        found: dict[str, Any] = self.config.get("against") or {}
        return found


def recheck_stale(settings: Settings, graph: str | None = None) -> Rechecked:
    """Mark what is stale, and check those texts again; with `graph` only verdicts of runs that were given it.

    A verdict whose run recorded nothing, or whose graph, context or method is gone, is left with the reason. Raises
    NotFound for an unknown graph.
    """
    with wiring.open_store(settings) as store:
        if graph is not None and not any(row["name"] == graph for row in store.read("graphs")):
            raise NotFound("graph", graph)
        mark_stale(store)
        jobs = list(_jobs(stale_verdicts(store, graph)))
    work = _Work()
    for extractor, some in groupby(sorted(jobs, key=_extractor), key=_extractor):
        if extractor:
            with wiring.Checker(settings, extractor_name=extractor) as checker:
                for job in some:
                    work.check(job, checker)
                mark_stale(checker.store)
            work.note(checker.models)
        else:
            work.left += [Left(row["claim"], _UNRECORDED) for job in some for row in job.rows]
    rows = sum(len(job.rows) for job in jobs)
    return Rechecked(rows, work.documents, work.unchanged, tuple(work.flips), tuple(work.left), tuple(work.notes))


_UNRECORDED = "its run does not say what it was given; check the text again"


def _extractor(job: _Job) -> str:
    return str(job.against.get("extractor") or "")


def _jobs(rows: Sequence[Row]) -> Iterator[_Job]:
    """Verdicts of one text by one configuration are checked together."""

    def key(row: Row) -> tuple[str, str, str]:
        return row["document"], row["method"], row["config"]

    for (document, method, config), some in groupby(sorted(rows, key=key), key=key):
        yield _Job(document, method, json.loads(config), tuple(some))


class _Work:
    """What is found while jobs are done."""

    def __init__(self) -> None:
        self.documents = self.unchanged = 0
        self.flips: list[Flip] = []
        self.left: list[Left] = []
        self.notes: dict[str, None] = {}

    def note(self, models: wiring.Models) -> None:
        """What was asked of a language model, if anything was."""
        if models.spending.calls or models.spending.cached:
            self.notes[models.spending.summary()] = None

    def check(self, job: _Job, checker: wiring.Checker) -> None:
        """One text again; what cannot be is left."""
        try:
            report = _again(job, checker)
        except (NotFound, InputError, UsageError) as error:
            self.left += [Left(row["claim"], str(error)) for row in job.rows]
            return
        self.documents += 1
        if json.loads(report.run.config) | {"against": None} != job.config | {"against": None}:
            self.notes["models, thresholds or rules are not those of the first check"] = None
        found = {verdict.claim: verdict for verdict in report.verdicts}
        _hold(checker.store, [found[row["claim"]] for row in job.rows if row["claim"] in found])
        texts = {claim.id: claim.text for claim in report.claims}
        for row in job.rows:
            self._compare(row, found.get(row["claim"]), texts)

    def _compare(self, row: Row, now: Verdict | None, texts: dict[str, str]) -> None:
        claim = row["claim"]
        if now is None:
            self.left.append(Left(claim, "the extractor does not read this claim any more"))
        elif now.outcome == row["outcome"]:
            self.unchanged += 1
        else:
            before, after = str(row["outcome"]), now.outcome.value
            self.flips.append(Flip(claim, texts[claim], row["document"], row["method"], before, after, now.reason))


def _again(job: _Job, checker: wiring.Checker) -> Report:
    context = job.against.get("context")
    return checker.check(
        _document(checker.store, job.document),
        context=_document(checker.store, context) if context else None,
        graphs=tuple(job.against.get("graphs") or ()),
        method=job.method,
        preset=job.config.get("preset"),
    )


def _document(store: GraphStore, key: str) -> Document:
    found = reads.load_document(store, key)
    if found is None:
        raise NotFound("document", key)
    return found


def _hold(store: GraphStore, verdicts: Sequence[Verdict]) -> None:
    """Make verdicts current that were superseded before: the graph is again as it was when they were given."""
    current = {verdict.id for verdict in reads.load_verdicts(store, [verdict.claim for verdict in verdicts])}
    back = [verdict for verdict in verdicts if verdict.id not in current]
    store.write(
        ("delete_supersessions", [{"id": verdict.id} for verdict in back]),
        ("put_current", [{"id": verdict.claim, "verdict": verdict.id} for verdict in back]),
    )

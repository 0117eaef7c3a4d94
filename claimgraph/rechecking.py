"""Check stale verdicts again the way they were made: `claimgraph recheck --stale`.

A run records its input (pipeline.py), so the same text goes through the same method against the same context and graphs
in their current version; a pass of a retrofit is verified again by KGR's stages. The new verdicts supersede the stale
ones; the old ones stay in the store. Checking all texts again was rejected: a refresh touches few of them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from claimgraph import wiring
from claimgraph.kgstore import identity, reads, records
from claimgraph.kgstore.errors import InputError, NotFound, UsageError
from claimgraph.kgstore.model import Claim, Document, Verdict
from claimgraph.kgstore.store import GraphStore, Row
from claimgraph.kgstore.upkeep.flip_causes import Cause, causes
from claimgraph.kgstore.upkeep.stale import graph_versions, mark_stale, stale_on, stale_verdicts
from claimgraph.repair.retrofitting import METHOD
from claimgraph.settings import Settings
from claimgraph.wiring.open_domain import ASSUMED
from claimgraph.wiring.retrofitter import Retrofitter


@dataclass(frozen=True, slots=True)
class Flip:
    """A claim whose verdict changed: `cause` is what changed in the graphs, `why` the new verdict's reason."""

    claim: str
    text: str
    document: str
    method: str
    before: str
    after: str
    cause: Cause
    why: str


@dataclass(frozen=True, slots=True)
class StillStale:
    """A claim whose verdict is still stale, and why."""

    claim: str
    why: str


@dataclass(frozen=True, slots=True)
class Rechecked:
    """The result: `stale` verdicts found, texts checked again (`documents`), claims whose outcome did not change
    (`unchanged`), those that flipped, those left, and lines for the reader.
    """

    stale: int
    documents: int
    unchanged: int
    flips: tuple[Flip, ...]
    left: tuple[StillStale, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StaleJob:
    """A document with stale verdicts. `state` changes whenever the work does: the same verdicts that are stale once
    more, after they were judged again, are new work.
    """

    document: str
    state: str


@dataclass(frozen=True, slots=True)
class StaleText:
    """One text to check again by one method: its stale verdicts (rows of holding_verdicts), and the run's
    configuration.
    """

    document: str
    method: str
    config: dict[str, Any]
    rows: tuple[Row, ...]

    @property
    def against(self) -> dict[str, Any]:
        """Input of the run; {} where it did not record it."""
        found: dict[str, Any] = self.config.get("against") or {}
        return found

    @property
    def extractor(self) -> str:
        """Extractor of the claims; empty where the run did not record it."""
        return str(self.against.get("extractor") or "")

    @property
    def retrofitted(self) -> str | None:
        """Mode of the retrofit whose pass this was: llm or deterministic; None where the text was checked."""
        return "llm" if self.method == METHOD else "deterministic" if "kgr" in self.config else None


def recheck_stale(settings: Settings, graph: str | None = None) -> Rechecked:
    """Mark stale verdicts, and check those texts again; with `graph` only verdicts of runs that used it.

    A verdict whose run recorded nothing, or whose graph, context or method is gone, is left with the reason. Raises
    NotFound for an unknown graph.
    """
    with wiring.open_store(settings) as store:
        texts = stale_texts(_stale(store, (graph,) if graph else ()))
    found, notes = list[Rechecked](), list[str]()
    for extractor, some in groupby(sorted(texts, key=_extractor), key=_extractor):
        with wiring.Checker(settings, extractor_name=extractor or None) as checker:
            found += [again(text, checker, checker.store) for text in some]
            notes += _spent(checker.models)
    return together(found, notes)


def stale_jobs(store: GraphStore, graphs: Sequence[str] = ()) -> list[StaleJob]:
    """Mark stale verdicts and return the documents to check again, by id; with `graphs` those judged by one of them.

    Raises NotFound for an unknown graph.
    """
    rows = sorted(_stale(store, graphs), key=lambda row: (row["document"], row["id"]))
    return [
        StaleJob(document, identity.scope_version([f"{row['id']} {row['finishedAt'].isoformat()}" for row in some]))
        for document, some in groupby(rows, key=lambda row: str(row["document"]))
    ]


def recheck_document(store: GraphStore, document: str, graphs: Sequence[str] = ()) -> list[StaleText]:
    """Return the texts to check again of one document, one per method and configuration; verdicts must be marked."""
    return stale_texts(stale_on(store, document, graphs))


def stale_texts(rows: Iterable[Row]) -> list[StaleText]:
    """Group the verdicts of one text by one configuration, which are checked together."""

    def key(row: Row) -> tuple[str, str, str]:
        return row["document"], row["method"], row["config"]

    return [
        StaleText(document, method, json.loads(config), tuple(some))
        for (document, method, config), some in groupby(sorted(rows, key=key), key=key)
    ]


def again(text: StaleText, checker: wiring.Checker, store: GraphStore) -> Rechecked:
    """Check one text again by a checker with its extractor; the results are written to `store`.

    Verdicts that cannot be checked are left.
    """
    try:
        claims, verdicts, config = (_verified if text.retrofitted else _checked)(text, checker, store)
    except (NotFound, InputError, UsageError) as error:
        return Rechecked(len(text.rows), 0, 0, (), tuple(StillStale(row["claim"], str(error)) for row in text.rows), ())
    found = {verdict.claim: verdict for verdict in verdicts}
    held = [(row, found[row["claim"]]) for row in text.rows if row["claim"] in found]
    _hold(store, [verdict for _, verdict in held])
    turned = {row["id"]: verdict for row, verdict in held if verdict.outcome != row["outcome"]}
    why = causes(checker.store, turned)
    store.write(("put_causes", [{"id": now.id, "before": old, "cause": why[old]} for old, now in turned.items()]))
    same = json.loads(config) | {"against": None} == text.config | {"against": None}
    outcomes = [(row, found.get(row["claim"])) for row in text.rows]
    texts = {claim.id: claim.text for claim in claims}
    return Rechecked(
        stale=len(text.rows),
        documents=1,
        unchanged=sum(now is not None and now.outcome == row["outcome"] for row, now in outcomes),
        flips=tuple(_flip(row, now, texts, why[row["id"]]) for row, now in held if row["id"] in turned),
        left=tuple(StillStale(row["claim"], _UNREAD) for row, now in outcomes if now is None),
        notes=() if same else ("models, thresholds or rules are not those of the first check",),
    )


def together(found: Sequence[Rechecked], notes: Sequence[str] = ()) -> Rechecked:
    """Merge the results of some texts; each note once."""
    return Rechecked(
        sum(one.stale for one in found),
        sum(one.documents for one in found),
        sum(one.unchanged for one in found),
        tuple(flip for one in found for flip in one.flips),
        tuple(left for one in found for left in one.left),
        tuple(dict.fromkeys([*(note for one in found for note in one.notes), *notes])),
    )


_Judged = tuple[Sequence[Claim], Sequence[Verdict], str]
"""Claims of a text, their verdicts in the same order, and the configuration they were made with."""
_UNRECORDED = "its run does not say what it was given; check the text again"
_UNREAD = "the extractor does not read this claim any more"


def _stale(store: GraphStore, graphs: Sequence[str]) -> list[Row]:
    known = graph_versions(store, graphs)
    for unknown in (graph for graph in graphs if graph not in known):
        raise NotFound("graph", unknown)
    mark_stale(store)
    return stale_verdicts(store, graphs)


def _extractor(text: StaleText) -> str:
    return text.extractor


def _spent(models: wiring.Models) -> list[str]:
    """Return the use of a language model, if any."""
    return [models.spending.summary()] if models.spending.calls or models.spending.cached else []


def _flip(row: Row, now: Verdict, texts: dict[str, str], cause: Cause) -> Flip:
    claim, before = row["claim"], str(row["outcome"])
    return Flip(claim, texts[claim], row["document"], row["method"], before, now.outcome.value, cause, now.reason)


def _checked(text: StaleText, checker: wiring.Checker, store: GraphStore) -> _Judged:
    if not text.extractor:
        raise UsageError(_UNRECORDED)
    report = checker.check(
        _document(checker.store, text.document),
        context=[_document(checker.store, context) for context in records.contexts_of(text.against)],
        graphs=tuple(text.against.get("graphs") or ()),
        method=text.method,
        preset=text.config.get("preset"),
        store=store,
    )
    return report.claims, report.verdicts, report.run.config


def _verified(text: StaleText, checker: wiring.Checker, store: GraphStore) -> _Judged:
    """Return the verdicts of KGR's stages as they verify a draft; no text is rewritten."""
    if not text.extractor:
        raise UsageError(_UNRECORDED)
    ways = {"preset": text.config.get("preset")} if text.retrofitted == "llm" else {"assume": _assumed(text.config)}
    settings = checker.models.settings if text.retrofitted == "llm" else _reading_as(text, checker.models.settings)
    with Retrofitter(
        settings,
        tuple(text.against.get("graphs") or ()),
        mode=text.retrofitted,
        **ways,
        store=store,
        models=checker.models,
    ) as retrofitter:
        stages = retrofitter.stages()
        found = retrofitter.retrofit(_document(checker.store, text.document), limit=0, stages=stages).final
    return found.extraction.claims, found.verdicts, stages.config


def _reading_as(text: StaleText, settings: Settings) -> Settings:
    return replace(settings, extractor=text.extractor)


def _assumed(config: dict[str, Any]) -> str:
    """Return the meaning of a missing fact that a run recorded."""
    return str(config.get("completeness", {}).get("name") or ASSUMED)


def _document(store: GraphStore, key: str) -> Document:
    found = reads.load_document(store, key)
    if found is None:
        raise NotFound("document", key)
    return found


def _hold(store: GraphStore, verdicts: Sequence[Verdict]) -> None:
    """Make verdicts current, also those that were superseded before: the graph is again in the state they were made
    for.

    Verdicts made just now are not stale.
    """
    store.write(
        ("delete_supersessions", [{"id": verdict.id} for verdict in verdicts]),
        ("put_current", [{"id": verdict.claim, "verdict": verdict.id} for verdict in verdicts]),
        ("put_stale", [{"id": verdict.id, "stale": False} for verdict in verdicts]),
    )

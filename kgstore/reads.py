"""Rows back to nouns: what the layers above ask a store for by name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import chain, pairwise
from operator import itemgetter
from typing import Any, TypeVar

from claimgraph.kgstore.model import (
    Citation,
    Claim,
    Correction,
    Document,
    Entity,
    Evidence,
    Fact,
    Hallucination,
    Literal,
    Node,
    Outcome,
    Signal,
    Span,
    Stance,
    Status,
    Subgraph,
    Triple,
    Verdict,
)
from claimgraph.kgstore.naming import folded_name, quoted
from claimgraph.kgstore.store import GraphStore, Row

T = TypeVar("T")
PAGE = 10_000
"""Rows asked for at a time."""
_FIRST = datetime(1970, 1, 1, tzinfo=UTC)


def current_verdicts(
    store: GraphStore,
    *,
    outcome: str | None = None,
    entity: str | None = None,
    since: datetime | None = None,
    limit: int = 100,
) -> list[Row]:
    """Return rows of the verdicts that hold now, newest first, ties by id; the columns are those of
    queries/verdicts.cypher.

    `entity` is an id or a name of what the claim speaks about, compared without case. Without one ever longer times
    before the newest verdict are read until there are `limit` rows, so that not all are sorted for the newest hundred.
    """
    asked, first = {"outcome": outcome, "limit": limit}, since or _FIRST
    if entity is not None:
        return store.read("verdicts_about", folded=folded_name(entity), id=entity, since=first, **asked)
    rows: list[Row] = []
    for start in _ever_earlier(store, first):
        rows = store.read("verdicts", since=start, **asked)
        if len(rows) >= limit:
            break
    return rows


def _ever_earlier(store: GraphStore, first: datetime) -> Iterator[datetime]:
    """Yield times before the newest verdict since `first`, the last of them `first`; none where there is no verdict."""
    newest = store.read("newest_verdict", since=first)[0]["createdAt"]
    if newest is None:
        return
    span = timedelta(hours=1)
    while newest - first > span:
        yield newest - span
        span *= 8
    yield first


def disagreements(store: GraphStore, *, run: str | None = None, limit: int = 100) -> list[Row]:
    """Return rows of the verdicts on claims that methods disagree on, together by claim, the latest judged claim first.

    Of each method its latest verdict; at most `limit` claims; `run` is the id of a run of many documents. The columns
    are those of queries/disagreements.cypher.
    """
    return store.read("disagreements", batch=run, limit=limit)


def load_document(store: GraphStore, document: str) -> Document | None:
    """Return the document of that id, or None."""
    rows = store.read("document", id=document)
    return _document(rows[0]) if rows else None


def load_documents(store: GraphStore, ids: Iterable[str]) -> dict[str, Document]:
    """Return those of the ids that are documents of the store."""
    return {row["id"]: _document(row) for row in _by_id(store, "documents_by_id", ids)}


def claims_by_id(store: GraphStore, ids: Iterable[str]) -> dict[str, Claim]:
    """Return those of the ids that are claims of the store."""
    return {row["id"]: _claim(row) for row in _by_id(store, "claims_by_id", ids)}


def load_claims(store: GraphStore, document: str) -> list[Claim]:
    """Return the claims of a document by where they stand, ties by id."""
    return [_claim(row) for row in store.read("claims_of_document", document=document)]


def load_verdicts(store: GraphStore, claims: Sequence[str]) -> list[Verdict]:
    """Return the verdicts that hold for the claims of these ids, with citations and known signals; by id."""
    rows = store.read("verdicts_of_claims", ids=list(claims))
    ids = [row["id"] for row in rows]
    cited = _grouped(store.read("evidence_of_verdicts", ids=ids))
    signalled = _grouped(store.read("signals_of_verdicts", ids=ids))
    return [_verdict(row, cited.get(row["id"], []), signalled.get(row["id"], [])) for row in rows]


def holding(store: GraphStore, claims: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Return id and method of the verdict that holds for each of the claims of these ids, by claim."""
    rows = store.read("verdicts_of_claims", ids=list(claims))
    return {row["claim"]: (row["id"], row["method"]) for row in rows}


def load_corrections(store: GraphStore, document: str) -> list[Correction]:
    """Return the corrections made to the document of that id, by where they stand; one an edit and corrected
    document.
    """
    return [_correction(row) for row in store.read("corrections_of_document", document=document)]


def graph_facts(store: GraphStore, graph: str) -> Iterator[list[Row]]:
    """Yield rows of all facts of the graph of that name, by id, about a PAGE at a time."""
    pages = 1 + min(store.read("graph_size", graph=graph)[0]["facts"] // PAGE, 4095)
    bounds = ["", *(f"f1:{4096 * page // pages:03x}" for page in range(1, pages)), "~"]
    for first, before in pairwise(bounds):
        yield store.read("facts_of_graph", graph=graph, first=first, before=before)


def load_graph(store: GraphStore, graph: str) -> Subgraph:
    """Return all facts of the graph of that name, by id, with their nodes; empty for a name the store does not hold."""
    return as_subgraph(store, chain.from_iterable(graph_facts(store, graph)))


def load_facts(store: GraphStore, ids: Iterable[str]) -> Subgraph:
    """Return those of the ids that are facts of the store, by id, with their nodes."""
    return as_subgraph(store, _by_id(store, "facts_by_id", ids))


def load_entities(store: GraphStore, ids: Iterable[str]) -> dict[str, Entity]:
    """Return those of the ids that are entities of the store."""
    return {row["id"]: entity(row) for row in _by_id(store, "entities_by_id", ids)}


def load_summaries(store: GraphStore, entities: Iterable[str]) -> list[tuple[str, Document]]:
    """Return texts about the entities of these ids, each with its entity's id, by entity and document."""
    return [(row["entity"], _document(row)) for row in _by_id(store, "summaries", entities)]


def as_subgraph(store: GraphStore, rows: Iterable[Row]) -> Subgraph:
    """Return rows of facts as a Subgraph, each fact once, by id."""
    return with_nodes(store, map(fact, rows))


def with_nodes(store: GraphStore, found: Iterable[Fact]) -> Subgraph:
    """Return facts as a Subgraph, each once, by id."""
    facts = tuple(one for _, one in sorted({one.id: one for one in found}.items()))
    ids = sorted({end for one in facts for end in (one.subject, one.object)})
    nodes: dict[str, Node] = dict(load_entities(store, ids))
    nodes |= {row["id"]: _literal(row) for row in _by_id(store, "literals_by_id", [i for i in ids if i not in nodes])}
    return Subgraph(nodes, facts)


def entity(row: Row) -> Entity:
    """Return the entity of a row of entities_by_id or entity_candidates."""
    return _noun(Entity, row, aliases=tuple(row["aliases"]), graphs=tuple(row["graphs"]))


def _by_id(store: GraphStore, query: str, ids: Iterable[str]) -> list[Row]:
    wanted = list(ids)
    pages = (wanted[start : start + PAGE] for start in range(0, len(wanted), PAGE))
    return [row for page in pages for row in store.read(query, ids=page)]


def _grouped(rows: Iterable[Row]) -> Mapping[str, list[Row]]:
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(row["verdict"], []).append(row)
    return groups


def _document(row: Row) -> Document:
    name = None if row["name"] == quoted(row["text"]) else row["name"]
    return Document(row["id"], row["text"], name, row["source"], row["language"], row["createdAt"])


def _literal(row: Row) -> Literal:
    return _noun(Literal, row)


def fact(row: Row) -> Fact:
    """Return the fact of a row of any query that returns facts."""
    return _noun(Fact, row)


def _claim(row: Row) -> Claim:
    return _noun(Claim, row, statement=row["statement"] or "")


def _verdict(row: Row, cited: Iterable[Row], signalled: Iterable[Row]) -> Verdict:
    return Verdict(
        id=row["id"],
        claim=row["claim"],
        outcome=Outcome(row["outcome"]),
        status=Status(row["status"]),
        method=row["method"],
        reason=row["reason"],
        confidence=row["confidence"],
        hallucination=Hallucination(row["hallucination"]) if row["hallucination"] else None,
        citations=tuple(Citation(_evidence(c), Stance(c["stance"]), c["score"], c["path"]) for c in cited),
        signals=tuple(_signal(row) for row in signalled),
        created_at=row["createdAt"],
    )


def _signal(row: Row) -> Signal:
    method, _, name = row["signal"].partition("_")
    return Signal(method, name, row["value"])


def _correction(row: Row) -> Correction:
    return _noun(Correction, row)


def _evidence(row: Row) -> Evidence:
    told = row["predicate"] is not None
    return Evidence(
        id=row["evidence"],
        text=row["text"],
        source=row["source"],
        fact_id=row["factId"],
        triple=Triple(row["subject"], row["predicate"], row["object"]) if told else None,
        document=row["document"],
        span=_span(row),
        rank=row["rank"],
    )


def _noun(noun: Callable[..., T], row: Row, **more: Any) -> T:
    """Return the noun of a row with a column for each of its fields; `more` counts."""
    plain, spans = columns(noun)
    found = dict(zip(plain, itemgetter(*plain.values())(row), strict=True))
    for name, prefix in spans.items():
        found[name] = _span(row, prefix)
    return noun(**found | more)


@cache
def columns(noun: Any) -> tuple[Mapping[str, str], Mapping[str, str]]:
    """Return the columns of a noun's fields: those that are not spans, and of spans the prefix of both ends."""
    names = [field.name for field in fields(noun)]
    spans = {name: name.removesuffix("_span") for name in names if name.endswith("span")}
    return {name: re.sub("_(.)", lambda found: found[1].upper(), name) for name in names if name not in spans}, spans


def _span(row: Row, prefix: str = "span") -> Span | None:
    start, end = row[f"{prefix}Start"], row[f"{prefix}End"]
    return None if start is None else Span(start, end)

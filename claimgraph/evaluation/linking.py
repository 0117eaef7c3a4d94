"""Measure linking on texts with known entities, for `claimgraph eval linking`.

FewRel's rows name two entities in a sentence; SimpleQuestions' ask about one. An entity is covered where it is in the
graphs under a name of its own; the right answer for a mention of any other is NIL. Weights were fitted on the rows
whose id's hash is even (scripts/fit_linking.py), so the others are held out.
"""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from typing import NamedTuple

from claimgraph.evaluation.batches import Advance, silent
from claimgraph.evaluation.data.rows import JsonRow, dataset_name, read_rows
from claimgraph.evaluation.statistics.shares import share
from claimgraph.kgstore.errors import InputError, NotFound
from claimgraph.kgstore.identity import graph_entity_id
from claimgraph.kgstore.model import Embedder
from claimgraph.kgstore.naming import display_name
from claimgraph.kgstore.reads import load_entities
from claimgraph.kgstore.store import EntityIndex, GraphStore
from claimgraph.kgstore.views import StoreView
from claimgraph.retrieval.linking import link, mentions
from claimgraph.retrieval.linking.candidates import EntityMention
from claimgraph.retrieval.linking.features import tables
from claimgraph.retrieval.linking.link import DEFAULT, NIL_BELOW, Candidate

_LOOKED_AT = 5
_MOST_BETWEEN = 12
"""Number of words between two mentions that count as the relation."""


class LinkingCase(NamedTuple):
    """A text with its mentions, or a question, and the ids of the entities it names, in order."""

    id: str
    text: str
    mentions: tuple[EntityMention, ...]
    gold: tuple[str, ...]

    @property
    def held_out(self) -> bool:
        """Return whether the weights were fitted without this row."""
        return hashlib.sha256(self.id.encode()).digest()[0] % 2 == 1


@dataclass(frozen=True, slots=True)
class LinkingReport:
    """Quality on one file. `n` mentions, `covered` of them with their entity in the graphs.

    recall_at_k: covered mentions whose entity is among the k best candidates. Of the links made, `precision` go to
    the right entity, and `linked` of the covered mentions have theirs. `nil_right`: mentions of entities that are not
    there that are NIL. None where a figure has nothing to count. `median_ms` is of one text.
    """

    dataset: str
    graphs: tuple[str, ...]
    preset: str
    n: int
    covered: int
    recall_at_1: float | None
    recall_at_5: float | None
    precision: float | None
    linked: float | None
    nil: int
    nil_right: float | None
    median_ms: float


def evaluate(
    path: Path,
    store: GraphStore,
    graphs: Sequence[str],
    embedder: Embedder,
    presets: Sequence[str] = (DEFAULT,),
    *,
    held_out: bool = False,
    limit: int | None = None,
    advance: Advance = silent,
) -> list[LinkingReport]:
    """Link the mentions of the first `limit` texts of a file; a report for each preset, over the same candidates.

    `held_out` leaves out the rows that the weights were fitted on. Questions know the presets of mentions.py only.
    Raises InputError for a file of another kind, NotFound for an unknown graph.
    """
    known = {row["name"] for row in store.read("graphs")}
    for graph in graphs:
        if graph not in known:
            raise NotFound("graph", graph)
    chosen = [case for case in cases(path) if case.held_out or not held_out][:limit]
    if not chosen:
        raise InputError(f"{path}: the weights were fitted on all of its rows")
    index = StoreView(store, tuple(graphs))
    inside = covered([gold for case in chosen for gold in case.gold], store, graphs)
    named: list[tuple[str, Callable[[str], list[Candidate]]]] = []
    times = []
    for number, case in enumerate(chosen, 1):
        begun = time.perf_counter()
        named += zip(case.gold, _rankings(case, index, embedder), strict=True)
        times.append(time.perf_counter() - begun)
        advance(number, len(chosen))
    dataset = dataset_name(path)
    return [
        _report(dataset, tuple(graphs), preset, [(gold, by(preset)) for gold, by in named], inside, median(times))
        for preset in presets
    ]


def cases(path: Path) -> Iterator[LinkingCase]:
    """Yield the rows of a file. Raises InputError where one is of neither kind, or the file is empty."""
    needs = "a row has id, question and triple_qids, or text, triples, head_qid and tail_qid"
    return (case for _, case in read_rows(path, _case, needs))


def covered(ids: Sequence[str], store: GraphStore, graphs: Sequence[str]) -> set[str]:
    """Return those of the ids that are in one of the graphs under a name that is not made from the id."""
    found = load_entities(store, sorted(set(ids)))
    return {i for i, e in found.items() if set(e.graphs) & set(graphs) and e.name != display_name(i)}


def _case(row: JsonRow) -> LinkingCase:
    return _question(row) if "question" in row else _sentence(row)


def _question(row: JsonRow) -> LinkingCase:
    return LinkingCase(row["id"], row["question"], (), (graph_entity_id("wikidata", row["triple_qids"][0]),))


def _sentence(row: JsonRow) -> LinkingCase:
    text, [head, _, tail] = row["text"], row["triples"][0]
    ends = sorted(((head, row["head_qid"]), (tail, row["tail_qid"])), key=lambda end: text.find(end[0]))
    between = re.search(f"{re.escape(ends[0][0])}(.*?){re.escape(ends[1][0])}", text)
    predicate = " ".join(between[1].split()[-_MOST_BETWEEN:]) if between else ""
    mentions = (
        EntityMention(ends[0][0], (text,), "subject", predicate),
        EntityMention(ends[1][0], (text,), "object", predicate),
    )
    return LinkingCase(row["id"], text, mentions, tuple(graph_entity_id("wikidata", qid) for _, qid in ends))


def _rankings(case: LinkingCase, index: EntityIndex, embedder: Embedder) -> list[Callable[[str], list[Candidate]]]:
    """Return for each entity of the case its candidates, best first, by preset."""
    if case.mentions:
        return [partial(link.ranked, table) for table in tables(case.mentions, index, embedder)]
    table = mentions.table(case.text, index, embedder)
    return [lambda preset: mentions.ranked(table, preset if preset in mentions.WEIGHTS else mentions.DEFAULT)]


def _report(
    dataset: str,
    graphs: tuple[str, ...],
    preset: str,
    found: Sequence[tuple[str, list[Candidate]]],
    inside: set[str],
    seconds: float,
) -> LinkingReport:
    there = [[c.entity.id for c in best].index(gold) if gold in {c.entity.id for c in best} else _LOOKED_AT
             for gold, best in found if gold in inside]  # fmt: skip
    links = [(gold, best[0].entity.id) for gold, best in found if best and best[0].score >= NIL_BELOW]
    right = sum(gold == linked for gold, linked in links)
    absent = [not best or best[0].score < NIL_BELOW for gold, best in found if gold not in inside]
    return LinkingReport(
        dataset=dataset,
        graphs=graphs,
        preset=preset,
        n=len(found),
        covered=len(there),
        recall_at_1=share(sum(place < 1 for place in there), len(there)),
        recall_at_5=share(sum(place < _LOOKED_AT for place in there), len(there)),
        precision=share(right, len(links)),
        linked=share(right, len(there)),
        nil=len(absent),
        nil_right=share(sum(absent), len(absent)),
        median_ms=round(1000 * seconds, 1),
    )

"""Verdicts whose evidence has changed are marked, on every engine, and those that are right again are not."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from filled import ANN, KNOWS, NEW, WORLD, fill, run, verdict, world

from claimgraph.kgstore import records
from claimgraph.kgstore.model import Outcome, Subgraph
from claimgraph.kgstore.store import GraphStore
from claimgraph.kgstore.upkeep.stale import mark_stale, stale_verdicts

LATER = replace(run("later", 3), config=json.dumps({"against": {"graphs": {WORLD: "7"}}}))
"""A run on the world graph as `fill` stores it."""


def _rename(store: GraphStore, name: str) -> None:
    store.write(("put_entities", [records.entity_row(replace(ANN, name=name))]))


def _stale(store: GraphStore) -> list[str]:
    return [row["claim"] for row in stale_verdicts(store)]


@pytest.fixture
def filled(store: GraphStore) -> GraphStore:
    """A store with verdicts of all kinds."""
    fill(store)
    return store


def test_what_stands_is_not_stale(filled: GraphStore) -> None:
    """Nothing is stale while all cited facts read as they did."""
    assert 0 == mark_stale(filled)
    assert [] == stale_verdicts(filled)


def test_a_fact_that_reads_otherwise(filled: GraphStore) -> None:
    """A verdict is stale while a fact it cites has other words, and not once it has its own again."""
    _rename(filled, "Anne")
    assert 1 == mark_stale(filled)
    assert [KNOWS.id] == _stale(filled)
    assert 1 == mark_stale(filled)
    _rename(filled, ANN.name)
    assert 0 == mark_stale(filled)
    assert [] == _stale(filled)


def test_a_fact_that_is_gone(filled: GraphStore) -> None:
    """A verdict is stale when a fact it cites was deleted; one of a person is not."""
    filled.write(("delete_facts", [{"id": fact.id} for fact in world().facts]))
    assert 1 == mark_stale(filled)
    assert [KNOWS.id] == _stale(filled)


def test_new_facts_reopen_what_was_undecided(filled: GraphStore) -> None:
    """A verdict of not enough information is stale when its graph has another version; a decided one is not."""
    undecided = verdict(KNOWS, LATER, Outcome.NOT_ENOUGH_INFO)
    filled.write(*records.verdict_steps(LATER, [undecided]))
    assert 0 == mark_stale(filled)
    filled.write(*records.subgraph_steps(WORLD, "world", Subgraph({}, ()), "8"))
    assert 1 == mark_stale(filled)
    assert [[undecided.id], []] == [[row["id"] for row in stale_verdicts(filled, [name])] for name in (WORLD, "other")]
    filled.write(*records.subgraph_steps(WORLD, "world", Subgraph({}, ()), "7"))
    assert 0 == mark_stale(filled)


def test_only_what_holds_is_marked(filled: GraphStore) -> None:
    """A superseded verdict stays as it is."""
    filled.write(("delete_facts", [{"id": fact.id} for fact in world().facts]))
    mark_stale(filled)
    held = filled.query("MATCH (v:Verdict)-[:BY]->(r:Run) WHERE v.stale RETURN r.id AS run", {}).rows
    assert [(NEW.id,)] == list(held)

"""Forgetting takes a thing with all that rests on it, and nothing else."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from filled import (
    AGAIN,
    ANN,
    BATCH,
    BORN,
    CLOSED,
    CONTEXT,
    CORRECTION,
    FIRST,
    JOBS,
    KNOWS,
    NEW,
    OLD,
    RULING,
    SECOND,
    VERDICTS,
    WORLD,
    fill,
    submit,
)

from claimgraph.kgstore import identity, records
from claimgraph.kgstore.errors import NotFound, UsageError
from claimgraph.kgstore.model import Run, Verdict
from claimgraph.kgstore.reads import load_corrections
from claimgraph.kgstore.store import GraphStore
from claimgraph.kgstore.upkeep.forget import drop_graph, forget, graph_counts, plan
from claimgraph.kgstore.upkeep.transfer import EdgeRecord, NodeRecord, counts
from claimgraph.kgstore.upkeep.transfer import records as everything


def current(store: GraphStore) -> dict[str, str]:
    """The verdict that holds, by claim."""
    edges = (r for r in everything(store) if isinstance(r, EdgeRecord) and r.kind == "Claim CURRENT Verdict")
    return {edge.source: edge.target for edge in edges}


def ids(store: GraphStore, label: str) -> set[str]:
    """Ids of all nodes of a label."""
    return {r.properties["id"] for r in everything(store) if isinstance(r, NodeRecord) and r.label == label}


def given(by: Run, claim: str) -> str:
    """Id of the verdict a run gave on a claim."""
    return next(verdict.id for verdict in VERDICTS[by] if verdict.claim == claim)


def test_a_document_goes_with_all_that_rests_on_it(store: GraphStore) -> None:
    """Forgetting everything that was put in by texts leaves the world graph as it was, and no more."""
    fill(store)
    expected = {"documents": 1, "claims": 2, "verdicts": 5, "facts": 2, "evidence": 1, "runs": 2}
    assert expected == plan(store, FIRST.id).counts == forget(store, FIRST.id)
    assert {AGAIN.id: given(CLOSED, AGAIN.id)} == current(store)
    assert {SECOND.id, CONTEXT.id} == ids(store, "Document")
    assert {OLD.id, CLOSED.id} == ids(store, "Run")
    assert identity.text_entity_id(FIRST.id, "Ann") not in ids(store, "Entity")
    forget(store, SECOND.id)
    forget(store, CONTEXT.id)
    assert {"Entity": 3, "Fetch": 1, "Graph": 1, "Literal": 1, "Predicate": 2} == counts(store)
    assert {"facts": 4, "entities": 3} == graph_counts(store, WORLD)


def test_a_context_goes_with_the_verdicts_that_rest_on_it(store: GraphStore) -> None:
    """Nothing of a forgotten context stays in evidence; the claim of another text falls back to what it had before."""
    fill(store)
    assert {"documents": 1, "verdicts": 1, "facts": 1, "evidence": 1, "runs": 1} == forget(store, CONTEXT.id)
    assert given(OLD, AGAIN.id) == current(store)[AGAIN.id]
    assert {FIRST.id, SECOND.id} == ids(store, "Document")
    assert 1 == len(ids(store, "Evidence"))


@pytest.mark.parametrize(
    ("gone", "knows", "born"),
    [(NEW, OLD, RULING), (OLD, NEW, RULING), (RULING, NEW, NEW)],
    ids=["the newest", "the oldest", "a person's"],
)
def test_claims_fall_back_when_a_run_goes(store: GraphStore, gone: Run, knows: Run, born: Run) -> None:
    """Without its current verdict a claim has a person's, else the latest; other runs' verdicts and evidence stay."""
    fill(store)
    assert forget(store, gone.id)["runs"] == 1
    assert given(knows, KNOWS.id) == current(store)[KNOWS.id]
    assert given(born, BORN.id) == current(store)[BORN.id]
    assert 2 == counts(store)["Evidence"]
    assert 3 == counts(store)["Claim"]


def test_what_was_superseded_does_not_come_back(store: GraphStore) -> None:
    """With the verdict in the middle forgotten, running the oldest work again still changes nothing."""
    fill(store)
    late = Run("r1:late", "alignment", "{}", CLOSED.started_at)
    newest = Verdict("v1:late", KNOWS.id, *_same(VERDICTS[NEW][0]))
    store.write(*records.verdict_steps(late, [newest]))
    forget(store, NEW.id)
    store.write(*records.verdict_steps(OLD, VERDICTS[OLD]))
    assert newest.id == current(store)[KNOWS.id]


def _same(verdict: Verdict) -> tuple[object, ...]:
    return verdict.outcome, verdict.status, verdict.method, verdict.reason


def test_a_dropped_graph_leaves_verdicts_and_what_others_use(store: GraphStore) -> None:
    """The facts and entities of a graph go but for an entity a claim is linked to and a value a claim speaks of."""
    fill(store)
    before = counts(store)
    assert {"facts": 4, "entities": 3} == drop_graph(store, WORLD)
    after = counts(store)
    left = before | {"Entity": before["Entity"] - 2, "Graph": before["Graph"] - 1}
    assert left == after | {"Fetch": 1, "Predicate": 2}
    assert {"Fetch", "Predicate"}.isdisjoint(after)
    assert ANN.id in ids(store, "Entity")
    with pytest.raises(NotFound):
        drop_graph(store, WORLD)


@pytest.mark.parametrize("act", [forget, drop_graph])
def test_what_is_not_there_is_said(embedded: GraphStore, act: Callable[[GraphStore, str], object]) -> None:
    """An id or name that the store does not hold is NotFound."""
    with pytest.raises(NotFound, match="'nothing'"):
        act(embedded, "nothing")


def test_the_graph_of_a_text_is_dropped_with_the_text(embedded: GraphStore) -> None:
    """Dropping a claim graph alone is refused with the command that forgets its document."""
    fill(embedded)
    with pytest.raises(UsageError, match=f"claimgraph forget {FIRST.id}"):
        drop_graph(embedded, identity.claim_graph(FIRST.id))


@pytest.mark.parametrize("gone", [SECOND.id, CONTEXT.id, CLOSED.id], ids=["its text", "its evidence", "its run"])
def test_a_correction_goes_with_what_caused_it(store: GraphStore, gone: str) -> None:
    """Without the claim it fixes or the verdict behind it there is no correction; without what came of it there is."""
    fill(store)
    assert [CORRECTION] == load_corrections(store, SECOND.id)
    forget(store, gone)
    assert "Correction" not in counts(store)
    fill(store)
    forget(store, FIRST.id)
    assert 1 == counts(store)["Correction"]


def test_a_document_goes_with_its_jobs(store: GraphStore) -> None:
    """Jobs go with the text they check or with their context, and a batch with the last of them."""
    fill(store)
    board = submit(store)
    assert 1 == forget(store, FIRST.id)["jobs"]
    assert {JOBS[1].id} == ids(store, "Job")
    assert 1 == board.progress(BATCH.id).total
    assert 1 == forget(store, CONTEXT.id)["jobs"]
    assert not {"Batch", "Job"} & counts(store).keys()

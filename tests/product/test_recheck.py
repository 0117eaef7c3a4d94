"""Texts whose evidence has changed are checked again as they were, and what flipped is told."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import engines
import pytest
from typer.testing import CliRunner

from claimgraph import wiring
from claimgraph.cli.app import app
from claimgraph.input_texts import document_from_text
from claimgraph.kgstore import identity, reads, records
from claimgraph.kgstore.errors import NotFound
from claimgraph.kgstore.model import Entity, Fact, Subgraph
from claimgraph.kgstore.store import GraphStore
from claimgraph.kgstore.upkeep.stale import mark_stale
from claimgraph.rechecking import Rechecked, recheck_stale
from claimgraph.settings import Settings, load_settings
from claimgraph.wiring.retrofitter import Retrofitter

ANN, ROME, OSLO = (Entity(f"people:{name}", name, graphs=("people",)) for name in ("Ann Miller", "Rome", "Oslo"))
TEXT = "Ann Miller was born in Oslo."


@pytest.fixture(params=engines.ENGINES)
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    """Settings of a clean store on each engine found."""
    engines.open_clean(request.param, tmp_path).close()
    if request.param == "embedded":
        return replace(load_settings({}), neo4j_uri=None, store=tmp_path / "store", cache=tmp_path / "cache")
    return replace(load_settings(), neo4j_uri=os.environ[engines.NEO4J[request.param]], cache=tmp_path / "cache")


def _born(town: Entity) -> Fact:
    key = identity.fact_id("people", ANN.id, "people:born", town.id)
    return Fact(key, "people", ANN.id, "people:born", "place of birth", town.id)


def _world(store: GraphStore, version: str, *facts: Fact) -> None:
    """The graph with these facts and no others."""
    old = [fact.id for fact in reads.load_graph(store, "people").facts]
    nodes = {node.id: node for node in (ANN, ROME, OSLO)}
    store.write(("delete_facts", [{"id": key} for key in old]))
    store.write(*records.subgraph_steps("people", "world", Subgraph(nodes, facts), version))
    store.settle()


def test_a_name_that_the_graph_knows_is_read_whole(settings: Settings) -> None:
    """A preposition inside a known name ends no object; without the graph's names it would."""
    film = Entity("people:film", "A Room with a View", graphs=("people",))
    stars = Fact(
        identity.fact_id("people", film.id, "people:cast", ANN.id),
        "people",
        film.id,
        "people:cast",
        "cast member",
        ANN.id,
    )
    with wiring.Checker(settings) as checker:
        world = Subgraph({ANN.id: ANN, film.id: film}, (stars,))
        checker.store.write(*records.subgraph_steps("people", "world", world, "1"))
        checker.store.settle()
        document = document_from_text("Ann Miller acts in A Room with a View.", 1, "the text")
        report = checker.check(document, graphs=["people"])
    assert ["A Room with a View"] == [claim.object for claim in report.claims]
    assert ["SUPPORTED"] == [verdict.outcome.value for verdict in report.verdicts]


def _checked(settings: Settings, graphs: Sequence[str] = ("people",)) -> list[str]:
    with wiring.Checker(settings) as checker:
        _world(checker.store, "1", _born(ROME))
        document = document_from_text(TEXT, 1, "the text")
        report = checker.check(document, graphs=graphs, method="rules")
    return [verdict.outcome.value for verdict in report.verdicts]


def _moved(settings: Settings, version: str, *facts: Fact) -> Rechecked:
    with wiring.open_store(settings) as store:
        _world(store, version, *facts)
    return recheck_stale(settings)


def test_what_changed_flips_and_flips_back(settings: Settings) -> None:
    """A refuted claim is supported once the graph says so, undecided when it says nothing, and refuted as before."""
    assert ["REFUTED"] == _checked(settings)
    found = recheck_stale(settings)
    assert (0, 0, ()) == (found.stale, found.documents, found.flips)
    for version, facts, before, after in (
        ("2", [_born(OSLO)], "REFUTED", "SUPPORTED"),
        ("3", [], "SUPPORTED", "NOT_ENOUGH_INFO"),
        ("1", [_born(ROME)], "NOT_ENOUGH_INFO", "REFUTED"),
    ):
        found = _moved(settings, version, *facts)
        assert [(TEXT[:-1], before, after)] == [(flip.text, flip.before, flip.after) for flip in found.flips]
        assert (1, 1, 0, ()) == (found.stale, found.documents, found.unchanged, found.left)
        assert found.flips[0].why
    with wiring.open_store(settings) as store:
        assert 0 == mark_stale(store)
        [row] = reads.current_verdicts(store)
    assert ("REFUTED", False) == (row["outcome"], row["stale"])


def test_a_verdict_that_still_holds(settings: Settings) -> None:
    """New facts reopen an undecided claim; where they decide nothing it is as before, and no longer stale."""
    _checked(settings)
    _moved(settings, "2")
    found = _moved(settings, "3")
    assert (1, 1, ()) == (found.stale, found.unchanged, found.flips)
    assert 0 == recheck_stale(settings).stale


def test_a_retrofitted_text_is_verified_by_the_stages_that_judged_it(settings: Settings) -> None:
    """A pass of a retrofit is verified again as it was: under the same configuration, with its meaning of a missing
    fact, and without rewriting the text.
    """
    with wiring.open_store(settings) as store:
        _world(store, "1", _born(ROME))
        with Retrofitter(settings, ["people"], mode="deterministic", assume="complete", store=store) as retrofitter:
            assert "Ann Miller was born in Rome." == retrofitter.retrofit(document_from_text(TEXT, 1, "it")).text
    found = _moved(settings, "2", _born(OSLO))
    assert {("REFUTED", "SUPPORTED"), ("SUPPORTED", "REFUTED")} == {(flip.before, flip.after) for flip in found.flips}
    assert (2, 2, (), ()) == (found.stale, found.documents, found.left, found.notes)
    assert 0 == recheck_stale(settings).stale
    with wiring.open_store(settings) as store:
        configs = [json.loads(row["config"]) for row in store.read("holding_verdicts", first="", before="~")]
    assert [("complete", True)] * 2 == [(one["completeness"]["name"], "kgr" in one) for one in configs]


def test_a_graph_that_is_gone(settings: Settings) -> None:
    """A verdict whose graph was dropped is left, with the reason; an unknown graph asked for is an error."""
    from claimgraph.kgstore.upkeep.forget import drop_graph

    _checked(settings)
    with wiring.open_store(settings) as store:
        drop_graph(store, "people")
    found = recheck_stale(settings)
    assert (1, 0) == (found.stale, found.documents)
    assert ["people" in left.why for left in found.left] == [True]
    with pytest.raises(NotFound):
        recheck_stale(settings, "nowhere")


def test_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`recheck --stale --json` prints what was done; without --stale it says what is missing."""
    monkeypatch.setenv("CLAIMGRAPH_STORE", str(tmp_path / "store"))
    monkeypatch.setenv("CLAIMGRAPH_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("NEO4J_URI", raising=False)
    settings = load_settings()
    _checked(settings)
    with wiring.open_store(settings) as store:
        _world(store, "2", _born(OSLO))
    result = CliRunner().invoke(app, ["recheck", "--stale", "--graph", "people", "--json"])
    found = json.loads(result.stdout)
    assert [("REFUTED", "SUPPORTED")] == [(flip["before"], flip["after"]) for flip in found["flips"]]
    assert {"stale", "documents", "unchanged", "flips", "left", "notes"} == set(found)
    assert "0 stale verdicts" in CliRunner().invoke(app, ["recheck", "--stale"]).stdout
    assert 0 != CliRunner().invoke(app, ["recheck"]).exit_code

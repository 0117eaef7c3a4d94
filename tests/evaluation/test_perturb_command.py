"""`claimgraph eval perturb`: a perturbed graph in the store, beside the original."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from filled import WORLD, fill
from typer.testing import CliRunner

from claimgraph.cli.app import app
from claimgraph.kgstore.engines.embedded import EmbeddedStore, open_embedded
from claimgraph.kgstore.engines.migrations import migrate
from claimgraph.kgstore.errors import NotFound, UsageError
from claimgraph.kgstore.reads import load_graph
from claimgraph.kgstore.store import GraphStore
from claimgraph.kgstore.upkeep.copying import copy_graph


def test_a_copy_says_the_same_under_another_name(store: GraphStore) -> None:
    """Facts, literals, validity and names survive; ids are the copy's; entities stand in both graphs."""
    fill(store)
    before = load_graph(store, WORLD)
    assert len(before.facts) == copy_graph(store, WORLD, "again", "1", lambda row: row)
    after = load_graph(store, "again")
    assert sorted((f.subject, f.predicate, f.object, f.valid_from, f.name) for f in before.facts) == sorted(
        (f.subject, f.predicate, f.object, f.valid_from, f.name) for f in after.facts
    )
    assert not {f.id for f in before.facts} & {f.id for f in after.facts}
    assert {key: node.name for key, node in before.nodes.items()} == {k: node.name for k, node in after.nodes.items()}
    assert before.facts == load_graph(store, WORLD).facts
    assert {"again": "1", WORLD: "7"}.items() <= {row["name"]: row["version"] for row in store.read("graphs")}.items()


def test_a_copy_replaces_nothing(embedded: EmbeddedStore) -> None:
    """A name that is taken and a graph that is not there are refused before anything is written."""
    fill(embedded)
    with pytest.raises(UsageError, match="drop it first"):
        copy_graph(embedded, WORLD, WORLD, "1", lambda row: row)
    with pytest.raises(NotFound):
        copy_graph(embedded, "nowhere", "again", "1", lambda row: row)
    assert "again" not in {row["name"] for row in embedded.read("graphs")}


def test_the_command_stores_and_reports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half of four facts deleted leaves two under the new name; without --out nothing is written."""
    monkeypatch.setenv("CLAIMGRAPH_STORE", str(tmp_path / "store"))
    monkeypatch.setenv("CLAIMGRAPH_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("NEO4J_URI", raising=False)
    with open_embedded(tmp_path / "store") as opened:
        migrate(opened)
        fill(opened)
    asked = ["eval", "perturb", "--graph", WORLD, "--mode", "ed", "--ratio", "0.5", "--json"]
    measured = json.loads(CliRunner().invoke(app, asked).stdout)
    stored = json.loads(CliRunner().invoke(app, [*asked, "--out", "less"]).stdout)
    assert {"facts": 4, "deleted": 2, "changed": 0, "stored": None, "ats": 1.0}.items() <= measured.items()
    assert measured | {"out": "less", "stored": 2} == stored
    with open_embedded(tmp_path / "store", read_only=True) as opened:
        assert (4, 2) == tuple(len(load_graph(opened, name).facts) for name in (WORLD, "less"))

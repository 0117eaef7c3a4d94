"""The commands that look after a store: they ask before they destroy, and say what they did."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import typer
from click.testing import Result
from filled import FIRST, NEW, WORLD, fill
from typer.testing import CliRunner

from claimgraph.cli.store import admin
from claimgraph.kgstore.arrays.export import export_arrays
from claimgraph.kgstore.engines.bolt import BoltStore
from claimgraph.kgstore.errors import NotFound, UsageError
from claimgraph.kgstore.upkeep.transfer import records
from claimgraph.settings import load_settings
from claimgraph.wiring import open_store

Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command on a filled embedded store of its own; errors come out as they were raised."""
    monkeypatch.delenv("NEO4J_URI", raising=False)
    monkeypatch.setenv("CLAIMGRAPH_STORE", str(tmp_path / "store"))
    monkeypatch.setenv("CLAIMGRAPH_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    with open_store(load_settings()) as store:
        fill(store)
    app = typer.Typer()
    app.add_typer(admin.graphs, name="graphs")
    for command in (admin.forget, admin.backup, admin.restore, admin.copy, admin.migrate, admin.stats):
        app.command()(command)

    def call(*arguments: str, **options: Any) -> Result:
        result = CliRunner().invoke(app, arguments, **options)
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return call


def held() -> list[Any]:
    """Everything in the store of the settings."""
    with open_store(load_settings(), read_only=True) as store:
        return list(records(store))


def test_stats_count_everything(run: Run) -> None:
    """Nodes by label, facts by graph, verdicts that hold, and the size on disk, as JSON and as tables."""
    found = json.loads(run("stats", "--json").stdout)
    assert 3 == found["nodes"]["Claim"]
    assert 4 == found["facts"][WORLD]
    assert 3 == sum(row["verdicts"] for row in found["verdicts"])
    assert "embedded" == found["store"]["engine"]
    assert 0 < found["store"]["bytes"]
    assert "Verdict" in run("stats").stdout


def test_graphs_are_listed(run: Run) -> None:
    """`graphs` and `graphs list` name each graph with its kind and facts."""
    rows = json.loads(run("graphs", "list", "--json").stdout)
    assert {"world": 1, "context": 1, "claim": 2} == {
        k: sum(r["kind"] == k for r in rows) for k in ("world", "context", "claim")
    }
    assert 4 == next(row["facts"] for row in rows if row["name"] == WORLD)
    assert run("graphs").stdout == run("graphs", "list").stdout


@pytest.mark.parametrize("arguments", [("forget", FIRST.id), ("forget", NEW.id), ("graphs", "drop", WORLD)])
def test_destroying_needs_a_yes(run: Run, arguments: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a terminal --yes is needed; at one the question says how much goes, and only yes goes on."""
    before = held()
    with pytest.raises(UsageError, match="--yes"):
        run(*arguments)
    monkeypatch.setattr(admin, "_can_ask", lambda: True)
    declined = run(*arguments, input="n\n")
    assert (0, "nothing was changed\n") == (declined.exit_code, declined.stderr)
    assert before == held()
    assert "facts" in declined.stdout or "verdicts" in declined.stdout
    run(*arguments, input="y\n")
    assert len(before) > len(held())


def test_a_dropped_graph_leaves_no_arrays(run: Run) -> None:
    """What was kept of a graph for questions goes with it."""
    kept = load_settings().cache_folder / "graphs"
    with open_store(load_settings()) as store:
        export_arrays(store, [WORLD], load_settings().cache_folder)
    assert list(kept.glob("*/*/facts.json"))
    run("graphs", "drop", WORLD, "--yes")
    assert [] == list(kept.iterdir())


def test_yes_does_not_ask(run: Run) -> None:
    """With --yes a document goes at once, and is then no longer there to forget."""
    assert "deleted 1 documents, 2 claims" in run("forget", FIRST.id, "--yes").stdout
    with pytest.raises(NotFound):
        run("forget", FIRST.id, "--yes")


def test_backup_and_restore(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A backup restores into an empty store only, and is overwritten only when told to."""
    before = held()
    run("backup", "store.jsonl.gz")
    with pytest.raises(UsageError, match="Overwrite"):
        run("backup", "store.jsonl.gz")
    with pytest.raises(UsageError, match="not empty"):
        run("restore", "store.jsonl.gz")
    monkeypatch.setenv("CLAIMGRAPH_STORE", str(tmp_path / "new"))
    assert "restored" in run("restore", "store.jsonl.gz").stdout
    assert before == held()


def test_copy_to_a_folder(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A store is copied into another folder whole, and `migrate` then finds nothing to do there."""
    before = held()
    assert "copied" in run("copy", "--to", str(tmp_path / "new")).stdout
    monkeypatch.setenv("CLAIMGRAPH_STORE", str(tmp_path / "new"))
    assert before == held()
    assert "nothing to do\n" == run("migrate").stdout


def test_copy_to_neo4j_and_back(
    neo4j_store: BoltStore, run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A store goes to the Neo4j at an address and from there into a folder, unchanged."""
    before = held()
    uri = neo4j_store.info().address
    run("copy", "--to", uri)
    assert before == list(records(neo4j_store))
    monkeypatch.setenv("NEO4J_URI", uri)
    run("copy", "--to", str(tmp_path / "back"))
    monkeypatch.delenv("NEO4J_URI")
    monkeypatch.setenv("CLAIMGRAPH_STORE", str(tmp_path / "back"))
    assert before == held()

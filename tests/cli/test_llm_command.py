"""`claimgraph llm`, what commands say of their language model, and `--dry-run`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from chat_server import serving
from click.testing import Result
from typer.testing import CliRunner

from claimgraph.cli.app import app
from claimgraph.kgstore.engines.embedded import open_embedded
from claimgraph.kgstore.engines.migrations import migrate
from claimgraph.kgstore.model import Message, Request
from claimgraph.kgstore.upkeep.completions import counts, keep
from claimgraph.kgstore.upkeep.transfer import counts as nodes

NOBODY = "http://127.0.0.1:1/v1"
TEXT = "Marie Curie was born in Paris."
CONTEXT = "Marie Curie was born in Warsaw."
Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Commands on an embedded store, with a language model at `url`, its key in the settings."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NEO4J_URI", raising=False)
    monkeypatch.setenv("CLAIMGRAPH_STORE", str(tmp_path / "store"))
    monkeypatch.setenv("CLAIMGRAPH_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("CLAIMGRAPH_LLM_API_KEY", "sk-very-secret")
    (tmp_path / "context.txt").write_text(CONTEXT)

    def started(url: str | None, *command: str) -> Result:
        model = {"CLAIMGRAPH_LLM_BASE_URL": url, "CLAIMGRAPH_LLM_MODEL": url and "small"}
        return CliRunner().invoke(app, list(command), env=model)

    return started


def run_usage(done: Result) -> dict[str, object]:
    """The usage in the JSON that a command printed."""
    found: dict[str, object] = json.loads(done.stdout)["usage"]
    return found


def test_status_tells_what_is_set_and_kept(run: Run, tmp_path: Path) -> None:
    """Host, model, answer, schema, kept answers, prices: never the key. Without a model only what is kept."""
    with open_embedded(tmp_path / "store") as store:
        migrate(store)
        keep(store, "large", {Request((Message("user", "a"),)): "b"})
    with serving(lambda _: "Yes, it is.") as server:
        found = json.loads(run(server.url, "llm", "status", "--json").stdout)
        shown = run(server.url, "llm", "status").stdout
    expected = {"host": "127.0.0.1", "model": "small", "answers": True, "problem": None, "schema": False}
    assert expected == {key: found[key] for key in expected}
    assert {"large": 1} == found["kept"]
    assert "1 of large" in shown
    assert "sk-very-secret" not in shown + json.dumps(found)
    without = run(None, "llm", "status", "--json")
    assert (0, None, False) == (without.exit_code, *(json.loads(without.stdout)[key] for key in ("model", "answers")))


def test_status_fails_where_nobody_answers(run: Run) -> None:
    """The problem is one line, and the exit code that of a failed service."""
    done = run(NOBODY, "llm", "status", "--json")
    assert (3, False, None) == (done.exit_code, *(json.loads(done.stdout)[key] for key in ("answers", "schema")))
    assert "cannot be reached" in json.loads(done.stdout)["problem"]


def test_purge_says_how_many_went(run: Run, tmp_path: Path) -> None:
    """Only those of the model and age go."""
    with open_embedded(tmp_path / "store") as store:
        migrate(store)
        for model in ("small", "large"):
            keep(store, model, {Request((Message("user", "a"),)): "b"})
    assert "deleted 0 kept answers" in run(None, "llm", "purge", "--older-than", "1").stdout
    assert "deleted 1 kept answers" in run(None, "llm", "purge", "--model", "small").stdout
    with open_embedded(tmp_path / "store") as store:
        assert {"large": 1} == counts(store)


def test_commands_say_what_they_asked(run: Run) -> None:
    """The usage stands in the JSON and in one line on standard error; the second time answers come from the store."""
    command = ("correct", TEXT, "--context", "context.txt", "--method", "direct", "--json")
    with serving(lambda _: CONTEXT) as server:
        first, second = run(server.url, *command), run(server.url, *command)
        asked = len(server.asked)
    usage = run_usage(first)
    assert ("small", False, asked, 0) == tuple(usage[key] for key in ("model", "dry_run", "calls", "cached"))
    assert f"small: {asked} call of the language model" in first.stderr
    again = run_usage(second)
    assert (0, asked) == (again["calls"], again["cached"])


def test_a_dry_run_asks_nobody_and_stores_nothing(run: Run, tmp_path: Path) -> None:
    """Calls and tokens are estimated, nobody need be there, and no store is made. A result that asks nobody is real."""
    command = ("correct", TEXT, "--context", "context.txt", "--method", "direct", "--dry-run")
    done = run(NOBODY, *command, "--json")
    usage = run_usage(done)
    assert (0, True, True) == (done.exit_code, usage["dry_run"], usage["estimated"])
    assert (1, True) == (usage["calls"], bool(usage["tokens_in"]))
    real = run(NOBODY, "check", TEXT, "--context", "context.txt", "--dry-run", "--json")
    assert ("REFUTED", 0) == (json.loads(real.stdout)["claims"][0]["verdict"]["outcome"], run_usage(real)["calls"])
    shown = run(NOBODY, *command)
    assert "nothing was asked or stored. small would take 1 call of the language model, about" in shown.stdout
    with open_embedded(tmp_path / "store", read_only=True) as store:
        assert {} == nodes(store)


@pytest.mark.parametrize("command", [("llm", "status"), ("doctor",)])
def test_without_a_language_model_commands_say_so(run: Run, command: tuple[str, ...]) -> None:
    """What is asked about one says that none is set."""
    done = run(None, *command)
    assert "language model" in done.output + done.stderr
    assert done.exit_code in (0, 1)

"""Help that a person finds their way by: groups, examples, a version, short ids, completion, and the schema."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.main
from command import Cli, Environment

from claimgraph.cli.app import app
from claimgraph.cli.common.completion import graphs, ids
from claimgraph.kgstore.errors import InputError, NotFound
from claimgraph.kgstore.id_search import find_id
from claimgraph.kgstore.store import GraphStore

CONTEXT = "The mine opened in 1881.\nIt closed in 1903.\n"


def leaves(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """All commands that do something, with the words that name them."""
    if not hasattr(command, "commands"):
        yield path, command
    for name, inner in getattr(command, "commands", {}).items():
        yield from leaves(inner, (*path, name))


COMMANDS = dict(leaves(typer.main.get_command(app)))


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_every_command_has_an_example(path: tuple[str, ...]) -> None:
    """The help of each command ends with a command line that it takes."""
    command = COMMANDS[path]
    said = " ".join(f"{command.help} {command.epilog or ''}".split())
    assert f"Example: claimgraph {' '.join(path)}" in said


def test_help_is_grouped_and_the_version_is_said(cli: Cli) -> None:
    """--help has the headings in the order of use, each command once; --version prints one line."""
    said = cli("--help").stdout
    places = [
        said.index(f"\n{heading}:\n")
        for heading in ("Check", "Ask", "Store", "Graphs", "Many documents", "Measure", "Maintain")
    ]
    assert sorted(places) == places
    assert "..." not in said[places[0] :]
    assert cli("--version").stdout.startswith("claimgraph 0.")


@pytest.fixture
def claims(cli: Cli, tmp_path: Path) -> list[dict[str, Any]]:
    """The claims of a checked text."""
    (tmp_path / "context.txt").write_text(CONTEXT, encoding="utf-8")
    (tmp_path / "draft.txt").write_text("The mine opened in 1891.\nIt closed in 1903.\n", encoding="utf-8")
    done = cli("check", "draft.txt", "--context", "context.txt", "--json")
    found = json.loads(done.stdout)
    return [found["document"], *found["claims"]]


def test_ids_are_short(cli: Cli, claims: list[dict[str, Any]]) -> None:
    """explain, history, rule and forget take the beginning of an id; the evidence is shown at its place."""
    document, claim = claims[0]["id"], next(one for one in claims[1:] if one["object"] == "1891")
    short = claim["id"][:11]
    said = cli("explain", short).stdout
    assert "draft.txt, line 1: The mine opened in 1891." in said
    assert "context.txt:1" in said
    assert "It closed in 1903." in said
    whole = cli("explain", document[3:12]).stdout
    assert "REFUTED, line 1" in whole
    assert "Edit:" not in said + whole
    for told in (cli("explain", key, "--edits").stdout for key in (short, document)):
        assert "object: 1891, known: " in told
        assert "Edit: substitute object of" in told
        assert "after the edits 1.000" in told
    told = json.loads(cli("explain", short, "--edits", "--json").stdout)
    assert [short] == [one["id"][: len(short)] for one in told["claims"]]
    assert ["1891"] == [one["said"] for one in told["contradictions"]]
    assert ("substitute", "1891") == (told["script"][0]["operation"], told["script"][0]["before"])
    assert told["similarity"]["before"] < told["similarity"]["after"] == pytest.approx(1)
    assert told["explanation"] is None
    assert 2 == cli("explain", short, "--llm").returncode
    assert 0 == cli("rule", short, "SUPPORTED", "--note", "as the owner says").returncode
    rows = json.loads(cli("history", short, "--json").stdout)
    assert [("human", True), ("fused", False)] == [(row["method"], row["holds"]) for row in rows]
    assert "as the owner says" in cli("history", short[3:]).stdout
    assert short in cli("verdicts").stdout
    assert 0 == cli("forget", document[:11], "--yes").returncode
    gone = cli("explain", short)
    assert (2, f"claimgraph: no claim or document '{short}' in the store\n") == (gone.returncode, gone.stderr)


def test_an_ambiguous_id_names_the_candidates(store: GraphStore) -> None:
    """Several ids with the same beginning are an error that names them as far as tells them apart; none is NotFound."""
    now = "2026-01-01T00:00:00+00:00"
    keys = [f"d1:{'ab' * 8}{n}{'0' * 47}" for n in range(3)]
    empty = dict.fromkeys(("name", "source", "language", "createdAt"))
    store.write(("put_documents", [{"id": key, "text": now, **empty} for key in keys]))
    assert keys[1] == find_id(store, keys[1], ("document",))
    assert keys[1] == find_id(store, keys[1][:20], ("claim", "document"))
    assert keys[1] == find_id(store, keys[1][3:20], ("claim", "document"))
    with pytest.raises(
        InputError, match="several ids begin with 'd1:abab': d1:" + "ab" * 8 + "0, .*give more of the id"
    ):
        find_id(store, "d1:abab", ("document",))
    with pytest.raises(InputError, match="too short"):
        find_id(store, "d1:ab", ("document",))
    with pytest.raises(NotFound):
        find_id(store, "c1:abab", ("document",))


@pytest.mark.usefixtures("cli")
def test_a_shell_completes_ids_and_graphs(
    claims: list[dict[str, Any]], cli_environment: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is typed of an id is completed, with or without its kind; where there is no store, to nothing."""
    for name, value in cli_environment.items():
        monkeypatch.delenv(name, raising=False) if value is None else monkeypatch.setenv(name, value)
    key = claims[1]["id"]
    assert [key] == ids("claim")(key[:20])
    assert [key[3:15]] == ids("claim", "document")(key[3:9])
    assert [] == graphs("wiki")
    monkeypatch.setenv("NEO4J_URI", "bolt://127.0.0.1:1")
    monkeypatch.setenv("CLAIMGRAPH_NEO4J_RETRY", "0")
    assert [] == ids("claim")("c1:")


@pytest.mark.usefixtures("claims")
def test_schema_says_what_a_query_may_name(cli: Cli) -> None:
    """Labels with properties and relationships; the guard refers to it, and names the rule that a query breaks."""
    rows = {row["label"]: row for row in json.loads(cli("schema", "--json").stdout)}
    assert {"subject", "statement"} <= set(rows["Claim"]["properties"])
    assert "-[:IN]->(:Document)" in rows["Claim"]["relationships"]
    assert "statement" in cli("schema").stdout
    for query, rule in (
        ("SHOW INDEXES", "claimgraph schema"),
        ("MATCH (n) DETACH DELETE n", "a query changes nothing"),
        ("LOAD CSV FROM 'x' AS r RETURN r", "claimgraph ingest"),
        ("DROP INDEX x", "no schema"),
    ):
        done = cli("cypher", query)
        assert (2, True) == (done.returncode, rule in done.stderr), done.stderr
        assert "another name" not in done.stderr
    assert "AS `set`" in cli("cypher", "MATCH (n) RETURN n.name AS set").stderr


def test_init_writes_settings_that_are_read(cli: Cli, tmp_path: Path) -> None:
    """Every setting is there as a comment; a line without its # is a setting; a file that is there stays."""
    assert 0 == cli("init").returncode
    path = tmp_path / "claimgraph.toml"
    text = path.read_text(encoding="utf-8")
    assert "# query_seconds = 30.0\n" in text
    lines = [line.removeprefix("# ") for line in text.splitlines() if " = " in line and '= ""' not in line]
    path.write_text("\n".join(lines), encoding="utf-8")
    assert 0 == cli("doctor", "--json").returncode
    refused = cli("init")
    assert (2, True) == (refused.returncode, "--force" in refused.stderr)


def test_correct_says_what_it_changed_and_writes_the_text(cli: Cli, tmp_path: Path) -> None:
    """Each change stands with the sentence that refutes and its place; --output has the corrected text."""
    (tmp_path / "context.txt").write_text(CONTEXT, encoding="utf-8")
    done = cli("correct", "The mine opened in 1891.", "--context", "context.txt", "--output", "right.txt")
    assert "Changed 1891 → 1881, because context.txt:1 says “The mine opened in 1881.”" in done.stdout
    assert "The mine opened in 1881." == (tmp_path / "right.txt").read_text(encoding="utf-8")


def test_watch_checks_again_what_has_changed(cli_environment: Environment, tmp_path: Path) -> None:
    """A text is checked at first and after each change, until Ctrl-C; other files are left alone."""
    own = {key: value for key, value in (os.environ | cli_environment).items() if value is not None}
    (tmp_path / "context.txt").write_text(CONTEXT, encoding="utf-8")
    (tmp_path / "drafts").mkdir()
    draft = tmp_path / "drafts" / "a.txt"
    draft.write_text("The mine opened in 1891.", encoding="utf-8")
    code = "from claimgraph.cli import main; main()"
    words = ["watch", "drafts", "--context", "context.txt"]
    with subprocess.Popen(
        [sys.executable, "-u", "-c", code, *words], env=own, cwd=tmp_path, stdout=subprocess.PIPE, text=True
    ) as watching:  # fmt: skip
        assert watching.stdout
        said = _until(watching.stdout, "Document d1:")
        assert "1 refuted" in said
        time.sleep(0.1)
        draft.write_text("The mine opened in 1881.", encoding="utf-8")
        assert "0 refuted" in _until(watching.stdout, "Document d1:")
        watching.terminate()


def _until(lines: Iterator[str], word: str) -> str:
    said = ""
    for line in lines:
        said += line
        if word in line:
            return said
    raise AssertionError(said)

"""The command line as a user meets it: its output and exit codes on real stores; processes where they are the point."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from command import Cli, Environment

from claimgraph.kgstore.engines.embedded import open_embedded
from claimgraph.kgstore.engines.migrations import migrate

MAIN = "from claimgraph.cli import main; main()"
TEXT = "Marie Curie was born in Paris in 1867. She discovered polonium. She loved astronomy."
CONTEXT = "Marie Curie was born in Warsaw in 1867. She discovered polonium and radium with Pierre Curie."


def process(environment: Environment, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs Python in a process of its own."""
    own = {key: value for key, value in (os.environ | environment).items() if value is not None}
    return subprocess.run(
        [sys.executable, *arguments], env=own, capture_output=True, text=True,
        timeout=120, check=False,
    )  # fmt: skip


@pytest.fixture
def context(tmp_path: Path) -> str:
    path = tmp_path / "context.txt"
    path.write_text(CONTEXT, encoding="utf-8")
    return str(path)


def test_check_stores_verdicts_that_can_be_asked(cli: Cli, context: str) -> None:
    """A check prints the documented JSON, exits with 1 for a refuted claim, and Cypher finds the stored verdicts."""
    done = cli("check", TEXT, "--context", context, "--json")
    assert (1, "") == (done.returncode, done.stderr)
    report = json.loads(done.stdout)
    outcomes = {(c["subject"], c["object"]): c["verdict"]["outcome"] for c in report["claims"]}
    assert "REFUTED" == outcomes["Marie Curie", "Paris"]
    assert "SUPPORTED" == outcomes["Marie Curie", "polonium"]
    assert "NOT_ENOUGH_INFO" == outcomes["Marie Curie", "astronomy"]
    for claim in report["claims"]:
        assert 0 <= claim["start"] < claim["end"] <= len(TEXT)
        assert claim["verdict"]["reason"]
    refuted = next(c for c in report["claims"] if c["object"] == "Paris")
    assert any("Warsaw" in e["text"] and e["stance"] == "refutes" for e in refuted["verdict"]["evidence"])
    asked = cli(
        "cypher",
        "MATCH (v:Verdict {outcome: $o})-[:OF]->(c:Claim) RETURN c.object AS object",
        "--param",
        "o=REFUTED",
        "--json",
    )
    assert [{"object": "Paris"}] == json.loads(asked.stdout)
    listed = json.loads(cli("verdicts", "--outcome", "REFUTED", "--entity", "Marie Curie", "--json").stdout)
    assert [refuted["id"]] == [row["claim"] for row in listed]
    assert {"verdict", "reason", "createdAt", "claimText", "start", "end", "document"} <= set(listed[0])


def test_second_run_changes_nothing(cli: Cli, context: str, tmp_path: Path) -> None:
    """Checking the same text again, the context under another name, gives the same ids and adds nothing."""
    first = json.loads(cli("check", TEXT, "--context", context, "--json").stdout)
    before = cli("stats", "--json").stdout
    renamed = Path(context).rename(tmp_path / "renamed.txt")
    second = json.loads(cli("check", TEXT, "--context", str(renamed), "--json").stdout)
    assert [c["id"] for c in first["claims"]] == [c["id"] for c in second["claims"]]
    assert json.loads(before)["nodes"] == json.loads(cli("stats", "--json").stdout)["nodes"]


def test_a_person_outranks_the_method(cli: Cli, context: str) -> None:
    """A ruling becomes the current verdict and stays so when the text is checked again."""
    claims = json.loads(cli("check", TEXT, "--context", context, "--json").stdout)["claims"]
    claim = next(c["id"] for c in claims if c["object"] == "Paris")
    ruled = cli("rule", claim, "SUPPORTED", "--note", "a figure of speech")
    assert (0, "") == (ruled.returncode, ruled.stderr)
    cli("check", TEXT, "--context", context)
    rows = {row["claim"]: row for row in json.loads(cli("verdicts", "--json").stdout)}
    assert ("human", "SUPPORTED", "a figure of speech") == tuple(
        rows[claim][key] for key in ("method", "outcome", "reason")
    )


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["check", "Paris is in France."], 2, "--context"),
        (["check", "missing.txt", "--context", "missing.txt"], 2, "no file 'missing.txt'"),
        (["check", "Paris is in France.", "--context", "missing.txt"], 2, "missing.txt"),
        (["check", "", "--context", "context.txt"], 2, "empty"),
        (["check", "-", "--context", "-"], 2, "standard input"),
        (["check", "Paris is in France.", "--graph", "nowhere"], 2, "no graph 'nowhere'"),
        (["check", "Paris.", "--context", "context.txt", "--extractor", "magic"], 2, "no extractor 'magic'"),
        (["rule", "c1:none", "REFUTED", "--note", "x"], 2, "no claim 'c1:none'"),
        (["cypher", "MATCH (n) DELETE n"], 2, "DELETE"),
        (["verdicts", "--since", "yesterday"], 2, "ISO 8601"),
        (["verdicts", "--disagreements", "--outcome", "REFUTED"], 2, "no filter"),
        (["worker"], 2, "NEO4J_URI"),
    ],
)
@pytest.mark.usefixtures("context")
def test_bad_input_is_one_line(cli: Cli, arguments: list[str], code: int, says: str) -> None:
    """A mistake gets one line on standard error that says what is wrong, no traceback, and exit code 2."""
    done = cli(*arguments, stdin="text")
    assert (code, 1) == (done.returncode, done.stderr.count("\n")), done.stderr
    assert says in done.stderr


def test_unreachable_server_is_one_line(cli: Cli, context: str) -> None:
    """A Neo4j that does not answer gives one line with its address, without the password, and exit code 3."""
    done = cli("check", TEXT, "--context", context, NEO4J_URI="bolt://127.0.0.1:1", NEO4J_PASSWORD="hush-hush")
    assert (3, 1) == (done.returncode, done.stderr.count("\n")), done.stderr
    assert "127.0.0.1:1" in done.stderr
    assert "hush" not in done.stderr


@pytest.mark.usefixtures("context", "cli")
def test_locked_store_names_its_holder(cli_environment: Environment, tmp_path: Path) -> None:
    """While another process writes the embedded store, a check says so with its pid; reading goes on."""
    with open_embedded(tmp_path / "store") as store:
        migrate(store)
        writing = process(cli_environment, "-c", MAIN, "check", "Paris is in France.", "--context", "context.txt")
        reading = process(cli_environment, "-c", MAIN, "verdicts", "--json")
    assert (3, 1) == (writing.returncode, writing.stderr.count("\n")), writing.stderr
    assert str(os.getpid()) in writing.stderr
    assert (0, []) == (reading.returncode, json.loads(reading.stdout))


@pytest.mark.usefixtures("context")
def test_damaged_store_says_the_way_out(cli: Cli, tmp_path: Path) -> None:
    """A store file cut in half gives one line that names the way out, and exit code 3."""
    cli("check", TEXT, "--context", "context.txt")
    file = tmp_path / "store" / "graph.kgl"
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    done = cli("verdicts")
    assert (3, 1) == (done.returncode, done.stderr.count("\n")), done.stderr
    assert "claimgraph restore" in done.stderr


def test_killed_process_loses_no_committed_verdict(cli: Cli, context: str, cli_environment: Environment) -> None:
    """After kill -9 of a process that holds the store, every verdict that was given is still there."""
    code = (
        "import claimgraph, os, signal, sys\n"
        "from claimgraph.input_texts import document_from_text as text\n"
        "from claimgraph.wiring import Checker\n"
        "checker = Checker(claimgraph.load_settings())\n"
        "checker.check(text(sys.argv[1], 1, ''), context=text(sys.argv[2], 1, ''))\n"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    killed = process(cli_environment, "-c", code, TEXT, CONTEXT)
    assert -9 == killed.returncode
    kept = {(row["claim"], row["verdict"]) for row in json.loads(cli("verdicts", "--json").stdout)}
    cli("check", TEXT, "--context", context)
    again = {(row["claim"], row["verdict"]) for row in json.loads(cli("verdicts", "--json").stdout)}
    assert len(kept) >= 3
    assert kept == again


def test_other_language_is_said_and_not_refused(cli: Cli, context: str) -> None:
    """A German text is checked; a note and every verdict's reason say that the models read English."""
    text = "Marie Curie wurde in Paris geboren. Sie war eine berühmte Physikerin und hat das Polonium entdeckt."
    report = json.loads(cli("check", text, "--context", context, "--json").stdout)
    assert any("'de'" in note for note in report["notes"])
    assert all("'de'" in claim["verdict"]["reason"] for claim in report["claims"])


def test_fail_on_unsupported(cli: Cli, context: str) -> None:
    """NOT_ENOUGH_INFO alone exits with 0, and with 1 under --fail-on unsupported."""
    text = "She loved astronomy."
    codes = [
        cli("check", f"Marie Curie worked. {text}", "--context", context, *more).returncode
        for more in ([], ["--fail-on", "unsupported"])
    ]
    assert [0, 1] == codes


def test_check_by_another_method(cli: Cli, context: str) -> None:
    """The report names method and preset and counts sentences; what two methods see differently can be asked."""
    done = cli("check", f"{TEXT} Really?", "--context", context, "--method", "kea", "--preset", "paper-wikibio")
    assert "By kea (preset paper-wikibio) in " in done.stdout
    assert "(1 claims nothing: 1 question)" in done.stdout
    cli("check", f"{TEXT} Really?", "--context", context, "--method", "rules")
    rows = json.loads(cli("verdicts", "--disagreements", "--json").stdout)
    found = {(row["claim"], row["method"]): row["outcome"] for row in rows}
    claims = {claim for claim, _ in found}
    assert claims
    assert all(found[claim, "kea"] != found[claim, "rules"] for claim in claims)
    refused = cli("check", TEXT, "--context", context, "--method", "kea", "--preset", "magic")
    assert (2, 1) == (refused.returncode, refused.stderr.count("\n")), refused.stderr


@pytest.mark.parametrize(
    ("word", "imported"),
    [("check", ["texts.check"]), ("cache", ["store.cache"]), ("chek", ["store.cache", "texts.check"])],
)
def test_a_command_imports_no_other(word: str, imported: list[str]) -> None:
    """A process that runs one command imports its module alone; a word that is no command's name imports all."""
    code = (
        "import sys\nfrom claimgraph.cli.command_table import command_line\ncommand_line(sys.argv[1:])\n"
        "names = (name.removeprefix('claimgraph.cli.') for name in sys.modules)\n"
        "print(sorted({'texts.check', 'store.cache'} & set(names)))"
    )
    run = [sys.executable, "-c", code, "--no-config", word, "text.txt"]
    assert f"{imported}\n" == subprocess.run(run, capture_output=True, text=True, check=True).stdout


def test_help_imports_nothing_heavy() -> None:
    """`--help` loads neither models nor databases: what keeps it fast."""
    code = (
        "import sys\nfrom claimgraph.cli.app import app\n"
        "heavy = {'spacy', 'onnxruntime', 'neo4j', 'kglite', 'numpy', 'scipy', 'celery', 'fastapi', 'rdflib'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "[]" == done.stdout.strip()

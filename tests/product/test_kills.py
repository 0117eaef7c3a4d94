"""A command is killed at any moment: the store can be read, and the same command again ends as if never killed.

`make soak` kills each command 30 times (`CLAIMGRAPH_TEST_KILLS`), `make test` two of them twice.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from random import Random

import pytest
from filled import FIRST, fill

from claimgraph.kgstore.engines.embedded import open_embedded
from claimgraph.kgstore.engines.migrations import migrate
from claimgraph.kgstore.store import GraphStore
from claimgraph.kgstore.upkeep.dump import dump, restore
from claimgraph.kgstore.upkeep.transfer import Record, records

ROOT = Path(__file__).parents[2]
KILLS = int(os.environ.get("CLAIMGRAPH_TEST_KILLS", "30" if "CLAIMGRAPH_TEST_DOCUMENTS" in os.environ else "2"))
FACTS = 3_000
SCHEMA = 2_000
"""Bytes in which the log of a migration that is half done has room, and its second half has not."""
TEXT = "Ada Adler was born in Paris. She lives in Rome. Bob Brandt was born in Oslo. He married Ada Adler in 1990."
CONTEXT = "Ada Adler was born in Vienna and lives in Rome. Bob Brandt was born in Oslo."
CHECK = ("check", TEXT, "--context", "context.txt", "--method", "rules")
soak = pytest.mark.soak
COMMANDS = {
    "check": CHECK,
    "ingest": ("ingest", "facts.tsv", "--graph", "made"),
    "restore": ("restore", "backup.jsonl.gz"),
    "migrate": ("migrate",),
    "forget": ("forget", FIRST.id, "--yes"),
    "drop": ("graphs", "drop", "made", "--yes"),
    "compaction": ("stats",),
}
"""What is killed. Each of them ends by folding the log into the file; `stats` after many writes does little else."""
DONE = {"forget": ["in the store"], "drop": ["in the store"], "restore": ["is not empty (3 Claim, 1 Correction"]}
"""What commands say that were killed after their last write."""


@pytest.fixture(scope="module")
def forks() -> Iterator[subprocess.Popen[str]]:
    """The process that runs commands."""
    command = [sys.executable, str(ROOT / "tests" / "support" / "command_forks.py")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        assert "ready\n" == process.stdout.readline()
        yield process
        process.kill()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files that commands read, and one store for each command to begin with."""
    made = tmp_path_factory.mktemp("kills")
    (made / "context.txt").write_text(CONTEXT)
    rows = (f"person {number}\tborn in\ttown {number % 97}\n" for number in range(FACTS))
    (made / "facts.tsv").write_text("subject\trelation\tobject\n" + "".join(rows))
    with open_embedded(made / "filled") as store:
        migrate(store)
        fill(store)
        dump(store, made / "backup.jsonl.gz")
    with open_embedded(made / "empty") as store:
        migrate(store)
    shutil.copytree(made / "filled", made / "forget")
    return made


@pytest.mark.parametrize(
    "command",
    ["ingest", "forget", *(pytest.param(name, marks=soak) for name in COMMANDS if name not in ("ingest", "forget"))],
)
def test_a_killed_command_leaves_a_store_that_goes_on(
    command: str, forks: subprocess.Popen[str], folder: Path, tmp_path: Path
) -> None:
    """kill -9 at random moments of a command: every store opens, and after the same command holds what it should."""
    first = _beginning(command, forks, folder, tmp_path)
    _run(forks, command, _copied(first, tmp_path / "warm"), folder, None)
    whole = _copied(first, tmp_path / "whole")
    seconds = _run(forks, command, whole, folder, None)
    expected, chance, killed = _contents(whole), Random(command), 0
    for number in range(KILLS):
        store = _copied(first, tmp_path / f"killed-{number}")
        killed += _run(forks, command, store, folder, chance.uniform(0, seconds)) < 0
        _contents(store)
        _run(forks, command, store, folder, None)
        assert expected == _contents(store), number
        shutil.rmtree(store)
    print(f"{command}: killed {killed} of {KILLS} times within {seconds:.2f} s")
    assert killed > 0


@pytest.mark.parametrize("command", ["check", "ingest", "restore", "migrate"])
def test_a_disk_without_room_loses_nothing(
    command: str, forks: subprocess.Popen[str], folder: Path, tmp_path: Path
) -> None:
    """On a full disk and in a folder that cannot be written a command ends in one line with exit code 3, what was
    stored is there, and the same command does its work when there is room.
    """
    first = _beginning(command, forks, folder, tmp_path)
    whole = _copied(first, tmp_path / "whole")
    _run(forks, command, whole, folder, None)
    expected, largest = _contents(whole), max(path.stat().st_size for path in first.rglob("*"))
    room = SCHEMA if command == "migrate" else largest + 100
    for name, limits in (("full", {"largest": room}), ("barred", {"bound": True})):
        store = _copied(first, tmp_path / name)
        before = _contents(_copied(first, tmp_path / f"{name}-before"))
        if name == "barred":
            _set_modes(store, 0o555, 0o444)
        status, said = _ended(forks, command, store, folder, **limits)
        _set_modes(store, 0o755, 0o644)
        assert (3, 1) == (status, len(said.strip().splitlines())), (name, status, said)
        print(f"{command}, {name}: {said.strip()}")
        stored = set(map(repr, _contents(_copied(store, tmp_path / f"{name}-after"))))
        assert set(map(repr, before)) <= stored
        _run(forks, command, store, folder, None)
        assert expected == _contents(store), name


def _set_modes(store: Path, folder: int, file: int) -> None:
    for path in (store, *store.rglob("*")):
        path.chmod(folder if path.is_dir() else file)


def _beginning(command: str, forks: subprocess.Popen[str], folder: Path, tmp_path: Path) -> Path:
    """The store that a command begins with."""
    if command in ("check", "ingest", "restore"):
        return folder / "empty"
    if command == "forget":
        return folder / "filled"
    if command == "migrate":
        return _old(tmp_path / "old")
    store = _copied(folder / "filled", tmp_path / "made")
    _run(forks, "ingest", store, folder, None)
    return store if command == "drop" else _unfolded(store, tmp_path / "unfolded")


def _old(path: Path) -> Path:
    """A store without the last migrations."""
    with open_embedded(path) as store:
        migrate(store)
        fill(store)
        for name in ("0006_schema_names", "0007_schema_jobs"):
            store.schema(f"MATCH (m:Migration {{id: '{name}'}}) DELETE m")
    return path


def _unfolded(store: Path, path: Path) -> Path:
    """A copy of a store with all its content in the log, as a killed process leaves it."""
    dump_file = path.with_suffix(".jsonl.gz")
    with open_embedded(store, read_only=True) as source:
        dump(source, dump_file)
    opened = open_embedded(path.with_suffix(".open"))
    migrate(opened)
    restore(opened, dump_file)
    shutil.copytree(path.with_suffix(".open"), path)
    opened.close()
    return path


def _copied(store: Path, path: Path) -> Path:
    shutil.copytree(store, path)
    for name in ("graph.kgl.lock-owner", "holder.json"):
        (path / name).unlink(missing_ok=True)
    return path


def _run(forks: subprocess.Popen[str], command: str, store: Path, folder: Path, after: float | None) -> float:
    """Run a command on a store; with `after` kill it then. The seconds it took, or -1 where it was killed."""
    begun = time.monotonic()
    status, said = _ended(forks, command, store, folder, after)
    if status == -signal.SIGKILL:
        return -1.0
    assert status in (0, 1) or any(words in said for words in DONE.get(command, ())), said
    return time.monotonic() - begun


def _ended(
    forks: subprocess.Popen[str], command: str, store: Path, folder: Path, after: float | None = None, **limits: int
) -> tuple[int, str]:
    """Run a command under limits of command_forks; its exit status (below 0: ended by a signal), and what it said."""
    assert forks.stdin
    assert forks.stdout
    words = [str(folder / word) if (folder / word).is_file() else word for word in COMMANDS[command]]
    environment = {
        "CLAIMGRAPH_STORE": str(store), "CLAIMGRAPH_CACHE": str(store.parent / "cache"), "NEO4J_URI": "",
        "CLAIMGRAPH_ENTAILMENT": "none", "CLAIMGRAPH_NO_CONFIG": "1",
    }  # fmt: skip
    log = store.parent / "log"
    forks.stdin.write(json.dumps({"words": words, "env": environment, "log": str(log)} | limits) + "\n")
    forks.stdin.flush()
    process = int(forks.stdout.readline())
    if after is not None:
        time.sleep(after)
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
    return os.waitstatus_to_exitcode(int(forks.stdout.readline())), log.read_text()


def _contents(store: Path) -> list[Record]:
    """All in a store but when it was written."""
    with open_embedded(store) as opened:
        migrated: GraphStore = opened
        return [
            replace(one, properties={k: v for k, v in one.properties.items() if not isinstance(v, datetime)})
            for one in records(migrated)
        ]

"""What is forgotten is nowhere any more: not in the store, a cache, a log, or a file of another process."""

from __future__ import annotations

import random
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from command import Cli

from claimgraph.kgstore.model import Message, Request
from claimgraph.kgstore.upkeep import completions
from claimgraph.kgstore.upkeep.transfer import records
from claimgraph.settings import Settings, load_settings
from claimgraph.wiring import open_store

PLANTED = "Zyxaplant"
NOISE = random.Random(7).randbytes(6_000).hex(" ", 6)
"""Words that cannot be packed: a store that still holds them somewhere is larger."""


def _holding(folder: Path) -> list[str]:
    files = [path for path in folder.rglob("*") if path.is_file() and path.name not in ("context.txt", "draft.txt")]
    return [str(path.relative_to(folder)) for path in files if PLANTED.lower().encode() in path.read_bytes().lower()]


def _killed(settings: Settings) -> None:
    """Leave what processes leave that are killed as they read the store, or keep what they read of a text."""
    code = f"""import os, signal
from pathlib import Path
from claimgraph.kgstore.engines.embedded import open_embedded
store = open_embedded(Path({str(settings.store_folder)!r}), read_only=True)
os.kill(os.getpid(), signal.SIGKILL)"""
    left = len(list(Path(tempfile.gettempdir()).iterdir()))
    assert -signal.SIGKILL == subprocess.run([sys.executable, "-c", code], check=False).returncode
    assert left + 1 == len(list(Path(tempfile.gettempdir()).iterdir()))
    for kept in list((settings.cache_folder / "extractions").rglob("*.json")):
        shutil.copy(kept, kept.with_suffix(".4711"))


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.iterdir())


@pytest.mark.parametrize("way", ["check", "submit"])
def test_forgetting_leaves_no_trace(
    cli: Cli, cli_environment: dict[str, str | None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    """A name planted in a text and its source stands in no file after both are forgotten, nor in a language model's
    kept answers, nor where processes were killed, and the store is as small as if there had been less text.
    """
    for variable in ("HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "TMPDIR"):
        monkeypatch.setenv(variable, str(tmp_path / variable.lower()))
        (tmp_path / variable.lower()).mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmpdir"))
    monkeypatch.setenv("CLAIMGRAPH_ENTAILMENT", "none")
    settings = load_settings({key: value for key, value in cli_environment.items() if value}, tmp_path)
    words = (way, "draft.txt", "--context", "context.txt", "--method", "rules")
    sizes = list[int]()
    for noise in ("", NOISE):
        (tmp_path / "context.txt").write_text(f"{PLANTED} Quorn was born in Vienna.")
        (tmp_path / "draft.txt").write_text(f"{PLANTED} Quorn was born in Paris. He met {PLANTED} Quist.\n\n{noise}")
        done = cli(*words, CLAIMGRAPH_ENTAILMENT="none")
        assert done.returncode in (0, 1), done.stderr
        with open_store(settings) as store:
            completions.keep(store, "small", {Request((Message("user", "Who?"),)): f"{PLANTED} Quorn"})
            documents = [row["id"] for row in store.read("dump_documents", after="", limit=10)]
            assert PLANTED in repr(list(records(store)))
        sizes.append(_size(settings.store_folder))
        _killed(settings)
        assert _holding(tmp_path)
        for document in documents:
            assert cli("forget", document, "--yes").returncode == 0
        with open_store(settings) as store:
            assert PLANTED not in repr(list(records(store)))
        assert [] == _holding(tmp_path)
        sizes.append(_size(settings.store_folder))
    assert sizes[2] > sizes[0] + 5_000
    assert sizes[3] < sizes[1] + 500


def test_answers_can_be_kept(cli: Cli, cli_environment: dict[str, str | None], tmp_path: Path) -> None:
    """A person who paid for answers may keep them, and is not told that they went."""
    settings = load_settings({key: value for key, value in cli_environment.items() if value}, tmp_path)
    cli("extract", "Ann was born in Rome.")
    cli("check", "Ann was born in Rome.", "--context", "-", "--method", "rules", stdin="Ann was born in Oslo.")
    with open_store(settings) as store:
        completions.keep(store, "small", {Request((Message("user", "Who?"),)): "Ann"})
        documents = [row["id"] for row in store.read("dump_documents", after="", limit=10)]
    assert "language models" not in cli("forget", documents[0], "--yes", "--keep-answers").stdout
    with open_store(settings) as store:
        assert {"small": 1} == completions.counts(store)
    assert "and all 1 kept answers" in cli("forget", documents[1], "--yes").stdout
    with open_store(settings) as store:
        assert {} == completions.counts(store)

"""SIGINT, as Ctrl-C sends it to a whole process group, ends a running check; the same command does the rest."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

PATIENCE = 300.0
"""Seconds for what takes a few: a loaded machine with 2 cores."""
PLACES = ("Vienna", "Paris", "Oslo", "Lisbon", "Prague", "Dublin", "Madrid", "Athens")
NAMES = [f"{first} {last}" for last in ("Adler", "Brandt", "Conrad", "Dorn") for first in ("Ada", "Bruno", "Clara")]


def test_sigint_keeps_what_was_read(tmp_path: Path) -> None:
    """Exit code 130 and one line within seconds; scores that were computed are kept, and the next run ends as usual."""
    text, context = tmp_path / "text.txt", tmp_path / "context.txt"
    text.write_text("\n\n".join(f"{name} was born in {PLACES[i % 8]} and lives there." for i, name in enumerate(NAMES)))
    context.write_text("\n\n".join(f"{name} was born in {PLACES[i % 5]} in 1950." for i, name in enumerate(NAMES)))
    environment = os.environ | {
        "CLAIMGRAPH_STORE": str(tmp_path / "store"), "CLAIMGRAPH_CACHE": str(tmp_path / "cache"), "NEO4J_URI": "",
        "CLAIMGRAPH_ENTAILMENT": "small", "CLAIMGRAPH_MODEL_THREADS": "1", "CLAIMGRAPH_NO_CONFIG": "1",
    }  # fmt: skip
    command = [sys.executable, "-c", "from claimgraph.cli import main; main()", "check", str(text)]
    command += ["--context", str(context)]
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        deadline = time.monotonic() + PATIENCE
        while not any(path.stat().st_size for path in (tmp_path / "cache").rglob("scores/**/*") if path.is_file()):
            assert process.poll() is None, process.communicate()
            assert time.monotonic() < deadline
            time.sleep(0.01)
        os.killpg(process.pid, signal.SIGINT)
        said, error = process.communicate(timeout=PATIENCE)
    assert (130, "") == (process.returncode, said), error
    assert ["claimgraph: stopped; what was read and compared is kept, and the same command continues"] == (
        error.strip().splitlines()
    )
    kept = {path: path.read_bytes() for path in (tmp_path / "cache").rglob("scores/**/*") if path.is_file()}
    again = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert 1 == again.returncode, again.stderr
    assert "REFUTED" in again.stdout
    assert all(path.read_bytes().startswith(before) for path, before in kept.items())

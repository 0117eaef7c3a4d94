"""`claimgraph serve` in a process of its own, and the command line on the same store meanwhile."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import httpx
from command import Cli

TEXT = "Marie Curie was born in Paris."
CONTEXT = "Marie Curie was born in Warsaw."


@contextmanager
def served(changes: Mapping[str, str | None]) -> Iterator[tuple[subprocess.Popen[str], httpx.Client]]:
    """A server in that environment, with a client; ended at last, where it is not over yet."""
    kept = {key: value for key, value in {**os.environ, **changes}.items() if value is not None}
    command = [sys.executable, "-c", "from claimgraph.cli import main; main()", "serve", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=kept) as process:
        assert process.stderr
        address = process.stderr.readline().split()[-1]
        try:
            with httpx.Client(base_url=address, timeout=60) as http:
                assert 200 == http.get("/healthz").status_code
                yield process, http
        finally:
            process.terminate()


def test_the_command_line_works_beside_the_server(
    cli: Cli, cli_environment: dict[str, str | None], tmp_path: Path
) -> None:
    """What commands store the page has, and the other way round; the server may be killed at any time."""
    (tmp_path / "source.txt").write_text(CONTEXT)
    with served(cli_environment) as (server, http):
        assert 1 == cli("check", TEXT, "--context", "source.txt", "--method", "rules").returncode
        [row] = http.get("/api/verdicts").json()
        assert ("REFUTED", TEXT) == (row["outcome"], f"{row['claimText']}.")
        request = {"text": "Marie Curie was born in Warsaw in 1867.", "context": CONTEXT, "method": "rules"}
        assert 200 == http.post("/api/check", json=request).status_code
        assert 2 <= len(json.loads(cli("verdicts", "--json").stdout))
        assert 0 == cli("rule", row["claim"], "SUPPORTED", "--note", "said the register").returncode
        assert "human" == http.get(f"/api/claims/{row['claim']}").json()["verdict"]["method"]
        (tmp_path / "texts").mkdir()
        for name in ("a", "b"):
            (tmp_path / f"texts/{name}.txt").write_text(f"{name.upper()}nn was born in Paris.")
        assert 0 == cli("submit", "texts", "--context", "source.txt", "--method", "rules").returncode
        [run] = http.get("/api/runs").json()
        assert ("complete", 2) == (run["status"], run["done"])
        server.kill()
        server.wait()
    assert 0 == cli("rule", row["claim"], "REFUTED", "--note", "it was a copy").returncode
    with served(cli_environment) as (_, http):
        assert "it was a copy" in http.get(f"/api/claims/{row['claim']}").json()["verdict"]["reason"]


def test_a_port_in_use_is_one_line(cli: Cli, cli_environment: dict[str, str | None]) -> None:
    """The line names the address and the way out."""
    with served(cli_environment) as (_, http):
        done = cli("serve", "--port", str(http.base_url.port))
    assert (2, 1) == (done.returncode, len(done.stderr.splitlines()))
    assert "--port 0 takes a free one" in done.stderr

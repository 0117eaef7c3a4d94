"""Services of a test's own, to be killed: those of `scripts/services` in a state folder of the test's."""

from __future__ import annotations

import os
import shlex
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
VARIABLES = ("NEO4J_URI", "NEO4J_USERNAME", "NEO4J_PASSWORD", "CELERY_BROKER_URL", "CLAIMGRAPH_TEST_RABBITMQ_URL")
"""What leads to the suite's own servers."""


def skip_unless_allowed() -> None:
    """Skip the module where nobody has said that services may be started and killed here; never in CI."""
    if not os.environ.keys() & {"CI", "CLAIMGRAPH_TEST_SERVICES"}:
        pytest.skip("needs services that may be killed: run `make test`", allow_module_level=True)


class Services:
    """scripts/services on one state folder, with none of the suite's own servers in its environment."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.env = {k: v for k, v in os.environ.items() if k not in VARIABLES} | {
            "CLAIMGRAPH_SERVICES_STATE": str(folder)
        }

    def run(self, *words: str, **env: str) -> subprocess.CompletedProcess[str]:
        """Run the command to its end."""
        command = [str(ROOT / "scripts" / "services"), *words]
        return subprocess.run(command, env=self.env | env, capture_output=True, text=True, timeout=240)

    def up(self, name: str) -> dict[str, str]:
        """Bring a service up; the exports it prints."""
        done = self.run("up", name)
        assert not done.returncode, done.stderr
        return exports(done.stdout)

    def pid(self, instance: str) -> int:
        """Leader of the instance's process group."""
        return int((self.folder / instance / "pid").read_text())


def exports(text: str) -> dict[str, str]:
    """Variables set by lines of `export NAME=VALUE`; anything else is an error."""
    words = [shlex.split(line) for line in text.splitlines()]
    assert {("export", 2)} == {(word[0], len(word)) for word in words}
    return dict(word[1].split("=", 1) for word in words)

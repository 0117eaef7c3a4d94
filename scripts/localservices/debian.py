"""Install Debian packages where we may (root, apt-get), else say in one line what to install."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from localservices.messages import Failed, say

_POLICY = Path("/usr/sbin/policy-rc.d")


def install(packages: Sequence[str], log: Path) -> None:
    """Install the packages, without starting the services Debian ships with them. Raises Failed."""
    names = " ".join(packages)
    if shutil.which("apt-get") is None:
        raise Failed(f"missing here: what Debian calls {names}; install it, or use Docker")
    if os.geteuid() != 0:
        raise Failed(f"missing here: run `sudo apt-get install {names}`, or use Docker")
    say(f"installing {names}")
    command = ["apt-get", "install", "-y", "-q", "--no-install-recommends", *packages]
    with _nothing_started():
        if not (_run(command, log) or (_run(["apt-get", "update", "-q"], log) and _run(command, log))):
            raise Failed(f"apt-get could not install {names}; see {log}")


def _run(command: Sequence[str], log: Path) -> bool:
    env = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    log.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with log.open("ab") as out:
        return subprocess.run(command, env=env, stdin=subprocess.DEVNULL, stdout=out, stderr=out).returncode == 0


@contextmanager
def _nothing_started() -> Iterator[None]:
    """Debian's hook that forbids maintainer scripts to start a service (101), unless the machine has its own."""
    if _POLICY.exists():
        yield
        return
    _POLICY.write_text("#!/bin/sh\nexit 101\n")
    _POLICY.chmod(0o755)
    try:
        yield
    finally:
        _POLICY.unlink()

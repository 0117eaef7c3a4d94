"""Install Debian packages where we may (root, apt-get), else say in one line what to install."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from localservices.messages import Failed, say

_POLICY = Path("/usr/sbin/policy-rc.d")
_LOCK = Path(tempfile.gettempdir()) / "claimgraph-install.lock"


def install(packages: Sequence[str], log: Path) -> None:
    """Install the packages, without starting the services Debian ships with them. Raises Failed."""
    with _one_at_a_time():
        _install(packages, log)


def program(name: str, log: Path) -> str:
    """Return the path of a program, installed from the package of its name where it is missing. Raises Failed."""
    with _one_at_a_time():
        if shutil.which(name) is None:
            _install([name], log)
    found = shutil.which(name)
    assert found, f"the package {name} has no program of its name"
    return found


def _install(packages: Sequence[str], log: Path) -> None:
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
def _one_at_a_time() -> Iterator[None]:
    """Let one process install: apt-get gives up where another holds its locks."""
    with _LOCK.open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


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

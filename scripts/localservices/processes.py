"""Start, find and end the processes of one service, as a process group of its own.

The group's id stands in a pid file. Since a pid is given out anew after a reboot, a group is touched only while one
of its processes names the service's home folder on its command line or in its environment (the wrapper script of
RabbitMQ names it in the latter only). Reads /proc: local services are for Linux.
"""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from localservices.messages import Failed

_MARK = "CLAIMGRAPH_SERVICE_HOME"
_EXEC_SECONDS = 1.0


def start(home: Path, command: Sequence[str], env: Mapping[str, str]) -> None:
    """Start the command in `home`, output appended to its log; it outlives us and a Ctrl-C in our terminal."""
    with (home / "log").open("ab") as log:
        process = subprocess.Popen(
            command,
            cwd=home,
            env=os.environ | dict(env) | {_MARK: str(home)},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    (home / "pid").write_text(f"{process.pid}\n")


def running(home: Path) -> int | None:
    """The pid of the service's group while any of its processes lives, else None."""
    try:
        group = int((home / "pid").read_text())
    except (OSError, ValueError):
        return None
    return group if any(_names(pid, home) for pid in _members(group)) else None


def stop(home: Path, seconds: float = 60.0) -> bool:
    """Ask the service to end, and kill it when it has not after `seconds`. False if it was not running."""
    return _end(home, signal.SIGTERM, seconds) or _end(home, signal.SIGKILL, seconds)


def kill(home: Path) -> bool:
    """kill -9 for every process of the service; returns when they are gone. False if it was not running."""
    return _end(home, signal.SIGKILL, 60.0)


def last_lines(home: Path, count: int = 5) -> str:
    """The end of the service's log."""
    text = (home / "log").read_text(errors="replace") if (home / "log").exists() else ""
    return "\n".join(text.splitlines()[-count:])


def _end(home: Path, number: signal.Signals, seconds: float) -> bool:
    group = running(home)
    if group is None:
        return False
    os.killpg(group, number)
    deadline = time.monotonic() + seconds
    while any(_members(group)):
        if time.monotonic() > deadline:
            if number == signal.SIGKILL:
                raise Failed(f"process group {group} in {home} does not end")
            return False
        time.sleep(0.05)
    (home / "pid").unlink(missing_ok=True)
    return True


def _members(group: int) -> Iterator[int]:
    """Pids of the group's processes, without the dead that nobody has waited for."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                state, _, pgrp = (entry / "stat").read_text().rpartition(")")[2].split()[:3]
            except OSError:
                continue
            if int(pgrp) == group and state not in "ZX":
                yield int(entry.name)


def _names(pid: int, home: Path) -> bool:
    """Tell whether the process names the folder. During exec a process has neither command line nor environment for a
    moment: it is read again then.
    """
    deadline = time.monotonic() + _EXEC_SECONDS
    while True:
        try:
            known = Path(f"/proc/{pid}/cmdline").read_bytes() + Path(f"/proc/{pid}/environ").read_bytes()
        except OSError:
            return False
        if known or time.monotonic() > deadline:
            return os.fsencode(home) in known
        time.sleep(0.001)

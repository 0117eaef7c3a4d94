"""A stage is told when its time is up, and a process whose stage does not listen ends."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading

import pytest

from claimgraph.workers.execution import time_limits
from claimgraph.workers.execution.store_retry import Overdue

STUBBORN = """
import time
from claimgraph.workers.execution import time_limits as limits
limits.end_process()
with limits.within(0.2):
    while True:
        try:
            time.sleep(60)
        except BaseException:
            print("told", flush=True)
"""


def test_a_stage_is_told_that_its_time_is_up() -> None:
    """What takes too long has Overdue raised in it, with how long it had."""
    with pytest.raises(Overdue, match=r"took longer than 0\.05 seconds"), time_limits.within(0.05):
        threading.Event().wait(60)


def test_a_stage_in_time_is_left_alone() -> None:
    """What ends in time ends as if there were no limit, and nothing is left of it."""
    before = signal.getsignal(signal.SIGALRM)
    with time_limits.within(60):
        assert 0 < signal.getitimer(signal.ITIMER_REAL)[0] <= 60
    assert ((0.0, 0.0), before) == (signal.getitimer(signal.ITIMER_REAL), signal.getsignal(signal.SIGALRM))


def test_other_threads_are_not_limited() -> None:
    """A thread of many cannot be told: its stage bounds its own waits."""
    found: list[float] = []

    def work() -> None:
        with time_limits.within(0.05):
            found.append(signal.getitimer(signal.ITIMER_REAL)[0])

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert [0.0] == found


def test_a_process_whose_stage_does_not_listen_ends() -> None:
    """A stage that swallows being told is ended with its process, which says where it stood."""
    done = subprocess.run([sys.executable, "-c", STUBBORN], capture_output=True, text=True, timeout=120)
    assert (1, "told\n") == (done.returncode, done.stdout)
    assert "most recent call first" in done.stderr

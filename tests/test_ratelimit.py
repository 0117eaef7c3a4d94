"""One queue a server for all processes of a machine."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from time import time

import pytest

from kgstore.errors import InputError
from kgstore.ratelimit import Limiter

_ASKER = """
import sys
from pathlib import Path
from time import time
from kgstore.ratelimit import Limiter
limiter = Limiter(Path(sys.argv[1]), 0.05)
for _ in range(6):
    assert limiter.wait("host:80", 30)
    print(repr(time()), flush=True)
"""


def test_two_processes_share_one_queue(tmp_path: Path) -> None:
    """The turns of two processes at once follow each other: the queue ends as late as if one had taken all."""
    began = time()
    command = [sys.executable, "-c", _ASKER, str(tmp_path)]
    askers = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    turns = sorted(float(line) for asker in askers for line in asker.communicate(timeout=30)[0].split())
    free = float((tmp_path / "host_80").read_text())
    assert (12, True) == (len(turns), free >= began + 12 * 0.05)
    assert [] == [turn for number, turn in enumerate(turns) if turn < began + number * 0.05]


def test_nobody_gets_a_turn_while_a_host_is_held(tmp_path: Path) -> None:
    """A server that asked for a pause gets one from every limiter on the folder; other servers do not wait."""
    limiter, other = Limiter(tmp_path, 0.0), Limiter(tmp_path, 0.0)
    limiter.hold("busy.org", 60)
    assert not other.wait("busy.org", 1.0)
    assert other.wait("idle.org", 1.0)


def test_a_refused_turn_is_not_taken(tmp_path: Path) -> None:
    """Who cannot wait so long leaves the queue as it was."""
    limiter = Limiter(tmp_path, 100.0)
    assert limiter.wait("host", 0.0)
    before = (tmp_path / "host").read_text()
    assert not limiter.wait("host", 1.0)
    assert before == (tmp_path / "host").read_text()


@pytest.mark.parametrize("left", ["", "nonsense", "nan", "inf", repr(time() + 1e6)])
def test_a_queue_that_cannot_be_believed_begins_anew(tmp_path: Path, left: str) -> None:
    """A file cut off by a crash, or written before the clock was set back, holds nobody up."""
    (tmp_path / "host").write_text(left)
    assert Limiter(tmp_path, 0.0).wait("host", 0.5)


def test_a_folder_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    """The line names the setting that helps."""
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="CLAIMGRAPH_CACHE"):
        Limiter(tmp_path / "file", 0.0).wait("host", 1.0)

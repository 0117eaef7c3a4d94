"""One queue a server: for all processes of a machine, and for all who share a graph store."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from time import time

import pytest

from claimgraph import wiring
from claimgraph.kgstore.engines.bolt import BoltStore
from claimgraph.kgstore.engines.embedded import EmbeddedStore
from claimgraph.kgstore.errors import InputError, StoreError
from claimgraph.kgstore.model import Message, Request
from claimgraph.kgstore.net.file_rate_limit import Limiter
from claimgraph.kgstore.net.rate_limit import StoreTurns
from claimgraph.kgstore.store import GraphStore
from claimgraph.llm import OpenAIChat
from claimgraph.settings import Settings

_ASKER = """
import sys
from pathlib import Path
from time import time
from claimgraph.kgstore.net.file_rate_limit import Limiter
limiter = Limiter(Path(sys.argv[1]), 0.05)
for _ in range(6):
    assert limiter.wait("host:80", 30)
    print(repr(time()), flush=True)
"""

_OTHER = """
from claimgraph.settings import load_settings
from claimgraph.wiring import open_unmigrated
from claimgraph.kgstore.net.rate_limit import StoreTurns
slept = []
with open_unmigrated(load_settings()) as store:
    turns = StoreTurns(store, 600.0, slept.append)
    print(turns.wait("other", 0.0), turns.wait("host", 3600.0), slept[1])
"""


def test_two_processes_share_one_queue(tmp_path: Path) -> None:
    """The turns of two processes at once follow each other: the queue ends as late as if one had taken all."""
    began = time()
    command = [sys.executable, "-c", _ASKER, str(tmp_path)]
    askers = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    turns = sorted(float(line) for asker in askers for line in asker.communicate(timeout=120)[0].split())
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


@pytest.mark.parametrize("left", ["", "nonsense", "nan", "inf", pytest.param(repr(time() + 1e6), id="ahead")])
def test_a_queue_that_cannot_be_believed_begins_anew(tmp_path: Path, left: str) -> None:
    """A file cut off by a crash, or written before the clock was set back, holds nobody up."""
    (tmp_path / "host").write_text(left)
    assert Limiter(tmp_path, 0.0).wait("host", 0.5)


def test_a_folder_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    """The line names the setting that helps."""
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="CLAIMGRAPH_CACHE"):
        Limiter(tmp_path / "file", 0.0).wait("host", 1.0)


def test_many_who_share_a_store_get_turns_apart(store: GraphStore) -> None:
    """Turns that several take at once from one store follow each other by the interval, in the store's own time."""

    def take(_: int) -> int:
        return int(
            store.write(("put_turns", [{"id": "host:80", "longest": 60_000, "interval": 250, "pause": 0}]))[0]["start"]
        )

    with ThreadPoolExecutor(4) as pool:
        turns = sorted(pool.map(take, range(12)))
    assert [] == [(a, b) for a, b in pairwise(turns) if b - a < 250]
    assert 1 == len(store.query("MATCH (t:Turn) RETURN t.id", {}).rows)


def test_a_process_beside_waits_for_the_turns_taken_here(neo4j_store: BoltStore) -> None:
    """A second process on the same Neo4j gets its turn after all that were taken before."""
    slept: list[float] = []
    turns = StoreTurns(neo4j_store, 600.0, slept.append)
    assert [True, True] == [turns.wait("host", 3600.0) for _ in range(2)]
    asked = subprocess.run([sys.executable, "-c", _OTHER], capture_output=True, text=True, timeout=60, check=True)
    assert ["True", "True"] == asked.stdout.split()[:2], asked.stderr
    assert (0.0, True) == (slept[0], slept[1] > 500)
    assert 1000 < float(asked.stdout.split()[2]) <= 1200


def test_a_store_holds_a_host_for_all(store: GraphStore) -> None:
    """A pause that a server asked one of them for is kept by all who share the store; other servers do not wait."""
    slept: list[float] = []
    one, other = StoreTurns(store, 0.0, slept.append), StoreTurns(store, 0.0, slept.append)
    one.hold("busy.org", 600)
    assert [False, True, True] == [other.wait(host, 1.0) for host in ("busy.org", "idle.org", "idle.org")]
    assert other.wait("busy.org", 3000.0)
    assert ([0.0, 0.0], True) == (slept[:2], 500 < slept[2] <= 600)


def test_a_turn_refused_by_a_store_is_not_taken(store: GraphStore) -> None:
    """Who cannot wait so long leaves the queue as it was."""
    turns = StoreTurns(store, 1000.0, lambda _: None)
    assert turns.wait("host", 0.0)
    before = store.query("MATCH (t:Turn) RETURN t.free", {}).rows
    assert [False, False] == [turns.wait("host", 1.0) for _ in range(2)]
    assert before == store.query("MATCH (t:Turn) RETURN t.free", {}).rows


def test_a_clock_of_the_store_that_was_set_back_holds_nobody_up(store: GraphStore) -> None:
    """A turn that lies hours ahead was written before the clock went back: the queue begins anew."""
    ahead = 4 * 3600_000
    store.write(("put_turns", [{"id": "host", "longest": -1, "interval": 0, "pause": ahead}]))
    assert StoreTurns(store, 0.0, lambda _: None).wait("host", 0.5)


@pytest.mark.parametrize(("uri", "kind"), [(None, Limiter), ("bolt://127.0.0.1:1", StoreTurns)])
def test_turns_are_shared_as_far_as_the_store_is(
    uri: str | None, kind: type, embedded: EmbeddedStore, tmp_path: Path
) -> None:
    """On Neo4j all workers share one queue; on the embedded store the processes that share the cache folder do."""
    assert isinstance(wiring.turns(Settings(neo4j_uri=uri, cache=tmp_path), embedded, 1.0), kind)


def test_a_store_that_is_gone_is_no_fault_of_the_model(embedded: EmbeddedStore) -> None:
    """Where turns cannot be taken, a language model is not said to have failed: the store's error is raised."""
    chat = OpenAIChat("http://127.0.0.1:1/v1", "small", limiter=StoreTurns(embedded, 0.0))
    embedded.close()
    with pytest.raises(StoreError):
        chat.answer([Request((Message("user", "hello"),))])

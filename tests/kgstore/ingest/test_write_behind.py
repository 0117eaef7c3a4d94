"""A load's writes behind its reading: one at a time, in order, none lost, and no failure unsaid."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from claimgraph.kgstore.errors import StoreConflict, StoreError
from claimgraph.kgstore.ingest.write_behind import WriteBehind
from claimgraph.kgstore.store import Step

ROWS = [{"id": "x"}]


class Written:
    """Notes what is written, and raises `errors` in their order, None for none."""

    def __init__(self, *errors: Exception | None) -> None:
        self.names: list[list[str]] = []
        self._errors = iter(errors)
        self.free = threading.Event()
        self.free.set()

    def write(self, *steps: Step) -> list[Any]:
        assert self.free.wait(10)
        self.names.append([name for name, _ in steps])
        if error := next(self._errors, None):
            raise error
        return []


def test_a_write_goes_on_while_the_next_batch_is_read() -> None:
    """`put` returns before the write has ended; the end of the block does not."""
    store = Written()
    store.free.clear()
    with WriteBehind(store) as writer:  # type: ignore[arg-type]
        writer.put([("first", ROWS)])
        assert [] == store.names
        store.free.set()
        writer.put([("second", ROWS)])
    assert [["first"], ["second"]] == store.names


def test_what_turns_out_to_be_there_is_merged() -> None:
    """A conflict is counted, and all of the batch is written again by queries that merge."""
    store = Written(StoreConflict("there"))
    with WriteBehind(store) as writer:  # type: ignore[arg-type]
        writer.put([("put_new_facts", ROWS), ("put_literals", ROWS)])
        writer.wait()
        assert 1 == writer.conflicts
    assert [["put_new_facts", "put_literals"], ["put_facts", "put_literals"]] == store.names


@pytest.mark.parametrize("again", [lambda writer: writer.wait(), lambda writer: writer.put([("third", ROWS)])])
def test_a_failure_is_raised_once_and_nothing_is_written_after_it(again: Any) -> None:
    """By the next call, whichever it is."""
    store = Written(None, StoreError("the power failed"))
    with WriteBehind(store) as writer:  # type: ignore[arg-type]
        writer.put([("first", ROWS)])
        writer.put([("second", ROWS)])
        with pytest.raises(StoreError, match="power"):
            again(writer)
        writer.wait()
    assert [["first"], ["second"]] == store.names

"""Answers of language models are kept in the store, on either engine, and go when they are purged."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from filled import ODD

from claimgraph.kgstore.engines.dry_run_store import DryRunStore
from claimgraph.kgstore.engines.embedded import open_embedded
from claimgraph.kgstore.engines.migrations import migrate
from claimgraph.kgstore.model import Message, Request
from claimgraph.kgstore.store import GraphStore
from claimgraph.kgstore.upkeep.completions import counts, keep, kept, key_of, purge
from claimgraph.kgstore.upkeep.dump import dump, restore

ASKED = Request((Message("system", "Be brief."), Message("user", ODD)), 0.7, 0.9, 20, '{"type":"object"}', 1, "yes")


def test_an_answer_is_kept_as_it_came_and_the_first_one_stays(store: GraphStore) -> None:
    """An odd text comes back by the id of its request; a second answer to the same does not replace it."""
    odd = f"{ODD}\0\r\n"
    keep(store, "small", {ASKED: odd})
    keep(store, "small", {ASKED: "other", replace(ASKED, sample=2): "second"})
    first, second = key_of("small", ASKED), key_of("small", replace(ASKED, sample=2))
    assert {first: odd, second: "second"} == kept(store, [first, second, first, key_of("large", ASKED)])
    assert {"small": 2} == counts(store)


@pytest.mark.parametrize(
    "change",
    [
        {"messages": ASKED.messages[1:]},
        {"messages": (Message("system", "Be brief.user"), Message("", ODD))},
        {"temperature": 0.0},
        {"top_p": 1.0},
        {"max_tokens": None},
        {"schema": None},
        {"sample": 0},
    ],
)
def test_another_question_has_another_id(change: dict[str, object]) -> None:
    """Whatever shapes the answer is part of the id; what a rehearsal would answer is not."""
    assert key_of("small", ASKED) != key_of("small", replace(ASKED, **change))
    assert key_of("small", ASKED) == key_of("small", replace(ASKED, likely="no"))


def test_purging_takes_a_model_or_what_is_old(store: GraphStore) -> None:
    """Only answers of the model, made before the time, go; and their number is told."""
    keep(store, "small", {ASKED: "a", replace(ASKED, sample=2): "b"})
    keep(store, "large", {ASKED: "c"})
    hour = timedelta(hours=1)
    assert 0 == purge(store, before=datetime.now(UTC) - hour)
    assert 2 == purge(store, "small", datetime.now(UTC) + hour)
    assert {"large": 1} == counts(store)
    assert 1 == purge(store)
    assert {} == kept(store, [key_of("large", ASKED)])


def test_a_backup_holds_them(store: GraphStore, tmp_path: Path) -> None:
    """What was kept is in the dump, and in a store restored from it."""
    keep(store, "small", {ASKED: ODD})
    dump(store, tmp_path / "a.jsonl.gz")
    with open_embedded(tmp_path / "other") as other:
        migrate(other)
        restore(other, tmp_path / "a.jsonl.gz")
        assert {key_of("small", ASKED): ODD} == kept(other, [key_of("small", ASKED)])


def test_an_unwritten_store_reads_and_changes_nothing(embedded: GraphStore) -> None:
    """Reads are those of the store behind it; what is written to it is gone."""
    keep(embedded, "small", {ASKED: "a"})
    rehearsed = DryRunStore(embedded)
    keep(rehearsed, "small", {replace(ASKED, sample=2): "b"})
    assert {"small": 1} == counts(rehearsed) == counts(embedded)
    assert embedded.info() == rehearsed.info()

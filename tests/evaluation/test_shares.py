"""Shares, rows and batches, of which all figures are made: unknown is never zero, and nothing is left out."""

from __future__ import annotations

from pathlib import Path

import pytest

from claimgraph.evaluation.batches import batches
from claimgraph.evaluation.data.rows import dataset_name, read_rows
from claimgraph.evaluation.statistics.shares import mean, precision_recall, rounded, share
from claimgraph.kgstore.errors import InputError


def test_what_is_undefined_is_none() -> None:
    """A share of nothing, a mean of unknown values and nan are None; known ones have four decimals."""
    assert [None, None, None, None] == [share(0, 0), mean([]), mean([None]), rounded(float("nan"))]
    assert [0.0, 0.3333, 1.5, 0.12] == [share(0, 3), share(1, 3), mean([1, None, 2]), rounded(0.123, 2)]
    assert {"precision": None, "recall": 0.0} == precision_recall(0, 0, 4)
    assert {"precision": 0.5, "recall": 0.75} == precision_recall(1, 2, 4, found=3)


def test_batches_hold_every_item_and_say_how_far_they_are() -> None:
    """A batch is done when the next one is asked for; the last one is as long as it is."""
    told: list[tuple[int, int]] = []
    found = [list(some) for some in batches(range(5), 2, lambda done, total: told.append((done, total)))]
    assert [[0, 1], [2, 3], [4]] == found
    assert [(2, 5), (4, 5), (5, 5)] == told


def test_rows_have_the_number_of_their_line(tmp_path: Path) -> None:
    """Blank lines are counted and passed over; a sample is the same for one seed; a bad line says what it needs."""
    path = tmp_path / "set.jsonl"
    path.write_text('{"n": 1}\n\n{"n": 2}\n{"n": 3}\n', encoding="utf-8")
    assert "set" == dataset_name(path) == dataset_name(tmp_path / "set.tsv.gz")
    assert [(1, 1), (3, 2), (4, 3)] == list(read_rows(path, lambda row: row["n"]))
    drawn = {seed: [n for _, n in read_rows(path, lambda row: row["n"], limit=1, seed=seed)] for seed in range(9)}
    assert drawn[0] == [n for _, n in read_rows(path, lambda row: row["n"], limit=1)]
    assert {1, 2, 3} == {n for [n] in drawn.values()}
    with pytest.raises(InputError, match=r"set\.jsonl, line 1: needs `m`$"):
        list(read_rows(path, lambda row: row["m"], "needs `m`"))

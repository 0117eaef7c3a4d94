"""The benchmark suite's shared parts: what a figure says, and that the page keeps rows that were not measured."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))
suite = import_module("benchmarks.__main__")
figures = import_module("benchmarks.figures")


def figure(work, seconds=0.5, reached=True):
    return figures.Figure(work, seconds, "the plain way", 2.0, "3 times", reached, {"texts": 12})


def test_a_row_says_work_baseline_goal_and_counts():
    """A figure's ratio is the baseline's time over the work's."""
    assert "| a | 0.50 s | the plain way | 4 | 3 times reached | 12 texts |" == figure("a").row()
    assert "3 times missed" in figure("a", reached=False).row()
    assert 4.0 == figure("a").as_json()["times"]


def test_rows_that_were_not_measured_stay(tmp_path, monkeypatch):
    """A run of one row replaces that row alone, in the order of the modules, and leaves the page's text."""
    monkeypatch.setattr(suite, "DOCS", tmp_path)
    monkeypatch.setattr(suite, "NAMES", ["first", "second"])
    page = tmp_path / "performance.md"
    page.write_text(f"before\n{suite.BEGIN}old\n{suite.END}after\n")
    suite.write({"second": [figure("b")]})
    suite.write({"first": [figure("a")]})
    suite.write({"second": [figure("c")]})
    text = page.read_text()
    assert text.startswith("before\n")
    assert text.endswith("after\n")
    assert ["a", "c"] == [line.split(" | ")[0][2:] for line in text.splitlines() if "plain way" in line]
    assert "old" not in text


@pytest.mark.parametrize("name", suite.NAMES)
def test_every_row_measures(name):
    """Every module of rows has the one function that the suite calls, and says what it measures."""
    module = import_module(f"benchmarks.rows.{name}")
    assert callable(module.measured)
    assert module.__doc__


def test_the_page_has_the_rows_of_the_json():
    """docs/performance.md is what docs/performance.json says."""
    text = (ROOT / "docs" / "performance.md").read_text()
    known = suite.json.loads((ROOT / "docs" / "performance.json").read_text())
    for some in known.values():
        for one in some:
            one.pop("times")
            assert figures.Figure(**one).row() in text

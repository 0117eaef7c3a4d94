"""Lists of verdicts, runs and graphs as a terminal of 80 columns shows them: short ids, few lines, nothing broken."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from command import Cli

TEXT = "The Halden Bridge was opened in 1931. It is 214 metres long."
SOURCE = "The Halden Bridge was opened in 1934. The bridge is 214 metres long."


@pytest.fixture
def checked(cli: Cli, tmp_path: Path) -> Cli:
    """The command line on a store with one text, checked by two methods that disagree."""
    (tmp_path / "draft.txt").write_text(TEXT)
    (tmp_path / "source.txt").write_text(SOURCE)
    for method in ("fused", "factalign"):
        cli("check", "draft.txt", "--context", "source.txt", "--method", method)
    return partial(cli, COLUMNS="80")


def test_a_verdict_takes_three_lines(checked: Cli) -> None:
    """A statement with its verdict, the reason, and claim, text, method and time; none is wider than the terminal."""
    lines = checked("verdicts", "--outcome", "REFUTED").stdout.splitlines()
    assert "REFUTED  The Halden Bridge was opened in 1931." == lines[0]
    assert lines[1].startswith("  The text says 1931; source.txt says 1934: “The Halden Bridge was opened")
    assert lines[2].startswith("  c1:")
    assert "  draft.txt, by fused, " in lines[2]
    assert (3, True) == (len(lines), max(map(len, lines)) <= 80)
    assert "no such verdict in the store\n" == checked("verdicts", "--entity", "nobody").stdout


def test_a_disagreement_names_each_method_in_a_line(checked: Cli) -> None:
    """The statement with its text, then a line a method; the verdict that holds is marked."""
    lines = checked("verdicts", "--disagreements").stdout.splitlines()
    at = next(at for at, line in enumerate(lines) if line.startswith("The Halden Bridge was opened in 1931.  c1:"))
    said = sorted(line.strip() for line in lines[at + 1 : at + 3])
    assert said[0].startswith("REFUTED  fused (holds): The text says 1931")
    assert said[1].startswith("SUPPORTED  factalign: ")
    assert 80 >= max(map(len, lines))


def test_statements_are_counted_alike(checked: Cli, tmp_path: Path) -> None:
    """check, runs and correct count statements, and ids are short everywhere."""
    assert (
        "2 statements in 2 sentences: 1 refuted, 0 not enough info, 1 supported."
        in checked("check", "draft.txt", "--context", "source.txt").stdout
    )
    run = checked("submit", "draft.txt", "--context", "source.txt").stdout
    assert "Statements: 1 refuted, 0 not enough info, 1 supported." in run
    corrected = checked("correct", "draft.txt", "--context", "source.txt", "--output", "right.txt").stdout
    assert "Before: 1 refuted, 0 not enough info, 1 supported. Document d1:" in corrected
    assert "After:  0 refuted, 0 not enough info, 2 supported. Document d1:" in corrected
    assert TEXT.replace("1931", "1934") == (tmp_path / "right.txt").read_text()
    for out in (run, checked("runs").stdout, checked("stats").stdout):
        rows = [line for line in out.splitlines() if line.startswith("│")]
        assert rows
        assert 80 >= max(map(len, rows))
    assert "also the claims of 2 texts and the facts of 1 context\n" in checked("graphs").stdout


def test_explain_shows_a_place_once(checked: Cli) -> None:
    """The evidence of a claim is shown once for each place, without numbers unless they are asked for."""
    claim = next(line.split()[0] for line in checked("verdicts", "--outcome", "REFUTED").stdout.splitlines()[2:])
    said = checked("explain", claim).stdout
    assert 1 == said.count("refutes ")
    assert "fused refuted" not in said
    assert "fused refuted" in checked("explain", claim, "-v").stdout

"""A printed check is read in one screen: the text with its colours, the worst first, few lines a problem."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from printed_report import WORST, report
from rich.text import Text

from claimgraph.cli.common.check_printing import print_report
from claimgraph.cli.common.coloured_text import coloured
from claimgraph.cli.common.printing import excerpt
from claimgraph.kgstore.model import (
    Outcome,
    Span,
)  # fmt: skip
from claimgraph.reports.statements import outcome_counts, problems, sentence_before, statements


@pytest.fixture(params=["pipe", "terminal"])
def terminal(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """80 columns, in a pipe or in a terminal with colours."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("NO_COLOR", raising=False)
    if request.param == "terminal":
        monkeypatch.setenv("FORCE_COLOR", "1")
        monkeypatch.setenv("TERM", "xterm-256color")
    return bool(request.param == "terminal")


@pytest.mark.usefixtures("terminal")
@pytest.mark.parametrize("outcome", WORST)
def test_thirty_sentences_fit_sixty_lines(outcome: Outcome, capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever the verdicts are, 30 sentences print at most 60 lines of at most 80 columns."""
    print_report(report(*[outcome] * 15, *[Outcome.SUPPORTED] * 5, *[Outcome.REFUTED] * 10))
    lines = [Text.from_ansi(line).plain for line in capsys.readouterr().out.splitlines()]
    assert 12 <= len(lines) <= 60
    assert 80 >= max(map(len, lines))


def test_a_problem_has_statement_reason_and_deciding_sentence(
    terminal: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    """Worst first; at most three lines a problem; what is supported takes one line; the source has its line."""
    print_report(report(Outcome.SUPPORTED, Outcome.NOT_ENOUGH_INFO, Outcome.REFUTED, gap="\n"))
    out = Text.from_ansi(capsys.readouterr().out).plain
    shown = out[out.index("REFUTED, line 3") :].splitlines()
    assert terminal == out.startswith("The mine number 0")
    assert shown[0].startswith("REFUTED, line 3  The mine number 2 of the northern company")
    assert ["  The text says 1802; notes.txt says 1702."] == shown[1:2]
    assert shown[2].startswith("  notes.txt:3 “Mine 2 of the company opened in 1702,")
    assert shown[3].startswith("NOT ENOUGH INFO, line 2  ")
    assert shown[4].startswith("  nearest: notes.txt:2 “Mine 1")
    assert "3 statements in 3 sentences: 1 refuted, 1 not enough info, 1 supported." == shown[5]
    assert shown[6].startswith("By fused in 1.0 s. Document d1:01234567")


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("It describes 412 species.", "Ann Lee wrote a book."),
        ("During the second of these it sank.", "Ann Lee wrote a book."),
        ("The second was better.", "Ann Lee wrote a book."),
        ("The book describes 412 species.", ""),
    ],
)
def test_an_open_statement_is_shown_after_the_sentence_before_it(said: str, expected: str) -> None:
    """Who reads a statement that begins with a pronoun sees what it speaks of; others stand alone."""
    text = f"Ann Lee wrote a book. {said}"
    spans = (Span(0, 21), Span(22, len(text)))
    one = replace(statements(report(Outcome.REFUTED))[0], text=said, span=spans[1])
    assert expected == sentence_before(one, text, spans)
    assert "" == sentence_before(replace(one, span=spans[0]), text, spans)


def test_quiet_shows_what_is_refuted_alone(capsys: pytest.CaptureFixture[str]) -> None:
    """-q prints the refuted statements with their reasons, and nothing where there are none."""
    print_report(report(Outcome.NOT_ENOUGH_INFO, Outcome.REFUTED), quiet=True)
    assert 3 == len(capsys.readouterr().out.splitlines())
    print_report(report(Outcome.NOT_ENOUGH_INFO, Outcome.SUPPORTED), quiet=True)
    assert "" == capsys.readouterr().out


def test_verbose_shows_all_claims_with_evidence_and_signals(capsys: pytest.CaptureFixture[str]) -> None:
    """-v prints every claim, its evidence with the place, and its signals."""
    print_report(report(*WORST), verbose=True)
    out = " ".join(capsys.readouterr().out.split())
    assert 3 == len(re.findall(r"(?:refutes|neutral|supports) 0\.90 Mine \d of", out))
    assert 3 == out.count("fused: refuted 0.25")
    assert "[notes.txt:2]" in out


def test_a_statement_has_the_colour_of_its_verdict() -> None:
    """Each statement is underlined in its colour; without colours only problems are, so that they can be told."""
    found = report(*WORST)
    styles = [str(span.style) for span in coloured(found.document.text, statements(found)).spans]
    assert ["underline green", "underline yellow", "underline red"] == styles
    plain = coloured(found.document.text, statements(found), colours=False)
    assert ["underline", "bold underline"] == [str(span.style) for span in plain.spans]


def test_no_color_is_obeyed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """With NO_COLOR no colour is printed, and the text still shows where the problems are."""
    for name, value in (("FORCE_COLOR", "1"), ("NO_COLOR", "1"), ("TERM", "xterm"), ("COLUMNS", "80")):
        monkeypatch.setenv(name, value)
    print_report(report(*WORST))
    out = capsys.readouterr().out
    assert "\x1b[1;4m" in out
    assert not re.search(r"\x1b\[[0-9;]*3[0-7]m", out)


def test_a_problem_inside_another_is_told_once() -> None:
    """A statement whose words stand in a longer one that the same sentence decides is told with that."""
    found = report(Outcome.REFUTED)
    inner = replace(found.claims[0], id="c2", span=Span(5, 20), statement="The mine opened.")
    both = replace(
        found, claims=(*found.claims, inner), verdicts=(*found.verdicts, replace(found.verdicts[0], claim="c2"))
    )
    assert 2 == len(statements(both))
    assert [found.claims[0].statement] == [one.text for one in problems(statements(both))]
    assert sum(outcome_counts(statements(both)).values()) == 1


def test_an_excerpt_shows_what_was_asked_for() -> None:
    """Of a long sentence the part is shown that shares most words; what is left out is an ellipsis."""
    text = "It was the tallest structure in the world for 41 years, until the Chrysler Building was finished in 1930."
    shown = excerpt(text, "The Chrysler Building was finished in 1925; 1930", 60)
    assert shown == "… years, until the Chrysler Building was finished in 1930."
    assert text == excerpt(text, "", 200)
    assert 12 >= len(excerpt("a" * 50, "", 12))

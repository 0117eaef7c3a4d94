"""What cannot be looked up in an open domain is left undecided, and what became of claims there is counted."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from claimgraph.cli.app import app
from claimgraph.detect.check_input import Case
from claimgraph.detect.methods.abstention import Abstaining
from claimgraph.evaluation.data.labelled import LabelledCase, Unit
from claimgraph.evaluation.data.labelled_files import read_labelled
from claimgraph.evaluation.detection.coverage import checkable, opened
from claimgraph.evaluation.detection.results import CaseResult, claim_result
from claimgraph.evaluation.detection.units import judge
from claimgraph.kgstore.errors import InputError
from claimgraph.kgstore.model import (
    Citation,
    Claim,
    Entity,
    Evidence,
    Finding,
    Link,
    Outcome,
    Signal,
    Span,
    Stance,
    Status,
    Subgraph,
)

ANN = Entity("g:ann", "Ann", graphs=("g",))
CLAIM = Claim("c1:a", "d1:a", "Ann", "knows", "Bob", "Ann knows Bob", Span(0, 13))
CITED = (Citation(Evidence("e1:a", "Ann met Bob", "g"), Stance.REFUTES, 0.9),)
SCORE = (Signal("fixed", "hallucination", 0.9),)
REFUTED = Finding(Outcome.REFUTED, Status.COMPLETE, "it says so", 0.9, citations=CITED, signals=SCORE)
UNDECIDED = replace(REFUTED, outcome=Outcome.NOT_ENOUGH_INFO)


class Fixed:
    """A detector that finds the same of every claim."""

    name = "fixed"
    config = '{"preset": "p"}'

    def __init__(self, finding: Finding) -> None:
        self.finding = finding

    def detect(self, cases):  # type: ignore[no-untyped-def]
        return [[self.finding for _ in case.claims] for case in cases]


def _case(entity: Entity | None, *, closed: bool = False, incomplete: frozenset[str] = frozenset()) -> Case:
    links = (Link(CLAIM.id, "subject", "Ann", entity, 0.9, 0.5),)
    return Case((CLAIM,), Subgraph({}, ()), (), closed, links=links, incomplete=incomplete)


def _guarded(finding: Finding, case: Case) -> Finding:
    [[found]] = Abstaining(Fixed(finding)).detect([case])
    return found


def test_a_subject_nobody_knows_is_not_judged() -> None:
    """A claim about a NIL is unlinked, without score, confidence or citation."""
    found = _guarded(REFUTED, _case(None))
    assert (Outcome.NOT_ENOUGH_INFO, Status.UNLINKED, None) == (found.outcome, found.status, found.confidence)
    assert "The graph knows no entity called 'Ann'." == found.reason
    assert ((), None) == (found.citations, found.signals[0].value)


def test_what_was_not_fetched_is_said() -> None:
    """An undecided claim about something half fetched says so; a decided one stands."""
    half = _case(ANN, incomplete=frozenset({ANN.id}))
    assert Status.FETCH_INCOMPLETE == _guarded(UNDECIDED, half).status
    assert REFUTED == _guarded(REFUTED, half)
    assert Status.COMPLETE == _guarded(UNDECIDED, _case(ANN)).status


def test_the_rest_passes() -> None:
    """Closed cases, cases without links, and linked claims keep their findings; the configuration tells the guard."""
    cases = [_case(None, closed=True), replace(_case(None), links=None), _case(ANN)]
    guarded = Abstaining(Fixed(REFUTED))
    assert [[REFUTED]] * 3 == guarded.detect(cases)
    assert {"preset": "p", "abstention": 1} == json.loads(guarded.config)


def _labelled(label: int, context: str | None = None) -> LabelledCase:
    return LabelledCase(str(label), "g", "set", Unit.DOCUMENT, "Ann knows Bob", label, context=context)


def test_decisions_are_counted_by_kind() -> None:
    """Refuting, supporting and deciding have a precision and a recall each; a text without claims is not decided."""
    supported = replace(REFUTED, outcome=Outcome.SUPPORTED)
    found = [
        (1, [REFUTED]),
        (0, [REFUTED]),
        (0, [supported]),
        (1, [replace(UNDECIDED, status=Status.UNLINKED)]),
        (1, []),
    ]
    pairs = [
        (_labelled(label), CaseResult(0, tuple(claim_result(CLAIM, one, "fixed") for one in findings), 0.0))
        for label, findings in found
    ]
    report = opened(pairs, judge(pairs, Unit.DOCUMENT, nei=False))
    assert {"REFUTED": 2, "SUPPORTED": 1, "unlinked": 1} == report["claims"]
    assert {"n": 2, "precision": 0.5, "recall": 0.3333} == report["refuted"]
    assert {"n": 1, "precision": 1.0, "recall": 0.5} == report["supported"]
    assert {"n": 3, "precision": 0.6667, "recall": 0.4} == report["decided"]


def test_a_context_that_is_the_text_tells_nothing() -> None:
    """Texts whose context is themselves are left out of a closed domain, or it is said that nothing is left."""
    own, other, bare = _labelled(1, "Ann knows Bob "), _labelled(0, "Ann met Bob"), _labelled(1)
    assert [other] == checkable([own, other, bare], "closed", grounded=False)
    assert [None] * 3 == [case.context for case in checkable([own, other, bare], "open", grounded=True)]
    assert [None, other.context] == [case.context for case in checkable([own, other], None, grounded=True)]
    assert [bare] == checkable([bare], None, grounded=False)
    for domain in ("closed", None):
        with pytest.raises(InputError, match="of 2 texts the context of 1 is the text itself"):
            checkable([own, bare], domain, grounded=False)


def test_rows_of_an_open_domain(tmp_path: Path) -> None:
    """A sentence about an entity, and a fact whose label says that it is true, written in words."""
    rows = [
        {"id": "a", "claim": "Fax works.", "entity": "Fax", "label": 1},
        {"id": "b", "subject": "s", "triple": ["Ann", "birthPlace", "Rome"], "label": 1},
    ]
    path = tmp_path / "set.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    sentence, fact = read_labelled(path)
    assert ("Fax works.", 1, "Fax", Unit.DOCUMENT) == (sentence.text, sentence.label, sentence.group, sentence.unit)
    assert ("Ann birth place Rome.", 0, Unit.CLAIM) == (fact.text, fact.label, fact.unit)
    assert ["birth place"] == [claim.triple.predicate for claim in fact.claims or ()]


def test_commands_say_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An open domain needs a graph, a closed one texts with a context of their own: one clear line each."""
    monkeypatch.setenv("CLAIMGRAPH_STORE", str(tmp_path / "store"))
    monkeypatch.setenv("CLAIMGRAPH_CACHE", str(tmp_path / "cache"))
    text = "Ann knows Bob."
    row = {"generated_text": text, "reference_text": text, "sentences": [{"text": text, "label": 1}]}
    path = tmp_path / "set.jsonl"
    path.write_text(json.dumps(row) + "\n")
    for domain, said in (("open", "give --graph"), ("closed", "of 1 texts the context of 1 is the text itself")):
        result = CliRunner().invoke(app, ["eval", "detection", str(path), "--method", "rules", "--domain", domain])
        assert result.exit_code != 0
        assert said in str(result.exception)

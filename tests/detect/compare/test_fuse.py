"""The rules that make an outcome of matches and readings."""

from __future__ import annotations

from dataclasses import replace

import pytest

from claimgraph.detect.compare.decision_rules import Thresholds, refutes, rule, supports
from claimgraph.detect.compare.fact_match import Match
from claimgraph.detect.compare.passage_match import PassageMatch
from claimgraph.kgstore.model import Fact, Outcome
from claimgraph.kgstore.values.literals import Comparison

T = Thresholds()
FACT = Fact("f1:a", "g", "s", "p", "was born in", "o")
SAME = Match(FACT, subject=1.0, relation=1.0, object=1.0, literal=None, denied=False, exclusive=False)
OTHER = replace(SAME, object=0.3, exclusive=True)
READ = PassageMatch(0, coverage=1.0, whole=True, conflict=None, denied=False)


@pytest.mark.parametrize(
    ("match", "expected"),
    [
        (SAME, Outcome.SUPPORTED),
        (OTHER, Outcome.REFUTED),
        (replace(OTHER, exclusive=False), Outcome.NOT_ENOUGH_INFO),
        (replace(OTHER, fact=replace(FACT, name="visited")), Outcome.NOT_ENOUGH_INFO),
        (replace(SAME, denied=True), Outcome.REFUTED),
        (replace(OTHER, denied=True), Outcome.NOT_ENOUGH_INFO),
        (replace(SAME, object=0.0, literal=Comparison.DIFFERENT), Outcome.REFUTED),
        (replace(SAME, object=0.0, literal=Comparison.INCOMPARABLE), Outcome.NOT_ENOUGH_INFO),
        (replace(SAME, subject=0.5), Outcome.NOT_ENOUGH_INFO),
        (replace(OTHER, subject=0.5), Outcome.NOT_ENOUGH_INFO),
        (replace(SAME, relation=0.4), Outcome.NOT_ENOUGH_INFO),
        (replace(OTHER, relation=0.4), Outcome.NOT_ENOUGH_INFO),
    ],
)
def test_one_fact(match, expected):
    """A fact supports when all three agree; it refutes by denial, by another value, or by another object of a
    relation with one; it does neither otherwise.
    """
    ruling = rule([match], [], T)
    assert expected == ruling.outcome
    assert not (supports(match, T) and refutes(match, T))


@pytest.mark.parametrize(
    ("reading", "expected"),
    [
        (READ, Outcome.SUPPORTED),
        (replace(READ, coverage=0.5), Outcome.NOT_ENOUGH_INFO),
        (replace(READ, whole=False), Outcome.NOT_ENOUGH_INFO),
        (replace(READ, denied=True), Outcome.REFUTED),
        (replace(READ, coverage=0.75, whole=False, conflict=("1899", "1898")), Outcome.REFUTED),
        (replace(READ, coverage=0.5, whole=False, conflict=("1899", "1898")), Outcome.NOT_ENOUGH_INFO),
    ],
)
def test_one_passage(reading, expected):
    """A passage supports with all names, values and nearly all words; another value or a denial refutes."""
    assert expected == rule([], [reading], T).outcome


def test_nothing():
    """With no fact and no passage near, nothing is known."""
    ruling = rule([], [], T)
    assert (Outcome.NOT_ENOUGH_INFO, 0.0, 0.0, 0.5) == (
        ruling.outcome, ruling.support, ruling.refute, ruling.hallucination)  # fmt: skip


def test_a_fact_outweighs_shared_words():
    """A sentence with all the words supports less than a contradicting fact refutes."""
    assert Outcome.REFUTED == rule([OTHER], [READ], T).outcome
    assert Outcome.SUPPORTED == rule([OTHER, SAME], [], T).outcome


def test_two_values_refute_nothing():
    """Where the evidence itself has two objects for a relation, it takes many, and neither excludes a third."""
    second = replace(OTHER, fact=replace(FACT, id="f1:b", object="q"))
    assert Outcome.NOT_ENOUGH_INFO == rule([OTHER, second], [], T).outcome


def test_evidence_is_ranked():
    """What decided comes first, with its strength; the other side is left out."""
    weak = replace(SAME, subject=0.8)
    ruling = rule([OTHER, weak, SAME], [READ], T)
    assert [1.0, pytest.approx(2.8 / 3)] == [strength for strength, _ in ruling.matches]
    assert [READ] == [reading for _, reading in ruling.readings]

"""The figures agree with scikit-learn's, undefined is not 0, and thresholds are the best there are."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics as oracle

from claimgraph.detect.levels import Level, inside, label_of, level
from claimgraph.evaluation.statistics.metrics import NAMES, best_threshold, interval, mean_interval, measure, resample
from claimgraph.evaluation.statistics.objective import Objective
from claimgraph.kgstore.model import Outcome, Span, Status

ROWS = st.lists(
    st.tuples(st.integers(0, 1), st.sampled_from([0.0, 0.2, 0.5, 0.9, 1.0]), st.integers(0, 1), st.integers(0, 3)),
    min_size=4,
    max_size=30,
).filter(lambda rows: {0, 1} == {row[0] for row in rows if row[3]})


@given(ROWS)
@settings(max_examples=60, deadline=None)
def test_figures_agree_with_the_library(rows: list[tuple[int, float, int, int]]) -> None:
    """For rows that count any number of times, every figure is scikit-learn's."""
    gold, score, guess, weight = (np.array(column) for column in zip(*rows, strict=True))
    found = measure(gold, score, guess, weight[None].astype(float))
    options = {"sample_weight": weight}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = {
            "auc_roc": oracle.roc_auc_score(gold, score, **options),
            "pr_auc": oracle.average_precision_score(gold, score, **options),
            "accuracy": oracle.accuracy_score(gold, guess, **options),
            "balanced_accuracy": oracle.balanced_accuracy_score(gold, guess, **options),
            "precision": oracle.precision_score(gold, guess, zero_division=np.nan, **options),
            "recall": oracle.recall_score(gold, guess, **options),
            "f1": oracle.f1_score(gold, guess, **options),
        }
    assert expected == pytest.approx({name: found[name][0] for name in NAMES}, nan_ok=True)


def test_undefined_is_not_zero() -> None:
    """With one class only, without predictions or without scores a figure is nan; unknown rows are left out."""
    nan = float("nan")
    found = measure([1, 1], [0.5, 0.1], [0, 0])
    assert ["auc_roc", "balanced_accuracy", "precision"] == [n for n in NAMES if np.isnan(found[n][0])]
    assert all(np.isnan(values[0]) for values in measure([1, 0], [nan, nan], [nan, nan]).values())
    some = measure([1, 0, 0, 1], [0.9, 0.1, nan, nan], [1, 0, nan, nan])
    assert [1.0] * 7 == [some[name][0] for name in NAMES]


def test_a_group_counts_as_a_whole() -> None:
    """A replicate draws groups: rows of one group always count alike, and as many groups are drawn as there are."""
    weights = resample(["b", "a", "b", "c"], seed=3, replicates=50)
    assert (weights[:, 0] == weights[:, 2]).all()
    assert (weights[:, [0, 1, 3]].sum(axis=1) == 3).all()
    assert (weights == resample(["b", "a", "b", "c"], seed=3, replicates=50)).all()


def test_interval_is_the_middle_of_the_replicates() -> None:
    """2.5% lie on either side; a figure mostly undefined has no interval."""
    assert (2.5, 97.5) == interval(np.arange(101.0))
    assert None is interval(np.array([1.0, np.nan, np.nan]))


def test_a_mean_has_an_interval_over_groups_of_known_values() -> None:
    """Equal values have no width, groups are drawn whole, and unknown values are left out; of none there is none."""
    assert (1.0, 1.0) == mean_interval([1.0, None, 1.0], ["a", "b", "c"], 0)
    assert (0.0, 1.0) == mean_interval([0.0, 0.0, 1.0, 1.0], ["a", "a", "b", "b"], 0)
    assert None is mean_interval([None], ["a"], 0) is mean_interval([], [], 0)


@given(ROWS, st.sampled_from(list(Objective)))
@settings(max_examples=60, deadline=None)
def test_no_threshold_does_better(rows: list[tuple[int, float, int, int]], objective: Objective) -> None:
    """The threshold chosen does as well as the best of all that could be tried."""
    gold, score = np.array([row[0] for row in rows]), np.array([row[1] for row in rows])
    name = "f1" if objective is Objective.F1 else "balanced_accuracy"

    def value(threshold: float) -> float:
        return float(measure(gold, score, score > threshold)[name][0])

    found = best_threshold(gold, score, objective)
    assert found is not None
    assert max(map(value, np.arange(-0.05, 1.1, 0.1))) == pytest.approx(value(found))


def test_threshold_lies_in_the_widest_gap() -> None:
    """Of thresholds that do as well, the one furthest from both neighbours is taken; without scores there is none."""
    assert 0.5 == best_threshold([0, 0, 1, 1], [0.1, 0.2, 0.8, 0.9], Objective.YOUDEN)
    assert None is best_threshold([1], [float("nan")], Objective.F1)


@pytest.mark.parametrize(
    ("labels", "scores", "expected"),
    [
        ([], [], Level(0, None, 0)),
        ([0, 1, None], [0.2, 0.7, None], Level(1, 0.7, 3)),
        ([0, None], [0.2, None], Level(None, 0.2, 2)),
        ([0, 0], [0.2, 0.1], Level(0, 0.2, 2)),
    ],
)
def test_a_text_is_what_its_worst_claim_is(
    labels: list[int | None], scores: list[float | None], expected: Level
) -> None:
    """One hallucinated claim makes the text so; an undecided one leaves it undecided; no claim makes it 0."""
    assert expected == level(labels, scores)


def test_claims_of_a_sentence_touch_it() -> None:
    """A claim belongs to every sentence it shares a character with; spans are half-open."""
    assert [0, 2] == inside([Span(0, 5), Span(5, 9), Span(2, 8)], Span(0, 5))


@pytest.mark.parametrize(
    ("outcome", "status", "closed", "nei", "label"),
    [
        (Outcome.SUPPORTED, Status.COMPLETE, False, False, 0),
        (Outcome.REFUTED, Status.COMPLETE, False, False, 1),
        (Outcome.NOT_ENOUGH_INFO, Status.COMPLETE, True, False, 1),
        (Outcome.NOT_ENOUGH_INFO, Status.NO_EVIDENCE, False, False, None),
        (Outcome.NOT_ENOUGH_INFO, Status.NO_EVIDENCE, False, True, 1),
        (Outcome.NOT_ENOUGH_INFO, Status.MODEL_FAILED, True, True, None),
    ],
)
def test_not_enough_information_counts_where_the_evidence_is_all_there_is(
    outcome: Outcome, status: Status, closed: bool, nei: bool, label: int | None
) -> None:
    """A claim not found is hallucinated in a closed domain or by the papers' rule, else unknown; so is a failure."""
    assert label == label_of(outcome, status, closed=closed, nei=nei)

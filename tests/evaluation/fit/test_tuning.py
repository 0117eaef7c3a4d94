"""Thresholds of single methods: the exhaustive search beside all there is, the Bayesian one beside its first points."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claimgraph.evaluation.data.labelled import Annotation, LabelledCase, Unit
from claimgraph.evaluation.detection.kinds import by_kind
from claimgraph.evaluation.detection.results import CaseResult, ClaimResult
from claimgraph.evaluation.detection.units import Pair, judge
from claimgraph.evaluation.detection.units import scores as scores_of
from claimgraph.evaluation.fit import thresholds
from claimgraph.evaluation.fit.thresholds import START, Trials, tune_contradiction, tune_score
from claimgraph.evaluation.statistics.metrics import measure
from claimgraph.evaluation.statistics.objective import Objective
from claimgraph.kgstore.errors import InputError
from claimgraph.kgstore.model import Hallucination, Outcome, Span, Status

SIGNAL = "m.contradiction"
REFUTED, UNKNOWN, SUPPORTED = Outcome.REFUTED, Outcome.NOT_ENOUGH_INFO, Outcome.SUPPORTED
INTRINSIC, EXTRINSIC = Hallucination.INTRINSIC, Hallucination.EXTRINSIC


def claim(
    score: float | None = None, at: int = 0, outcome: Outcome = UNKNOWN, signal: float | None = None
) -> ClaimResult:
    """A claim over one character of the text."""
    return ClaimResult(Span(at, at + 1), (Span(at, at + 1),), "", outcome, Status.COMPLETE, score, {SIGNAL: signal})


def text(number: int, label: int, *claims: ClaimResult, kinds: tuple[Hallucination, ...] = ()) -> Pair:
    """A text of its own group with one annotated type a character."""
    marks = tuple(Annotation(Span(at, at + 1), kind) for at, kind in enumerate(kinds))
    case = LabelledCase(str(number), f"g{number}", "set", Unit.DOCUMENT, "x" * 9, label, "", annotations=marks)
    return case, CaseResult(number, claims, 0.0)


def scored(values: list[float], labels: list[int]) -> list[Pair]:
    """A text with one claim each."""
    return [text(n, label, claim(value)) for n, (value, label) in enumerate(zip(values, labels, strict=True))]


def balanced(pairs: list[Pair], threshold: float) -> float:
    """Balanced accuracy of a threshold on texts."""
    units = judge(pairs, Unit.DOCUMENT, nei=True)
    values = scores_of(units)
    return float(measure([unit.gold for unit in units], values, values > threshold)["balanced_accuracy"][0])


def typed(pairs: list[Pair], threshold: float) -> float:
    """Weighted F1 of the types by a threshold, claim by claim: those that are supported or unknown are left out."""
    kept = []
    for case, result in pairs:
        asked = [(c.span.start, c.signals[SIGNAL]) for c in result.claims if c.outcome is not SUPPORTED]
        ruled = [claim(None, at, REFUTED if v > threshold else UNKNOWN) for at, v in asked if v is not None]
        kept.append((case, CaseResult(result.line, tuple(ruled), 0.0)))
    found = by_kind(kept)
    return (found["weighted"]["f1"] or 0.0) if found and found["n"] else 0.0


_rows = st.lists(st.tuples(st.integers(0, 20), st.integers(0, 1)), min_size=2, max_size=12).filter(
    lambda rows: len({label for _, label in rows}) == 2
)


@settings(max_examples=40, deadline=None)
@given(_rows)
def test_score_is_the_exhaustive_best(rows: list[tuple[int, int]]) -> None:
    """No threshold anywhere does better than the one that is found."""
    pairs = scored([value / 20 for value, _ in rows], [label for _, label in rows])
    found = tune_score(pairs, Unit.DOCUMENT, Objective.BALANCED_ACCURACY)
    best = max(balanced(pairs, threshold) for threshold in np.linspace(-0.025, 1.025, 43))
    assert pytest.approx(best) == balanced(pairs, found)


def test_score_by_objective() -> None:
    """F1 and balanced accuracy choose differently where one class is rare; Youden's J as balanced accuracy."""
    pairs = scored([0.1, 0.2, 0.3, 0.4, 0.5, 0.9], [0, 1, 1, 0, 1, 1])
    found = {objective: tune_score(pairs, Unit.DOCUMENT, objective) for objective in Objective}
    assert pytest.approx(0.15) == found[Objective.F1]
    assert found[Objective.YOUDEN] == found[Objective.BALANCED_ACCURACY]


def test_scores_that_are_not_known() -> None:
    """A text whose claims have no score says nothing; where no text has one, that is the error."""
    pairs = scored([0.2, 0.8], [0, 1])
    unknown = text(9, 1, claim(None))
    assert 0.5 == tune_score([*pairs, unknown], Unit.DOCUMENT, Objective.BALANCED_ACCURACY)
    assert 0.2 < tune_score([*pairs, unknown], Unit.DOCUMENT, Objective.F1, Trials(5, 1.0, 0)) < 0.8
    with pytest.raises(InputError, match="no text has a score"):
        tune_score([unknown], Unit.DOCUMENT, Objective.BALANCED_ACCURACY)


_signals = st.lists(
    st.tuples(
        st.none() | st.integers(0, 10).map(lambda value: value / 10),
        st.sampled_from([INTRINSIC, EXTRINSIC]),
        st.sampled_from([UNKNOWN, REFUTED, SUPPORTED]),
    ),
    min_size=1,
    max_size=9,
)


@settings(max_examples=40, deadline=None)
@given(_signals)
def test_contradiction_is_the_exhaustive_best(rows: list[tuple[float | None, Hallucination, Outcome]]) -> None:
    """No threshold from 0 to 1 does better on the types of the claims that are not supported; where there is no such
    claim with a signal there is none.
    """
    claims = [claim(None, at, outcome, signal) for at, (signal, _, outcome) in enumerate(rows)]
    pairs = [text(0, 1, *claims, kinds=tuple(kind for _, kind, _ in rows))]
    found = tune_contradiction(pairs, SIGNAL)
    if all(signal is None or outcome is SUPPORTED for signal, _, outcome in rows):
        assert None is found
    else:
        assert found is not None
        assert 0 <= found <= 1
        assert pytest.approx(max(typed(pairs, n / 20) for n in range(21))) == typed(pairs, found)


def test_all_of_one_type() -> None:
    """Where all are extrinsic nothing is above the threshold, where all are intrinsic everything is."""
    values = (0.2, 0.6, 0.9)
    for kind, found in ((EXTRINSIC, 0.9), (INTRINSIC, 0.1)):
        claims = [claim(None, at, UNKNOWN, value) for at, value in enumerate(values)]
        assert found == tune_contradiction([text(0, 1, *claims, kinds=(kind,) * 3)], SIGNAL)


def test_claims_without_a_type() -> None:
    """A text without annotations has no types to choose a threshold by."""
    assert None is tune_contradiction([text(0, 1, claim(0.5, 0, UNKNOWN, 0.5))], SIGNAL)


NOISY = scored([(7 * n % 40) / 40 for n in range(40)], [int((11 * n % 40) + (7 * n % 40) > 40) for n in range(40)])


@pytest.mark.parametrize("count", [3, 7])
def test_trials_are_seeded(count: int) -> None:
    """The same seed finds the same threshold, whatever the number of trials; it is within [0, 1]."""
    first, again = (tune_score(NOISY, Unit.DOCUMENT, Objective.F1, Trials(count, 0.5, 4)) for _ in range(2))
    assert first == again
    assert 0 <= first <= 1


@pytest.mark.parametrize("seed", [0, 1])
def test_trials_are_never_worse_than_their_first_points(seed: int) -> None:
    """The threshold of all trials does at least as well as that of the random ones alone, and at most as the best."""
    objective = Objective.BALANCED_ACCURACY
    start, all_of_them = (
        tune_score(NOISY, Unit.DOCUMENT, objective, Trials(count, 1.0, seed)) for count in (START, START + 3)
    )
    best = tune_score(NOISY, Unit.DOCUMENT, objective)
    assert balanced(NOISY, start) <= balanced(NOISY, all_of_them) <= balanced(NOISY, best)


def test_trials_see_a_share_of_the_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    """Trials look at whole groups, a share of them and at least one, drawn by the seed."""
    seen = []
    monkeypatch.setattr(
        thresholds, "judge", lambda pairs, *_, **__: seen.append([case.group for case, _ in pairs]) or []
    )
    for trials in (Trials(1, 0.25, 0), Trials(1, 0.25, 0), Trials(1, 0.25, 1), Trials(1, 0.0, 0)):
        with pytest.raises(InputError):
            tune_score([*NOISY, *NOISY], Unit.DOCUMENT, Objective.F1, trials)
    assert [20, 20, 20, 2] == [len(groups) for groups in seen]
    assert [10, 10, 10, 1] == [len(set(groups)) for groups in seen]
    assert seen[0] == seen[1] != seen[2]


def test_trials_on_types() -> None:
    """The contradiction's threshold is searched too: between the two values that part the types."""
    claims = [claim(None, at, UNKNOWN, value) for at, value in enumerate((0.1, 0.2, 0.8, 0.9))]
    pairs = [text(0, 1, *claims, kinds=(EXTRINSIC, EXTRINSIC, INTRINSIC, INTRINSIC))]
    first, again = (tune_contradiction(pairs, SIGNAL, Trials(6, 1.0, 0)) for _ in range(2))
    assert first == again
    assert first is not None
    assert 0.2 <= first < 0.8


def test_one_class_in_the_sample() -> None:
    """Where all sampled texts are hallucinated the trials look for a threshold that says so."""
    pairs = scored([0.6, 0.7, 0.8], [1, 1, 1])
    assert tune_score(pairs, Unit.DOCUMENT, Objective.BALANCED_ACCURACY, Trials(5, 1.0, 0)) < 0.6


def test_precision_and_recall_of_the_types() -> None:
    """Precision is over the claims found as a type, recall over those that are it; a supported one is neither."""
    claims = [claim(None, at, outcome) for at, outcome in enumerate((REFUTED, UNKNOWN, SUPPORTED, UNKNOWN))]
    found = by_kind([text(1, 1, *claims, kinds=(INTRINSIC, INTRINSIC, INTRINSIC, EXTRINSIC))])
    assert found is not None
    assert {"n": 3, "precision": 1.0, "recall": 0.3333, "f1": 0.5} == found["intrinsic"]
    assert {"n": 1, "precision": 0.5, "recall": 1.0, "f1": 0.6667} == found["extrinsic"]
    assert {"precision": 0.875, "recall": 0.5, "f1": 0.5417} == found["weighted"]
    assert (4, 3, 0.6667) == (found["n"], found["detected"]["n"], found["detected"]["weighted"]["recall"])

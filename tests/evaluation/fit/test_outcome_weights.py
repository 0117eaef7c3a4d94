"""Weights that decide claims are fitted apart to whole contexts and to parts, and judged on unseen documents."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import numpy as np
import pytest

from claimgraph.detect.methods.fusion.premises_read import WHOLE
from claimgraph.evaluation.fit.outcomes import IN_WHOLE, ORDER, SIGNALS, KnownClaim, fit_outcomes, held_out
from claimgraph.kgstore.model import Outcome

READS = {Outcome.SUPPORTED: (0.8, 0.1), Outcome.NOT_ENOUGH_INFO: (0.1, 0.1), Outcome.REFUTED: (0.1, 0.8)}


def claims(whole: bool, misread: float, random: Random) -> Iterator[KnownClaim]:
    """Each outcome 40 times, as a model reads it that takes another one for it in a share of the claims."""
    for number in range(120):
        outcome = ORDER[number % 3]
        read = random.choice(ORDER) if random.random() < misread else outcome
        entailed, contradicted = READS[read]
        nearest = random.choice([0.1, 0.8]) if whole else entailed
        signals = dict.fromkeys(SIGNALS[: SIGNALS.index("typed.opposite") + 1], 0.5) | {
            WHOLE: float(whole),
            "nearest.entailment": nearest,
            "nearest.contradiction": 0.1,
            "passage.entailment": entailed,
            "passage.contradiction": contradicted,
        }
        yield KnownClaim(signals, frozenset({outcome}), "made", f"{whole} {number}")


def test_each_kind_of_context_has_its_own_weights() -> None:
    """In a whole context the passage alone counts; an outcome is the likelier the better the model reads there."""
    random = Random(0)
    known = [*claims(True, 0.1, random), *claims(False, 0.6, random)]
    found = fit_outcomes(known, ["embedder", "model"])
    assert set(IN_WHOLE) == set(found.whole.supported.signals)
    assert set(SIGNALS) == set(found.part.supported.signals)
    assert (("made",), ("embedder", "model")) == (found.fitted_on, found.models)
    for outcome in (Outcome.SUPPORTED, Outcome.REFUTED):
        whole, part = (
            next(
                found.probabilities(claim.signals)[outcome]
                for claim in known
                if claim.signals[WHOLE] == kind and claim.signals["passage.entailment"] == READS[outcome][0]
                if claim.signals["passage.contradiction"] == READS[outcome][1]
            )
            for kind in (1.0, 0.0)
        )
        assert whole > 0.8
        assert part < whole


def test_held_out_claims_are_judged_by_weights_of_other_documents() -> None:
    """A document's own label does not reach its probabilities: labels at random are told no better than chance."""
    random = Random(1)
    known = [*claims(True, 0.0, random), *claims(False, 0.0, random)]
    shares = held_out(known)
    assert (240, 3) == shares.shape
    assert np.allclose(1, shares.sum(axis=1))
    assert all(ORDER[row.argmax()] in claim.allowed for row, claim in zip(shares, known, strict=True))
    chance = held_out([*claims(True, 1.0, random), *claims(False, 1.0, random)])
    assert 0.2 < np.mean([ORDER[row.argmax()] in one.allowed for row, one in zip(chance, known, strict=True)]) < 0.47


def test_both_kinds_of_context_are_needed() -> None:
    """Weights for one of them cannot be fitted to the other."""
    with pytest.raises(ValueError, match="whole context"):
        fit_outcomes(list(claims(True, 0.1, Random(0))), ["model"])

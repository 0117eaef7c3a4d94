"""Signals to a probability, and fitting them on outputs whose claims have no labels."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import approx_fprime

from claimgraph.detect.methods.fusion.calibration import Weight, Weights
from claimgraph.evaluation.fit.weights import Bag, _Loss, balanced, fit


def test_probability():
    """The parts are added as they are documented."""
    weights = Weights(0.5, {"a": Weight(1.0, 2.0, 3.0), "b": Weight(0.0, 1.0, -1.0)})
    assert 0.5 + 3.0 * (5.0 - 1.0) / 2.0 - 2.0 == weights.logit({"a": 5.0, "b": 2.0, "unused": 9.0})
    assert pytest.approx(1 / (1 + np.exp(-4.5))) == weights.probability({"a": 5.0, "b": 2.0})


def test_unknown_adds_nothing():
    """A signal that is unknown or missing leaves the sum as it is."""
    weights = Weights(0.5, {"a": Weight(1.0, 2.0, 3.0)})
    assert 0.5 == weights.logit({"a": None}) == weights.logit({})


def test_one_wrong_claim_is_found():
    """From labels of whole outputs the fit learns which claim makes an output wrong."""
    generator = np.random.default_rng(7)
    bags = []
    for label in (0, 1) * 60:
        wrong = [label and i == 0 for i in range(4)]
        claims = [{"sign": float(w) + generator.normal(0, 0.1), "noise": generator.normal()} for w in wrong]
        bags.append(Bag(claims, label))
    found = fit(bags, ("sign", "noise"), 0.01)
    assert found.signals["sign"].weight > 10 * abs(found.signals["noise"].weight)
    assert found.probability({"sign": 1.0, "noise": 0.0}) > 0.8
    assert found.probability({"sign": 0.0, "noise": 0.0}) < 0.5


def test_balanced():
    """Both labels count one half, however rare one of them is."""
    bags = balanced([Bag([{}], 1), Bag([{}], 0), Bag([{}], 0), Bag([{}], 0)])
    assert [0.5, 1 / 6, 1 / 6, 1 / 6] == [bag.weight for bag in bags]


def test_gradient():
    """The gradient is that of the loss."""
    generator = np.random.default_rng(3)
    loss = _Loss(
        generator.normal(size=(9, 3)), np.array([1, 3, 5]), np.array([1, 0, 1]), np.array([0.2, 0.5, 0.3]), 0.1
    )
    point = generator.normal(size=4)
    numeric = approx_fprime(point, lambda p: loss(p)[0], 1e-7)
    assert np.allclose(numeric, loss(point)[1], atol=1e-5)

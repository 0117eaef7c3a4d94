"""The weights that decide claims, fitted to claims whose outcome is known, over many kinds of text.

Sources count alike, and in each of them the outcomes do, so that no large set and no frequent outcome speaks for all.
`held_out` tells what the weights are worth on documents that they have not seen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from claimgraph.detect.methods.fusion.calibration import OutcomeWeights, Weight, Weights
from claimgraph.detect.methods.fusion.premises_read import PREMISES, features
from claimgraph.kgstore.model import Outcome

Floats = NDArray[np.float64]
ORDER = (Outcome.SUPPORTED, Outcome.NOT_ENOUGH_INFO, Outcome.REFUTED)
SIGNALS = (
    "premise.nearness",
    "premise.coverage",
    "typed.values",
    "typed.conflict",
    "typed.names",
    "typed.negation",
    "typed.opposite",
    *(f"{part}.{name}" for part in (*PREMISES, "told", "best") for name in ("entailment", "contradiction")),
)
"""What is weighed."""
FOLDS = 5
PENALTY = 0.03
"""On half the squared weights of standardised signals, beside a mean log loss."""
SUPPORT, REFUTE = 0.45, 0.5
"""Probabilities from which on an outcome is given, chosen on drafts with planted errors, minimal pairs and held-out
scenes: of the drafts' right claims one in eleven is left open, and one in twenty-five refuted."""


@dataclass(frozen=True, slots=True)
class KnownClaim:
    """A claim with the outcomes that it may have (both others where it is only known not to be supported)."""

    signals: Mapping[str, float | None]
    allowed: frozenset[Outcome]
    source: str
    document: str


def fit_outcomes(claims: Sequence[KnownClaim], models: Sequence[str]) -> OutcomeWeights:
    """Return weights over SIGNALS. Deterministic; documents are dealt to folds by their order of first appearance."""
    rows = _rows(claims, SIGNALS)
    weights = _fit(claims, rows, SIGNALS, np.ones(len(claims), bool))
    sources = tuple(sorted({claim.source for claim in claims}))
    return OutcomeWeights(*weights, SUPPORT, REFUTE, sources, tuple(models))


def held_out(claims: Sequence[KnownClaim]) -> Floats:
    """P of each outcome in ORDER by weights that have not seen the claim's document, shape (claims, 3)."""
    rows, fold = _rows(claims, SIGNALS), _folds(claims)
    shares = np.zeros((len(claims), 3))
    for number in range(FOLDS):
        supported, refuted = _fit(claims, rows, SIGNALS, fold != number)
        made = OutcomeWeights(supported, refuted, 0.0, 0.0, (), ())
        for row in np.flatnonzero(fold == number).tolist():
            found = made.probabilities(claims[row].signals)
            shares[row] = [found[outcome] for outcome in ORDER]
    return shares


def _folds(claims: Sequence[KnownClaim]) -> NDArray[np.int_]:
    documents = {name: row for row, name in enumerate(dict.fromkeys(claim.document for claim in claims))}
    return np.array([documents[claim.document] % FOLDS for claim in claims])


def _rows(claims: Sequence[KnownClaim], names: Sequence[str]) -> Floats:
    values = [features(claim.signals) for claim in claims]
    return np.array([[np.nan if (v := value.get(name)) is None else v for name in names] for value in values])


def _shares(claims: Sequence[KnownClaim]) -> Floats:
    """What each claim counts: sources alike, and in each what is known of claims alike; shape (claims,), sum 1."""
    sizes = Counter((claim.source, claim.allowed) for claim in claims)
    known = Counter(source for source, _ in sizes)
    each = [1 / sizes[claim.source, claim.allowed] / known[claim.source] for claim in claims]
    return np.array(each) / len(known)


def _fit(
    claims: Sequence[KnownClaim], rows: Floats, names: Sequence[str], used: NDArray[np.bool_]
) -> tuple[Weights, Weights]:
    from scipy.optimize import minimize

    mean, scale = np.nanmean(rows[used], axis=0), np.nanstd(rows[used], axis=0)
    scale[~(scale > 0)] = 1.0
    x = np.nan_to_num((rows[used] - mean) / scale)
    some = [claim for claim, kept in zip(claims, used, strict=True) if kept]
    may = np.array([[outcome in claim.allowed for outcome in ORDER] for claim in some])
    weight, size = _shares(some), len(names)

    def loss(point: Floats) -> tuple[float, Floats]:
        part = point.reshape(2, size + 1)
        logits = np.zeros((len(x), 3))
        logits[:, [0, 2]] = x @ part[:, :-1].T + part[:, -1]
        raised = np.exp(logits - logits.max(axis=1, keepdims=True))
        share = raised / raised.sum(axis=1, keepdims=True)
        right = (share * may).sum(axis=1)
        slope = weight[:, None] * (share - share * may / right[:, None])
        gradient = np.concatenate([x.T @ slope, slope.sum(axis=0)[None]])[:, [0, 2]].T
        gradient[:, :-1] += PENALTY * part[:, :-1]
        value = -(weight * np.log(right)).sum() + PENALTY / 2 * (part[:, :-1] ** 2).sum()
        return float(value), gradient.ravel()

    found = minimize(loss, np.zeros(2 * (size + 1)), jac=True, method="L-BFGS-B", options={"maxiter": 1000}).x
    supported, refuted = found.reshape(2, size + 1)
    return _weights(names, mean, scale, supported), _weights(names, mean, scale, refuted)


def _weights(names: Sequence[str], mean: Floats, scale: Floats, found: Floats) -> Weights:
    parts = zip(names, mean.tolist(), scale.tolist(), found[:-1].tolist(), strict=True)
    return Weights(float(found[-1]), {name: Weight(m, s, w) for name, m, s, w in parts})

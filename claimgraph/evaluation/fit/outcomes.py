"""The weights that decide claims, fitted to claims whose outcome is known, over many kinds of text.

Claims whose passage is their whole context and those that have a part of a longer one are fitted apart. Of the former
only what the model reads in the passage is weighed: all signals together were worse on minimal pairs that the weights
had not seen (log loss .49 instead of .47). A source counts by its claims, but at most as MANY, and an outcome the more
the more of its source's claims have it, though less than in proportion: where the outcomes of a source count alike,
true claims in other words are refuted as if every third claim were false, and where they count by number, what is false
is supported as if none were. `held_out` tells what the weights are worth on documents that they have not seen.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from claimgraph.detect.methods.fusion.calibration import OutcomeWeights, Sums, Weight, Weights
from claimgraph.detect.methods.fusion.premises_read import PREMISES, WHOLE, features
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
"""What is weighed where the passage is a part of the context."""
IN_WHOLE = ("passage.entailment", "passage.contradiction")
"""What is weighed where it is all of it."""
FOLDS = 5
MANY = 1000
"""Claims up to which a source counts by their number."""
FREQUENT = 1 / 3
"""Power of the number of claims of an outcome that the outcome counts in its source: 0 alike, 1 by number."""
PENALTY, IN_WHOLE_PENALTY = 0.05, 0.003
"""On half the squared weights of standardised signals, beside a mean log loss: many signals of few texts, and two."""
SUPPORT = 0.45
"""Probability from which on a claim is supported, chosen on drafts."""
REFUTE = 0.7
"""Probability from which on a claim is refuted, for `base`, chosen on drafts by a writer who knew nothing of this: from
0.65 on one true claim in nineteen was refuted, from 0.7 on one in 31, from 0.75 on one in 45, but fewer of the false
ones too (version 10). `small` is less sure: from 0.65 on it refuted one true claim in 77 (version 4)."""


@dataclass(frozen=True, slots=True)
class KnownClaim:
    """A claim with the outcomes that it may have (both others where it is only known not to be supported)."""

    signals: Mapping[str, float | None]
    allowed: frozenset[Outcome]
    source: str
    document: str


def fit_outcomes(claims: Sequence[KnownClaim], models: Sequence[str], refute: float = REFUTE) -> OutcomeWeights:
    """Return the weights, which refute from a probability of `refute` on. Deterministic.

    Raises ValueError where all claims, or none, have their whole context.
    """
    whole, part = (_fit([claims[row] for row in rows], names, penalty) for rows, names, penalty in _parts(claims))
    sources = tuple(sorted({claim.source for claim in claims}))
    return OutcomeWeights(whole, part, SUPPORT, refute, sources, tuple(models))


def held_out(claims: Sequence[KnownClaim]) -> Floats:
    """P of each outcome in ORDER by weights that have not seen the claim's document, shape (claims, 3).

    Documents are dealt to folds by their order of first appearance.
    """
    documents = {name: row for row, name in enumerate(dict.fromkeys(claim.document for claim in claims))}
    folds = [documents[claim.document] % FOLDS for claim in claims]
    shares = np.zeros((len(claims), 3))
    for rows, names, penalty in _parts(claims):
        for number in range(FOLDS):
            made = _fit([claims[row] for row in rows if folds[row] != number], names, penalty)
            for row in (row for row in rows if folds[row] == number):
                found = made.probabilities(claims[row].signals)
                shares[row] = [found[outcome] for outcome in ORDER]
    return shares


def _parts(claims: Sequence[KnownClaim]) -> list[tuple[list[int], tuple[str, ...], float]]:
    """Return the rows of claims with their whole context and of the others, what is weighed, and the penalty."""
    parts = [[row for row, one in enumerate(claims) if bool(one.signals[WHOLE]) is whole] for whole in (True, False)]
    if not all(parts):
        raise ValueError("weights are fitted to claims with their whole context and to claims with a part of one")
    return list(zip(parts, (IN_WHOLE, SIGNALS), (IN_WHOLE_PENALTY, PENALTY), strict=True))


def _rows(claims: Sequence[KnownClaim], names: Sequence[str]) -> Floats:
    values = [features(claim.signals) for claim in claims]
    return np.array([[np.nan if (v := value.get(name)) is None else v for name in names] for value in values])


def _shares(claims: Sequence[KnownClaim]) -> Floats:
    """What each claim counts, shape (claims,), sum 1: see MANY and FREQUENT."""
    sizes = Counter((claim.source, claim.allowed) for claim in claims)
    known = defaultdict[str, float](float)
    for (source, _), size in sizes.items():
        known[source] += size**FREQUENT
    all_of = Counter(claim.source for claim in claims)
    of_each = {key: size ** (FREQUENT - 1) / known[key[0]] for key, size in sizes.items()}
    each = [min(all_of[c.source], MANY) * of_each[c.source, c.allowed] for c in claims]
    shares: Floats = np.array(each) / sum(each)
    return shares


def _fit(claims: Sequence[KnownClaim], names: Sequence[str], penalty: float) -> Sums:
    from scipy.optimize import minimize

    rows = _rows(claims, names)
    mean, scale = np.nanmean(rows, axis=0), np.nanstd(rows, axis=0)
    scale[~(scale > 0)] = 1.0
    x = np.nan_to_num((rows - mean) / scale)
    may = np.array([[outcome in claim.allowed for outcome in ORDER] for claim in claims])
    weight, size = _shares(claims), len(names)

    def loss(point: Floats) -> tuple[float, Floats]:
        part = point.reshape(2, size + 1)
        logits = np.zeros((len(x), 3))
        logits[:, [0, 2]] = x @ part[:, :-1].T + part[:, -1]
        raised = np.exp(logits - logits.max(axis=1, keepdims=True))
        share = raised / raised.sum(axis=1, keepdims=True)
        right = (share * may).sum(axis=1)
        slope = weight[:, None] * (share - share * may / right[:, None])
        gradient = np.concatenate([x.T @ slope, slope.sum(axis=0)[None]])[:, [0, 2]].T
        gradient[:, :-1] += penalty * part[:, :-1]
        value = -(weight * np.log(right)).sum() + penalty / 2 * (part[:, :-1] ** 2).sum()
        return float(value), gradient.ravel()

    found = minimize(loss, np.zeros(2 * (size + 1)), jac=True, method="L-BFGS-B", options={"maxiter": 1000}).x
    supported, refuted = found.reshape(2, size + 1)
    return Sums(_weights(names, mean, scale, supported), _weights(names, mean, scale, refuted))


def _weights(names: Sequence[str], mean: Floats, scale: Floats, found: Floats) -> Weights:
    parts = zip(names, mean.tolist(), scale.tolist(), found[:-1].tolist(), strict=True)
    return Weights(float(found[-1]), {name: Weight(m, s, w) for name, m, s, w in parts})

"""From a claim's signals to the probability of each outcome, and to one outcome.

Multinomial logistic regression with NOT_ENOUGH_INFO as the base: two weighted sums, for SUPPORTED and for REFUTED. A
reader can check a sum of a dozen signals. Either outcome is given from a probability of its own on, so that a doubt
leaves the claim open; and where a typed comparison proves the opposite of what the sum says, the claim is open too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from claimgraph.detect.methods.fusion.reading import features
from claimgraph.detect.methods.fusion.weights import Weights
from claimgraph.kgstore.model import Outcome


@dataclass(frozen=True, slots=True)
class OutcomeWeights:
    """Both sums, over `features`; an outcome is given where its probability is at least `support` or `refute`."""

    supported: Weights
    refuted: Weights
    support: float
    refute: float
    fitted_on: tuple[str, ...]
    models: tuple[str, ...]

    def probabilities(self, signals: Mapping[str, float | None]) -> dict[Outcome, float]:
        """P of each outcome, summing to 1."""
        values = features(signals)
        logits = np.array([self.supported.logit(values), 0.0, self.refuted.logit(values)])
        raised = np.exp(logits - logits.max())
        shares = raised / raised.sum()
        order = (Outcome.SUPPORTED, Outcome.NOT_ENOUGH_INFO, Outcome.REFUTED)
        return {outcome: float(share) for outcome, share in zip(order, shares, strict=True)}

    def outcome(self, probabilities: Mapping[Outcome, float]) -> Outcome:
        """The likelier of SUPPORTED and REFUTED if it reaches its threshold, else NOT_ENOUGH_INFO."""
        supported, refuted = probabilities[Outcome.SUPPORTED], probabilities[Outcome.REFUTED]
        if supported >= refuted:
            return Outcome.SUPPORTED if supported >= self.support else Outcome.NOT_ENOUGH_INFO
        return Outcome.REFUTED if refuted >= self.refute else Outcome.NOT_ENOUGH_INFO

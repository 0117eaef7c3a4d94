"""Hold the fitted numbers of graph evidence: from the signals of a fact that a graph lacks to its probability.

A logistic over a few signals, and two limits of its probability: SUPPORTED from the one on, REFUTED from the other
down, each chosen so that nineteen of twenty such verdicts are right on facts that the numbers were not fitted to.
`python -m training.open_domain` fits them and writes the file.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from importlib.resources import files
from typing import Any

from claimgraph.kgstore.model import Outcome

SIGNALS = ("odds", "room", "known", "joined")
"""What is weighed: log-odds by the rest of the graph, the log of the chance of room for the value, whether other values
are known, and whether any fact joins the ends."""


@dataclass(frozen=True, slots=True)
class GraphCalibration:
    """`weights` by signal and `bias` of the log-odds that a fact is true; SUPPORTED from probability `support` on,
    REFUTED up to `refute`. `fitted_on` names the sets.
    """

    bias: float
    weights: Mapping[str, float]
    support: float
    refute: float
    fitted_on: tuple[str, ...]

    @property
    def id(self) -> str:
        """First 12 digits of the sha256 of the canonical JSON."""
        return hashlib.sha256(self.dumps().encode()).hexdigest()[:12]

    def probability(self, signals: Mapping[str, float]) -> float:
        """Return the probability in (0, 1) that the fact is true."""
        odds = self.bias + sum(weight * signals[name] for name, weight in self.weights.items())
        return 1 / (1 + math.exp(-max(-50.0, min(50.0, odds))))

    def outcome(self, probability: float) -> Outcome:
        """Return the outcome of that probability."""
        if probability >= self.support:
            return Outcome.SUPPORTED
        return Outcome.REFUTED if probability <= self.refute else Outcome.NOT_ENOUGH_INFO

    def dumps(self) -> str:
        """Return the file's text: sorted keys, numbers rounded to six digits."""
        return json.dumps(_rounded(asdict(self)), indent=1, sort_keys=True) + "\n"


def load() -> GraphCalibration:
    """Return the shipped numbers."""
    row = json.loads((files("claimgraph.detect") / "data" / "graph_calibration.json").read_text(encoding="utf-8"))
    return GraphCalibration(row["bias"], row["weights"], row["support"], row["refute"], tuple(row["fitted_on"]))


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return float(f"{value:.6g}")
    return {key: _rounded(item) for key, item in value.items()} if isinstance(value, dict) else value

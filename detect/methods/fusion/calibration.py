"""The fitted numbers of fusion and what they give: from a claim's signals to the probability of each outcome.

Multinomial logistic regression with NOT_ENOUGH_INFO as the base: two weighted sums, for SUPPORTED and for REFUTED. A
reader can check a sum of a dozen signals; trees were rejected for that. Either outcome is given from a probability of
its own on, so that a doubt leaves the claim open. The numbers are one versioned JSON file, shipped, replaced or fitted
anew. KEA Explain names the threshold that every domain needs as its first limitation, so a file says what it was fitted
on, for which objective, and with which models; every verdict's configuration carries its hash.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from functools import cache, cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from claimgraph.detect.methods.fusion.premises_read import WHOLE, features
from claimgraph.kgstore.errors import InputError
from claimgraph.kgstore.model import Outcome

Signals = Mapping[str, float | None]
"""What the methods found of one claim, by name; None where a method could not tell."""


@dataclass(frozen=True, slots=True)
class Weight:
    """One signal's part: `weight` * (value - `mean`) / `scale`; a signal that is unknown adds nothing."""

    mean: float
    scale: float
    weight: float


@dataclass(frozen=True, slots=True)
class Weights:
    """Signals to the probability of a hallucination: the logistic of `bias` plus all parts."""

    bias: float
    signals: Mapping[str, Weight]

    def logit(self, signals: Signals) -> float:
        """The sum before it becomes a probability."""
        return self.bias + sum(
            part.weight * (value - part.mean) / part.scale
            for name, part in self.signals.items()
            if (value := signals.get(name)) is not None
        )

    def probability(self, signals: Signals) -> float:
        """P(hallucination) in (0, 1)."""
        return float(1 / (1 + np.exp(-self.logit(signals))))

    def rescaled(self, stretch: float, shift: float) -> Weights:
        """The same with every logit stretched, then shifted."""
        parts = {name: replace(part, weight=stretch * part.weight) for name, part in self.signals.items()}
        return Weights(stretch * self.bias + shift, parts)


@dataclass(frozen=True, slots=True)
class Sums:
    """Log odds of SUPPORTED and of REFUTED against NOT_ENOUGH_INFO, over `features`."""

    supported: Weights
    refuted: Weights

    def probabilities(self, signals: Mapping[str, float | None]) -> dict[Outcome, float]:
        """P of each outcome, summing to 1."""
        values = features(signals)
        logits = np.array([self.supported.logit(values), 0.0, self.refuted.logit(values)])
        raised = np.exp(logits - logits.max())
        shares = raised / raised.sum()
        order = (Outcome.SUPPORTED, Outcome.NOT_ENOUGH_INFO, Outcome.REFUTED)
        return {outcome: float(share) for outcome, share in zip(order, shares, strict=True)}


@dataclass(frozen=True, slots=True)
class OutcomeWeights:
    """Sums for claims whose passage is their whole context, and for those that have a part of a longer one.

    An outcome is given where its probability is at least `support` or `refute`.
    """

    whole: Sums
    part: Sums
    support: float
    refute: float
    fitted_on: tuple[str, ...]
    models: tuple[str, ...]

    def probabilities(self, signals: Mapping[str, float | None]) -> dict[Outcome, float]:
        """P of each outcome, summing to 1."""
        return (self.whole if signals.get(WHOLE) else self.part).probabilities(signals)

    def outcome(self, probabilities: Mapping[Outcome, float]) -> Outcome:
        """The likelier of SUPPORTED and REFUTED if it reaches its threshold, else NOT_ENOUGH_INFO."""
        supported, refuted = probabilities[Outcome.SUPPORTED], probabilities[Outcome.REFUTED]
        if supported >= refuted:
            return Outcome.SUPPORTED if supported >= self.support else Outcome.NOT_ENOUGH_INFO
        return Outcome.REFUTED if refuted >= self.refute else Outcome.NOT_ENOUGH_INFO


FORMAT = 3
THRESHOLDS: Mapping[str, tuple[str, ...]] = {
    "factalign": ("alignment", "contradiction"),
    "kea": ("hallucination",),
    "explain": ("entity", "relation"),
}
"""What a file may hold beside profiles: s_a and contradiction; a score; cosines of Algorithm 1."""


@dataclass(frozen=True, slots=True)
class Profile:
    """Weights for one kind of evidence and the models at hand, and from which probability on a claim is hallucinated.

    `fitted_on` names the data; `objective` is what `threshold` was chosen for; `models` are those the signals are of.
    """

    weights: Weights
    threshold: float
    objective: str
    fitted_on: tuple[str, ...]
    models: tuple[str, ...]


@dataclass(frozen=True)
class Calibration:
    """Profiles by name (see `profile_name`) and thresholds of single methods by method and name.

    `outcomes` are the weights that decide claims, one for each entailment model they were fitted with.
    `id` is the hash of the content.
    """

    profiles: Mapping[str, Profile]
    thresholds: Mapping[str, Mapping[str, float]]
    outcomes: tuple[OutcomeWeights, ...]

    def deciding(self, model: str) -> OutcomeWeights:
        """Return the weights fitted with the entailment model of this name and version; the first for another model."""
        return next((one for one in self.outcomes if model.startswith(one.models)), self.outcomes[0])

    def refitted(self, found: OutcomeWeights) -> Calibration:
        """Return the same with `found` for the weights of the same entailment model, or after all others."""
        named = [one.models[-1] for one in self.outcomes]
        at = named.index(found.models[-1]) if found.models[-1] in named else len(named)
        return replace(self, outcomes=(*self.outcomes[:at], found, *self.outcomes[at + 1 :]))

    @cached_property
    def id(self) -> str:
        """First 12 digits of the sha256 of the canonical JSON."""
        return hashlib.sha256(dumps(self).encode()).hexdigest()[:12]


class ProfileKind(StrEnum):
    """What a profile is fitted for. A single sentence leaves less to tell by than several, and is written otherwise."""

    TEXT = "text"
    """Several sentences beside the sentences of a context."""
    SENTENCE = "sentence"
    """One sentence beside the sentences of a context."""
    TRIPLES = "triples"
    """Triples beside triples."""


def profile_name(kind: ProfileKind, *, entailment: bool) -> str:
    """Name of the profile: the kind, and whether the signals of an entailment model are weighed."""
    return f"{kind.value}+entailment" if entailment else kind.value


def load(path: Path | None = None) -> Calibration:
    """Read a calibration file; None is the shipped one. A file without `outcomes` has the shipped ones.

    Raises InputError for a file of another form.
    """
    if path is None:
        return _shipped()
    try:
        return _read(json.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise InputError(f"cannot read the calibration {path}: {error}") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{path} is no calibration of format {FORMAT}: {error!r}") from error


@cache
def _shipped() -> Calibration:
    return _read(json.loads((files("claimgraph.detect") / "data" / "calibration.json").read_text(encoding="utf-8")))


def dumps(calibration: Calibration) -> str:
    """The file's text: sorted keys, numbers rounded to six digits."""
    row = {"format": FORMAT} | asdict(calibration)
    return json.dumps(_rounded(row), indent=1, sort_keys=True) + "\n"


def _read(row: Mapping[str, Any]) -> Calibration:
    if row["format"] != FORMAT:
        raise ValueError(f"format {row['format']}")
    profiles = {name: _profile(found) for name, found in row["profiles"].items()}
    thresholds = {m: {n: float(v) for n, v in found.items()} for m, found in row["thresholds"].items()}
    if unknown := [f"{m}.{n}" for m, found in thresholds.items() for n in found if n not in THRESHOLDS.get(m, ())]:
        raise ValueError(f"no threshold {', '.join(unknown)}")
    outcomes = tuple(map(_outcomes, row["outcomes"])) if "outcomes" in row else load().outcomes
    return Calibration(profiles, thresholds, outcomes)


def _weights(row: Mapping[str, Any]) -> Weights:
    return Weights(float(row["bias"]), {name: Weight(**part) for name, part in row["signals"].items()})


def _sums(row: Mapping[str, Any]) -> Sums:
    return Sums(_weights(row["supported"]), _weights(row["refuted"]))


def _outcomes(row: Mapping[str, Any]) -> OutcomeWeights:
    return OutcomeWeights(
        _sums(row["whole"]),
        _sums(row["part"]),
        float(row["support"]),
        float(row["refute"]),
        tuple(row["fitted_on"]),
        tuple(row["models"]),
    )


def _profile(row: Mapping[str, Any]) -> Profile:
    return Profile(
        _weights(row["weights"]),
        float(row["threshold"]),
        str(row["objective"]),
        tuple(row["fitted_on"]),
        tuple(row["models"]),
    )


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return float(f"{value:.6g}")
    if isinstance(value, dict):
        return {key: _rounded(item) for key, item in value.items()}
    return [_rounded(item) for item in value] if isinstance(value, list | tuple) else value

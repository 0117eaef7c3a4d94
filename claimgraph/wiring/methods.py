"""Build a detection method or a corrector from settings and a name."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from claimgraph.kgstore.errors import InputError
from claimgraph.settings import Settings
from claimgraph.wiring.models import Models

if TYPE_CHECKING:
    from claimgraph.detect.check_input import Detector
    from claimgraph.detect.explanation.edit_script import EditThresholds
    from claimgraph.detect.repair.correction import Corrector
    from claimgraph.kgstore.model import ChatModel

METHODS = ("fused", "rules", "grapheval", "factalign", "kea")

_NO_ENTAILMENT = "the method 'grapheval' needs an entailment model, and CLAIMGRAPH_ENTAILMENT is none"


def detector(
    settings: Settings,
    name: str = "fused",
    preset: str | None = None,
    calibration: Path | None = None,
    models: Models | None = None,
    *,
    worded: bool = False,
) -> Detector:
    """Return the detection method of that name, one of METHODS; preset None is its default, calibration None the
    shipped one.

    `models` are shared with other methods; `worded` as for FusedDetector. Raises InputError for another method or
    preset.
    """
    from claimgraph.detect.methods.fusion.calibration import load

    refuse_unknown(settings, name, preset)
    fitted, models = load(calibration), models or Models(settings)
    if name == "kea":
        from claimgraph.detect.methods import kea

        chosen = kea.PRESETS[preset or "directed"]
        if chosen.name == "directed" and name in fitted.thresholds:
            chosen = replace(chosen, threshold=1 - fitted.thresholds[name]["hallucination"])
        return kea.KeaDetector(models.embedder, chosen, kernel_backend=_kernel(settings))
    if name == "factalign":
        from claimgraph.detect.methods.factalign import detector as factalign

        limits = factalign.PRESETS[preset or "ours"]
        if limits.name == "ours" and name in fitted.thresholds:
            limits = factalign.ours(**fitted.thresholds[name])
        return factalign.FactAlignDetector(models.embedder, models.entailment, limits)
    if name == "grapheval":
        from claimgraph.detect.methods import grapheval

        if models.entailment is None:
            raise InputError(_NO_ENTAILMENT)
        return grapheval.GraphEvalDetector(models.entailment, grapheval.PRESETS[preset or "grapheval"])
    if name == "rules":
        from claimgraph.detect.methods.rules import RuleDetector

        return RuleDetector(models.embedder)
    from claimgraph.detect.methods.fusion.detector import FusedDetector

    return FusedDetector(models.embedder, models.entailment, fitted, worded=worded)


def refuse_unknown(settings: Settings, name: str, preset: str | None = None) -> None:
    """Raise what detector() raises for another method or preset, or a method that lacks its model; load no model."""
    if name not in METHODS:
        raise InputError(f"no method {name!r}; there are {', '.join(METHODS)}")
    if name == "grapheval" and not settings.entails:
        raise InputError(_NO_ENTAILMENT)
    if preset is None:
        return
    if name == "rules":
        raise InputError(f"the method {name!r} has no presets")
    if preset not in (presets := _presets(name)):
        raise InputError(f"the method {name!r} has no preset {preset!r}; there are {', '.join(presets)}")


def _presets(name: str) -> Iterable[str]:
    from claimgraph.detect.methods import grapheval, kea
    from claimgraph.detect.methods.factalign import detector as factalign
    from claimgraph.detect.methods.fusion import detector as fusion

    return {
        "kea": kea.PRESETS,
        "factalign": factalign.PRESETS,
        "grapheval": grapheval.PRESETS,
        "fused": (fusion.PRESET,),
    }[name]


def edit_thresholds(calibration: Path | None = None) -> EditThresholds:
    """Return the thresholds of KEA's Algorithm 1: the calibration's under `explain`, else its defaults. Raises
    InputError.
    """
    from claimgraph.detect.explanation.edit_script import EditThresholds
    from claimgraph.detect.methods.fusion.calibration import load

    return EditThresholds(**load(calibration).thresholds.get("explain", {}))


def _kernel(settings: Settings) -> Literal["own", "grakel"]:
    if settings.kernel_backend == "grakel":
        return "grakel"
    if settings.kernel_backend != "own":
        raise InputError(f"no graph kernel {settings.kernel_backend!r}; there are own and grakel")
    return "own"


def corrector(models: Models, name: str = "deterministic") -> Corrector:
    """Return the corrector of that name. Raises InputError for another, UsageError where it needs an LLM and
    has none.
    """
    from claimgraph.detect.repair.correction import Deterministic
    from claimgraph.detect.repair.graphcorrect import DirectPrompt, GraphCorrect

    if name == "deterministic":
        return Deterministic()
    ways: dict[str, Callable[[ChatModel], Corrector]] = {"graphcorrect": GraphCorrect, "direct": DirectPrompt}
    if name not in ways:
        raise InputError(f"no way to correct {name!r}; there are deterministic, graphcorrect and direct")
    return ways[name](models.chat_for(name))

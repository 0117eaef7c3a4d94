"""Build a detection method or a corrector from settings and a name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeVar

from claimgraph.kgstore.errors import InputError
from claimgraph.settings import Settings
from claimgraph.wiring.models import Models

if TYPE_CHECKING:
    from claimgraph.detect.check_input import Detector
    from claimgraph.detect.explanation.edit_script import EditThresholds
    from claimgraph.detect.repair.correction import Corrector
    from claimgraph.kgstore.model import ChatModel

_Preset = TypeVar("_Preset")

METHODS = ("fused", "rules", "grapheval", "factalign", "kea")

_NO_ENTAILMENT = "the method 'grapheval' needs an entailment model, and CLAIMGRAPH_ENTAILMENT is none"


def detector(
    settings: Settings,
    name: str = "fused",
    preset: str | None = None,
    calibration: Path | None = None,
    models: Models | None = None,
) -> Detector:
    """Return the detection method of that name, one of METHODS; preset None is its default, calibration None the
    shipped one.

    `models` are shared with other methods. Raises InputError for another method or preset.
    """
    from claimgraph.detect.methods.fusion.calibration import load

    fitted, models = load(calibration), models or Models(settings)
    if name == "kea":
        from claimgraph.detect.methods import kea

        chosen = _preset(name, kea.PRESETS, preset or "directed")
        if chosen.name == "directed" and name in fitted.thresholds:
            chosen = replace(chosen, threshold=1 - fitted.thresholds[name]["hallucination"])
        return kea.KeaDetector(models.embedder, chosen, kernel_backend=_kernel(settings))
    if name == "factalign":
        from claimgraph.detect.methods.factalign import detector as factalign

        limits = _preset(name, factalign.PRESETS, preset or "ours")
        if limits.name == "ours" and name in fitted.thresholds:
            limits = factalign.ours(**fitted.thresholds[name])
        return factalign.FactAlignDetector(models.embedder, models.entailment, limits)
    if name == "grapheval":
        from claimgraph.detect.methods import grapheval

        if models.entailment is None:
            raise InputError(_NO_ENTAILMENT)
        return grapheval.GraphEvalDetector(models.entailment, _preset(name, grapheval.PRESETS, preset or "grapheval"))
    if name == "fused":
        from claimgraph.detect.methods.fusion import detector

        _preset(name, {detector.PRESET: detector}, preset or detector.PRESET)
        return detector.FusedDetector(models.embedder, models.entailment, fitted)
    if preset is not None:
        raise InputError(f"the method {name!r} has no presets")
    if name == "rules":
        from claimgraph.detect.methods.rules import RuleDetector

        return RuleDetector(models.embedder)
    raise InputError(f"no method {name!r}; there are {', '.join(METHODS)}")


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
    _preset(name, _presets(name), preset)


def _presets(name: str) -> Mapping[str, object]:
    from claimgraph.detect.methods import grapheval, kea
    from claimgraph.detect.methods.factalign import detector as factalign
    from claimgraph.detect.methods.fusion import detector as fusion

    return {
        "kea": kea.PRESETS,
        "factalign": factalign.PRESETS,
        "grapheval": grapheval.PRESETS,
        "fused": {fusion.PRESET: fusion},
    }[name]


def edit_thresholds(calibration: Path | None = None) -> EditThresholds:
    """Return the thresholds of KEA's Algorithm 1: the calibration's under `explain`, else its defaults. Raises
    InputError.
    """
    from claimgraph.detect.explanation.edit_script import EditThresholds
    from claimgraph.detect.methods.fusion.calibration import load

    return EditThresholds(**load(calibration).thresholds.get("explain", {}))


def _preset(method: str, presets: Mapping[str, _Preset], name: str) -> _Preset:
    if name not in presets:
        raise InputError(f"the method {method!r} has no preset {name!r}; there are {', '.join(presets)}")
    return presets[name]


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

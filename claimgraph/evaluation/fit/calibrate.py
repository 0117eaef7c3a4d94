"""Labelled files in, a calibration out: the weights of fusion and the thresholds of single methods.

What is fitted on one set is reported on another, or by cross-validation over articles, which
fits with the functions of fusion.py.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from claimgraph.detect.check_input import Detector
from claimgraph.detect.extraction.extraction_cache import key_of
from claimgraph.detect.methods.fusion.calibration import Calibration, ProfileKind, profile_name
from claimgraph.evaluation.batches import Advance
from claimgraph.evaluation.data.labelled import Unit
from claimgraph.evaluation.data.labelled_files import read_labelled
from claimgraph.evaluation.data.rows import dataset_name
from claimgraph.evaluation.detection.cases import Preparer
from claimgraph.evaluation.detection.journal import detect
from claimgraph.evaluation.detection.results import Journal
from claimgraph.evaluation.detection.units import Pair, default_unit
from claimgraph.evaluation.fit.fusion import by_kind, fit_profile
from claimgraph.evaluation.fit.thresholds import Trials, tune_contradiction, tune_score
from claimgraph.evaluation.statistics.objective import Objective
from claimgraph.kgstore.errors import InputError
from claimgraph.kgstore.model import Extractor


def gathered(
    paths: Sequence[Path],
    detector: Detector,
    extractor: Extractor,
    cache: Path,
    limit: int | None,
    seed: int,
    advance: Advance,
) -> dict[str, list[Pair]]:
    """What the detector says of each file's texts, by data set; an interruption costs one batch.

    Raises InputError, before anything is detected, for a file without texts to check.
    """
    read = {path: [case for case in read_labelled(path, limit=limit, seed=seed) if case.closed] for path in paths}
    for path, cases in read.items():
        if not cases:
            raise InputError(f"{path}: no text in it came with what to check it against")
    if len({dataset_name(path) for path in paths}) < len(paths):
        raise InputError("two of the files have one name: a calibration says by their names what it was fitted on")
    sets = {}
    for path, cases in read.items():
        journal = _journal(path, detector, extractor, cache)
        detect(cases, [detector], Preparer(extractor), {detector.name: journal}, Unit.DOCUMENT, advance)
        sets[dataset_name(path)] = [(case, journal.done[case.line]) for case in cases]
    return sets


def forget(paths: Sequence[Path], detector: Detector, extractor: Extractor, cache: Path) -> None:
    """Delete what an interrupted `gathered` would go on from: call it once the calibration is kept."""
    for path in paths:
        _journal(path, detector, extractor, cache).delete()


def _journal(path: Path, detector: Detector, extractor: Extractor, cache: Path) -> Journal:
    key = hashlib.sha256(path.read_bytes()).hexdigest() + detector.config + key_of(extractor)
    return Journal(cache / "evaluations" / f"calibrate-{hashlib.sha256(key.encode()).hexdigest()[:32]}.jsonl")


def calibrated(
    base: Calibration,
    sets: Mapping[str, Sequence[Pair]],
    detector: Detector,
    objective: Objective,
    trials: Trials | None,
    seed: int,
) -> Calibration:
    """The base with what was fitted to the sets: fusion's profile of each kind of text there is, else the method's
    thresholds. Raises InputError where all texts of a kind have one label.
    """
    if detector.name != "fused":
        every = [pair for pairs in sets.values() for pair in pairs]
        return replace(
            base,
            thresholds={**base.thresholds, detector.name: _thresholds(every, detector.name, objective, trials)},
        )
    config = json.loads(detector.config)
    models = [config["rules"]["model"], *([config["entailment"]] if config["entailment"] else [])]
    kinds: dict[ProfileKind, dict[str, Sequence[Pair]]] = {}
    for name, pairs in sets.items():
        for kind, some in by_kind(pairs).items():
            kinds.setdefault(kind, {})[name] = some
    found = {
        profile_name(kind, entailment=len(models) > 1): fit_profile(parts, kind, objective, models, seed)
        for kind, parts in kinds.items()
    }
    return replace(base, profiles={**base.profiles, **found})


def _thresholds(pairs: Sequence[Pair], method: str, objective: Objective, trials: Trials | None) -> dict[str, float]:
    """FactAlign's thresholds are of alignment and contradiction, the others' of the score."""
    score = tune_score(pairs, default_unit([case for case, _ in pairs]), objective, trials)
    if method != "factalign":
        return {"hallucination": score}
    contradiction = tune_contradiction(pairs, "factalign.contradiction", trials)
    return {"alignment": 1 - score} | ({} if contradiction is None else {"contradiction": contradiction})

"""Run `claimgraph eval detection` without its printing: labelled files and methods in, reports, curves and runs out.

Figures are computed at the end, from the journals (results.py).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from claimgraph.detect.check_input import Detector
from claimgraph.detect.extraction.extraction_cache import key_of
from claimgraph.evaluation.batches import Advance, silent
from claimgraph.evaluation.data.label_rules import LabelRule
from claimgraph.evaluation.data.labelled import Unit, statistics
from claimgraph.evaluation.data.labelled_files import read_labelled
from claimgraph.evaluation.data.rows import dataset_name
from claimgraph.evaluation.detection.cases import Preparer, SentencesOnly
from claimgraph.evaluation.detection.coverage import checkable, opened
from claimgraph.evaluation.detection.crossval import Fit, fitted, folds, held_out
from claimgraph.evaluation.detection.curves import Curve
from claimgraph.evaluation.detection.figures import BASELINE_FOLDS, Ranked, baselines, figures, gold_of
from claimgraph.evaluation.detection.gain import Gain, gain, over_sets
from claimgraph.evaluation.detection.journal import GRAPHEVAL, WHOLE, detect
from claimgraph.evaluation.detection.kinds import by_kind
from claimgraph.evaluation.detection.results import Journal
from claimgraph.evaluation.detection.units import JudgedUnit, Pair, default_unit, judge, scores
from claimgraph.evaluation.statistics.objective import Objective
from claimgraph.evidence.graphs import StoredGraphs
from claimgraph.kgstore.errors import InputError
from claimgraph.kgstore.identity import run_id
from claimgraph.kgstore.model import Extractor, Run


@dataclass(frozen=True, slots=True)
class Options:
    """The unit that is judged, and the rules.

    `unit` None: that of most rows' own labels. `nei`: not enough information is hallucinated in an open domain too.
    `domain` "closed": only texts with a context, "open": the stored graphs alone, whatever came with a text; None: the
    context where there is one. `folds`: cross-validate over groups with so many; None: the method's own labels.
    """

    unit: Unit | None = None
    rule: LabelRule = LabelRule.FILE
    nei: bool = False
    limit: int | None = None
    seed: int = 0
    folds: int | None = None
    objective: Objective = Objective.BALANCED_ACCURACY
    domain: Literal["open", "closed"] | None = None


@dataclass(frozen=True, slots=True)
class Evaluation:
    """One method on one file: the report as docs/json.md has it, its curves (baselines included), and the run."""

    report: dict[str, Any]
    curves: tuple[Curve, ...]
    run: Run


@dataclass(frozen=True, slots=True)
class Evaluated:
    """All evaluations, files first, then methods in the given order; `gain` where GraphEval and `nli` are compared.

    `finish` deletes the journals: call it once the results are stored.
    """

    evaluations: tuple[Evaluation, ...]
    gain: dict[str, Any] | None
    journals: tuple[Journal, ...]

    def only(self, method: str) -> Evaluated:
        """Return the evaluations of one method, without those for comparison."""
        return replace(self, evaluations=tuple(one for one in self.evaluations if one.report["method"] == method))

    def as_json(self) -> dict[str, Any] | list[dict[str, Any]]:
        """Return the report, or a list where there are several; over several sets with GraphEval's gain on them
        last.
        """
        reports = [one.report for one in self.evaluations]
        if self.gain and self.gain["sets"] > 1:
            reports.append({"method": "grapheval_minus_nli"} | self.gain)
        return reports[0] if len(reports) == 1 else reports

    def finish(self) -> None:
        """Delete the journals of an interrupted evaluation."""
        for journal in self.journals:
            journal.delete()


def evaluate(
    paths: Sequence[Path],
    detectors: Sequence[Detector],
    extractor: Extractor,
    options: Options,
    cache: Path,
    *,
    graphs: StoredGraphs | None = None,
    scope: str = "",
    fits: Mapping[str, Fit] | None = None,
    advance: Advance = silent,
) -> Evaluated:
    """Evaluate every method on every file.

    `graphs` (`scope` names them) are what texts without a context are checked against. `fits` holds, by
    method, the fit on each training part of a cross-validation beside the threshold. `advance` is called with (texts
    done, total) of each file. Raises InputError for a file that is not labelled as needed.
    """
    found = [
        _File(path, detectors, extractor, options, cache, graphs, scope, fits or {}).evaluate(advance) for path in paths
    ]
    gains = [file.gain for file in found if file.gain]
    return Evaluated(
        tuple(evaluation for file in found for evaluation in file.evaluations),
        over_sets(gains) if gains else None,
        tuple(journal for file in found for journal in file.journals),
    )


@dataclass(frozen=True, slots=True)
class _Found:
    evaluations: list[Evaluation]
    gain: Gain | None
    journals: list[Journal]


class _File:
    """The evaluation of one file."""

    def __init__(
        self,
        path: Path,
        detectors: Sequence[Detector],
        extractor: Extractor,
        options: Options,
        cache: Path,
        graphs: StoredGraphs | None,
        scope: str,
        fits: Mapping[str, Fit],
    ) -> None:
        self._dataset, self._detectors, self._options, self._fits = dataset_name(path), detectors, options, fits
        self._extractor, self._graphs, self._started = extractor, graphs, datetime.now(UTC)
        read = list(read_labelled(path, options.rule, options.limit, options.seed))
        if not read:
            raise InputError(f"{path}: no labelled texts in it")
        self._cases = checkable(read, options.domain, grounded=graphs is not None)
        self._left_out = len(read) - len(self._cases)
        self._unit = options.unit or default_unit(self._cases)
        self._target = "sha256:" + hashlib.sha256(path.read_bytes()).hexdigest()
        self._scope = f"{key_of(extractor)} {scope}"
        self._journals = {d.name: Journal(cache / "evaluations" / self._journal(d)) for d in detectors}

    def _journal(self, detector: Detector) -> str:
        unit = self._unit.value if detector.name == WHOLE else ""
        key = run_id("results", detector.name, detector.config, self._target, f"{self._scope} {unit}")
        return key.replace(":", "-") + ".jsonl"

    def evaluate(self, advance: Advance) -> _Found:
        contexts = SentencesOnly() if {d.name for d in self._detectors} <= {GRAPHEVAL, WHOLE} else None
        preparer = Preparer(self._extractor, self._graphs, contexts)
        detect(self._cases, self._detectors, preparer, self._journals, self._unit, advance)
        judged = {d.name: judge(self._pairs(d), self._unit, nei=self._options.nei) for d in self._detectors}
        fold = self._folds(self._options.folds)
        ranked = {d.name: self._ranked(d, judged[d.name], fold) for d in self._detectors}
        others = self._baselines(next(iter(judged.values())))
        gained = None
        if {GRAPHEVAL, WHOLE} <= set(ranked) and self._unit is not Unit.CLAIM:
            gained = gain(judged[GRAPHEVAL], ranked[GRAPHEVAL], ranked[WHOLE], self._options.seed)
        evaluations = [
            self._evaluation(d, judged[d.name], ranked[d.name], others, gained if d.name == GRAPHEVAL else None)
            for d in self._detectors
        ]
        return _Found(evaluations, gained, list(self._journals.values()))

    def _pairs(self, detector: Detector) -> list[Pair]:
        done = self._journals[detector.name].done
        return [(case, done[case.line]) for case in self._cases]

    def _folds(self, count: int | None) -> NDArray[np.int_] | None:
        return None if count is None else folds([case.group for case in self._cases], count, self._options.seed)

    def _of_units(self, fold: NDArray[np.int_], units: Sequence[JudgedUnit]) -> NDArray[np.int_]:
        at = {case.group: int(number) for case, number in zip(self._cases, fold, strict=True)}
        return np.array([at[unit.group] for unit in units], dtype=int)

    def _ranked(self, detector: Detector, units: Sequence[JudgedUnit], fold: NDArray[np.int_] | None) -> Ranked:
        name, objective, values = detector.name, self._options.objective, scores(units)
        if fold is not None:
            fit = self._fits.get(name)
            held = (
                held_out(gold_of(units), values, self._of_units(fold, units), objective)
                if fit is None
                else fitted(self._pairs(detector), fit, self._unit, fold, objective)
            )
            return Ranked(name, held.scores, held.predicted, held.threshold)
        own = json.loads(detector.config).get("threshold")
        return Ranked(name, values, np.array([unit.predicted for unit in units], dtype=float), own)

    def _baselines(self, units: Sequence[JudgedUnit]) -> list[Ranked]:
        groups = len({case.group for case in self._cases})
        if not units or groups < 2:
            return []
        fold = self._folds(self._options.folds or min(BASELINE_FOLDS, groups))
        assert fold is not None
        return baselines(units, self._of_units(fold, units), self._options.objective)

    def _evaluation(
        self,
        detector: Detector,
        units: Sequence[JudgedUnit],
        ranked: Ranked,
        others: Sequence[Ranked],
        gained: Gain | None,
    ) -> Evaluation:
        pairs = self._pairs(detector)
        seconds = sum(result.seconds for _, result in pairs)
        report = {
            "dataset": self._dataset,
            "method": detector.name,
            "preset": json.loads(detector.config).get("preset"),
            "unit": self._unit.value,
            "label_rule": self._options.rule.value,
            "n": len(units),
            "positives": sum(unit.gold for unit in units),
            "no_claims": sum(not unit.found.claims for unit in units),
            "abstained": int(np.isnan(ranked.predicted).sum()),
            "without_evidence": self._left_out,
            "fitted": self._fitted(),
            **figures(units, ranked, others, self._options.seed),
            "open_domain": opened(pairs, units) if self._graphs else None,
            "hallucination_type": None if detector.name == WHOLE else by_kind(pairs),
            "statistics": asdict(statistics(self._cases)),
            "seconds": round(seconds, 3),
            "documents_per_second": round(len(pairs) / seconds, 2) if seconds else None,
        }
        if gained:
            report["grapheval_minus_nli"] = gained.report
        gold = gold_of(units)
        curves = tuple(Curve(self._dataset, one.name, gold, one.scores) for one in (ranked, *others))
        return Evaluation(report, curves, self._run(detector, report))

    def _fitted(self) -> str:
        """Return the source of the threshold: the method's own preset or calibration, or the other folds."""
        folds = self._options.folds
        return f"{self._options.objective.value}, {folds}-fold over groups" if folds else "own"

    def _run(self, detector: Detector, report: dict[str, Any]) -> Run:
        """Return the run with the figures in its configuration; the data set's claims are not stored."""
        options = asdict(self._options) | {"unit": self._unit.value, "extractor": self._scope, "file": self._target}
        config = {"detector": json.loads(detector.config), "evaluation": options}
        key = run_id("eval", detector.name, json.dumps(config, sort_keys=True), self._target, self._scope)
        stored = json.dumps(config | {"figures": report}, sort_keys=True)
        return Run(key, detector.name, stored, self._started, datetime.now(UTC), "complete")

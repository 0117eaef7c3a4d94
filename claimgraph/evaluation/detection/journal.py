"""Run texts through preparation and methods in batches, journalled: an interruption costs one batch.

Claims and contexts are extracted once for all methods. A method's time is its detection and its part of the
preparation, so that its speed is that of using it alone.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from claimgraph.detect.check_input import Case, Detector
from claimgraph.evaluation.batches import Advance, batches
from claimgraph.evaluation.data.labelled import LabelledCase, Unit
from claimgraph.evaluation.detection.cases import Prepared, Preparer, whole
from claimgraph.evaluation.detection.results import CaseResult, Journal, claim_result
from claimgraph.kgstore.errors import UsageError
from claimgraph.kgstore.model import Finding, Signal

BATCH = 32
"""Texts in one batch."""

GRAPHEVAL = "grapheval"
"""The method that reads a context as text alone: it needs no knowledge graph of it."""

WHOLE = "nli"
"""The method that takes whole texts instead of claims: GraphEval's baseline."""


def detect(
    cases: Sequence[LabelledCase],
    detectors: Sequence[Detector],
    preparer: Preparer,
    journals: Mapping[str, Journal],
    unit: Unit,
    advance: Advance,
) -> None:
    """Fill every method's journal with the texts that it does not hold yet. Raises UsageError for `nli` on claims."""
    todo = [case for case in cases if any(case.line not in journal.done for journal in journals.values())]
    if todo:
        _load_models(preparer, detectors)
    before = len(cases) - len(todo)
    advance(before, len(cases))
    for batch in batches(todo, BATCH, lambda done, _: advance(before + done, len(cases))):
        prepared = preparer.prepare(batch)
        for detector in detectors:
            journal = journals[detector.name]
            new = [one for one in prepared if one.labelled.line not in journal.done]
            if new:
                journal.add(_results(new, detector, unit))


def _load_models(preparer: Preparer, detectors: Sequence[Detector]) -> None:
    """Put a text through everything that is lazy, so that loading is not timed."""
    text = "This sentence loads the models."
    [prepared] = preparer.prepare([LabelledCase("", "", "", Unit.DOCUMENT, text, 0, context=text)])
    for detector in detectors:
        detector.detect(list(_cases(prepared, detector, Unit.DOCUMENT)))


def _results(prepared: Sequence[Prepared], detector: Detector, unit: Unit) -> list[CaseResult]:
    """Return the method's results for each text, with its share of the time."""
    cases = [list(_cases(one, detector, unit)) for one in prepared]
    begun = time.perf_counter()
    findings = iter(detector.detect([case for each in cases for case in each]))
    results = [
        [
            claim_result(claim, finding, detector.name)
            for case in each
            for claim, finding in zip(case.claims, next(findings), strict=True)
        ]
        for each in cases
    ]
    seconds = (time.perf_counter() - begun) / len(prepared)
    return [
        CaseResult(
            one.labelled.line,
            tuple(found),
            seconds + one.ground_seconds + (0.0 if detector.name == WHOLE else one.claim_seconds),
        )
        for one, found in zip(prepared, results, strict=True)
    ]


def _cases(prepared: Prepared, detector: Detector, unit: Unit) -> Iterator[Case]:
    if detector.name != WHOLE:
        yield prepared.case
    elif unit is Unit.CLAIM:
        raise UsageError(f"{WHOLE} judges whole texts or sentences, not claims; give another --unit")
    else:
        yield from whole(prepared, unit)


class WholeText:
    """The given method under the name `nli`; its cases have one claim each, all of the text (cases.whole)."""

    name = WHOLE

    def __init__(self, method: Detector) -> None:
        self._method = method
        self.config = json.dumps(json.loads(method.config) | {"claims": "whole texts"}, sort_keys=True)

    def detect(self, cases: Sequence[Case]) -> list[list[Finding]]:
        """Return one list per case with one finding per claim, in order."""
        return [[self._renamed(finding) for finding in found] for found in self._method.detect(cases)]

    def _renamed(self, finding: Finding) -> Finding:
        ours = self._method.name
        signals = (Signal(self.name if s.method == ours else s.method, s.name, s.value) for s in finding.signals)
        return replace(finding, signals=tuple(signals))

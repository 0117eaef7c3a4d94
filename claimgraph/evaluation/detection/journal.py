"""Run texts through preparation and methods in batches, journalled: an interruption costs one batch.

Claims and contexts are extracted once for all methods. A method's time is its detection and its part of the
preparation, so that its speed is that of using it alone.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence

from claimgraph.detect.check_input import Case, Detector
from claimgraph.evaluation.data.labelled import LabelledCase, Unit
from claimgraph.evaluation.detection.cases import Prepared, Preparer, whole
from claimgraph.evaluation.detection.results import CaseResult, Journal, claim_result
from claimgraph.kgstore.errors import UsageError

BATCH = 32
"""Texts in one batch."""

WHOLE = "nli"
"""The method that takes whole texts instead of claims."""


def detect(
    cases: Sequence[LabelledCase],
    detectors: Sequence[Detector],
    preparer: Preparer,
    journals: Mapping[str, Journal],
    unit: Unit,
    advance: Callable[[int, int], None],
) -> None:
    """Fill every method's journal with the texts that it does not hold yet. Raises UsageError for `nli` on claims."""
    todo = [case for case in cases if any(case.line not in journal.done for journal in journals.values())]
    if todo:
        _load_models(preparer, detectors)
    for start in range(0, len(todo), BATCH):
        advance(len(cases) - len(todo) + start, len(cases))
        prepared = preparer.prepare(todo[start : start + BATCH])
        for detector in detectors:
            journal = journals[detector.name]
            new = [one for one in prepared if one.labelled.line not in journal.done]
            if new:
                journal.add(_results(new, detector, unit))
    advance(len(cases), len(cases))


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

"""Work grows with a text as its length does, whatever method checks it."""

from __future__ import annotations

import sys

import pytest
from long_texts import HashedPairs, HashedWords, long_case

from claimgraph.detect.compare import shortlist
from claimgraph.detect.kernel import comparison
from claimgraph.detect.kernel.linkage import average_linkage
from claimgraph.detect.methods import rules
from claimgraph.detect.methods.fusion.calibration import load
from claimgraph.detect.methods.fusion.detector import FusedDetector
from claimgraph.detect.methods.rules import RuleDetector
from claimgraph.detect.reasons.contrasted import Contrasted

FUSED = FusedDetector(HashedWords(), HashedPairs(), load(None))
RULES = Contrasted(RuleDetector(HashedWords()), HashedWords())


def calls(detector, case):
    """The number of function calls, of generators too, that a check makes."""
    count = 0

    def called(_frame, event, _argument):
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(called)
    try:
        detector.detect([case])
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("detector", [FUSED, RULES], ids=lambda one: one.name)
def test_work_is_linear(detector):
    """Four times the text takes four times the calls, give or take a seventh."""
    short, long = long_case(60), long_case(240)
    detector.detect([short])
    assert calls(detector, long) < 4.6 * calls(detector, short)


def test_memory_is_a_portions(monkeypatch):
    """Labels are clustered and facts chosen a portion of claims at a time, and the outcomes are those of the whole."""
    case, clustered = long_case(120), []

    def counted(distances):
        clustered.append(len(distances))
        return average_linkage(distances)

    monkeypatch.setattr(comparison, "average_linkage", counted)
    [whole] = RuleDetector(HashedWords()).detect([case])
    monkeypatch.setattr(rules, "PORTION", 10)
    monkeypatch.setattr(shortlist, "WHOLE", 60)
    monkeypatch.setattr(shortlist, "_HELD", 360)
    [parts] = RuleDetector(HashedWords()).detect([case])
    assert [found.outcome for found in whole] == [found.outcome for found in parts]
    assert 12 == len(clustered) - 1
    assert max(clustered[1:]) <= 6 * 10 < clustered[0]

"""Apply a method of claims to whole texts: `nli`, GraphEval's baseline."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from claimgraph.detect.check_input import Case, Detector
from claimgraph.kgstore.model import Finding, Signal


class WholeText:
    """The given method under the name `nli`; its cases have one claim each, all of the text (cases.whole)."""

    name = "nli"

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

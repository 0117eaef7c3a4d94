"""Open-domain checking with one and more graphs as sources, and with abstention on and off.

    python benchmarks/open_domain.py factbench.jsonl.gz --graph codexm --graph fb15k237 --graph dbpedia50 --limit 100

The store of the settings must hold the graphs. Texts are linked and grounded once for each number of sources, and all
methods judge the same evidence. Off means the papers' rule: nothing is left undecided for being unknown, and not enough
information is a hallucination.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from claimgraph import wiring
from claimgraph.detect.check_input import Detector
from claimgraph.detect.methods.abstention import Abstaining
from claimgraph.evaluation.data.labelled_files import read_labelled
from claimgraph.evaluation.detection.cases import Prepared, Preparer
from claimgraph.evaluation.detection.coverage import checkable, opened
from claimgraph.evaluation.detection.results import CaseResult, claim_result
from claimgraph.evaluation.detection.units import Pair, default_unit, judge
from claimgraph.evidence.graphs import StoredGraphs
from claimgraph.settings import load_settings


def main() -> None:
    """One row a number of sources, method and kind of abstention, as a Markdown table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path", type=Path)
    parser.add_argument("--graph", action="append", required=True)
    parser.add_argument("--method", action="append")
    parser.add_argument("--limit", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    settings = load_settings()
    cases = checkable(list(read_labelled(asked.path, limit=asked.limit, seed=asked.seed)), "open", grounded=True)
    models, extractor = wiring.Models(settings), wiring.extractor(settings)
    detectors = [wiring.detector(settings, name, models=models) for name in asked.method or ["rules", "kea"]]
    print("| sources | method | abstention | claims | refuted n, precision, recall | decided n, precision, recall |")
    print("| --- | --- | --- | --- | --- | --- |", flush=True)
    with wiring.open_store(settings, read_only=True) as store:
        for count in range(1, len(asked.graph) + 1):
            reader = wiring.reading(settings, extractor)
            graphs = StoredGraphs(store, asked.graph[:count], models.embedder, reader)
            prepared = Preparer(extractor, graphs).prepare(cases)
            for detector in detectors:
                for abstains in (True, False):
                    print(_row(prepared, count, detector, abstains=abstains), flush=True)


def _row(prepared: Sequence[Prepared], sources: int, detector: Detector, *, abstains: bool) -> str:
    pairs = _pairs(prepared, Abstaining(detector) if abstains else detector)
    units = judge(pairs, default_unit([case for case, _ in pairs]), nei=not abstains)
    found = opened(pairs, units)
    told = ", ".join(f"{count} {name}" for name, count in found["claims"].items())
    shares = (", ".join(_plain(found[key][name]) for name in ("n", "precision", "recall")) for key in _SHOWN)
    return f"| {sources} | {detector.name} | {'on' if abstains else 'off'} | {told} | {' | '.join(shares)} |"


_SHOWN = ("refuted", "decided")


def _pairs(prepared: Sequence[Prepared], detector: Detector) -> list[Pair]:
    found = detector.detect([one.case for one in prepared])
    return [
        (
            one.labelled,
            CaseResult(
                one.labelled.line,
                tuple(claim_result(c, f, detector.name) for c, f in zip(one.case.claims, findings, strict=True)),
                0.0,
            ),
        )
        for one, findings in zip(prepared, found, strict=True)
    ]


def _plain(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}" if isinstance(value, float) else str(value)


if __name__ == "__main__":
    main()

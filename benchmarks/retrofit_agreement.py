"""Whether `check` and the first pass of `retrofit` give the claims of drafts the same outcomes.

    python benchmarks/retrofit_agreement.py DRAFTS --graph codexm [--limit 40]

DRAFTS is a file of benchmarks/retrofit_drafts.py; the store of the settings must hold the graph. Printed are the counts
of claims by both outcomes, and every claim on which they differ.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path

from claimgraph.input_texts import document_from_text
from claimgraph.settings import load_settings
from claimgraph.wiring import Checker, open_store
from claimgraph.wiring.retrofitter import Retrofitter


def main() -> None:
    """Print a table, and the claims that differ."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("path", type=Path)
    parser.add_argument("--graph", action="append", required=True)
    parser.add_argument("--limit", type=int)
    asked = parser.parse_args()
    texts = [json.loads(line)["text"] for line in asked.path.read_text(encoding="utf-8").splitlines()][: asked.limit]
    settings = load_settings()
    counts: Counter[tuple[str, str]] = Counter()
    differing: list[str] = []
    with (
        open_store(settings) as store,
        Checker(settings, store=store) as checker,
        Retrofitter(settings, asked.graph, store=store, mode="deterministic") as retrofitter,
    ):
        stages = retrofitter.stages()
        for text in texts:
            report = checker.check(document_from_text(text, 1, "it"), graphs=asked.graph)
            read = stages.extract(text)
            links = stages.detect(read)
            verified = stages.verify(read, links, stages.select(read, links))
            first = {one.claim: (one.outcome.value, one.reason) for one in verified}
            for claim, checked in zip(report.claims, report.verdicts, strict=True):
                outcome, reason = first.get(claim.id, ("not read", ""))
                counts[checked.outcome.value, outcome] += 1
                if checked.outcome.value != outcome:
                    differing.append(f"- {claim.triple.text}: {checked.reason} / {outcome} {reason}")
    print("| check | retrofit | claims |\n| --- | --- | --- |")
    print("\n".join(f"| {one} | {other} | {n} |" for (one, other), n in sorted(counts.items())))
    print("\n".join(["", *differing]))


if __name__ == "__main__":
    main()

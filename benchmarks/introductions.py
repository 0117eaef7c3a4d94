"""What stored graphs decide of texts that were not made from them: introductions of encyclopedia articles.

    python benchmarks/introductions.py kg/codex/entities.jsonl.gz --graph codexm --limit 50 --seed 5

The store of the settings must hold the graph, without the introductions. They say true things, so nearly every REFUTED
is a false alarm. Printed are the counts of claims by outcome, and all claims that are decided.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections import Counter
from pathlib import Path
from random import Random

from claimgraph.kgstore.model import Outcome
from claimgraph.session import Session


def main() -> None:
    """Print a table, and the claims."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("path", type=Path)
    parser.add_argument("--graph", action="append", required=True)
    parser.add_argument("--limit", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    with gzip.open(asked.path, "rt", encoding="utf-8") as file:
        texts = [text for line in file if (text := json.loads(line).get("extract"))]
    counts: Counter[str] = Counter()
    told: list[str] = []
    with Session() as session:
        for text in Random(asked.seed).sample(texts, asked.limit):
            report = session.check(text, graphs=asked.graph)
            for claim, verdict in zip(report.claims, report.verdicts, strict=True):
                counts[verdict.outcome] += 1
                if verdict.outcome is not Outcome.NOT_ENOUGH_INFO:
                    told.append(f"- {verdict.outcome}: {claim.triple.text}. {verdict.reason}")
    print("| claims | " + " | ".join(Outcome) + " |\n| --- | --- | --- | --- |")
    print(f"| {counts.total():,} | " + " | ".join(str(counts[one]) for one in Outcome) + " |\n")
    print("\n".join(sorted(told)))


if __name__ == "__main__":
    main()

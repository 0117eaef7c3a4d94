"""What the packed ranker chooses without a threshold: `python -m training.coref.measure --model F --examples FILE`.

GAP's measure: of two names a pronoun stands for one or neither; each name is judged by itself. `choice` is the share of
pronouns with a right name that is likelier than the wrong one. `claimgraph eval coref --held-out` prints what comes of
it in the product. Needs the package alone, no torch.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from claimgraph.detect.models.coreference import OnnxCoreference
from training.coref.example import FALSE, HELD, OPEN, RIGHT, Example, read

ROWS = ("gap", "knowref", "winobias")


@dataclass(frozen=True, slots=True)
class Chosen:
    """The chances of the right name, of the wrong one and of the likeliest other mention or "none"; None: no such."""

    right: float | None
    wrong: float | None
    other: float


def main() -> None:
    """Print the figures of the held-out rows by source."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=Path, required=True, help="folder that training.coref.pack wrote")
    parser.add_argument("--examples", type=Path, required=True, help="file of training.coref.examples")
    args = parser.parse_args()
    held = [one for one in read(args.examples) if one.fold == HELD]
    model = OnnxCoreference(args.model)
    for source in ROWS:
        some = [one for one in held if one.source == source]
        found = [chances(one, part) for one, part in zip(some, model.chances([e.window for e in some]), strict=True)]
        print(json.dumps({"source": source} | figures(found)))


def chances(example: Example, found: NDArray[np.float32]) -> Chosen:
    """Of a row's pronoun."""
    none = example.window.anaphor == example.window.candidate
    parts = {label: found[(example.labels == label) & ~none] for label in (RIGHT, FALSE, OPEN)}
    right, wrong = (float(parts[label].sum()) if len(parts[label]) else None for label in (RIGHT, FALSE))
    return Chosen(right, wrong, float(max([*parts[OPEN], *found[none]], default=0.0)))


def figures(found: Sequence[Chosen]) -> dict[str, float]:
    """Rows, choice, and F1 of the names that the likeliest choice says are meant."""
    both = [one for one in found if one.right is not None]
    choice = np.mean([(one.right or 0.0) > (one.wrong or 0.0) for one in both])
    right = sum(one.right > max(one.wrong or 0.0, one.other) for one in both if one.right is not None)
    wrong = sum(one.wrong > max(one.right or 0.0, one.other) for one in found if one.wrong is not None)
    return {
        "rows": len(found),
        "with a right name": len(both),
        "choice": round(float(choice), 4),
        "f1": round(2 * right / (right + wrong + len(both)), 4),
    }


if __name__ == "__main__":
    main()

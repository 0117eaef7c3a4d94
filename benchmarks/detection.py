"""Speed of alignment and of the graph kernel: `python benchmarks/detection.py`.

Prints milliseconds for FactAlign's alignment of 100 claims with 10,000 evidence triples, and for each preset of KEA
pairs a second on pairs of eight triples each, embeddings in memory: clustering, encoding, kernel and the distance
shared out over the claims (`directed` clusters three times). Each figure is by the clock and, in brackets, by processor
time of all threads: on a busy machine read the latter.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable

import numpy as np

from claimgraph.detect.methods.factalign.alignment import align
from claimgraph.detect.methods.kea import PRESETS, compared
from claimgraph.detect.models.embedder import MiniLMEmbedder, Space
from claimgraph.kgstore.model import Triple

PEOPLE = [
    "Ada Lovelace",
    "Marie Curie",
    "Alan Turing",
    "Grace Hopper",
    "Rosalind Franklin",
    "Emmy Noether",
    "Niels Bohr",
]
RELATIONS = ["was born in", "discovered", "worked with", "studied at", "moved to", "wrote about", "won"]
THINGS = ["London", "Paris", "polonium", "the compiler", "Cambridge", "symmetry", "the Nobel Prize", "Warsaw"]


def main() -> None:
    """Measure and print."""
    rng = np.random.default_rng(0)
    claims, evidence = (rng.normal(size=(n, 384)).astype(np.float32) for n in (100, 10_000))
    for rows in (claims, evidence):
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    clock, processor = _seconds(lambda: align(claims, evidence))
    print(f"align 100 x 10,000: {1000 * clock:.1f} ms ({1000 * processor:.1f})")
    space = Space(MiniLMEmbedder(), [text.casefold() for text in (*PEOPLE, *RELATIONS, *THINGS)])
    pick = random.Random(0)
    pairs = [([_triple(pick) for _ in range(8)], [_triple(pick) for _ in range(8)]) for _ in range(300)]
    for name in ("published", "paper", "directed"):
        clock, processor = _seconds(lambda name=name: [compared(a, b, space, PRESETS[name]) for a, b in pairs])
        print(f"kea, {name}: {len(pairs) / clock:.0f} pairs a second ({len(pairs) / processor:.0f})")


def _triple(pick: random.Random) -> Triple:
    return Triple(pick.choice(PEOPLE), pick.choice(RELATIONS), pick.choice(THINGS))


def _seconds(work: Callable[[], object]) -> tuple[float, float]:
    """Median of the clock and of processor time over five runs, after one that is not counted."""
    times = []
    for _ in range(6):
        start = time.perf_counter(), time.process_time()
        work()
        times.append((time.perf_counter() - start[0], time.process_time() - start[1]))
    clock, processor = (sorted(column)[2] for column in zip(*times[1:], strict=True))
    return clock, processor


if __name__ == "__main__":
    main()

"""Speed of alignment and of the graph kernel: `python benchmarks/detection.py`.

Prints milliseconds for FactAlign's alignment of 100 claims with 10,000 evidence triples, and pairs a second of KEA's
comparison on pairs of eight triples each with warm embeddings (clustering, encoding, kernel).
"""

from __future__ import annotations

import random
import time

import numpy as np

from detect.embed import MiniLMEmbedder
from detect.factalign import align
from detect.kea import compare
from detect.space import Space
from kgstore.model import Triple

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
    align(claims, evidence)
    times = [_seconds(lambda: align(claims, evidence)) for _ in range(9)]
    print(f"align 100 x 10,000: {1000 * sorted(times)[4]:.1f} ms")
    space = Space(MiniLMEmbedder(), [text.casefold() for text in (*PEOPLE, *RELATIONS, *THINGS)])
    pick = random.Random(0)
    pairs = [([_triple(pick) for _ in range(8)], [_triple(pick) for _ in range(8)]) for _ in range(300)]
    compare(*pairs[0], space)
    print(f"kernel: {len(pairs) / _seconds(lambda: [compare(a, b, space) for a, b in pairs]):.0f} pairs/s")


def _triple(pick: random.Random) -> Triple:
    return Triple(pick.choice(PEOPLE), pick.choice(RELATIONS), pick.choice(THINGS))


def _seconds(work) -> float:  # type: ignore[no-untyped-def]
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


if __name__ == "__main__":
    main()

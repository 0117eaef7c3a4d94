"""Memory of one process that checks document after document: 200 short ones, 5,000 with --full.

The embedded store holds its graph in memory, so a second process opens it to tell how much of the growth that is.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.figures import Figure, of_process, processor
from benchmarks.rows.stored import OPEN
from claimgraph import wiring
from claimgraph.input_texts import document_from_text
from claimgraph.settings import Settings

CHECK = "import sys; from benchmarks.rows.memory import check; check(sys.argv[1], int(sys.argv[2]))"
MOST = 20
"""KB a document beside the store's that count as flat: 100 MB for 5,000 documents."""


def measured(*, full: bool) -> Iterator[Figure]:
    """Yield the second half of the documents beside the first, with what memory grew by in it."""
    documents = 5_000 if full else 200
    with tempfile.TemporaryDirectory() as folder:
        stored = []
        for count in (documents // 2, documents):
            found = of_process(CHECK, f"{folder}/{count}", str(count))[1].split()
            stored.append(float(of_process(OPEN, f"{folder}/{count}/store")[1].split()[1]))
    first, second, before, after = map(float, found)
    grown, of_store = ((1024 * mb / (documents / 2)) for mb in (after - before, stored[1] - stored[0]))
    counts = {
        "MB at the end": round(after),
        "KB a document": round(grown, 1),
        "KB of them the store": round(of_store, 1),
    }
    yield Figure(
        f"check of the second {documents // 2} documents in one process", second, "the first", first, "memory flat",
        grown - of_store <= MOST, counts,
    )  # fmt: skip


def check(folder: str, documents: int) -> None:
    """Check so many documents in a store in `folder`; print processor time of each half in seconds, and the memory
    after it in MB.
    """
    settings = Settings(store=Path(folder) / "store", cache=Path(folder) / "cache", model_threads=1, entailment="none")
    times, memory = [], []
    with wiring.Checker(settings) as checker:
        for half in (range(documents // 2), range(documents // 2, documents)):
            times.append(processor(lambda half=half: [_one(checker, number) for number in half]))  # type: ignore[misc]
            memory.append(_memory())
    print(*times, *memory)


def _one(checker: wiring.Checker, number: int) -> None:
    name, other = (f"Dr. {chr(65 + n % 26)}{'aeiou'[n % 5]}lmar{number}" for n in (number, number + 7))
    source = f"{name} was born in Paris in {1900 + number % 100}. {name} met {other} in Rome. {other} wrote 12 books."
    draft = f"{name} was born in Paris in {1901 + number % 100}. {other} met {name} in Rome. {other} wrote 13 books."
    draft, source = (document_from_text(text, 1_000, "a text") for text in (draft, source))
    checker.check(draft, context=source)


def _memory() -> float:
    line = next(one for one in Path("/proc/self/status").read_text().splitlines() if one.startswith("VmRSS"))
    return int(line.split()[1]) / 1024

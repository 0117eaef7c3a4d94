"""Memory of one process that checks document after document: 200 short ones after 100 to warm up, 5,000 with --full.

The embedded store holds its graph in memory; in a dry run nothing is stored, and what grows is the process itself.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.figures import Figure, of_process, processor
from claimgraph import wiring
from claimgraph.input_texts import document_from_text
from claimgraph.settings import Settings

CHECK = "import sys; from benchmarks.rows.memory import check; check(int(sys.argv[1]), sys.argv[2] == 'dry')"
MOST = 20
"""KB a document in a dry run that count as flat: 100 MB for 5,000 documents."""
WARM = 100


def measured(*, full: bool) -> Iterator[Figure]:
    """Yield the documents in a store beside those of a dry run, with what memory grew by in each."""
    documents = 5_000 if full else 200
    stored, dry = (
        [float(said) for said in of_process(CHECK, str(documents), way)[1].split()] for way in ("stored", "dry")
    )
    grown, alone = (1024 * (after - before) / documents for _, before, after in (stored, dry))
    counts = {"MB at the end": round(stored[2]), "KB a document": round(grown), "KB in a dry run": round(alone)}
    yield Figure(
        f"check of {documents} short documents in one process", stored[0], "a dry run of them", dry[0], "memory flat",
        alone <= MOST, counts,
    )  # fmt: skip


def check(documents: int, dry_run: bool) -> None:
    """Check so many documents after WARM others; print processor time in seconds and the memory before and after it in
    MB.
    """
    with tempfile.TemporaryDirectory() as folder:
        own = Path(folder)
        settings = Settings(store=own / "store", cache=own / "cache", model_threads=1, entailment="none")
        with wiring.Checker(settings, dry_run=dry_run) as checker:
            for number in range(WARM):
                _one(checker, number)
            before = _memory()
            seconds = processor(lambda: [_one(checker, WARM + number) for number in range(documents)])
            print(seconds, before, _memory())


def _one(checker: wiring.Checker, number: int) -> None:
    name, other = (f"Dr. {chr(65 + n % 26)}{'aeiou'[n % 5]}lmar{number}" for n in (number, number + 7))
    source = f"{name} was born in Paris in {1900 + number % 100}. {name} met {other} in Rome. {other} wrote 12 books."
    draft = f"{name} was born in Paris in {1901 + number % 100}. {other} met {name} in Rome. {other} wrote 13 books."
    draft, source = (document_from_text(text, 1_000, "a text") for text in (draft, source))
    checker.check(draft, context=source)


def _memory() -> float:
    line = next(one for one in Path("/proc/self/status").read_text().splitlines() if one.startswith("VmRSS"))
    return int(line.split()[1]) / 1024

"""Processor time and memory of a check by length of text, without an entailment model and with each that ships.

`python -m benchmarks.rows.long_texts 1000000 none` measures one length with one model.

The text is the source of benchmarks/documents with other numbers and names in every copy, against itself with every
third number changed.
"""

from __future__ import annotations

import re
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.figures import Figure, memory_peak, of_process

SOURCE = Path(__file__).resolve().parents[1] / "documents" / "source.txt"
CHECK = "import sys; from benchmarks.rows.long_texts import check; check(int(sys.argv[1]), sys.argv[2])"


def check(size: int, model: str) -> None:
    """Check a text of so many characters in a store of its own; print processor time in seconds, the most memory of
    this process, that before the text, both in MB, and the number of claims.
    """
    from claimgraph import wiring
    from claimgraph.input_texts import document_from_text
    from claimgraph.settings import Settings

    with tempfile.TemporaryDirectory() as folder:
        own = Path(folder)
        settings = Settings(store=own / "store", cache=own / "cache", model_threads=1, entailment=model)
        with wiring.Checker(settings) as checker:
            short = document_from_text("Rome is the capital of Italy.", 100, "a short text")
            checker.check(short, context=short)
            before, start = memory_peak(), time.process_time()
            given = [document_from_text(long_text(size, shift), 10 * size, "a text") for shift in (0, 1)]
            claims = len(checker.check(given[0], context=given[1]).claims)
    print(time.process_time() - start, memory_peak(), before, claims)


def measured(*, full: bool) -> Iterator[Figure]:
    """Yield each size beside the smallest one's time for as much text."""
    sizes = (25_000, 100_000, 400_000) if full else (5_000, 20_000)
    for model, said in (("none", ""), ("small", ", entailment by small"), ("base", ", entailment by base")):
        yield from _of_model(model, said, sizes)


def _of_model(model: str, said: str, sizes: tuple[int, ...]) -> Iterator[Figure]:
    base = 0.0
    for size in sizes:
        seconds, most, before, claims = map(float, of_process(CHECK, str(size), model)[1].split())
        base = base or seconds / size
        counts = {"claims": claims, "MB at most": round(most), "MB a KB": round((most - before) / size * 1000, 2)}
        goal, reached = "linear, 500 MB", seconds <= 1.5 * base * size and most <= 500
        work = f"check of {size // 1000} KB{said}"
        yield Figure(work, seconds, f"the rate of {sizes[0] // 1000} KB", base * size, goal, reached, counts)


def long_text(size: int, shift: int) -> str:
    """Return so many characters: copies of the source, no two alike; with another shift every third number differs."""
    source, copies, number = SOURCE.read_text(), [], 0

    def other(found: re.Match[str]) -> str:
        nonlocal number
        number += 1
        return str(int(found[0]) + len(copies) + shift * (number % 3 == 0))

    while sum(map(len, copies)) < size:
        text = re.sub(r"(?<![\d,.])\d{1,4}(?![\d,.]\d)", other, source)
        copies.append(text.replace("Forth", f"Forth{_letters(len(copies))}"))
    return "\n\n".join(copies)[:size]


def _letters(number: int) -> str:
    return "".join(chr(97 + int(digit)) for digit in str(number))


if __name__ == "__main__":
    check(int(sys.argv[1]), sys.argv[2])

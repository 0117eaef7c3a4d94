"""Processor time and memory of a check by length of text, without the entailment model, whose pairs are counted.

    python -m benchmarks.long_texts BOOK.txt SOURCE.txt --sizes 5 25 100

The first so many thousand characters of a text are checked against as many of its source, each in a process of its own.
The model's answers are replaced by even ones: its time is the number of pairs times what a pair takes.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from claimgraph import wiring
from claimgraph.input_texts import document_from_text
from claimgraph.settings import Settings


class Even:
    """An entailment model that finds all outcomes alike, and counts."""

    model = "even"
    pairs = 0

    def entail(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """See EntailmentModel."""
        self.pairs += len(pairs)
        return np.full((len(pairs), 3), 1 / 3, np.float32)


def check(text: str, context: str) -> None:
    """Check the text once and print a line."""
    with tempfile.TemporaryDirectory() as folder:
        own = Path(folder)
        model, settings = Even(), Settings(store=own / "store", cache=own / "cache", model_threads=1)
        with wiring.Checker(settings) as checker:
            checker.models.entailment = model
            short = document_from_text("Paris is the capital of France.", 100, "a short text")
            checker.check(short, context=short)
            model.pairs, start = 0, time.process_time()
            written, known = (document_from_text(each, len(each), "the text") for each in (text, context))
            claims = len(checker.check(written, context=known).claims)
            spent = time.process_time() - start
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    size = len(text) / 1000
    print(
        f"{size:6.0f} KB {claims:6} claims {model.pairs:6} pairs {spent / size:6.2f} s a KB {memory:6.0f} MB",
        flush=True,
    )


def main() -> None:
    """Check each size in a process of its own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("text", type=Path)
    parser.add_argument("context", type=Path)
    parser.add_argument("--sizes", type=int, nargs="+", default=[5, 25, 100])
    asked = parser.parse_args()
    if len(asked.sizes) == 1:
        end = asked.sizes[0] * 1000
        check(asked.text.read_text()[:end], asked.context.read_text()[:end])
    for size in asked.sizes if len(asked.sizes) > 1 else ():
        same = [sys.executable, "-m", "benchmarks.long_texts", str(asked.text), str(asked.context)]
        subprocess.run([*same, "--sizes", str(size)], check=True)


if __name__ == "__main__":
    main()

"""Sentence pairs of the public sets: `python -m training.nli --data FOLDER --out FOLDER`.

Writes nli.jsonl.gz to train on, and nli-held.jsonl.gz, a tenth of all premises, which is never trained on. Large sets
of one narrow trick are cut to what teaches it, small ones near to our use are repeated. WiCE's rows are left to
training.documents, which keeps documents apart.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path

from training.pair import Pair, fold, rows, write

HELD = 10
"""One premise in so many is held out."""
MOST = {
    "conjnli": 8000,
    "breaking_nli": 3000,
    "dnc_megaveridicality": 4000,
    "dnc_factuality": 3000,
    "dnc_sentiment": 800,
    "dnc_puns": 500,
    "dnc_verbnet": 800,
}
TIMES = {"scitail": 4, "fever_symmetric": 3, "rte": 2, "covidfact": 2}
LEFT_OUT = {"wice"}


def main() -> None:
    """Write both files."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder with nli/nli_train.jsonl.gz")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    pairs = [pair for pair in _pairs(args.data / "nli" / "nli_train.jsonl.gz") if pair.source not in LEFT_OUT]
    train = [pair for pair in pairs if fold(pair.document, HELD)]
    held = [pair for pair in pairs if not fold(pair.document, HELD)]
    print(write(args.out / "nli.jsonl.gz", _weighed(train)), "pairs to train on")
    print(write(args.out / "nli-held.jsonl.gz", held), "held out")


def _pairs(path: Path) -> Iterator[Pair]:
    for row in rows(path):
        yield Pair(row["premise"], row["hypothesis"], row["label"], row["source"], row["premise"])


def _weighed(pairs: Iterable[Pair]) -> Iterator[Pair]:
    chance = random.Random(0)
    for source, group in groupby(sorted(pairs, key=lambda pair: pair.source), key=lambda pair: pair.source):
        some = list(group)
        if len(some) > MOST.get(source, len(some)):
            some = chance.sample(some, MOST[source])
        yield from some * TIMES.get(source, 1)


if __name__ == "__main__":
    main()

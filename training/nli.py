"""Pairs of the public sets: `python -m training.nli --data FOLDER --out FOLDER`.

Reads nli/nli_train.jsonl.gz (sentence pairs), nli/nli_extra.jsonl.gz (mostly model outputs that people judged by
documents) and nli/lingnli.jsonl.gz (whose licence is not stated). Writes nli.jsonl.gz, and lingnli.jsonl.gz apart, to
train on, and nli-held.jsonl.gz and extra-held.jsonl.gz, a tenth of the documents of each, which is never trained on.
Large sets of one narrow trick are cut to what teaches it, small ones near to our use are repeated. A long premise is
cut to its window nearest to the hypothesis. What shares a text with the closed development sets is left out.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby
from pathlib import Path

from training.closed import Closed
from training.documents import Nearest, windows
from training.pair import Pair, fold, rows, write

HELD = 10
"""One document in so many is held out."""
MOST = {
    "breaking_nli": 1000,
    "climate_fever": 3000,
    "conjnli": 3000,
    "covidfact": 2500,
    "dnc_factuality": 1500,
    "dnc_megaveridicality": 2500,
    "dnc_puns": 200,
    "dnc_sentiment": 300,
    "dnc_verbnet": 500,
    "drop_nli": 1200,
    "entailmentbank": 1500,
    "entailmentbank_dropped": 1500,
    "help_and": 700,
    "med": 1200,
    "monli": 800,
    "scone": 700,
    "semantic_fragments": 500,
}
"""Pairs of a source at most; other sources are taken whole."""
LEFT_OUT = {"wice_partial"}
"""All its pairs have one label."""
TIMES = {"fever_symmetric": 2, "q2_wow": 2, "vitaminc_crumbs": 3}
LONG, NEAR = 130, 110
"""Words of a premise that is cut, and of the window that is left of it."""
COVERED = 0.5
"""Share of the hypothesis' weighted words that the window must have; else the pair is left out, whatever its label."""


def main() -> None:
    """Write the files."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder with nli/ and closed/")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    closed, train = Closed(args.data), []
    for name, held in (("nli_train", "nli-held"), ("nli_extra", "extra-held")):
        pairs = list(closed.without(_pairs(args.data / "nli" / f"{name}.jsonl.gz")))
        train += [pair for pair in pairs if fold(pair.document, HELD)]
        pairs = [pair for pair in pairs if not fold(pair.document, HELD)]
        print(write(args.out / f"{held}.jsonl.gz", pairs), "held out of", name)
    print(write(args.out / "nli.jsonl.gz", _weighed(train)), "pairs to train on")
    apart = closed.without(_pairs(args.data / "nli" / "lingnli.jsonl.gz"))
    some = [pair for pair in apart if fold(pair.document, HELD)]
    print(write(args.out / "lingnli.jsonl.gz", some), "pairs whose licence is not stated")


def _pairs(path: Path) -> Iterator[Pair]:
    for row in rows(path):
        pair = Pair(row["premise"], row["hypothesis"], row["label"], row["source"], row.get("doc", row["premise"]))
        if pair.source not in LEFT_OUT and (short := _shortened(pair)):
            yield short


def _shortened(pair: Pair) -> Pair | None:
    """With a premise as long as checking reads them; None where that would leave out what the pair is about."""
    if len(pair.premise.split()) <= LONG:
        return pair
    window, share = Nearest(windows(pair.premise, NEAR)).to(pair.hypothesis)
    return replace(pair, premise=window) if share >= COVERED else None


def _weighed(pairs: Iterable[Pair]) -> Iterator[Pair]:
    chance = random.Random(0)
    for source, group in groupby(sorted(pairs, key=lambda pair: pair.source), key=lambda pair: pair.source):
        some = list(group)
        if len(some) > MOST.get(source, len(some)):
            some = chance.sample(some, MOST[source])
        yield from some * TIMES.get(source, 1)


if __name__ == "__main__":
    main()

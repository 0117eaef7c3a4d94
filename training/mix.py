"""One file of new pairs and as many of those before: `python -m training.mix --new F... --replay F... --out F`.

What a model learns last it knows best, and what it does not see again it forgets; so the last stage has half of each.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path

from training.pair import read, write


def main() -> None:
    """Write the file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--new", type=Path, nargs="+", required=True, help="files of which all pairs are taken")
    parser.add_argument("--replay", type=Path, nargs="+", required=True, help="files that the others are drawn from")
    parser.add_argument("--share", type=float, default=0.5, help="of the new pairs in all, above 0 and at most 1")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    new = [pair for path in args.new for pair in read(path)]
    before = [pair for path in args.replay for pair in read(path)]
    chance = random.Random(args.seed)
    pairs = new + chance.sample(before, min(len(before), round(len(new) * (1 / args.share - 1))))
    chance.shuffle(pairs)
    print(write(args.out, pairs), "pairs, of which new:", len(new))


if __name__ == "__main__":
    main()

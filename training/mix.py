"""One file of new pairs and as many of those before: `python -m training.mix --new F... --replay F... --out F`.

What a model learns last it knows best, and what it does not see again it forgets; so the last stage has half of each.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path

from training.pair import Pair, read, write


def main() -> None:
    """Write the file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--new", type=Path, nargs="+", required=True, help="files of which all pairs are taken")
    parser.add_argument("--replay", type=Path, nargs="+", required=True, help="files that share the other half evenly")
    parser.add_argument("--share", type=float, default=0.5, help="of the new pairs in all, above 0 and at most 1")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    new = [pair for path in args.new for pair in read(path)]
    pairs = new + replayed([read(path) for path in args.replay], round(len(new) * (1 / args.share - 1)))
    random.Random(0).shuffle(pairs)
    print(write(args.out, pairs), "pairs, of which new:", len(new))


def replayed(files: list[list[Pair]], count: int) -> list[Pair]:
    """As many of each file, a random choice; a file that has fewer gives all."""
    each = count // len(files)
    return [pair for found in files for pair in random.Random(1).sample(found, min(each, len(found)))]


if __name__ == "__main__":
    main()

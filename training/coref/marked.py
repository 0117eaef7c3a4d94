"""Texts that were written for the ranker, with marks: `python -m training.coref.marked --texts FILE... --out FILE`.

    [1 The Halden] is a fan with [2 a battery]. [1 It] runs for nine hours; [0 it] is easy to replace [2 the battery].

All mentions of one thing in a text have its number; 0 is a pronoun or noun that stands for nothing that was named.
Marks may be nested. A file has many texts, with a line `---` between them. What is in no bracket stands for nothing
that was said before. The command writes them as JSON lines, which `claimgraph eval coref` reads.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from itertools import accumulate, pairwise
from pathlib import Path

from claimgraph.evaluation.data.coreference_gold import GoldClusters
from claimgraph.kgstore.model import Span

TEXTS = Path(__file__).parent / "texts"
SOURCE = "written"
LATER = "later"
"""The source of the texts in the folder of that name, of which a pass may read more than of the others."""
_APART = re.compile(r"(?m)^---[ \t]*$")
_MARK = re.compile(r"\[(\d+) (?=[^\s\]])|\[|\]")


class MarkError(ValueError):
    """A bracket that is no mark; the message names the text and what stands there."""


def main() -> None:
    """Write the texts of all files."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--texts", type=Path, nargs="+", required=True, help="files to read")
    parser.add_argument("--out", type=Path, required=True, help="file of JSON lines to write")
    args = parser.parse_args()
    golds = [gold for path in args.texts for gold in read_marked(path)]
    args.out.write_text("".join(json.dumps(_row(gold)) + "\n" for gold in golds), encoding="utf-8")
    print(len(golds), "texts,", sum(len(gold.clusters) for gold in golds), "clusters")


def _row(gold: GoldClusters) -> dict[str, object]:
    spans = [span for cluster in gold.clusters for span in cluster]
    ends = [0, *accumulate(len(cluster) for cluster in gold.clusters)]
    return {
        "id": gold.id,
        "source": gold.source,
        "usable_for_shipping": "yes",
        "text": gold.text,
        "mentions": [{"start": span.start, "end": span.end} for span in spans],
        "clusters": [list(range(first, last)) for first, last in pairwise(ends)],
    }


def read_marked(path: Path) -> Iterator[GoldClusters]:
    """Yield the texts of a file, in order. Raises MarkError for the first wrong mark."""
    source = LATER if path.parent.name == LATER else SOURCE
    blocks = (block.strip() for block in _APART.split(path.read_text(encoding="utf-8")))
    for number, block in enumerate((block for block in blocks if block), 1):
        yield replace(marked(block, f"{path.stem}-{number}"), source=source)


def marked(block: str, name: str) -> GoldClusters:
    """Return the text without its marks, and the clusters of more than one mention. Raises MarkError."""
    parts: list[str] = []
    length, at = 0, 0
    begun: list[tuple[int, int]] = []
    spans: dict[int, list[Span]] = defaultdict(list)
    for match in _MARK.finditer(block):
        parts.append(block[at : match.start()])
        length, at = length + len(parts[-1]), match.end()
        if match[1]:
            begun.append((int(match[1]), length))
        elif match[0] == "]" and begun:
            thing, start = begun.pop()
            spans[thing].append(Span(start, length))
        else:
            raise MarkError(f"{name}: no mark is at {block[match.start() : match.start() + 30]!r}")
    if begun:
        raise MarkError(f"{name}: a mark of {begun[-1][0]} has no end")
    clusters = tuple(tuple(some) for thing, some in spans.items() if thing and len(some) > 1)
    text = "".join((*parts, block[at:]))
    return GoldClusters(name, SOURCE, name, text, clusters, complete=True, usable=True)


if __name__ == "__main__":
    main()

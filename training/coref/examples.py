"""Marked texts to what the ranker learns from: `python -m training.coref.examples --data FOLDER --out FILE`.

Mentions, candidates and features are those of the product, over the product's parse; people's marks only label them.
Needs the package alone, no torch.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from claimgraph.detect.extraction.coreference.candidates import Key, kind
from claimgraph.detect.extraction.coreference.mentions import Mention
from claimgraph.detect.extraction.coreference.resolution import read_mentions, window_pairs
from claimgraph.detect.models.coreference import Window
from claimgraph.detect.text.parse import Paragraph, paragraphs
from claimgraph.evaluation.data.coreference_gold import WRONG, GoldClusters, clusters_of, read_gold
from training.coref.example import FALSE, OPEN, RIGHT, Example, write
from training.coref.marked import TEXTS, read_marked

FILES = ("documents.jsonl.gz", "pronouns.jsonl.gz")


def main() -> None:
    """Write the examples of all marked texts that may be trained on for shipping."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder with coref/documents and coref/pronouns")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    made = list(examples(list(marked_texts(args.data))))
    write(args.out, made)
    print(f"{len(made)} windows, {sum(len(set(one.window.anaphor.tolist())) for one in made)} anaphors")


def marked_texts(data: Path) -> Iterator[GoldClusters]:
    """Yield all texts that a model that ships may be trained on: those of FOLDER/coref, and ours."""
    for name in FILES:
        yield from (gold for gold in read_gold(data / "coref" / name) if gold.usable)
    for path in sorted(TEXTS.rglob("*.txt")):
        yield from read_marked(path)


def examples(golds: Sequence[GoldClusters]) -> Iterator[Example]:
    """The windows of all texts that have something to learn, text by text."""
    for number, parts in groupby(paragraphs([gold.text for gold in golds]), key=lambda one: one[0]):
        yield from _of_text(golds[number], [part for _, part in parts])


def _of_text(gold: GoldClusters, parts: Sequence[Paragraph]) -> Iterator[Example]:
    found, sentences = read_mentions(parts)
    clusters = clusters_of(gold, parts, found)
    for window, inside in window_pairs(gold.text, found, sentences):
        judged = np.array([_is_judged(gold, inside[a], clusters) for a in window.anaphor.tolist()])
        if judged.any():
            part = Window(
                window.text, window.spans, window.anaphor[judged], window.candidate[judged], window.features[judged]
            )
            kinds = tuple(str(kind(inside[a])) for a in part.anaphor.tolist())
            yield Example(gold.source, gold.fold, part, kinds, labels(gold, inside, part, clusters))


def _is_judged(gold: GoldClusters, mention: Mention, clusters: Mapping[Key, set[int]]) -> bool:
    if gold.asked is not None:
        return mention.start == gold.asked.start
    return gold.complete or mention.key in clusters


def labels(
    gold: GoldClusters, inside: Sequence[Mention], window: Window, clusters: Mapping[Key, set[int]]
) -> NDArray[np.int8]:
    """The label of each pair; "none" is right where nothing else is, unless others than those marked may be."""
    found = np.full(len(window.anaphor), FALSE, np.int8)
    for row, (a, c) in enumerate(zip(window.anaphor.tolist(), window.candidate.tolist(), strict=True)):
        own, other = (clusters.get(inside[at].key, set()) for at in (a, c))
        if a != c and own & other - {WRONG}:
            found[row] = RIGHT
        elif a != c and gold.open and WRONG not in other:
            found[row] = OPEN
    for a in set(window.anaphor.tolist()):
        rows = window.anaphor == a
        if not (found[rows] == RIGHT).any():
            found[rows & (window.candidate == a)] = RIGHT if gold.asked is None else OPEN
    return found


if __name__ == "__main__":
    main()

"""Pairs made from texts and graphs: `python -m training.made --data FOLDER --out FOLDER [--seed 0]`.

Writes made.jsonl.gz: of each source whole groups at random up to its number, so that a claim stands there with each of
its labels; what shares a text with the closed development sets is left out. The same for the same data and seed.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random

from training import graphs, sentences, splits, triples
from training.closed import Closed
from training.pair import Pair, write
from training.sentences import Group
from training.swaps import Lexicon, lexicon
from training.texts import Text, introductions, redocred, sentence_texts

MOST: Mapping[str, int] = {
    "made-swap": 8500,
    "made-negation": 5500,
    "made-qualifier": 2500,
    "made-deleted": 5000,
    "made-spread": 3000,
    "made-turned": 1000,
    "made-added": 1500,
    "made-dropped": 3500,
    "made-triple": 10000,
    "made-graph": 6500,
    "made-split": 8000,
}
"""Pairs of each source."""
ENTAILED = 0.46
"""Share of a source's pairs at most."""
ENTITIES = 1200
"""Of each graph, from which pairs are made."""


def main() -> None:
    """Write the file and print how many pairs there are of each source and label."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder with kg/, extraction/, claims/ and closed/")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    pairs = list(Closed(args.data).without(mixed(made(args.data, args.seed), MOST, Random(args.seed))))
    print(write(args.out / "made.jsonl.gz", pairs), "pairs")
    for (source, label), count in sorted(Counter((pair.source, pair.label) for pair in pairs).items()):
        print(f"{source:16} {label:15} {count:6}")


def made(data: Path, seed: int) -> Iterator[Group]:
    """All groups."""
    known = lexicon(data / "kg" / "codex" / "entities.jsonl.gz")
    world = [graphs.codex(data / "kg"), graphs.dbpedia(data / "kg"), graphs.freebase(data / "kg")]
    for part in _texts(data / "extraction", data / "kg" / "codex" / "entities.jsonl.gz", world[0], known):
        yield from sentences.groups(part, known, Random(seed))
        yield from triples.groups(part, sorted(world[0].known, key=str), Random(seed))
    yield from splits.groups(data / "claims" / "wiki_split.jsonl.gz", known, Random(seed))
    for graph in world:
        yield from graphs.groups(graph, ENTITIES, Random(seed))


def _texts(folder: Path, entities: Path, codex: graphs.Graph, known: Lexicon) -> Iterator[Sequence[Text]]:
    """By source."""
    yield [triples.cued(text, codex.facts.get(text.title or "", []), known) for text in introductions(entities)]
    yield list(redocred(folder / "redocred_dev.jsonl.gz"))
    for name, file in (("fewrel", "fewrel"), ("conll04", "conll04_dev"), ("carb", "carb_dev")):
        yield list(sentence_texts(folder / f"{file}.jsonl.gz", name))


def mixed(found: Iterable[Group], most: Mapping[str, int], random: Random) -> list[Pair]:
    """Whole groups of each source at random, up to its number of pairs, no pair twice; in a random order."""
    by_source = defaultdict(list)
    for group in found:
        by_source[group[0].source].append(group)
    kept: dict[Pair, None] = {}
    pairs: list[Pair] = []
    for source, groups in by_source.items():
        random.shuffle(groups)
        left = most[source]
        for group in groups:
            if left <= 0:
                break
            kept |= dict.fromkeys(group)
            left -= len(group)
        pairs += _thinned([pair for pair in kept if pair.source == source], random)
    random.shuffle(pairs)
    return pairs


def _thinned(pairs: Sequence[Pair], random: Random) -> list[Pair]:
    """Without so many of those entailed that they are ENTAILED of all at most."""
    entailed = [pair for pair in pairs if pair.label == "entailment"]
    others = [pair for pair in pairs if pair.label != "entailment"]
    most = round(len(others) * ENTAILED / (1 - ENTAILED))
    return [*others, *random.sample(entailed, min(most, len(entailed)))]


if __name__ == "__main__":
    main()

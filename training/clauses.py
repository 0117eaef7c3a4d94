"""Pairs of clauses: `python -m training.clauses --scenes FILE... --out FOLDER [--texts 900] [--seed 0]`.

What checking reads of a text as a statement ("The strike ended at midnight.") is entailed by its sentence; with another
number of the text in it, it is contradicted, and with another name, it does not follow. Scenes word their true claims
apart from the text, so that a model of them alone doubts what is nearly written there. Writes clauses.jsonl.gz and, of
the scenes that are held out, clauses-held.jsonl.gz. One statement in ten is read wrongly, and its label with it.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from claimgraph import wiring
from claimgraph.input_texts import document_from_text
from claimgraph.kgstore.model import Extraction
from claimgraph.settings import load_settings
from training.pair import NOT_ENTAILMENT, Pair, write
from training.scene import Scene
from training.scene_pairs import filled, held, scenes

SHORTEST = 3
"""Words of a statement."""
AROUND = 2
"""Sentences before and after a statement's own that its premise has, at most."""
TWINS = 0.6
"""Share of the statements that can have a false twin which get one."""
_NUMBER = re.compile(r"\b\d[\d,.]*\b")
_NAME = re.compile(r"\b[A-Z][\w’'-]+(?: [A-Z][\w’'-]+)+")
_PRONOUN = re.compile(r"\b(?:he|she|it|they|him|them|his|her|its|their)\b", re.IGNORECASE)


def main() -> None:
    """Write the pairs and print how many there are of each label."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scenes", type=Path, nargs="+", required=True, help="files to read texts of")
    parser.add_argument("--out", type=Path, required=True, help="folder for the pairs")
    parser.add_argument("--texts", type=int, default=900, help="texts to read, a random choice")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    found, errors = scenes(args.scenes)
    if errors:
        parser.error(errors[0])
    some = Random(args.seed).sample(found, min(args.texts, len(found)))
    args.out.mkdir(parents=True, exist_ok=True)
    for name, kept in (("clauses", False), ("clauses-held", True)):
        made = list(dict.fromkeys(pairs([scene for scene in some if held(scene) is kept], Random(args.seed))))
        print(write(args.out / f"{name}.jsonl.gz", made), name, dict(Counter(pair.label for pair in made)))


def pairs(some: Sequence[Scene], random: Random) -> Iterator[Pair]:
    """Yield those of each scene, filled in once and read as checking reads texts, by the models of the settings."""
    settings = load_settings()
    texts = [" ".join(filled(scene, random).sentences) for scene in some]
    with wiring.opened_models(settings) as models:
        extractor = wiring.extractor(settings, models=models)
        read = extractor.extract([document_from_text(text, len(text), "a scene") for text in texts])
    for scene, extraction in zip(some, read, strict=True):
        yield from _of_text(extraction, scene.text, random)


def _of_text(read: Extraction, document: str, random: Random) -> Iterator[Pair]:
    text = read.document.text
    sentences = [text[span.start : span.end].strip() for span in read.sentences]
    names = list(dict.fromkeys(_NAME.findall(text)))
    for said, claim in {claim.sentence: claim for claim in read.claims}.items():
        at = next(row for row, span in enumerate(read.sentences) if claim.span.start < span.end)
        if said.strip(".") == sentences[at].strip(".") or len(said.split()) < SHORTEST:
            continue
        before = AROUND if _PRONOUN.search(sentences[at]) else random.randint(0, AROUND)
        premise = " ".join(sentences[max(0, at - before) : at + 1 + random.randint(0, AROUND)])
        yield Pair(premise, said, "entailment", "clause", document)
        for label, other in _twin(said, premise, names, random):
            yield Pair(premise, other, label, "clause", document)


def _twin(said: str, premise: str, names: Sequence[str], random: Random) -> Iterator[tuple[str, str]]:
    """Yield the statement with another number, or else another name, that its premise has; its label comes first."""
    numbers = dict.fromkeys(_NUMBER.findall(said))
    others = [number for number in dict.fromkeys(_NUMBER.findall(premise)) if number not in numbers]
    ours = [name for name in names if name in said]
    theirs = [name for name in names if name in premise and name not in said]
    if random.random() >= TWINS:
        return
    if numbers and others:
        yield "contradiction", said.replace(next(iter(numbers)), random.choice(others), 1)
    elif ours and theirs:
        yield NOT_ENTAILMENT, said.replace(ours[0], random.choice(theirs), 1)


if __name__ == "__main__":
    main()

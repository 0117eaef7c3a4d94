"""Pairs of scenes: `python -m training.scene_pairs --scenes FILE... --out FOLDER [--fillings 3] [--seed 0]`.

Reads scenes as training/scenes/README.md describes them, fills in each several times, and writes scenes.jsonl.gz, and
of a tenth of the scenes scenes-held.jsonl.gz, which is never trained on. The premise of a claim is its context, or a
part or a longer text that leaves its label: the sentences it needs alone, or the context beside sentences of another
scene. A claim whose sentences are all taken out becomes neutral. Of an article, a context of more than five sentences,
the premise is a passage as checking chooses it: the needed sentences and those that share most words with the claim; a
quarter of them is held out, and articles-held.jsonl.gz has their claims beside the whole article. Of claims that tell
their label by themselves fewer are kept (training/evened.py). `--check` only says what is wrong with the files.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from training.evened import evened
from training.pair import Pair, fold, write
from training.scene import Claim, Scene, SceneError, blocks, parsed
from training.scene_fill import Filling
from training.scene_names import Names

HELD, HELD_ARTICLES = 10, 4
"""One scene in so many is held out, and one article."""
WHOLE, PART, PADDED = 0.6, 0.15, 0.15
"""Shares of the claims with their whole context, with a part that does, with sentences around; the rest lose theirs."""
ARTICLE = 5
"""A context of more sentences is an article."""
PASSAGE = (2, 6)
"""Sentences of an article that a passage has, at least and at most; more only where the claim needs more."""
CHECKED = 20
"""Fillings of a scene that is checked."""
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Filled:
    """A scene's sentences and claims with all slots filled in."""

    sentences: tuple[str, ...]
    claims: tuple[Claim, ...]


def main() -> None:
    """Write the pairs, or print what is wrong; the exit status is 1 where something is."""
    args = _arguments()
    found, errors = scenes(args.scenes or args.check)
    for error in errors:
        print(error)
    if args.check or errors:
        print(len(found), "scenes are well formed,", len(errors), "are not")
    if args.check:
        sys.exit(1 if errors else 0)
    made = [pair for number in range(args.fillings) for pair in pairs(found, Random(f"{args.seed}-{number}"))]
    made = evened(list(dict.fromkeys(made)), Random(args.seed))
    Random(args.seed).shuffle(made)
    kept = {scene.text for scene in found if held(scene)}
    parts = {
        "scenes": [pair for pair in made if pair.document not in kept],
        "scenes-held": [pair for pair in made if pair.document in kept],
        "articles-held": list(whole_articles([scene for scene in found if scene.text in kept], Random(args.seed))),
    }
    args.out.mkdir(parents=True, exist_ok=True)
    for name, some in parts.items():
        print(write(args.out / f"{name}.jsonl.gz", some), "pairs of", len({pair.document for pair in some}), "scenes")
        for label, count in sorted(Counter(pair.label for pair in some).items()):
            print(f"  {label:15} {count:6}")


def scenes(paths: Sequence[Path]) -> tuple[list[Scene], list[str]]:
    """The well-formed scenes of files, and what is wrong with the others, as `file:line: message`."""
    found, errors = [], []
    for path in paths:
        for lines in blocks(path):
            try:
                scene = parsed(path.stem, lines)
                for number in range(CHECKED):
                    filled(scene, Random(number))
                found.append(scene)
            except SceneError as error:
                errors.append(f"{path}:{error.line}: {error}")
    return found, errors


def held(scene: Scene) -> bool:
    """Whether a scene is held out, by its text."""
    return not fold(scene.text, HELD_ARTICLES if len(scene.sentences) > ARTICLE else HELD)


def whole_articles(found: Sequence[Scene], random: Random) -> Iterator[Pair]:
    """The claims of articles, each beside all of its article: what checking is given, of which it chooses a passage."""
    for scene in (scene for scene in found if len(scene.sentences) > ARTICLE):
        here = filled(scene, random)
        for claim in here.claims:
            yield Pair(" ".join(here.sentences), claim.text, claim.label, "scene-articles", scene.text)


def filled(scene: Scene, random: Random, names: Names | None = None) -> Filled:
    """With values drawn anew; no name that `names` has given before. SceneError where it cannot be."""
    filling = Filling(scene, random, names)
    sentences = tuple(filling.text(said, line) for said, line in zip(scene.sentences, scene.lines, strict=True))
    claims = tuple(
        Claim(claim.label, filling.text(claim.text, claim.line), claim.needed, claim.line) for claim in scene.claims
    )
    return Filled(sentences, claims)


def pairs(found: Sequence[Scene], random: Random) -> Iterator[Pair]:
    """One of each claim of each scene. What stands beside a context is of a scene on the same side of the cut."""
    sides = [[scene for scene in found if held(scene) is side] for side in (False, True)]
    for side in sides:
        for scene in side:
            names = Names(random)
            here = filled(scene, random, names)
            other = filled(random.choice(side), random, names).sentences[: random.randint(1, 2)]
            for claim in here.claims:
                premise, label = _premise(here.sentences, claim, other, random)
                yield Pair(premise, claim.text, label, f"scene-{scene.phenomenon}", scene.text)


def _premise(context: Sequence[str], claim: Claim, other: Sequence[str], random: Random) -> tuple[str, str]:
    """What is read, and what it says of the claim."""
    if len(context) > ARTICLE:
        return _passage(context, claim, random), claim.label
    drawn = random.random()
    rows = range(len(context))
    if drawn < WHOLE:
        return " ".join(context), claim.label
    if drawn < WHOLE + PART:
        kept = set(claim.needed) or set(random.sample(rows, random.randint(1, len(context))))
        return " ".join(context[row] for row in rows if row in kept), claim.label
    without = [context[row] for row in rows if row not in claim.needed]
    if drawn < WHOLE + PART + PADDED or not without or not claim.needed:
        around = [*other, *context] if random.random() < 0.5 else [*context, other[0]]
        return " ".join(around), claim.label
    return " ".join(without), "neutral"


def _passage(article: Sequence[str], claim: Claim, random: Random) -> str:
    """The needed sentences and the nearest others, in the text's order; of two as near the earlier one."""
    said = [set(_WORD.findall(text.lower())) for text in article]
    rare = {word: 1 / sum(word in words for words in said) for words in said for word in words}
    asked = set(_WORD.findall(claim.text.lower()))
    near = [sum(rare[word] for word in asked & words) / len(words) ** 0.5 for words in said]
    ranked = sorted(range(len(article)), key=lambda row: (row not in claim.needed, -near[row]))
    kept = max(len(claim.needed), random.randint(*PASSAGE))
    return " ".join(article[row] for row in sorted(ranked[:kept]))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("--scenes", type=Path, nargs="+", help="files to make pairs of")
    which.add_argument("--check", type=Path, nargs="+", help="files to check")
    parser.add_argument("--out", type=Path, default=Path(), help="folder for the pairs")
    parser.add_argument("--fillings", type=int, default=3, help="times that each scene is filled in")
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args()


if __name__ == "__main__":
    main()

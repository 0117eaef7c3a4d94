"""Groups of pairs of complex sentences and what they say in parts: the words are the same, the clauses are not.

WikiSplit's parts often say more or less than their sentence; only those are taken whose words are all in it, or the
other way round. Each claim stands there entailed, with an edit made on both sides, and with too short a premise.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from claimgraph.detect.text.words import content
from training.claims import Claimed, fits
from training.contexts import Contexts
from training.pair import Pair, rows
from training.sentences import Group, chosen, edited
from training.swaps import Lexicon
from training.texts import Text, set_tight

SOURCE = "made-split"
_PRONOUNS = ("He ", "She ", "It ", "They ", "His ", "Her ", "Its ", "Their ", "This ", "These ", "There ")
LACKING = 3
"""Content words of a claim that a premise must lack to be silent on it."""


def groups(path: Path, known: Lexicon, random: Random) -> Iterator[Group]:
    """For each sentence those that can be made of it and its parts."""
    found = list(_read(path))
    contexts = Contexts([text for text, _ in found], random)
    for text, parts in found:
        for part in parts:
            if _within(part, [text.sentences[0]]) and not part.startswith(_PRONOUNS) and fits(part):
                yield from _part(part, text, contexts, known, random)
        if _within(text.sentences[0], parts) and fits(text.sentences[0]):
            yield _whole(text, parts)


def _read(path: Path) -> Iterator[tuple[Text, list[str]]]:
    for number, row in enumerate(_any_rows(path)):
        parts = [set_tight(part) for part in row["parts"]]
        yield Text(f"wiki-split:{number}", "wiki-split", None, False, (set_tight(row["text"]),)), parts


def _within(claim: str, said: Sequence[str]) -> bool:
    return set(content(claim)) <= {word for one in said for word in content(one)}


def _part(part: str, text: Text, contexts: Contexts, known: Lexicon, random: Random) -> Iterator[Group]:
    """The part with its sentence, and both edited alike."""
    claim = Claimed(part, (0,), "part")
    for edit in chosen(claim, text, known, (), random):
        for group in edited(claim, edit, text, contexts, random):
            yield [replace(pair, source=SOURCE) for pair in group]


def _whole(text: Text, parts: Sequence[str]) -> Group:
    """The sentence with its parts as premise, and with one of them where that says clearly less."""
    [whole] = text.sentences
    group = [Pair(" ".join(parts), whole, "entailment", SOURCE, text.id)]
    short = [part for part in parts if len(set(content(whole)) - set(content(part))) >= LACKING]
    return group + [Pair(part, whole, "neutral", SOURCE, text.id) for part in short[:1]]


def _any_rows(path: Path) -> Iterator[Any]:
    yield from rows(path)

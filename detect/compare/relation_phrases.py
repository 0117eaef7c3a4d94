"""Map a claim's predicate to the relation of a graph it names, and its direction, by phrases that texts use.

A graph says "place of birth" where a text says "is a native of", "was born in" or, inverted, "is the birthplace of".
relations.py holds one paraphrase each, for embeddings to compare; here are several, compared word by word with their
prepositions, which separate "works as" from "works for". Unknown phrases are compared by likeness, with a lower weight.
Learning phrases from pairs of texts and facts was rejected: there are no texts with facts known to be in them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

from claimgraph.detect.compare import relations
from claimgraph.detect.compare.fact_match import relation_likeness
from claimgraph.detect.models.embedder import Space
from claimgraph.detect.text.words import folded, stem, tokens

_MEANS_NOTHING = frozenset(
    re.findall(
        r"\S+",
        "a an the is are was were be been being am has have had having do does did his her its their s also then later "
        "once long now still mainly mostly originally former formerly",
    )
)
_PASSIVE = re.compile(r"(?:is|are|was|were|be|been) (?:\w+ly )?(?:\w+ed|born|made|written|set|won|built|sung|given)\b")
_PLACES = frozenset(("in", "at", "on", "within", "into"))
_PREPOSITIONS = _PLACES.union(
    re.findall(
        r"\S+",
        "from of to by for as with about after among through since during under between against over near upon",
    )
)
_LIKENESS = 0.9
"""Weight of the likeness of words beside a known phrase."""


@dataclass(frozen=True, slots=True)
class Ways:
    """The phrases of a relation as keys, by direction: subject to object, and object to subject."""

    straight: frozenset[tuple[str, ...]]
    turned: frozenset[tuple[str, ...]]


@lru_cache(maxsize=65536)
def key(words: str) -> tuple[str, ...]:
    """Return the words that count as stems, prepositions kept, with "be" for a passive; empty for a bare "is" or
    "has".
    """
    said = tuple(stem(word[0]) for word in tokens(words) if word[0].lower() not in _MEANS_NOTHING)
    return ("be", *said) if _PASSIVE.match(words) else said


@lru_cache(maxsize=4096)
def ways(relation: str) -> Ways:
    """Return the phrases of a relation of that name: those known, its own name and "of" it, and its one paraphrase."""
    relation = relations.said_once(relation)
    straight, turned = _known().get(folded(relation), ((), ()))
    own = (relation, relations.spoken(relation))
    return Ways(
        frozenset(map(key, (*own, *straight))),
        frozenset(map(key, (f"{relation} of", *turned))),
    )


def likeness(predicate: str, relation: str, space: Space) -> tuple[float, float]:
    """Return the likelihood that the predicate means the relation, directly and inverted, in [0, 1]; 1 for known
    phrases.

    Unknown words have at most 0.9, and 0 where they are a phrase of the other direction. Those that are no phrase of
    any relation may also be like a phrase that ends in the same preposition, or in none as they do: "wrote about" is
    not like "wrote in". They are read in the direction that they are more like.
    """
    relation = relations.said_once(relation)
    said, known = key(predicate), ways(relation)
    if said in known.straight or said in known.turned:
        return float(said in known.straight), float(said in known.turned)
    if not said:
        return 0.0, 0.0
    named = relation_likeness(predicate, relation, space)
    if not named or any(says(predicate)):
        return _LIKENESS * named, 0.0
    straight, turned = (_likest(predicate, phrases, space) for phrases in _known().get(folded(relation), ((), ())))
    straight = max(named, straight)
    return (_LIKENESS * straight, 0.0) if straight >= turned else (0.0, _LIKENESS * turned)


def _likest(predicate: str, phrases: Iterable[str], space: Space) -> float:
    said = [phrase.removeprefix("the ").replace(" … ", " ") for phrase in phrases if _end(phrase) == _end(predicate)]
    space.add((predicate, *said))
    return max((space.cosine(predicate, phrase) for phrase in said), default=0.0)


def _end(phrase: str) -> str:
    """Return the preposition at the end, those of places as one; empty for another word."""
    last = phrase.rsplit(" ", 1)[-1].lower()
    return ("in" if last in _PLACES else last) if last in _PREPOSITIONS else ""


def says_another(words: str, relation: str) -> bool:
    """Return whether the words are the name of a known relation, or another noun for it, and the relation of that name
    is known by other phrases: "spouse" is not "cast member". Verbs have several senses: "made" jazz, and a film.
    """
    relation = relations.said_once(relation)
    said, own = key(words), ways(relation)
    named = any(said in nouns for nouns in _nouns())
    return named and folded(relation) in _known() and said not in own.straight | own.turned


def says(words: str) -> tuple[bool, bool]:
    """Return whether the words are a phrase of any known relation, directly and inverted."""
    straight, turned = _said()
    said = key(words)
    return said in straight, said in turned


def says_as_verb(words: str) -> tuple[bool, bool]:
    """Return the same for verb phrases only, not nouns: "was a native of", not "birthplace"."""
    (straight, turned), (noun, turned_noun) = says(words), _nouns()
    said = key(words)
    begins = stem(words.split(" ", 1)[0]) in _verbs()
    return straight and begins and said not in noun, turned and begins and said not in turned_noun


_Keys = tuple[frozenset[tuple[str, ...]], frozenset[tuple[str, ...]]]


@cache
def _said() -> _Keys:
    found = [ways(relation) for relation in _known()]
    straight, turned = zip(*((each.straight, each.turned) for each in found), strict=True)
    return frozenset().union(*straight) - {()}, frozenset().union(*turned) - {()}


@cache
def _nouns() -> _Keys:
    """Return the keys of phrases that are nouns alone."""
    named = {key(relation) for relation in _known()}
    nouns, verbs = (
        [
            {key(phrase) for sides in _known().values() for phrase in sides[side] if phrase.startswith("the ") == noun}
            for side in (0, 1)
        ]
        for noun in (True, False)
    )
    return frozenset((nouns[0] | named) - verbs[0]), frozenset(nouns[1] - verbs[1])


def opens(words: str) -> bool:
    """Return whether the words are the first part of a phrase that continues after the object: "has … as a symptom"."""
    return key(words) in _openings()


@cache
def _openings() -> frozenset[tuple[str, ...]]:
    phrases = (phrase for sides in _known().values() for side in sides for phrase in side)
    return frozenset(key(phrase.split(" … ")[0]) for phrase in phrases if " … " in phrase)


@cache
def _verbs() -> frozenset[str]:
    """Return the stems that phrases other than nouns begin with."""
    phrases = (phrase for sides in _known().values() for side in sides for phrase in side)
    first = {phrase.split(" ", 1)[0] for phrase in phrases} - {"the"}
    return frozenset(map(stem, first | {"is", "was", "are", "were", "has", "had", "have"}))


@cache
def _known() -> dict[str, tuple[tuple[str, ...], tuple[str, ...]]]:
    lines = (files("claimgraph.detect") / "data" / "phrasings.txt").read_text(encoding="utf-8").splitlines()
    rows = (line.partition(" = ") for line in lines if line and not line.startswith("#"))
    return {folded(name): _phrases(said) for name, _, said in rows}


def _phrases(said: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    straight, _, turned = said.partition(" < ")
    return tuple(straight.split(" | ")), tuple(turned.split(" | ")) if turned else ()

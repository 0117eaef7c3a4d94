"""Names for others of their kind, and names that change places.

The kind of a name is what a graph or a document's annotation says; a name nobody knows is left alone, which was
preferred to guessing kinds by capitals.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

from claimgraph.detect.text.words import content, same_name
from training.edits import CONTRADICTION, Edit
from training.pair import NOT_ENTAILMENT, rows
from training.texts import Text

_KINDS = (
    ("human", "person"),
    ("film|miniseries|series|album|literary work", "work"),
    ("sovereign state|country|empire|kingdom", "country"),
    ("university|college|school|conservatory|academy|institute", "school"),
    ("record label|imprint", "label"),
    ("political party|communist party|liberal party", "party"),
    ("city|town|capital|municipality|metropolis|settlement|commune", "town"),
    ("language", "language"),
    ("genre|music", "genre"),
    ("profession|occupation", "occupation"),
    ("international organization|specialized agency", "organisation"),
    ("disease|cause of death", "disease"),
)
_PEOPLES = re.findall(
    r"\w+",
    """
American British English French German Italian Spanish Russian Canadian Australian Japanese Chinese
Indian Swedish Norwegian Danish Dutch Polish Hungarian Austrian Swiss Greek Turkish Irish Scottish Welsh
Brazilian Mexican Argentine Portuguese Belgian Finnish Czech Romanian Bulgarian Serbian Croatian
Ukrainian Israeli Iranian Egyptian Korean Vietnamese Thai Indonesian Pakistani Nigerian Kenyan Colombian
Cuban Jamaican Icelandic Estonian
""",
)
_NAME = re.compile(r"[A-Z][\w'’-]*(?:(?: (?:of|the|de|da|van|von|der|du|la)){0,2} (?:[A-Z]\.(?= )|[A-Z][\w'’-]*))*")
TRIED = 20
"""Names tried for another."""
_LOWER = frozenset({"occupation", "genre", "disease"})
_ASYMMETRIC = (
    "defeated|beat|succeeded|replaced|preceded|influenced|acquired|bought|invaded|conquered|killed|murdered|assassinated"
    "|taught|sued|criticised|criticized|praised|hired|signed|appointed|portrayed|inspired|supported|opposed|outsold"
    "|followed|founded|joined|left|overthrew|discovered|mentored|employed|annexed|attacked|nominated|endorsed"
)
_AROUND = re.compile(
    rf"\b({_NAME.pattern}) ((?:also |later |then |was |were )?(?:{_ASYMMETRIC})(?: by)?) (the )?({_NAME.pattern})"
)
_ALIKE = (
    "British English Scottish Welsh Irish",
    "writer author novelist poet playwright screenwriter essayist journalist biographer dramatist lyricist critic",
    "singer vocalist musician songwriter singer-songwriter composer rapper guitarist pianist bandleader artist",
    "politician statesman diplomat lawyer jurist activist revolutionary",
    "scientist physicist mathematician chemist biologist philosopher professor inventor engineer academic scholar",
    "director producer filmmaker actor comedian presenter entertainer model dancer",
    "painter sculptor illustrator artist architect draughtsman",
)
"""Names that may be said of one thing together."""
_FROM_TO = re.compile(rf"\bfrom ({_NAME.pattern}|\d{{4}}) to ({_NAME.pattern}|\d{{4}})(?!\w)")


class Lexicon:
    """Which names are of which kind, over a graph's entities."""

    def __init__(self, entities: Iterable[Mapping[str, Any]]) -> None:
        self._kind: dict[str, str] = dict.fromkeys(_PEOPLES, "people")
        for entity in entities:
            kind = _kind(entity["types"])
            if kind and entity["label"] and len(entity["label"]) > 3 and (kind in _LOWER) == entity["label"].islower():
                self._kind.setdefault(entity["label"], kind)
        self._pools = defaultdict(list)
        for name, kind in self._kind.items():
            self._pools[kind].append(name)
        lower = sorted((name for name, kind in self._kind.items() if kind in _LOWER), key=len, reverse=True)
        self._lower = re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, lower))})(?![\w-])")

    def names(self, sentence: str) -> Iterator[tuple[str, str]]:
        """Names in a sentence with their kinds, the longest that is known at each place."""
        for found in _NAME.finditer(sentence):
            if known := self._known(found[0].removesuffix("'s").removesuffix("’s")):
                yield known, self._kind[known]
        for found in self._lower.finditer(sentence):
            yield found[0], self._kind[found[0]]

    def others(self, kind: str) -> list[str]:
        """All names of a kind."""
        return self._pools[kind]

    def _known(self, span: str) -> str | None:
        parts = span.split()
        cuts = (" ".join(parts[start:stop]) for start in range(len(parts)) for stop in range(len(parts), start, -1))
        return next((cut for cut in cuts if cut in self._kind), None)


def lexicon(path: Path) -> Lexicon:
    """Of a file of entities with labels and types."""
    return Lexicon(rows(path))


def _kind(types: Iterable[str]) -> str | None:
    said = " | ".join(types)
    return next((kind for pattern, kind in _KINDS if re.search(rf"\b(?:{pattern})\b", said)), None)


def name_swaps(claim: str, text: Text, known: Lexicon, random: Random) -> Iterator[Edit]:
    """Each name of the claim for another of its kind: two times in three from the same text, where there is one."""
    here = _in_text(text, known)
    for name, kind in _in_text(Text(text.id, "", None, False, (claim,), text.named), known).items():
        near = [other for other, also in here.items() if also == kind]
        far = known.others(kind) if kind in _FAR else []
        if kind in _LOWER:
            near, far = [], [other for other in far if other not in here]
        for pool in (near, far) if random.random() < 0.67 else (far, near):
            tried = random.sample(pool, min(TRIED, len(pool)))
            if other := next((other for other in tried if _fits(name, other, claim)), None):
                yield Edit(name, other, "name", NOT_ENTAILMENT, NOT_ENTAILMENT)
                break


_FAR = frozenset({kind for _, kind in _KINDS} | {"people"})


def _in_text(text: Text, known: Lexicon) -> dict[str, str]:
    said = " ".join(text.sentences)
    if text.named:
        kinds = {name: one.kind for one in text.named for name in one.names if one.kind not in ("TIME", "NUM", "Other")}
        return {name: kind for name, kind in kinds.items() if f" {name}" in f" {said}"}
    return dict(known.names(said))


def _fits(name: str, other: str, claim: str) -> bool:
    """Whether another name can stand in for one, and cannot mean the same."""
    article = re.search(rf"\b([Aa]n?) {re.escape(name)}(?!\w)", claim)
    vowel = other[0].lower() in "aeiou"
    if article and (article[1].lower() == "an") != vowel:
        return False
    apart = not set(content(name)) & set(content(other)) and not same_name(name, other)
    apart = apart and not any({name.split()[-1], other.split()[-1]} <= set(row.split()) for row in _ALIKE)
    return apart and other not in claim and name[0].isupper() == other[0].isupper() and not _contains(name, other)


def _contains(name: str, other: str) -> bool:
    """Whether one begins as the other does: Germany and German, Rome and Roman."""
    return name[:4].lower() == other[:4].lower()


def turned(claim: str) -> Iterator[Edit]:
    """Who does something and to whom it is done, and whence and whither, exchanged."""
    for found in _AROUND.finditer(claim):
        one, verb, the, other = found[1], found[2], found[3] or "", found[4]
        after = re.match(
            r"(?:'s| (?!(?:in|on|at|by|to|for|as|after|and|with|from|during|of|who|when|before)\b)[a-z])",
            claim[found.end() :],
        )
        if after or one in _PEOPLES or other in _PEOPLES:
            continue
        if not re.match(r"(?:In|On|At|After|The|He|She|It|They|When|As|This|His|Her)\b", one) and one != other:
            new = f"{other} {verb} {the}{one}"
            yield Edit(found[0], new, "turned", NOT_ENTAILMENT, NOT_ENTAILMENT)
    for found in _FROM_TO.finditer(claim):
        yield Edit(found[0], f"from {found[2]} to {found[1]}", "turned", CONTRADICTION, CONTRADICTION)


def exchanged(text: str, old: str, new: str) -> str | None:
    """A text in which two names change places everywhere; None where a part of either also stands alone."""
    pattern = re.compile(rf"(?<![\w-])(?:{re.escape(old)}|{re.escape(new)})(?![\w-])")
    rest = pattern.sub(" ", text)
    parts = [part for part in f"{old} {new}".split() if len(part) > 3]
    if any(re.search(rf"(?<!\w){re.escape(part)}", rest) for part in parts):
        return None
    return pattern.sub(lambda found: new if found[0] == old else old, text)

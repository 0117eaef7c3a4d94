"""Claims that a text supports, as a summary makes them: shortened, joined of two sentences, a name for a pronoun."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from training.texts import Text

LONGEST = 45
"""Words of a claim."""
SHORTEST = 5
_PARENTHESIS = re.compile(r" \([^()]*\)")
_BEFORE = "In|On|At|During|After|Since|From|By|Following|Throughout|Over|Within"
_LEADING = re.compile(
    rf"^(?:{_BEFORE}) (?:[\w'’-]+ ){{0,7}}[\w'’-]+, (?=(?:the|a|an|he|she|it|they|his|her|its|their|[A-Z][\w'’-]+)\b)"
)
_TRAILING = re.compile(
    r"(?:,| —| –|;) (?:which|who|where|whose|whom|including|such as|with|while|making|becoming|winning|as well as"
    r"|along with|although|though|because|having|being|\w{3,}ing)\b[^,;]*(?=[.!?]$)"
)
_SAID = re.compile(r"\b(?:is|was|are|were|has|have|had|became|began|won|wrote|made|took|led|left|held|[a-z]{2,}ed)\b")
"""A verb that makes what is left a sentence."""
_INSERTED = re.compile(
    rf"^(?!(?:{_BEFORE}|When|While|As|With|Although|Though|Because|If|Upon|Before|Under|For|To|Through)\b)[^,]*"
    r"(, (?:an?|the|who|which|whose|along with|together with|including|as well as) [^,;]{3,60},)"
    r" (?!and\b|or\b|but\b|[A-Z])"
)
_DENYING = re.compile(
    r"\b(?:not|never|no|none|nor|neither|nothing|without|n't|only|few|rarely|unlike|if|unless)\b", re.I
)
_PRONOUN = re.compile(r"^(He|She|His|Her)\b(?! (?:and|or)\b)")


@dataclass(frozen=True, slots=True)
class Claimed:
    """`words` follow from the sentences of rows `support` together, which is whole where no claim says less."""

    words: str
    support: tuple[int, ...]
    kind: str


def plain(text: Text, row: int) -> str:
    """A sentence of a text about a person with the name for a pronoun at its beginning; others as they are."""
    said = text.sentences[row]
    if not text.person or text.title is None or row == 0:
        return said
    whose = f"{text.title}'" if text.title.endswith("s") else f"{text.title}'s"
    found = _PRONOUN.match(said)
    if found and not (found[1] == "Her" and re.match(r"Her (?:to|and|in|as)\b", said)):
        said = (text.title if found[1] in ("He", "She") else whose) + said[found.end() :]
    return said


def shortened(sentence: str) -> Iterator[str]:
    """What is left of a sentence without what it says by the way; none of a sentence that denies."""
    if _DENYING.search(sentence) or sentence.count('"') % 2:
        return
    bare = _PARENTHESIS.sub("", sentence)
    if bare != sentence:
        yield bare
    if (found := _LEADING.match(bare)) and "," not in found[0][:-2]:
        rest = bare[found.end() :]
        yield rest[:1].upper() + rest[1:]
    if (found := _INSERTED.search(bare)) and _SAID.search(bare[found.end() :]):
        yield bare[: found.start(1)] + bare[found.end(1) :]
    if (found := _TRAILING.search(bare)) and _SAID.search(bare[: found.start()]):
        yield bare[: found.start()] + bare[-1]


def inserted(sentence: str) -> Iterator[str]:
    """What it says by the way at its end, with the comma before it, where that can be said of another."""
    found = _TRAILING.search(sentence)
    if (
        found
        and re.match(r", (?:with|including|along with|becoming|winning|making|\w{3,}ing)\b", found[0])
        and len(found[0]) < 90
    ):
        yield found[0]


def claims(text: Text, random: Random) -> Iterator[Claimed]:
    """Of each sentence one, whole or shortened, and of each that has a fitting neighbour one joined of the two."""
    for row in range(len(text.sentences)):
        said = plain(text, row)
        short = [one for one in shortened(said) if fits(one)]
        if short and random.random() < 0.7:
            yield Claimed(random.choice(short), (row,), "shortened")
        elif fits(said):
            yield Claimed(said, (row,), "sentence")
    yield from _joined(text, random)


def fits(claim: str) -> bool:
    """Whether a claim is neither a fragment nor too long, and ends as a sentence."""
    return SHORTEST <= len(claim.split()) <= LONGEST and bool(re.match(r"[\"A-Z0-9]", claim)) and claim[-1] in ".!?"


def _joined(text: Text, random: Random) -> Iterator[Claimed]:
    """Two sentences about the person the text is about, up to six apart."""
    if text.title is None:
        return
    name = re.escape(text.title.split()[-1])
    about = [
        row
        for row in range(len(text.sentences))
        if re.match(rf"(?:He|She|[\w'’. -]{{0,40}}{name})\b", text.sentences[row])
    ]
    random.shuffle(about)
    for first, second in zip(about[::2], about[1::2], strict=False):
        first, second = sorted((first, second))
        a, b = (_least(plain(text, row), random) for row in (first, second))
        b = re.sub(rf"^[\w'’. -]{{0,40}}?{name}(?:'s?)? (?=\w)", lambda found: _again(found[0], text), b)
        words = f"{a[:-1]}, and {b}"
        if second - first <= 6 and fits(words) and a[-1] == "." and b[:1].islower():
            yield Claimed(words, (first, second), "joined")


def _again(name: str, text: Text) -> str:
    pronoun = re.search(r"\b(He|She|His|Her)\b", " ".join(text.sentences))
    he = pronoun is not None and pronoun[1] in ("He", "His")
    if not text.person or pronoun is None:
        return name
    if name.rstrip().endswith(("'s", "'")):
        return "his " if he else "her "
    return "he " if he else "she "


def _least(sentence: str, random: Random) -> str:
    short = [one for one in shortened(sentence) if fits(one)]
    return random.choice(short) if short else sentence

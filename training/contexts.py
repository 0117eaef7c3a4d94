"""Premises: runs of sentences in which a claim's support stands, and the same without it.

Lengths are drawn, since a model that has only read short premises looks for support at their beginning.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from claimgraph.detect.text.words import content, tokens
from training.texts import Text

LENGTHS = ((20, 60), (60, 100), (60, 100), (100, 200))
"""Words of a premise, each range as likely as another."""
MOST = 200
TEXTS = 5
"""Others that a short context is set among, at most."""
SHORT = 50
"""Words of a context below which it may be set among others."""
SILENT, SILENT_NAMED = 0.45, 0.3
"""Share of a claim's content words that a context must lack to be called silent on it, without and with a name."""


@dataclass(frozen=True, slots=True)
class Premise:
    """Sentences of a text by their rows, between sentences of others."""

    said: Mapping[int, str]
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """As it is read."""
        return " ".join([*self.before, *(self.said[row] for row in sorted(self.said)), *self.after])

    def without(self, rows: Collection[int]) -> Premise:
        """With sentences of the text taken out."""
        return replace(self, said={row: one for row, one in self.said.items() if row not in rows})

    def changed(self, change: Callable[[str], str]) -> Premise:
        """With all sentences of the text changed."""
        return replace(self, said={row: change(one) for row, one in self.said.items()})


class Contexts:
    """Premises from texts. Short ones half the time stand among sentences of other texts, `among`."""

    def __init__(self, among: Sequence[Text], random: Random) -> None:
        self._among = among
        self._random = random

    def holding(self, text: Text, support: Collection[int], named: bool = True) -> Premise | None:
        """With the support, and if `named` with the title's last word; None where it stands too far apart."""
        least, most = self._random.choice(LENGTHS)
        wanted = self._random.randint(least, most)
        first, last = min(support), max(support)
        if words(text.sentences[first : last + 1]) > MOST:
            return None
        while (grown := self._grown(text, first, last, wanted)) is not None:
            first, last = grown
        said = {row: text.sentences[row] for row in range(first, last + 1)}
        if named and text.title and not any(text.title.split()[-1] in one for one in said.values()):
            said[0] = text.sentences[0]
        return self._among_others(text, said)

    def _grown(self, text: Text, first: int, last: int, wanted: int) -> tuple[int, int] | None:
        sides = [(first - 1, last), (first, last + 1)]
        self._random.shuffle(sides)
        for low, high in sides:
            if low >= 0 and high < len(text.sentences) and words(text.sentences[low : high + 1]) <= wanted:
                return low, high
        return None

    def _among_others(self, text: Text, said: Mapping[int, str]) -> Premise:
        if words(list(said.values())) >= SHORT or self._random.random() > (0.4 if len(said) > 1 else 0.8):
            return Premise(said)
        more = self._others(text)
        at = self._random.randint(0, len(more))
        return Premise(said, tuple(more[:at]), tuple(more[at:]))

    def _others(self, but: Text) -> list[str]:
        """Sentences of up to TEXTS others that are about something else."""
        found: list[str] = []
        wanted = self._random.randint(15, 90)
        for text in self._random.sample(self._among, min(TEXTS, len(self._among))):
            if words(found) < wanted and text.id != but.id and (text.title is None or text.title != but.title):
                start = self._random.randrange(len(text.sentences))
                found += text.sentences[start : start + 2]
        return found


def words(said: Sequence[str]) -> int:
    """How many in all."""
    return sum(len(one.split()) for one in said)


def silent(claim: str, context: str) -> bool:
    """Whether a context lacks enough of a claim's words not to say it: two in five, or one in four and a name."""
    have, claimed = set(content(context)), set(content(claim))
    new = claimed - have
    named = {
        name for match in tokens(claim) if match[0][0].isupper() or match[0][0].isdigit() for name in content(match[0])
    }
    return len(new) >= SILENT * len(claimed) or (len(new) >= SILENT_NAMED * len(claimed) and bool(named & new))

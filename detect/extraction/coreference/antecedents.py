"""What a model's chances say of each mention: the referent that it stands for, or none.

The chances of a referent's mentions add up, and a pronoun hands on its own: "he" means Ann's brother by way of another
"he" as surely as that one does, so that a wrong choice is not believed the more the longer a chain of pronouns is.
Taking the likeliest mention instead was rejected: a name said three times would compete with itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from claimgraph.detect.extraction.coreference.candidates import kind
from claimgraph.detect.extraction.coreference.mentions import Mention
from claimgraph.kgstore.model import Span

Key = tuple[int, bool]
"""See Mention.key."""
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class CoreferenceLink:
    """A mention and the one whose name it is read as; `renamed`: whether the text's words change by it."""

    kind: str
    anaphor: Span
    antecedent: Span
    renamed: bool


class Antecedents(Generic[R]):
    """The antecedents of one text. Mentions are asked for in text order; `R` is what the caller keeps of a referent."""

    def __init__(self, thresholds: Mapping[str, float]) -> None:
        """`thresholds`: the least chance at which a referent is taken, by kind of anaphor; 1 for what is not named."""
        self._thresholds = thresholds
        self._chances: dict[Key, Mapping[Key, float]] = {}
        self._open: dict[Key, list[tuple[R, float]]] = {}

    def add(self, chances: Mapping[Key, Mapping[Key, float]], start: int) -> None:
        """Take in the chances of further mentions, and drop what lies before `start`, a character of the text."""
        self._chances = {key: found for key, found in self._chances.items() if key[0] >= start} | dict(chances)
        self._open = {key: found for key, found in self._open.items() if key[0] >= start}

    def of(self, mention: Mention, known: Mapping[Key, R]) -> R | None:
        """The likeliest referent of a mention if it is likely enough; `known` are the referents of earlier mentions
        but pronouns.

        Of equals it is the one that was spoken of first.
        """
        shares = self.shares(mention, known)
        if mention.form.pronoun:
            self._open[mention.key] = shares
        best = max(shares, key=lambda share: share[1], default=None)
        sure = best is not None and best[1] >= self._thresholds.get(kind(mention) or "", 1.0)
        return best[0] if best is not None and sure else None

    def shares(self, mention: Mention, known: Mapping[Key, R]) -> list[tuple[R, float]]:
        """The referents that a mention may stand for with their chances, each once, in text order."""
        shares: dict[int, tuple[R, float]] = {}
        for key, chance in self._chances.get(mention.key, {}).items():
            meant = [(known[key], 1.0)] if key in known else self._open.get(key, [])
            for referent, share in meant:
                before = shares.get(id(referent), (referent, 0.0))[1]
                shares[id(referent)] = referent, before + chance * share
        return list(shares.values())

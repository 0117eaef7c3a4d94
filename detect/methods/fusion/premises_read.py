"""Which premises an entailment model reads a claim beside, in which order, and what is weighed of what it reads.

The nearest sentence comes first; where that entails the statement, nothing else is read. The passage is next; where
both tell alike, the sentence with its neighbour is not read, and where either clearly entails the statement, its triple
is not. What was not read counts as what it lies between, so that the weights see all premises. To read all four always
was rejected: of 610 claims of drafts and minimal pairs it gives one another outcome, for a quarter more pairs. A
contradiction beside the nearest sentence decides nothing: one in six is none beside the passage. Where the passage is
all of a short context, what the model reads beside it decides alone, and the pair is not read. What the context says in
the same words is supported whatever the model reads, so beside the nearest sentence nothing is. What none of them
tells is read at last beside the nearest sentences of the context, 300 words: what tells of a claim may stand apart, or
share no word with it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

PREMISES = ("nearest", "pair", "passage", "triple")
"""What is read: the statement beside each of the first three, and the triple beside the passage."""
WIDE = "wide"
"""What is read last: the statement beside many sentences. It is not weighed (detector.py)."""
DECIDED = 0.7
"""P(entailment) beside the nearest sentence from which on no other premise is read. A claim that no premise contradicts
so, nor entails by ALIKE, is read beside many sentences: one in twelve of drafts."""
ALIKE = 0.6
"""Least probability of one class beside the nearest sentence and the passage, so that both tell alike."""
ENTAILED = 0.8
"""P(entailment) of a statement from which on its triples are not read."""
_EXTREME, _LEAST = 4.0, 1e-4
"""Log odds beyond which a probability says no more, and the least probability that is told from none."""
_READ = (".entailment", ".contradiction")
WHOLE = "premise.whole"
"""The signal that tells whether a claim's passage is its whole context: 1, or 0."""


@dataclass(frozen=True, slots=True)
class Read:
    """Probabilities of a claim beside one premise; `contradicted` is None for a model of two classes."""

    entailed: float
    contradicted: float | None

    @property
    def neutral(self) -> float:
        """What is left."""
        return 1 - self.entailed - (self.contradicted or 0.0)

    @property
    def decides(self) -> bool:
        """Whether this premise alone entails the claim."""
        return self.entailed >= DECIDED

    def odds(self, probability: float | None) -> float | None:
        """Return the log odds of a class against neutral."""
        if probability is None:
            return None
        found = math.log(max(probability, _LEAST) / max(self.neutral, _LEAST))
        return max(-_EXTREME, min(_EXTREME, found))

    def alike(self, other: Read) -> bool:
        """Return whether both tell the same."""
        ours, theirs = ((one.entailed, one.neutral, one.contradicted or 0.0) for one in (self, other))
        return any(min(pair) >= ALIKE for pair in zip(ours, theirs, strict=True))

    def between(self, other: Read) -> Read:
        """Return the mean of both."""
        given = (self.contradicted, other.contradicted)
        contradicted = None if None in given else sum(one or 0.0 for one in given) / 2
        return Read((self.entailed + other.entailed) / 2, contradicted)


def next_premises(read: Mapping[str, Read], whole: bool) -> tuple[str, ...]:
    """Return what is to be read after what was; () where that is enough. `whole`: the passage is the context."""
    if not read:
        return ("nearest",)
    nearest = read["nearest"]
    if nearest.decides:
        return ()
    if "passage" not in read:
        return ("passage",)
    rest: tuple[str, ...] = ()
    if len(read) == len(("nearest", "passage")):
        alike = whole or nearest.alike(read["passage"])
        entailed = max(nearest.entailed, read["passage"].entailed) >= ENTAILED
        rest = (*(() if alike else ("pair",)), *(() if entailed else ("triple",)))
    told = any(one.entailed >= ALIKE or (one.contradicted or 0.0) >= DECIDED for one in read.values())
    return rest or (() if whole or told or WIDE in read else (WIDE,))


def features(signals: Mapping[str, float | None]) -> dict[str, float | None]:
    """The signals as they are weighed: what a model reads as log odds against neutral; others as they are.

    Two premises of the statement speak once more: `told`, which the model finds least neutral, and `best`, which it
    finds most entailing (the earlier of PREMISES on a tie). A claim is seldom decided by all premises alike.
    """
    found = {name: value for name, value in signals.items() if not name.endswith(_READ)}
    read = _supplied(reads(signals))
    said = [read[part] for part in PREMISES[:-1] if part in read]
    if said:
        read |= {"told": min(said, key=lambda one: one.neutral), "best": max(said, key=lambda one: one.entailed)}
    for part, one in read.items():
        found[f"{part}.entailment"] = one.odds(one.entailed)
        found[f"{part}.contradiction"] = one.odds(one.contradicted)
    return found


def reads(signals: Mapping[str, float | None]) -> dict[str, Read]:
    """Return what was read, by premise."""
    found = {part: (signals.get(f"{part}.entailment"), signals.get(f"{part}.contradiction")) for part in PREMISES}
    return {part: Read(entailed, other) for part, (entailed, other) in found.items() if entailed is not None}


def _supplied(read: dict[str, Read]) -> dict[str, Read]:
    """Return the same with what was not read: a passage that the nearest sentence stands for, the sentence with its
    neighbour between both, a triple as its statement.
    """
    if "nearest" not in read:
        return read
    passage = read.get("passage", read["nearest"])
    return {"passage": passage, "pair": read["nearest"].between(passage), "triple": passage} | read

"""Which earlier mentions a mention may stand for, and what grammar tells of each pair, as numbers for the model.

Every feature is a small whole number, looked up by the model in a table of its own for each kind of anaphor; nothing
here is a weight. Text enters the model beside them, as vectors of an encoder.

The chances that the model gives to a referent's mentions add up, and a pronoun hands on its own: "he" means Ann's
brother by way of another "he" as surely as that one does, so that a wrong choice is not believed the more the longer a
chain of pronouns is. Taking the likeliest mention instead was rejected: a name said three times would compete with
itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from claimgraph.detect.extraction.coreference.mentions import Form, Mention
from claimgraph.kgstore.model import Span

Ints = NDArray[np.int64]

KINDS = ("he", "she", "it", "they", "definite", "name")
"""Kinds of anaphor, by which thresholds are chosen and figures told apart."""
NEAREST = 50
"""Candidates of one anaphor: the last that agree with it."""
_FORMS = tuple(Form)
_ENTITIES = ("person", "group", "place", "thing", "any")
_ROLES = (
    "subject", "object", "oblique", "owner", "theme", "predicate", "apposition", "conjunct", "reflexive", "other",
)  # fmt: skip
_SENTENCES = np.array([1, 2, 3, 4, 5, 8, 13])
_MENTIONS = np.array([2, 3, 4, 5, 8, 16, 32])
_COUNTS = np.array([2, 3, 5])
SIZES = (
    len(_SENTENCES) + 2, len(_MENTIONS) + 2, len(_FORMS) + 1, len(_ENTITIES) + 1, len(_ROLES) + 1, 4, 3, 6,
    len(_COUNTS) + 2, 7, 3, 3, 3, len(_ROLES), 2, 2, 4,
)  # fmt: skip
"""How many values each feature has. The first 13 are of the pair, 0 for "none"; the last four of the anaphor."""
WIDTH = sum(SIZES)
_OFFSETS = np.concatenate([[0], np.cumsum(SIZES)[:-1]])
_OF_PAIR = 13


@dataclass(frozen=True, slots=True)
class MentionPairs:
    """Pairs of an anaphor and a candidate, both by their number among the mentions; anaphor = candidate is "none".

    The pairs of an anaphor are neighbours, "none" first and then by text order. `features`: shape (pairs, 17), rows of
    a table with `WIDTH` rows for each of `KINDS`.
    """

    anaphor: Ints
    candidate: Ints
    features: Ints


def kind(mention: Mention) -> str | None:
    """What kind of anaphor a mention may be; None where it is none."""
    if mention.form.pronoun:
        return str(mention.form)
    if mention.definite:
        return "definite"
    return "name" if mention.form is Form.NAME else None


def candidates(mentions: Sequence[Mention], number: int) -> list[int]:
    """The earlier mentions that the numbered one may stand for, in text order; none for what is no anaphor."""
    anaphor = mentions[number]
    if kind(anaphor) is None:
        return []
    found = [at for at in range(number) if _may(anaphor, mentions[at]) and not _describes(mentions[at], anaphor)]
    return found[-NEAREST:]


def _describes(other: Mention, anaphor: Mention) -> bool:
    """Whether a mention is an apposition of the anaphor, before it: "A painter, she lived in Rome"."""
    return other.role == "apposition" and other.above == anaphor.head


def _may(anaphor: Mention, other: Mention) -> bool:
    if anaphor.form.pronoun and other.form.pronoun:
        return anaphor.form == other.form
    if anaphor.form in {Form.HE, Form.SHE}:
        return other.human and not other.plural and other.gender in {None, anaphor.gender}
    if other.form in {Form.HE, Form.SHE} and anaphor.gender not in {None, other.gender}:
        return False
    if anaphor.form is Form.NAME:
        return other.form is Form.NAME and bool(_words(anaphor) & _words(other))
    return not (anaphor.form is Form.IT and other.form is Form.PAIR)


def pairs(mentions: Sequence[Mention], asked: Sequence[int]) -> MentionPairs:
    """The pairs of the asked mentions, which are in text order. Those without any candidate have no pair at all."""
    rows = [(number, found) for number in asked if (found := candidates(mentions, number))]
    anaphor = np.array([number for number, found in rows for _ in range(len(found) + 1)], np.int64)
    candidate = np.array([at for number, found in rows for at in (number, *found)], np.int64)
    return MentionPairs(anaphor, candidate, _features(mentions, anaphor, candidate))


def _features(mentions: Sequence[Mention], a: Ints, c: Ints) -> Ints:
    kinds = np.array([KINDS.index(kind(m) or "name") for m in mentions], np.int64)
    forms = np.array([_FORMS.index(m.form) for m in mentions], np.int64)
    roles = np.array([_ROLES.index(m.role) for m in mentions], np.int64)
    entities = np.array([_ENTITIES.index(m.entity) for m in mentions], np.int64)
    genders = np.array([{None: 0, "m": 1, "f": 2}[m.gender] for m in mentions], np.int64)
    plural, sentences = (np.array([getattr(m, name) for m in mentions], np.int64) for name in ("plural", "sentence"))
    counts = _counts(mentions)
    first = np.array([not at or mentions[at - 1].sentence != m.sentence for at, m in enumerate(mentions)], np.int64)
    clash = np.where((genders[a] == 0) | (genders[c] == 0), 0, np.where(genders[a] == genders[c], 1, 2))
    columns = [
        np.digitize(sentences[a] - sentences[c], _SENTENCES), np.digitize(a - c, _MENTIONS), forms[c], entities[c],
        roles[c], clash, (plural[a] == plural[c]).astype(np.int64), _strings(mentions, a, c),
        np.digitize(counts[c], _COUNTS), _relations(mentions, a, c), (roles[a] == roles[c]).astype(np.int64), first[c],
        (entities[a] == entities[c]).astype(np.int64),
    ]  # fmt: skip
    pair = (np.stack(columns, axis=1) + 1) * (a != c)[:, None]
    rivals = np.minimum(np.bincount(a, weights=(a != c) & (clash < 2), minlength=len(mentions))[a] // 4, 3)
    expletive = np.array([m.expletive for m in mentions], np.int64)
    near = (forms == _FORMS.index(Form.NEAR)).astype(np.int64)
    own = np.stack([roles[a], expletive[a], near[a], rivals.astype(np.int64)], axis=1)
    rows: Ints = np.concatenate([pair, own], axis=1) + _OFFSETS + kinds[a][:, None] * WIDTH
    return rows


def _counts(mentions: Sequence[Mention]) -> Ints:
    """How often what each mention is called was said up to there."""
    seen: dict[str, int] = {}
    found = []
    for mention in mentions:
        said = mention.name.casefold() if mention.form is Form.NAME else mention.lemma
        seen[said] = seen.get(said, 0) + 1
        found.append(seen[said])
    return np.array(found, np.int64)


def _strings(mentions: Sequence[Mention], a: Ints, c: Ints) -> Ints:
    """0 nothing shared, 1 a word, 2 the head, 3 the candidate ends with the anaphor, 4 the same; 0 for pronouns."""
    words = [_words(m) for m in mentions]
    names = [m.name.casefold() for m in mentions]
    found = np.zeros(len(a), np.int64)
    for row, (left, right) in enumerate(zip(a.tolist(), c.tolist(), strict=True)):
        if mentions[left].form.pronoun or mentions[right].form.pronoun or not words[left] & words[right]:
            continue
        same_head = mentions[left].lemma == mentions[right].lemma
        found[row] = 1 + same_head
        if words[left] == words[right]:
            found[row] = 4
        elif names[right].endswith(" " + names[left]):
            found[row] = 3
    return found


def _words(mention: Mention) -> frozenset[str]:
    said = mention.name.casefold().split()
    found = frozenset(word.strip(".,'’") for word in said if word not in {"the", "a", "an", "this", "that", "of"})
    return found | {mention.lemma} if mention.form is not Form.NAME else found


def _relations(mentions: Sequence[Mention], a: Ints, c: Ints) -> Ints:
    """0 none, 1 subject of the verb whose plain object the anaphor is, 2 subject of the anaphor's verb, 3 other of the
    same verb, 4 its parent, 5 around it."""
    column = {
        name: np.array([getattr(m, name) for m in mentions], np.int64) for name in ("verb", "above", "head", "start")
    }
    left, right = (np.array([m.within[side] for m in mentions], np.int64) for side in (0, 1))
    subject = np.array([m.role == "subject" for m in mentions], bool)
    plain = np.array([m.role in {"object", "oblique"} for m in mentions], bool)
    same = (column["verb"][a] == column["verb"][c]) & (column["verb"][a] >= 0)
    around = (left[c] <= column["start"][a]) & (column["start"][a] < right[c])
    conditions = [
        column["above"][a] == column["head"][c], around, same & subject[c] & plain[a], same & subject[c], same,
    ]  # fmt: skip
    return np.select(conditions, [4, 5, 1, 2, 3], 0).astype(np.int64)


Key = tuple[int, bool]
"""See Mention.key."""
R = TypeVar("R")
HANDED_ON = 0.001
"""The least chance of a referent that a pronoun hands on: along a chain of pronouns all referents of a long text would
else have one each.
"""


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

    def of(self, mention: Mention, known: Mapping[Key, R], may_be: Callable[[R], bool] = lambda _: True) -> R | None:
        """The likeliest referent of a mention if it is likely enough; see `shares`.

        Of equals it is the one that was spoken of first.
        """
        shares = self.shares(mention, known, may_be)
        if mention.form.pronoun:
            self._open[mention.key] = [share for share in shares if share[1] >= HANDED_ON]
        best = max(shares, key=lambda share: share[1], default=None)
        sure = best is not None and best[1] >= self._thresholds.get(kind(mention) or "", 1.0)
        return best[0] if best is not None and sure else None

    def shares(
        self, mention: Mention, known: Mapping[Key, R], may_be: Callable[[R], bool] = lambda _: True
    ) -> list[tuple[R, float]]:
        """The referents that a mention may stand for with their chances, each once, in text order.

        `known` are the referents of earlier mentions but pronouns; the chances of those that it cannot be (`may_be`)
        are divided among all others, "none" too.
        """
        shares: dict[int, tuple[R, float]] = {}
        for key, chance in self._chances.get(mention.key, {}).items():
            meant = [(known[key], 1.0)] if key in known else self._open.get(key, [])
            for referent, share in meant:
                before = shares.get(id(referent), (referent, 0.0))[1]
                shares[id(referent)] = referent, before + chance * share
        left = 1 - sum(share for referent, share in shares.values() if not may_be(referent))
        return [(referent, share / left) for referent, share in shares.values() if may_be(referent) and left > 0]

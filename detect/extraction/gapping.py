"""Clauses that leave out the verb of the clause before: "The body is of steel, the handle of bamboo".

What is left is a subject and a value, or a phrase, that stands in the place of one like it. Such a clause is said in
full with the words of the one before: "The handle is of bamboo". A parser takes it for an apposition, so it is found by
its words: it has no verb, and what it ends with has its like after the verb before.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from claimgraph.detect.extraction.atoms import Atom
from claimgraph.detect.extraction.clause_sentence import ClauseSentence, made
from claimgraph.detect.extraction.clauses import own_subject
from claimgraph.detect.text.syntax import is_verb, phrase, strip, verb_group
from claimgraph.detect.text.words import words

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

    from claimgraph.detect.text.parse import Paragraph

_OPENING = words("the a an one another others those that this these his her its their")
_CONTRASTING = words("one ones another other others first second third fourth last latter former rest")
_ALONE = words("one another other first second third fourth last latter former")
"""Words that stand for the noun of the clause before, if no noun follows."""
_ORDINALS = words("second third fourth")
_MODIFYING = words("only about some nearly almost just another around roughly over under up to more less than at least")
_PARTING = frozenset({",", ";"})
_JOINING = frozenset({"and", "while", "but"})
_FINITE = frozenset({"VBD", "VBZ", "VBP", "MD", "VB"})
_NOUNS = frozenset({"NN", "NNS", "NNP", "NNPS"})
_PLURAL = {"is": "are", "was": "were", "has": "have"}
_SINGULAR = {plural: single for single, plural in _PLURAL.items()}
_OBJECTS = frozenset({"dobj", "attr", "oprd", "ccomp", "xcomp"})
_PLACES = frozenset({"GPE", "LOC", "FAC"})
_UNITS = 2
"""Words after a number that say what it counts, at most."""


@dataclass(frozen=True, slots=True)
class Gap:
    """A clause without a verb: all its tokens, its subject, the tokens of its predicate in full, and the verb."""

    tokens: frozenset[Token]
    subject: tuple[Token, ...]
    predicate: tuple[Token, ...]
    verbs: tuple[Token, ...]


def gaps(sentence: Span) -> list[Gap]:
    """Return the gapped clauses of a sentence, in order; [] for most."""
    verb = sentence.root
    subject = own_subject(verb) if is_verb(verb) else None
    if subject is None or subject.i > verb.i or not any(t.text in _PARTING or t.lower_ == "and" for t in sentence):
        return []
    cuts = [t.i for t in sentence if t.i > verb.i and (t.text in _PARTING or t.lower_ in _JOINING)]
    stop = next(t.i for t in reversed(list(sentence)) if not (t.is_space or t.is_punct)) + 1
    ends = [*(cut for cut in cuts[1:] if cut < stop), stop]
    found: list[Gap] = []
    last = -1
    for cut in cuts:
        if cut < last:
            continue
        for end in (end for end in ends if end > cut + 1):
            gap = _gap(verb, subject, cuts[0], list(sentence.doc[cut + 1 : end]))
            if gap is not None:
                found.append(gap)
                last = end
                break
    return found


def gapped_clauses(
    part: Paragraph, found: Sequence[Gap], names: Mapping[int, str]
) -> Iterator[tuple[Atom, ClauseSentence]]:
    """Yield the fact of each gapped clause with the clause in full."""
    for gap in found:
        plain = {**names, **_agreeing(gap)}
        said = made(part, [*gap.subject, *gap.verbs, *gap.predicate], plain)
        preps = gap.predicate[:1] if gap.predicate[0].dep_ in {"prep", "agent"} else ()
        yield Atom(tuple(strip([*gap.subject])), (*gap.verbs, *preps), gap.predicate[len(preps) :]), said


def without(part: Paragraph, said: ClauseSentence, found: Sequence[Gap], names: Mapping[int, str]) -> ClauseSentence:
    """Return a clause without the gapped ones that the parser hung on it."""
    left_out = {token for gap in found for token in gap.tokens}
    kept = [token for token in said.tokens if token not in left_out]
    return said if len(kept) == len(said.tokens) else made(part, strip(kept), names)


def _gap(verb: Token, subject: Token, cut: int, segment: list[Token]) -> Gap | None:
    """Return the gapped clause that a segment of the sentence is; `cut` is where the clause with the verb ends."""
    own = [token for token in segment if token.lower_ not in _JOINING or token.i > segment[0].i]
    if len(own) < 2 or not _is_like(subject, own[0]) or any(token.tag_ in _FINITE for token in own):
        return None
    before = list(verb.doc[verb_group(verb)[-1].i + 1 : cut])
    if own[0].lower_ == "the" and own[1].lower_ in _ORDINALS and any(token.lower_ == "first" for token in before):
        return None  # "should have the first dose at birth and the second at six months"
    pair = _by_pair(verb, subject, own, before)
    parted = pair or _by_number(own, before) or _by_phrase(verb, subject, own, before)
    joined = any(token.lower_ in _JOINING for token in verb.doc[segment[0].i - 1 : own[0].i])
    if joined and parted and not pair and not any(token.lower_ in _CONTRASTING for token in parted[0]):
        parted = _by_number(own, before) if cut < segment[0].i - 1 else None
    if parted is None:
        return None
    said, rest = parted
    whole = frozenset(verb.doc[segment[0].i - 1 : segment[-1].i + 1])
    return Gap(whole, tuple(_with_noun(said, subject)), tuple(rest), tuple(verb_group(verb)))


def _with_noun(said: list[Token], noun: Token) -> list[Token]:
    """Return a subject with the noun of the clause before where it has none: "the second", "one in 2014", "the new
    ones"."""
    standing = {token for token in said[1:] if token.lower_ in {"one", "ones"}}
    if standing:
        return [noun if token in standing else token for token in said]
    at = next((i for i, token in enumerate(said) if token.lower_ in _ALONE), None)
    lacking = at is not None and not any(token.tag_ in _NOUNS for token in said[: at + 2])
    return [*said[: at + 1], noun, *said[at + 1 :]] if at is not None and lacking else said


def _is_like(subject: Token, first: Token) -> bool:
    """Return whether a subject may begin with a word, beside that of the clause before: "a" beside "a", a name beside
    a name."""
    opening = subject.doc[subject.left_edge.i]
    if first.lower_ in {"a", "an"}:
        return opening.lower_ in {"a", "an"}
    return first.lower_ in _OPENING or (first.tag_ == "NNP" and subject.tag_ == "NNP")


def _by_number(own: list[Token], before: list[Token]) -> tuple[list[Token], list[Token]] | None:
    """Return the subject of a clause that ends with a number, and what was said before with that number instead."""
    at = next((i for i in range(len(own) - 1, -1, -1) if own[i].tag_ == "CD"), 0)
    units = own[at + 1 :]
    old = next((i for i, token in enumerate(before) if token.tag_ == "CD"), None)
    if not at or old is None or len(units) > _UNITS or any(t.tag_ not in _NOUNS and t.text != "%" for t in units):
        return None
    start = _start(own, at)
    said = own[:start]
    numbered = start == at and said[-1].tag_ == "NNP" and own[0].tag_ != "NNP"  # "Room 12"
    if numbered or not _is_subject(said) or _is_date(own[at]) != _is_date(before[old]):
        return None
    first = _start(before, old)
    after = old + 1
    while after < len(before) and (before[after].tag_ == "CD" or (units and after <= old + len(units))):
        after += 1
    return said, [*before[:first], *own[start:], *before[after:]]


def _start(tokens: Sequence[Token], at: int) -> int:
    """Return where a number begins that has a token, with the words before it that modify it."""
    while at and tokens[at - 1].tag_ in {"CD", "$"} and tokens[at - 1].lower_ not in _CONTRASTING:
        at -= 1
    while at and tokens[at - 1].lower_ in _MODIFYING:
        at -= 1
    return at


def _is_date(token: Token) -> bool:
    return token.ent_type_ == "DATE" and token.shape_ == "dddd"


def _is_subject(said: list[Token]) -> bool:
    """Return whether tokens are a noun phrase: with as many commas before as after an aside, and no end in a word that
    goes on."""
    plain = strip(said)
    commas = sum(token.text == "," for token in said)
    ends = (
        bool(plain)
        and plain[-1] is said[-1 - (said[-1].text == ",")]
        and (plain[-1].tag_ in _NOUNS | {"CD"} or plain[-1].lower_ in _CONTRASTING)
    )
    nouns = any(token.tag_ in _NOUNS or token.lower_ in _CONTRASTING for token in plain)
    return ends and nouns and commas % 2 == 0


def _by_pair(
    verb: Token, subject: Token, own: list[Token], before: list[Token]
) -> tuple[list[Token], list[Token]] | None:
    """Return the subject of a clause that ends with a phrase that is the only one of its verb, and that phrase: a name
    beside a name in the same kind of place or time, "Ann was born in Oslo, Bob in Lund", or a number beside a number,
    "The library opens at nine and the museum at ten"."""
    said, rest = own[:-2], own[-2:]
    prep = next((c for c in verb.children if c in before[:1] and c.dep_ == "prep"), None)
    old = next((c for c in prep.children if c.dep_ == "pobj"), None) if prep is not None else None
    if prep is None or old is None or prep.lower_ != rest[0].lower_ or old != before[-1]:
        return None
    if not said or not _is_subject(said) or any(child.dep_ in _OBJECTS for child in verb.children):
        return None
    new, name = rest[-1], said[-1]
    numbers = {old.tag_, new.tag_} == {"CD"} and _is_date(old) == _is_date(new)
    placed = name.ent_type_ in _PLACES and subject.ent_type_ not in _PLACES
    names = {subject.tag_, name.tag_} == {"NNP"} and old.ent_type_ == new.ent_type_ != "" and not placed
    return (said, rest) if numbers or names else None


def _by_phrase(
    verb: Token, subject: Token, own: list[Token], before: list[Token]
) -> tuple[list[Token], list[Token]] | None:
    """Return the subject of a clause that ends with a phrase, and what was said before with that phrase instead."""
    preps = [child for child in verb.children if child.dep_ in {"prep", "agent"} and child in before]
    for prep in preps:
        at = next((i for i, token in enumerate(own) if i and token.lower_ == prep.lower_), 0)
        said, rest = own[:at], own[at:]
        old = next((child for child in prep.children if child.dep_ == "pobj"), None)
        if not at or old is None or len(rest) < 2 or not _is_subject(said) or not _alike(old, rest[-1]):
            continue
        contrasted = any(token.lower_ in _CONTRASTING for token in said)
        named = old.tag_ in {"NNP", "NNPS"} and old.tag_ != "NNPS" and said[-1].tag_ != "NNS"
        if contrasted or (not named and subject.tag_ in {"NN", "NNS"}):
            kept = {token.i for token in phrase(prep, loose=False)}
            return said, [*rest, *(t for t in before if t.i > prep.i and t.i not in kept)]
    return None


def _alike(old: Token, new: Token) -> bool:
    """Return whether two nouns can stand in each other's place: both names, both numbers, or both bare nouns."""
    kinds = [("name" if t.tag_ in {"NNP", "NNPS"} else "number" if t.tag_ == "CD" else "noun") for t in (old, new)]
    bare = not any(child.dep_ in {"det", "poss"} for t in (old, new) for child in t.children)
    return kinds[0] == kinds[1] and (kinds[0] != "noun" or bare)


def _agreeing(gap: Gap) -> dict[int, str]:
    """Return the finite verb of a gapped clause in its subject's number, by token number."""
    head = next((token for token in gap.subject if token.tag_ in _NOUNS), gap.subject[-1])
    verb = gap.verbs[0]
    plural = head.tag_ in {"NNS", "NNPS"} and gap.subject[0].lower_ not in {"one", "another"}
    changed = (_PLURAL if plural else _SINGULAR).get(verb.lower_)
    single = {head.i: head.lemma_} if head.tag_ == "NNS" and gap.subject[0].lower_ in {"one", "another"} else {}
    return single | ({verb.i: changed} if changed else {})

"""Clauses as atomic triples: one fact each, every date, place and quantity as an object of its own.

"He won two medals in Oslo in 1998" gives (He, won, two medals), (He, won two medals in, Oslo) and (He, won two medals
in, 1998): the binarisation of ReVerb and MinIE, which keeps each triple true by itself. Arguments are trimmed to what
names them; what is trimmed off is said by a triple of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from detect.clauses import Argument, Clause, Kind, Role, obliques
from detect.syntax import is_verb, phrase

if TYPE_CHECKING:
    from spacy.tokens import Token

Piece = "Token | str"
_PLACES = frozenset({"GPE", "LOC", "FAC", "DATE", "TIME"})
_SITUATING = frozenset({"in", "at", "on", "near", "from"})
_OPEN = frozenset({"if", "whether", "unless", "though", "lest"})


@dataclass(frozen=True, slots=True)
class Atom:
    """A triple as words of the text; strings among the predicate's pieces are supplied, not written.

    An intransitive verb stands as object with `lemma` as its name: (The man, did, resign).
    """

    subject: tuple[Token, ...]
    predicate: tuple[Token | str, ...]
    object: tuple[Token, ...]
    lemma: str | None = None


def atoms(clause: Clause) -> Iterator[Atom]:
    """The facts of one clause, direct objects first, then what situates them."""
    if clause.verb is None:
        yield from _nominal(clause)
        return
    if not _asserted(clause.verb):
        return
    subject = tuple(_subject(clause))
    predicate = _predicate(clause)
    direct = [a for a in clause.arguments if a.role in {Role.OBJECT, Role.COMPLEMENT, Role.CLAUSE}]
    around = [a for a in clause.arguments if a.role in {Role.OBLIQUE, Role.ADVERBIAL}]
    for argument in direct:
        yield from _direct(clause, subject, predicate, argument)
    if direct:
        predicate = (*predicate, *_extent(clause, direct))
    for argument in around:
        yield from _around(clause, subject, predicate, argument)
    if not direct and not any(_names(a) for a in around):
        yield from _bare(clause, subject)


def core(head: Token, clause: Clause | None = None) -> tuple[Token, ...]:
    """The words that name a noun: no relative clause, no aside, of its prepositions only "of" and those that bind."""
    dropped = [c for c in head.subtree if c != head and _trimmed(c)]
    if clause is not None and clause.verb is not None:
        dropped.append(clause.verb)
    return tuple(phrase(head, dropped))


def _trimmed(token: Token) -> bool:
    if token.dep_ in {"relcl", "appos"}:
        return True
    if token.dep_ == "acl":
        return token.tag_ in {"VBN", "VBG"} and token.i > token.head.i
    return token.dep_ == "prep" and situates(token)


def situates(prep: Token) -> bool:
    """Whether the preposition only says where or when: "the event at the Games", "a gold in 1998"."""
    nouns = [child for child in prep.children if child.dep_ == "pobj"]
    return prep.lower_ in _SITUATING and bool(nouns) and nouns[0].ent_type_ in _PLACES


def _asserted(verb: Token) -> bool:
    """Whether the text puts the clause forward: not what comes after "if", nor an infinitive of its own subject."""
    if any(child.dep_ == "mark" and child.lower_ in _OPEN for child in verb.children):
        return False
    infinitive = any(child.tag_ == "TO" for child in verb.children)
    return not (infinitive and verb.dep_ in {"ccomp", "xcomp", "acl", "relcl", "csubj"})


def _subject(clause: Clause) -> tuple[Token, ...]:
    head = clause.subject
    return core(head, clause) if head.ent_type_ else tuple(phrase(head, [clause.verb] if clause.verb else []))


def _predicate(clause: Clause) -> tuple[Token | str, ...]:
    return (_be(clause.verb), *clause.predicate) if clause.supplied else clause.predicate


def _be(verb: Token | None) -> str:
    """ "is" or "was", after the tense of the clause around a reduced one."""
    while verb is not None and verb.head != verb:
        verb = verb.head
        if verb.tag_ in {"VBZ", "VBP"}:
            return "is"
    return "was" if verb is None or verb.tag_ in {"VBD", "VBN"} else "is"


def _direct(
    clause: Clause, subject: tuple[Token, ...], predicate: tuple[Token | str, ...], argument: Argument
) -> Iterator[Atom]:
    head = argument.head
    if argument.role is Role.CLAUSE:
        mark = [c for c in head.children if c.dep_ == "mark"]
        yield Atom(subject, (*predicate, *mark), tuple(phrase(head, mark, loose=True)))
        return
    bound = list(_bound(clause, head))
    defining = [a for a in bound if argument.role is Role.COMPLEMENT and _defines(a)]
    if not defining:
        yield Atom(subject, predicate, _without(core(head, clause), bound))
    for inner in bound:
        yield Atom(subject, (*predicate, *_without(core(head, clause), bound), *inner.marker), core(inner.head))


def _bound(clause: Clause, head: Token) -> Iterator[Argument]:
    """Prepositional arguments of an object or complement that get a triple each."""
    for child in head.children:
        if child.dep_ == "prep" and (child.lower_ != "of" or (clause.kind is Kind.COPULA and _named(child))):
            yield from (a for a in obliques(child) if not is_verb(a.head))


def _named(prep: Token) -> bool:
    return any(child.dep_ == "pobj" and child.ent_type_ for child in prep.children)


def _defines(argument: Argument) -> bool:
    return argument.marker[0].lower_ in {"of", "for", "to"}


def _without(tokens: tuple[Token, ...], bound: list[Argument]) -> tuple[Token, ...]:
    gone = {token for argument in bound for token in argument.marker[0].subtree}
    return tuple(token for token in tokens if token not in gone)


def _extent(clause: Clause, direct: list[Argument]) -> tuple[Token, ...]:
    """The objects as part of the predicate of what situates them; a clause is left out."""
    heads = [a.head for a in direct if a.role is not Role.CLAUSE]
    return tuple(token for head in heads[:1] for token in _without(core(head, clause), list(_bound(clause, head))))


def _around(
    clause: Clause, subject: tuple[Token, ...], predicate: tuple[Token | str, ...], argument: Argument
) -> Iterator[Atom]:
    head = argument.head
    if is_verb(head) and argument.role is Role.OBLIQUE:
        yield Atom(subject, (*predicate, *argument.marker), tuple(phrase(head, loose=True)))
    elif _names(argument):
        yield Atom(subject, (*predicate, *argument.marker), core(head))


def _names(argument: Argument) -> bool:
    """Whether an adverbial says a time, measure or place rather than a manner."""
    return argument.role is Role.OBLIQUE or argument.head.dep_ == "npadvmod" or len(list(argument.head.subtree)) > 1


def _bare(clause: Clause, subject: tuple[Token, ...]) -> Iterator[Atom]:
    verb = clause.verb
    assert verb is not None
    words = list(clause.predicate)
    helpers = [t for t in words if t.dep_ in {"aux", "auxpass", "neg"} and t.i < verb.i]
    if helpers:
        yield Atom(
            subject, tuple(t for t in words if t.i <= helpers[-1].i), tuple(t for t in words if t.i > helpers[-1].i)
        )
    elif verb.lemma_ != "be" and verb.tag_ in {"VBD", "VBZ", "VBP"}:
        did = {"VBD": "did", "VBZ": "does", "VBP": "do"}[verb.tag_]
        particles = [t for t in words if t.dep_ == "prt"]
        yield Atom(subject, (did,), (verb, *particles), " ".join([verb.lemma_, *(t.text for t in particles)]))


def _nominal(clause: Clause) -> Iterator[Atom]:
    head = clause.arguments[0].head
    if clause.kind is Kind.APPOSITION:
        yield from _direct(clause, core(clause.subject), (_be(clause.subject),), clause.arguments[0])

"""Clauses as atomic triples: one fact each, every date, place and quantity as an object of its own.

"He won two medals in Oslo in 1998" gives (He, won, two medals), (He, won two medals in, Oslo) and (He, won two medals
in, 1998): the binarisation of ReVerb and MinIE, which keeps each triple true by itself. Arguments are trimmed to what
names them; what is trimmed off is said by a triple of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import TYPE_CHECKING

from claimgraph.detect.extraction.assertion import SEQUENCE, follows_clause, tells
from claimgraph.detect.extraction.clauses import Argument, Clause, ClauseKind, Role, is_existential, obliques
from claimgraph.detect.text.syntax import (
    SUBJECTS,
    after_comma,
    is_alternative,
    is_verb,
    phrase,
    strip,
    with_auxiliaries,
)
from claimgraph.detect.text.verbs import SAID

if TYPE_CHECKING:
    from spacy.tokens import Token

Words = tuple["Token", ...]
Pieces = tuple["Token | str", ...]

PLACES = frozenset({"GPE", "LOC", "FAC"})
_WHERE_WHEN = PLACES | {"DATE", "TIME", "EVENT"}
_OBJECT = frozenset({"pobj", "dobj", "attr"})
"""Relations of an owner that is named for what it owns: "a church, St Olaf's"."""
_NAMING = frozenset({"name", "call"})
"""Verbs of a clause on a noun that says what it is called, by which it is known: "a daughter named Ann"."""
_SITUATING = frozenset({"in", "at", "on", "near"})
_LONG = 12
_EXAMPLES = frozenset({"including", "like"})
_LINKING = frozenset({"also", "then", "thus", "therefore", "however", "too", "moreover", "meanwhile", "instead"})


@dataclass(frozen=True, slots=True)
class Atom:
    """A triple as words of the text; strings among the predicate's pieces are supplied, not written.

    `lemma` names the object where it is not to be read as written: (The man, did, resign).
    """

    subject: Words
    predicate: Pieces
    object: Words
    lemma: str | None = None


def atoms(clause: Clause) -> Iterator[Atom]:
    """The facts of a verb's clause: what it is done to first, then what situates it."""
    verb = clause.verb
    if verb is None:
        return
    subject = _subject(clause)
    predicate = _predicate(clause)
    arguments = [replace(a, head=_identified(a.head)) if a.head == verb.head else a for a in clause.arguments]
    direct = [a for a in arguments if a.role in {Role.OBJECT, Role.COMPLEMENT, Role.CLAUSE}]
    around = [a for a in arguments if _situates(a)]
    if verb.lemma_ in SAID and any(a.role is Role.CLAUSE for a in direct):
        yield from _report(subject, predicate, direct)
        return
    extent = _extent(direct, clause.kind is ClauseKind.COPULA, verb)
    called = _called(direct, predicate)
    if called:
        direct, predicate = called
        extent = core(direct[0].head)
    for argument in direct:
        if argument.head.dep_ == "xcomp":
            yield Atom(subject, (*predicate, *extent), tuple(phrase(argument.head)))
            continue
        yield from describe(subject, predicate, argument, clause.kind is ClauseKind.COPULA, verb)
    there = tuple(child for child in verb.children if child.dep_ == "expl") if verb.tag_ == "VBN" else ()
    for argument in around:
        for words in _objects(argument):
            if is_existential(verb) and there:
                yield Atom(there, (*predicate, *subject, *_marker(argument)), words)
                continue
            yield Atom(subject, (*predicate, *extent, *_marker(argument)), words)
    if not direct and not around:
        yield from _alone(clause, subject, predicate)


def _report(subject: Words, predicate: Pieces, direct: list[Argument]) -> Iterator[Atom]:
    """What somebody says as one fact, with whom it is said to: nothing is checked of "the board said on Monday"."""
    told = tuple(token for a in direct if a.role is not Role.CLAUSE for token in core(a.head))
    for argument in (a for a in direct if a.role is Role.CLAUSE):
        mark = [child for child in argument.head.children if child.dep_ == "mark"]
        yield Atom(subject, (*predicate, *told, *mark), tuple(phrase(argument.head, mark, loose=True)))


def _called(direct: list[Argument], predicate: Pieces) -> tuple[list[Argument], Pieces] | None:
    """The object as part of the predicate of what it is called: (The mayor, called the closure, a mistake); None where
    it is called nothing.
    """
    complements = [a for a in direct if a.head.dep_ == "oprd"]
    objects = [a for a in direct if a.role is Role.OBJECT]
    if not complements or not objects:
        return None
    return complements, (*predicate, *(token for a in objects for token in core(a.head)))


def _identified(noun: Token) -> Token:
    """The name a noun is said to be: "Oslo is the place where he died", "The language she spoke is Breton"."""
    if noun.head.lemma_ != "be" or noun.dep_ not in {"attr", "nsubj"}:
        return noun
    other = "nsubj" if noun.dep_ == "attr" else "attr"
    return next((child for child in noun.head.children if child.dep_ == other and child.tag_ == "NNP"), noun)


def describe(subject: Words, predicate: Pieces, argument: Argument, defining: bool, verb: Token) -> Iterator[Atom]:
    """A direct argument, and each prepositional phrase on it as a triple of its own.

    With `defining`, a noun with "of" and a name belongs to the predicate: (Paris, is the capital of, France).
    """
    head = argument.head
    if argument.role is Role.CLAUSE:
        mark = [child for child in head.children if child.dep_ == "mark"]
        yield Atom(subject, (*predicate, *mark), tuple(phrase(head, mark, loose=True)))
        return
    if is_alternative(head):
        yield Atom(subject, predicate, tuple(phrase(head, loose=True)))
        return
    bound = _bound(head, defining)
    named = _none(head, _without(core(head, verb), bound))
    if not any(a.marker[0].lower_ in {"of", "for", "to"} for a in bound if argument.role is Role.COMPLEMENT):
        yield from (Atom(subject, predicate, words) for words in [named, *map(core, examples(head))])
    for inner in bound:
        yield Atom(subject, (*predicate, *named, *inner.marker), core(inner.head))


def _none(head: Token, words: Words) -> Words:
    """The words with the "no" that they share: "no meat or dairy" is no meat, and no dairy."""
    first = head.head if head.dep_ == "conj" else head
    no = [child for child in first.children if child.dep_ == "det" and child.lower_ == "no"]
    return (*no, *words) if first != head and words else words


def core(head: Token, verb: Token | None = None) -> Words:
    """The words that name a noun: no aside, no phrase that only says where or when, no clause but one that tells which
    of many it is."""
    dropped = [
        t
        for t in head.subtree
        if t != head and (_trimmed(t) or (t.dep_ == "case" and t.head == head and head.dep_ not in _OBJECT))
    ]
    return _restricted(head, phrase(head, [*dropped, verb] if verb is not None else dropped), verb)


def _restricted(head: Token, words: list[Token], verb: Token | None) -> Words:
    """The words of a noun with the relative clauses that make it another one: "anyone who lives there"."""
    kept = [child for child in head.children if child.dep_ == "relcl" and child != verb and _restricts(child)]
    return tuple(sorted({*words, *(token for child in kept for token in child.subtree)}, key=lambda token: token.i))


def _restricts(clause: Token) -> bool:
    """Whether a clause on a noun tells which is meant and is no statement of its own: "the best time to visit"."""
    return not after_comma(clause) and (not tells(clause) or any(child.tag_ == "TO" for child in clause.children))


def being(token: Token, of: Token) -> str:
    """The form of "be" for what `of` names, in the tense of the clause around the token."""
    finite = {"VBZ", "VBP", "VBD", "MD"}
    around = (t for a in (token, *token.ancestors) for t in (a, *a.children) if t is a or t.dep_ in {"aux", "auxpass"})
    verb = next((t for t in around if t.tag_ in finite), None)
    present = verb is None or verb.tag_ != "VBD"
    plural = (of.tag_ in {"NNS", "NNPS"} and of.ent_type_ != "PERSON") or of.lower_ in {"they", "we", "you"}
    own = verb is not None and of.dep_ in SUBJECTS and of.head in {verb, verb.head}
    plural = plural and not (own and verb is not None and verb.lower_ in {"is", "was", "has"})
    return ("are" if plural else "is") if present else ("were" if plural else "was")


def _trimmed(token: Token) -> bool:
    if token.dep_ == "acl":
        told = token.tag_ in {"VBN", "VBG"} and token.i > token.head.i and tells(token)
        return told and not (token.lemma_ in _NAMING and token.i == token.head.i + 1)
    if is_example(token):
        return True
    return situates(token) or token.dep_ == "appos" or (token.dep_ == "relcl" and not _restricts(token))


def situates(prep: Token) -> bool:
    """Whether a preposition only says where or when: "the event at the Games", "a gold in 1998"; not in "a petition for
    opening on Sundays"."""
    if prep.dep_ != "prep" or prep.lower_ not in _SITUATING or prep.head.tag_ == "VBG":
        return False
    return any(child.dep_ == "pobj" and child.ent_type_ in _WHERE_WHEN for child in prep.children)


def _subject(clause: Clause) -> Words:
    if clause.subject.ent_type_:
        return tuple(takewhile(lambda t: t.text != "(", core(clause.subject, clause.verb)))
    said = phrase(clause.subject, [clause.verb] if clause.verb is not None else [])
    words = _restricted(clause.subject, said, clause.verb)
    return words if len(words) <= _LONG else _without(core(clause.subject, clause.verb), _bound(clause.subject, False))


def _predicate(clause: Clause) -> Pieces:
    """The verb group without linking adverbs; a participle gets the auxiliary it was written without."""
    verb = clause.verb
    said = with_auxiliaries(verb, clause.predicate) if verb is not None else clause.predicate
    words = tuple(t for t in said if t.lower_ not in _LINKING)
    alone = verb is not None and verb.tag_ == "VBG" and words == (verb,) and verb.dep_ == "xcomp"
    if verb is None or not words or (clause.kind is not ClauseKind.REDUCED and not alone):
        return words
    if follows_clause(verb):
        return words
    be = being(verb, clause.subject)
    if words[0].lower_ == "having":
        return ({"is": "has", "are": "have"}.get(be, "had"), *words[1:])
    if words[0].lower_ == "being" and len(words) > 1:
        return (be, *words[1:])
    if verb.tag_ not in {"VBN", "VBG"} or any(t.dep_ in {"aux", "auxpass"} for t in words):
        return words
    past = any(a.head.ent_type_ == "DATE" for a in clause.arguments) if verb.tag_ == "VBN" else verb.dep_ == "pcomp"
    return ({"is": "was", "are": "were"}.get(be, be) if past else be, *words)


def _situates(argument: Argument) -> bool:
    """Whether an argument says a time, place, measure or partner: not a manner, nor what is said as a clause."""
    head = argument.head
    if argument.role is Role.ADVERBIAL:
        return head.dep_ == "npadvmod" or any(child.dep_ != "punct" for child in head.children)
    if argument.role is not Role.OBLIQUE:
        return False
    first = argument.marker[0].lower_ if argument.marker else ""
    return first != "including" and not (is_verb(head) and first in SEQUENCE)


def _marker(argument: Argument) -> Pieces:
    """The preposition; for what "where" stands for, the one it leaves out."""
    if argument.marker or argument.role is not Role.OBLIQUE:
        return argument.marker
    return ("in",) if argument.head.ent_type_ in PLACES else ("at",)


def _objects(argument: Argument) -> list[Words]:
    """The argument in words, and each of the examples it gives."""
    if is_verb(argument.head):
        return [tuple(phrase(argument.head, loose=True))]
    if is_alternative(argument.head) or (argument.marker and argument.marker[-1].lower_ == "between"):
        return [tuple(phrase(argument.head, loose=True))]
    return [core(argument.head), *map(core, examples(argument.head))]


def examples(head: Token) -> list[Token]:
    """What a noun names after "including", "such as" or "like"; what a measure includes is no example of it."""
    if any(child.dep_ == "nummod" for child in head.children):
        return []
    found = [inner for token in head.subtree if is_example(token) for inner in obliques(token)]
    return [argument.head for argument in found]


def is_example(prep: Token) -> bool:
    """Whether a preposition introduces examples of the noun before it."""
    such = prep.lower_ == "as" and any(child.lower_ == "such" for child in prep.children)
    return prep.dep_ == "prep" and (such or prep.lower_ in _EXAMPLES) and not is_verb(prep.head)


def _bound(head: Token, defining: bool) -> list[Argument]:
    """Prepositional phrases on a noun that get a triple each: "of" only where it defines by a name."""
    found: list[Argument] = []
    for child in head.children:
        named = any(c.dep_ == "pobj" and c.ent_type_ for c in child.children)
        if child.dep_ == "prep" and not is_example(child) and (child.lower_ != "of" or (defining and named)):
            found.extend(a for a in obliques(child) if not is_verb(a.head))
        elif child.dep_ == "prep" and defining:
            found.extend(a for a in _named_below(child) if not is_verb(a.head))
    return found


def _named_below(prep: Token) -> Iterator[Argument]:
    """Names one noun further down: "head of research at the Met Office"."""
    for noun in prep.children:
        for inner in noun.children:
            if inner.dep_ == "prep" and any(c.dep_ == "pobj" and c.ent_type_ for c in inner.children):
                yield from obliques(inner)


def _without(tokens: Words, bound: list[Argument]) -> Words:
    gone = {token for argument in bound for token in argument.marker[0].subtree}
    return tuple(strip([token for token in tokens if token not in gone]))


def _extent(direct: list[Argument], defining: bool, verb: Token) -> Words:
    """The first object as part of the predicate of what situates it; a clause is left out."""
    heads = [a.head for a in direct if a.role is not Role.CLAUSE][:1]
    if heads and is_alternative(heads[0]):
        return tuple(phrase(heads[0], loose=True))
    return tuple(token for head in heads for token in _without(core(head, verb), _bound(head, defining)))


def _alone(clause: Clause, subject: Words, predicate: Pieces) -> Iterator[Atom]:
    """An intransitive verb: its auxiliary as predicate, else a form of "do"."""
    verb = clause.verb
    words = [piece for piece in predicate if not isinstance(piece, str)]
    helpers = [t for t in words if t.dep_ in {"aux", "auxpass", "neg"}]
    if verb is not None and is_existential(verb):
        there = tuple(child for child in verb.children if child.dep_ == "expl")
        yield Atom(there, predicate, subject)
    if verb is None or verb not in words or verb.lemma_ == "be":
        return
    if helpers:
        last = helpers[-1].i
        yield Atom(subject, tuple(t for t in words if t.i <= last), tuple(t for t in words if t.i > last))
    elif verb.tag_ in {"VBD", "VBZ", "VBP"}:
        did = {"VBD": "did", "VBZ": "does", "VBP": "do"}[verb.tag_]
        rest = [t.text for t in words if t.i > verb.i]
        yield Atom(subject, (did,), tuple(t for t in words if t.i >= verb.i), " ".join([verb.lemma_, *rest]))

"""What a sentence asserts: clauses with subject, predicate and arguments, read off its dependency tree.

One analysis serves two renderings: atomic claims (extract.py) and the n-ary tuples that open extraction is scored on
(tuples.py). After ClausIE (Del Corro and Gemulla 2013) clause types follow from the arguments a verb has; reduced
clauses, appositions, possessives and titles are read as clauses with a supplied verb, as in MinIE (Gashteovski et al.
2017). A trained tagger was rejected here: it needs weights that no package carries.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from claimgraph.detect.text.syntax import (
    OBJECTS,
    RELATIVE,
    SUBJECTS,
    after_comma,
    conjuncts,
    is_alternative,
    is_order,
    is_verb,
    names_other,
    semicolon,
    verb_group,
)
from claimgraph.detect.text.verbs import MOVING
from claimgraph.detect.text.words import is_person_noun, words

if TYPE_CHECKING:
    from spacy.tokens import Span, Token


_CALLINGS = ("ist", "ician", "woman", "person")
"""Ends of nouns that say what somebody is, and of no first name."""
_MEASURES = frozenset({"PERCENT", "MONEY", "QUANTITY"})
_PLACES = words(
    "borough capital city country county district hamlet home island municipality parish port province region republic "
    "resort seat settlement state suburb town village"
)
_HAPPENINGS = frozenset({"step", "move", "decision", "measure", "change", "development", "fact", "result"})
"""Nouns that tell of the clause before them, not of the noun: "It shut its plant, a step that cost jobs"."""
_SPANNED = frozenset({"DATE", "TIME", "CARDINAL", "MONEY", "PERCENT", "QUANTITY"})


class ClauseKind(StrEnum):
    """How a clause is written."""

    VERB = "verb"
    REDUCED = "reduced"
    COPULA = "copula"
    APPOSITION = "apposition"
    POSSESSIVE = "possessive"
    TITLE = "title"


class Role(StrEnum):
    """What an argument is to its verb."""

    OBJECT = "object"
    COMPLEMENT = "complement"
    OBLIQUE = "oblique"
    ADVERBIAL = "adverbial"
    CLAUSE = "clause"
    ADJUNCT_CLAUSE = "adjunct clause"


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument by its head word; `marker` holds the prepositions before it."""

    role: Role
    head: Token
    marker: tuple[Token, ...] = ()


@dataclass(frozen=True, slots=True)
class Clause:
    """One subject, one predicate, its arguments in text order. `supplied` is the verb where none is written."""

    kind: ClauseKind
    subject: Token
    predicate: tuple[Token, ...]
    arguments: tuple[Argument, ...]
    supplied: str = ""
    verb: Token | None = None


def clauses(sentence: Span) -> Iterator[Clause]:
    """All clauses of a sentence, by the position of their predicate or first noun."""
    for token in sentence:
        if is_verb(token) and token.dep_ not in {"aux", "auxpass", "amod", "compound", "nmod"}:
            yield from _verbal(token)
        else:
            yield from _nominal(token)


def _verbal(verb: Token) -> Iterator[Clause]:
    if is_order(verb) and any(child.lower_ == "please" for child in verb.children):
        return
    if verb.dep_ == "xcomp" and not own_subject(verb) and _absorbs(verb.head):
        return
    predicate, arguments = _predicate(verb)
    reduced = (not own_subject(verb) and verb.dep_ in {"acl", "advcl"}) or verb.dep_ == "pcomp"
    heads = subjects(verb)
    for subject in heads:
        filled = tuple(a for a in arguments if a.head not in heads) + _gap(verb, subject)
        kind = ClauseKind.REDUCED if reduced else ClauseKind.COPULA if verb.lemma_ == "be" else ClauseKind.VERB
        passive = verb.tag_ == "VBN" and not any(c.dep_ in {"aux", "auxpass"} for c in verb.children)
        supplied = "be" if reduced and passive else ""
        yield Clause(kind, subject, tuple(predicate), filled, supplied, verb)


def subjects(verb: Token) -> list[Token]:
    """Heads of the verb's subjects: its own, shared through coordination, control, or the noun a clause modifies."""
    own = own_subject(verb)
    if is_existential(verb):
        return [head for child in verb.children if child.dep_ in {"attr", "nsubj"} for head in conjuncts(child)]
    if own is not None:
        if own.lower_ in RELATIVE and verb.dep_ == "relcl":
            return _antecedents(verb)
        return conjuncts(own)
    if verb.dep_ == "conj" and is_verb(verb.head):
        return subjects(verb.head)
    if verb.dep_ in {"acl", "relcl"}:
        return _antecedents(verb)
    if verb.dep_ in {"xcomp", "ccomp"} and is_verb(verb.head):
        objects = [child for child in verb.head.children if child.dep_ == "dobj"]
        return objects if objects and verb.head.lemma_ in MOVING else subjects(verb.head)
    if verb.dep_ == "advcl" and is_verb(verb.head):
        return subjects(verb.head)
    if verb.dep_ == "pcomp" and is_verb(verb.head.head):
        return subjects(verb.head.head)
    return []


def is_existential(verb: Token) -> bool:
    """Whether the verb says "there is"."""
    return any(child.dep_ == "expl" and child.lower_ == "there" for child in verb.children)


def own_subject(verb: Token) -> Token | None:
    """Its subject, which some parses hang on its auxiliary."""
    holders = [verb, *(child for child in verb.children if child.dep_ in {"aux", "auxpass"})]
    return next((child for holder in holders for child in holder.children if child.dep_ in SUBJECTS), None)


def _antecedents(verb: Token) -> list[Token]:
    """The noun a relative or reduced clause modifies; for a predicate noun, what it is said of."""
    noun = verb.head
    if is_verb(noun):
        return []
    if noun.dep_ == "attr" and is_verb(noun.head) and not told_anew(noun, verb):
        return subjects(noun.head) or [noun]
    if (other := named_by(noun)) != noun:
        return [noun] if noun.lemma_ in _HAPPENINGS else [other]
    joint = joint_antecedent(verb)
    return conjuncts(joint) if joint is not None else [noun]


def named_by(noun: Token) -> Token:
    """The noun that an apposition tells of; the apposition itself where it is the name of that, stands after a colon,
    or was hung on a verb."""
    other = noun.head
    if noun.dep_ != "appos" or names_other(noun) or is_verb(other):
        return noun
    return noun if any(t.text == ":" for t in noun.doc[other.i : noun.left_edge.i]) else other


def joint_antecedent(verb: Token) -> Token | None:
    """The first of several nouns that a relative clause in the plural tells of, as it hangs on the last one: "Ann and
    Bob, who grow herbs"; None for other clauses."""
    noun, finite = verb.head, [t for t in (verb, *verb.children) if t is verb or t.dep_ in {"aux", "auxpass"}]
    plural = any(t.tag_ == "VBP" or t.lower_ == "were" for t in finite)
    if verb.dep_ != "relcl" or noun.dep_ != "conj" or noun.tag_ not in {"NN", "NNP"} or not plural:
        return None
    first = noun.head
    while first.dep_ == "conj":
        first = first.head
    return None if is_verb(first) else first


def is_cleft(clause: Token) -> bool:
    """Whether a relative clause tells what "it was" somebody or something that did: "It was Ann who found it"."""
    noun = clause.head.head if clause.head.dep_ == "appos" else clause.head
    own = own_subject(noun.head) if noun.dep_ == "attr" else None
    return clause.dep_ == "relcl" and own is not None and own.lower_ == "it" and not after_comma(noun)


def told_anew(noun: Token, clause: Token) -> bool:
    """Whether a relative clause tells of a predicate noun, not of the common noun or clause that it identifies: "The
    cause was a cable, which took weeks to repair"."""
    own = own_subject(noun.head)
    if own is not None and (own.dep_ == "csubj" or is_cleft(clause)):
        return True
    common = own is not None and own.tag_ in {"NN", "NNS"} and not own.ent_type_
    return common and noun.tag_ in {"NN", "NNS"} and clause.dep_ == "relcl" and after_comma(clause)


def _absorbs(head: Token) -> bool:
    """Whether "tries to woo" is one predicate: the outer verb has no object of its own."""
    return not any(child.dep_ in {"dobj", "dative"} for child in head.children)


def _predicate(verb: Token) -> tuple[list[Token], list[Argument]]:
    """The verb group, drawing in a controlled infinitive, with the arguments of both."""
    group = verb_group(verb)
    arguments = list(_arguments(verb))
    if not _absorbs(verb):
        return group, sorted(arguments, key=lambda a: a.head.i)
    for child in verb.children:
        holder = child
        if child.dep_ == "acomp":
            inside = [*child.children, *verb.children]
            holder = next((c for c in inside if c.dep_ == "xcomp" and not own_subject(c)), child)
        if holder.dep_ == "xcomp" and is_verb(holder) and not own_subject(holder):
            inner, more = _predicate(holder)
            between = [child] if holder != child else []
            arguments = [a for a in arguments if a.head not in {child, holder}]
            return group + between + inner, sorted(arguments + more, key=lambda a: a.head.i)
    return group, sorted(arguments, key=lambda a: a.head.i)


def _arguments(verb: Token) -> Iterator[Argument]:
    group = set(verb_group(verb))
    for child in verb.children:
        if child in group or measures_mark(child):
            continue
        if child.dep_ in OBJECTS and not (child.dep_ == "dative" and child.tag_ == "IN"):
            role = Role.OBJECT if child.dep_ in {"dobj", "dative"} else Role.COMPLEMENT
            if child.lower_ not in RELATIVE:
                yield from (Argument(role, head) for head in ([child] if is_alternative(child) else conjuncts(child)))
        elif child.dep_ in {"prep", "agent", "dative"}:
            yield from () if _begun(child) is not None else obliques(child)
        elif (child.dep_ == "npadvmod" and child.tag_ != "CD") or (
            child.dep_ == "advmod" and child.tag_ not in {"WRB"}
        ):
            yield Argument(Role.ADVERBIAL, child)
        elif child.dep_ in {"ccomp", "xcomp"} and not semicolon(child, verb):
            yield Argument(Role.CLAUSE, child)
        elif child.dep_ == "advcl":
            yield Argument(Role.ADJUNCT_CLAUSE, child)


def obliques(prep: Token, before: tuple[Token, ...] = ()) -> Iterator[Argument]:
    """The nouns and gerunds a preposition governs, "out of" and "from behind" taken as one marker."""
    marker = (*before, *_either(prep))
    end = _end(prep)
    if end is not None:
        yield from obliques(end, tuple(prep.doc[prep.i : end.i]))
        return
    for child in prep.children:
        if child.dep_ == "pobj" and child.lower_ not in RELATIVE:
            heads = [child] if prep.lower_ == "between" or is_alternative(child) else conjuncts(child)
            yield from (Argument(Role.OBLIQUE, head, marker) for head in heads)
        elif child.dep_ == "pcomp":
            yield Argument(Role.OBLIQUE, child, marker)
        elif child.dep_ == "prep":
            yield from obliques(child, () if _governs(prep) else marker)
        elif child.dep_ == "conj" and child.tag_ == "IN" and child.nbor(-1).lower_ != "not":
            yield from obliques(child)


def measures_mark(token: Token) -> bool:
    """Whether a noun says how long before or after its clause another is: "two days after she left"."""
    marks = (child for child in token.head.children if child.dep_ == "mark" or child.tag_ == "WRB")
    return token.dep_ == "npadvmod" and any(mark.i > token.i for mark in marks)


def _end(prep: Token) -> Token | None:
    """The "to" of a span of time or numbers that begins with "from": "from April to October" is one argument."""
    value = next((child for child in prep.children if child.dep_ == "pobj"), None)
    if prep.lower_ != "from" or value is None or value.ent_type_ not in _SPANNED:
        return None
    found = [t for t in (*prep.children, *prep.head.children) if t.dep_ == "prep" and t.i == value.right_edge.i + 1]
    inner = [c for c in value.children if c.dep_ == "prep" and c.i > value.i]
    return next((t for t in [*found, *inner] if t.lower_ in {"to", "until", "till"}), None)


def _begun(prep: Token) -> Token | None:
    """The "from" whose end a preposition gives."""
    return next((c for c in prep.head.children if c.dep_ == "prep" and c.i < prep.i and _end(c) == prep), None)


def _either(prep: Token) -> tuple[Token, ...]:
    """A preposition with the one before it that "or" joins it to, and "instead" before "of"."""
    first = prep.head
    joined = prep.dep_ == "conj" and not _governs(first) and any(c.lower_ == "or" for c in first.children)
    instead = prep.lower_ == "of" and prep.i > 0 and prep.nbor(-1).lower_ == "instead"
    if instead:
        return (prep.nbor(-1), prep)
    return tuple(first.doc[first.i : prep.i + 1]) if joined else (prep,)


def _governs(prep: Token) -> bool:
    return any(child.dep_ in {"pobj", "pcomp"} for child in prep.children)


def _gap(verb: Token, subject: Token) -> tuple[Argument, ...]:
    """The noun a relative clause leaves out as its object: "the book that she wrote"."""
    if verb.dep_ != "relcl" or subject == verb.head:
        return ()
    own = own_subject(verb)
    if own is not None and own.left_edge.i and own.doc[own.left_edge.i - 1].text == ",":
        return ()
    if own is None or own.lower_ in RELATIVE or any(child.tag_ == "WP$" for child in own.children):
        return ()
    for child in verb.children:
        if child.dep_ == "dobj" and child.lower_ in RELATIVE:
            return (Argument(Role.OBJECT, verb.head),)
        if child.dep_ == "prep" and any(c.lower_ in RELATIVE for c in child.children):
            return (Argument(Role.OBLIQUE, verb.head, (child,)),)
        if child.dep_ == "advmod" and child.lower_ == "where":
            return (Argument(Role.OBLIQUE, verb.head),)
    titled = verb.head.dep_ == "ROOT" and verb.head.i + 1 == own.left_edge.i
    if not titled and not any(c.dep_ in OBJECTS | {"ccomp", "xcomp"} or c.tag_ == "WRB" for c in verb.children):
        return (Argument(Role.OBJECT, verb.head),)
    return ()


def _nominal(noun: Token) -> Iterator[Clause]:
    for child in noun.children:
        if child.dep_ == "appos" and not tells_of_more(child) and not any(t.tag_ == "WRB" for t in child.subtree):
            for head in conjuncts(child):
                yield Clause(ClauseKind.APPOSITION, noun, (), (Argument(Role.COMPLEMENT, head),), "be")
        elif child.dep_ == "poss":
            for owner in conjuncts(child):
                yield Clause(ClauseKind.POSSESSIVE, owner, (), (Argument(Role.OBJECT, noun),), "has")
        elif child.dep_ in {"compound", "nmod"} and names_title(child):
            yield Clause(ClauseKind.TITLE, noun, (), (Argument(Role.COMPLEMENT, child),), "be")


def tells_of_more(noun: Token) -> bool:
    """Whether an apposition, as a measure or one to a date or place, tells of what stands before that: "closed on
    Mondays, a step he defended", "its plant in Aalst, a former brewery"."""
    other = noun.head
    if noun.ent_type_ in _MEASURES and other.ent_type_ != noun.ent_type_:
        return True  # "the larger part of the company, 58 per cent"
    if not after_comma(noun) or noun.ent_type_ or not any(child.lower_ in {"a", "an"} for child in noun.children):
        return False
    inside = other.ent_type_ in {"GPE", "LOC"} and other.dep_ == "pobj" and other.head.head.tag_.startswith("NN")
    return other.ent_type_ == "DATE" or (inside and noun.lemma_ not in _PLACES)


def names_title(word: Token) -> bool:
    """Whether the word before a person's name says what the person is: "President Bush", "striker Ann Lee"."""
    person = word.head
    return (
        person.ent_type_ == "PERSON"
        and not word.ent_type_
        and (word.tag_ in {"NN", "NNS"} or is_person_noun(word.lower_) or word.lower_.endswith(_CALLINGS))
        and word.i < person.i
        and not word.text.endswith(".")
        and not any(child.tag_ == "WRB" for child in person.children)
        and not any(child.dep_ == "compound" and child.i > word.i and not child.ent_type_ for child in person.children)
    )

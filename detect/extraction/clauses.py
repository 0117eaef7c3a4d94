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
    CLAUSES,
    OBJECTS,
    RELATIVE,
    SUBJECTS,
    after_comma,
    alternative,
    conjuncts,
    gapped,
    is_verb,
    names_other,
    semicolon,
    verb_group,
    voice_unclear,
)
from claimgraph.detect.text.verbs import EFFECTS, MOVING, PREPOSITIONAL, SAID

if TYPE_CHECKING:
    from spacy.tokens import Span, Token


OPEN = frozenset({"if", "whether", "unless", "lest", "than"})
"""Words after which nothing is put forward."""
_WHEN = frozenset({"when", "once", "until", "till", "before", "after", "as", "while", "whenever"})
_WHENEVER = frozenset({"when", "whenever", "once", "until", "till"})
SEQUENCE = frozenset({"after", "before", "since", "upon", "on", "when", "while"})


_ARTICLES = frozenset({"a", "an", "the", "this", "that", "these", "those"})


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
        return conjuncts(own) if own.dep_ in {"nsubj", "nsubjpass"} else []
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


def _happens(verb: Token) -> bool:
    """Whether its subject does what a verb says: it is no passive, and nothing that only can or shall be done."""
    return not any(child.dep_ == "auxpass" for child in verb.children) and not _is_ahead(verb)


def _is_ahead(verb: Token) -> bool:
    """Whether a verb has a modal auxiliary or is an infinitive, also by way of the verb that it depends on."""
    if any(child.tag_ in {"MD", "TO"} for child in verb.children if child.dep_ == "aux"):
        return True
    return verb.tag_ == "VB" and verb.dep_ in {"xcomp", "ccomp", "conj"} and is_verb(verb.head) and _is_ahead(verb.head)


def follows_clause(verb: Token) -> bool:
    """Whether a participle follows another clause on a noun that has no verb: the parser took a verb of the past for
    it, as in "The line, which was shut, reopened"."""
    alone = verb.dep_ == "acl" and verb.head.dep_ == "ROOT" and not is_verb(verb.head)
    return alone and any(other.dep_ in {"relcl", "acl"} and other.i < verb.i for other in verb.head.children)


def asserted(verb: Token) -> bool:
    """Whether the text puts a clause forward: it is not under a condition or question, no infinitive under a noun or
    verb, not somebody's words ("X said that"), and does not tell which of many things a noun means."""
    if gapped(verb) or _is_elliptic(verb) or _looks_ahead(verb) or _hangs_loose(verb) or _is_denied(verb):
        return False
    if verb.dep_ == "conj" and is_verb(verb.head):
        if own_subject(verb) is None:
            return asserted(verb.head) and not alternative(verb) and not voice_unclear(verb)
        if quoted(verb) and verb.head.lemma_ in SAID and not quoted(verb.head):
            return False
    if verb.dep_ == "pcomp" and (verb.head.lower_ not in SEQUENCE | {"by"} or not _happens(verb.head.head)):
        return False
    if verb.dep_ == "advcl" and verb.tag_ == "VBG" and verb.lemma_ in PREPOSITIONAL and own_subject(verb) is None:
        return False
    if (verb.i and verb.nbor(-1).lower_ == "than") or _lost_verb(verb):
        return False
    if any(child.dep_ == "conj" and is_verb(child) and alternative(child) for child in verb.children):
        return False
    bare = verb.tag_ == "VB" and not any(child.dep_ in {"aux", "auxpass"} for child in verb.children)
    infinitive = bare or any(child.tag_ == "TO" for child in verb.children)
    if infinitive and verb.dep_ in {"ccomp", "xcomp", "acl", "relcl", "csubj", "advcl", "pcomp"}:
        return False
    if verb.dep_ in {"relcl", "acl"} and not tells(verb):
        return False
    return not any(_open(token) for token in (verb, *verb.ancestors) if is_verb(token))


def _lost_verb(verb: Token) -> bool:
    """Whether a verb was taken for that of a clause of time whose noun is the subject of the sentence: "Pain after the
    run was milder"."""
    marked = any(c.dep_ == "mark" and c.lower_ in _WHEN for c in verb.children)
    return (
        verb.dep_ == "advcl" and marked and verb.head.dep_ == "ROOT" and verb.head.i < verb.i and not is_verb(verb.head)
    )


def _is_elliptic(verb: Token) -> bool:
    """Whether a verb stands for one that was said before: "and it did"."""
    return verb.lemma_ == "do" and not any(c.dep_ in OBJECTS | CLAUSES | {"prep", "xcomp"} for c in verb.children)


def _looks_ahead(verb: Token) -> bool:
    """Whether a clause tells when something will or may be, or is each time: "it will employ 600 people when it reaches
    capacity", "it is done when a skewer comes out clean"."""
    opening = {child.lower_ for child in verb.children if child.dep_ in {"advmod", "mark"}} & _WHEN
    if verb.dep_ != "advcl" or not opening:
        return False
    present = any(t.tag_ in {"VBZ", "VBP"} and (t is verb or t.dep_ == "auxpass") for t in (verb, *verb.children))
    return verb.head.tag_ == "MD" or _is_ahead(verb.head) or (present and bool(opening & _WHENEVER))


def _hangs_loose(verb: Token) -> bool:
    """Whether a participle at the end of a clause may belong to its subject or to a noun after the verb: "the library
    holds 40,000 books, opened in 2018"."""
    late = verb.dep_ == "advcl" and verb.tag_ == "VBN" and verb.i > verb.head.i and own_subject(verb) is None
    marked = any(child.dep_ == "mark" or child.tag_ == "WRB" for child in verb.children)
    return late and not marked and any(t.tag_.startswith("NN") for t in verb.doc[verb.head.i : verb.i])


def _is_denied(verb: Token) -> bool:
    """Whether a clause is what somebody did not see, say or mean, or has done by others: "he never saw it finished",
    "have it checked"."""
    if verb.dep_ == "ccomp" and verb.tag_ in {"VBN", "VBD"} and verb.head.lemma_ in {"have", "get"}:
        return True
    return verb.dep_ == "ccomp" and verb.i > verb.head.i and any(c.dep_ == "neg" for c in verb.head.children)


def quoted(token: Token) -> bool:
    """Whether a token stands between quotation marks of its sentence."""
    return sum(other.text in {'"', "“", "”"} for other in token.doc[token.sent.start : token.i]) % 2 == 1


def _open(verb: Token) -> bool:
    """Whether a clause is a condition, an indirect question, or what somebody says."""
    first = min((child.i for child in verb.children if child.dep_ != "punct"), default=verb.i)
    for child in verb.children:
        if child.dep_ == "mark" and child.lower_ in OPEN:
            return True
        if verb.dep_ == "advcl" and child.dep_ in {"aux", "auxpass"} and child.i == first and own_subject(verb):
            return True
    if verb.dep_ not in {"ccomp", "pcomp"}:
        return False
    asks = any(
        token.tag_ in {"WRB", "WP", "WDT"} and token.i < verb.i
        for child in verb.children
        for token in (child, *child.children)
    )
    parted = semicolon(verb, verb.head) or semicolon(verb.head, verb)
    judged = verb.head.tag_ == "JJ" or (verb.head.lemma_ == "be" and any(c.dep_ == "acomp" for c in verb.head.children))
    return asks or (verb.dep_ == "ccomp" and not parted and (judged or verb.head.lemma_ in SAID))


def stands_alone(verb: Token) -> bool:
    """Whether a relative clause only adds to a noun that is known without it, and there is no doubt which noun.

    A clause without a comma tells which thing is meant ("the only town in which rents fell"): it is no statement of its
    own, and without it the sentence is another one.
    """
    noun, subject = verb.head, own_subject(verb)
    if verb.dep_ != "relcl" or is_verb(noun) or subject is None:
        return False
    if not after_comma(verb) and not (noun.ent_type_ and noun.tag_ in {"NNP", "NNPS"}):
        return False
    begins = subject.lower_ in RELATIVE or any(child.tag_ == "WP$" for child in subject.children)
    return begins and not _doubtful(verb, noun)


def _doubtful(verb: Token, noun: Token) -> bool:
    """Whether the clause may speak of another noun, as in "a dam at the southern end, which raised the water", or of a
    part of it: "of which 51 are open"."""
    subject = own_subject(verb)
    if any(t.lower_ in RELATIVE and t.i < verb.i and t.head.lower_ == "of" for t in verb.subtree):
        return True
    if subject is not None and subject.lower_ in RELATIVE and verb.tag_ == "VBZ" and noun.tag_ == "NNS":
        return True
    where = any(t.lower_ == "where" and t.i < verb.i for t in verb.children)
    if noun.dep_ != "pobj" or where:
        return False
    if subject is not None and subject.lower_ == "which" and verb.lemma_ in EFFECTS and is_verb(noun.head.head):
        return True
    other = noun.head.head
    if other.tag_ == "NNS" and noun.tag_ in {"NN", "NNP"} and (verb.tag_ == "VBZ" or _is_singular(verb)):
        return False
    if noun.ent_type_ and noun.tag_ == "NNP" and (noun.head.lower_ != "of" or noun.ent_type_ == "PERSON"):
        return False
    return other.tag_.startswith("NN") or any(t.dep_ in {"dobj", "attr"} and t.i < noun.i for t in other.children)


def _is_singular(verb: Token) -> bool:
    """Whether an auxiliary of a verb is singular."""
    return any(child.dep_ in {"aux", "auxpass"} and child.lower_ in {"is", "was", "has"} for child in verb.children)


def tells(verb: Token) -> bool:
    """Whether a clause on a noun tells something of it; without a comma only of what is one thing: "the study published
    in May", not "all orders placed in May" or "no sign that it moved"."""
    noun = verb.head
    if verb.dep_ == "acl" and _may_be_of_other(verb, noun):
        return False
    if verb.dep_ == "acl" and noun.lemma_ != "fact" and any(child.lower_ == "that" for child in verb.children):
        return False
    if is_verb(noun) or after_comma(verb):
        return not is_verb(noun) and (verb.dep_ == "acl" or not _doubtful(verb, noun))
    if noun.ent_type_ or noun.dep_ == "attr" or noun.tag_ in {"NNP", "NNPS"}:
        return True
    known = any(c.dep_ == "compound" and c.tag_ == "NNP" for c in noun.children) or any(
        c.lower_ in _ARTICLES or c.dep_ in {"poss", "nummod"} for c in noun.children
    )
    governor = next((a for a in noun.ancestors if is_verb(a)), None)
    return known and not (governor is not None and any(c.dep_ == "neg" for c in governor.children))


def _may_be_of_other(verb: Token, noun: Token) -> bool:
    """Whether a participle may belong to a noun further out, "a book on bees, written in prison", or is the verb of a
    sentence about who says the rest, taken for an apposition: "Rents will fall, the council announced"."""
    if noun.dep_ == "appos":
        return any(is_verb(t) and t not in noun.head.subtree for t in noun.doc[noun.head.i : noun.left_edge.i])
    common = noun.tag_ in {"NN", "NNS"} and noun.dep_ == "pobj" and noun.head.lower_ != "of"
    return common and after_comma(verb) and noun.head.head.tag_.startswith("NN")


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
    if noun.dep_ == "appos" and not names_other(noun):
        return [noun.head]
    return [noun]


def told_anew(noun: Token, clause: Token) -> bool:
    """Whether a relative clause tells of a predicate noun, not of the common noun that it identifies: "The cause was a
    cable, which took weeks to repair"."""
    own = own_subject(noun.head)
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
        if child in group:
            continue
        if child.dep_ in OBJECTS and not (child.dep_ == "dative" and child.tag_ == "IN"):
            role = Role.OBJECT if child.dep_ in {"dobj", "dative"} else Role.COMPLEMENT
            if child.lower_ not in RELATIVE:
                for head in conjuncts(child):
                    yield Argument(role, head)
        elif child.dep_ in {"prep", "agent", "dative"}:
            yield from obliques(child)
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
    for child in prep.children:
        if child.dep_ == "pobj" and child.lower_ not in RELATIVE:
            heads = [child] if prep.lower_ == "between" else conjuncts(child)
            yield from (Argument(Role.OBLIQUE, head, marker) for head in heads)
        elif child.dep_ == "pcomp":
            yield Argument(Role.OBLIQUE, child, marker)
        elif child.dep_ == "prep":
            yield from obliques(child, () if _governs(prep) else marker)
        elif child.dep_ == "conj" and child.tag_ == "IN" and child.nbor(-1).lower_ != "not":
            yield from obliques(child)


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
        if child.dep_ == "appos":
            for head in conjuncts(child):
                yield Clause(ClauseKind.APPOSITION, noun, (), (Argument(Role.COMPLEMENT, head),), "be")
        elif child.dep_ == "poss":
            for owner in conjuncts(child):
                yield Clause(ClauseKind.POSSESSIVE, owner, (), (Argument(Role.OBJECT, noun),), "has")
        elif child.dep_ in {"compound", "nmod"} and names_title(child):
            yield Clause(ClauseKind.TITLE, noun, (), (Argument(Role.COMPLEMENT, child),), "be")


def names_title(word: Token) -> bool:
    """Whether the word before a person's name says what the person is: "President Bush", "striker Ann Lee"."""
    person = word.head
    return (
        person.ent_type_ == "PERSON"
        and not word.ent_type_
        and word.tag_.startswith("NN")
        and word.i < person.i
        and not word.text.endswith(".")
        and not any(child.tag_ == "WRB" for child in person.children)
        and not any(child.dep_ == "compound" and child.i > word.i and not child.ent_type_ for child in person.children)
    )

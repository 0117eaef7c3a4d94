"""Facts that nouns state without a verb of their own: appositions, titles, places, possession, years of life."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from claimgraph.detect.extraction.atoms import PLACES, Atom, Words, being, core, describe, situates
from claimgraph.detect.extraction.clauses import Argument, Clause, ClauseKind, Role, obliques
from claimgraph.detect.text.syntax import SUBJECTS, after_comma, conjuncts, is_full, is_verb, strip
from claimgraph.detect.text.words import is_person_noun, names_person, words

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

_DASHES = frozenset({"–", "-", "—", "--", "to", "until"})
_ADDRESS = words("mr mrs ms miss mx dr sir dame lord lady justice madam dear rev hon cllr saint st")
"""Words before a name that say how to address a person, not what the person is."""
_SINGULAR = {"are": "is", "were": "was"}
_COUNTS = frozenset({"", "CARDINAL", "ORDINAL", "QUANTITY", "PERCENT", "MONEY", "DATE", "TIME"})
_UNDER = frozenset({"pobj", "conj", "nsubj", "nsubjpass"})
_SETTLEMENTS = words("town city village port district county province state kingdom island isle lake month year")
"""Nouns that "of" joins with their own name: "the town of Bresk"."""
_LOCATIVE = words("above at below beside in near")
_MODALS = words("might may can could will would shall should must")
_YEAR = re.compile(r"\d{3,4}")
_MONTH = re.compile(r"(?:Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec)[a-z]*\.?")


def nominal_atoms(clause: Clause) -> Iterator[Atom]:
    """The facts of an apposition, title or possessive. A possessive by itself states nothing worth checking, nor does a
    sign beside a name ("# Atmosphere").
    """
    yield from (atom for atom in _nominal_atoms(clause) if atom.subject and atom.object)


def _nominal_atoms(clause: Clause) -> Iterator[Atom]:
    noun, head = clause.subject, clause.arguments[0].head
    if clause.kind is ClauseKind.APPOSITION:
        yield from _apposition(noun, head)
    elif clause.kind is ClauseKind.TITLE:
        name = [t for e in noun.sent.ents if e.start <= noun.i < e.end for t in e]
        title = [t for t in noun.doc[noun.left_edge.i : head.i + 1] if t not in name and t.tag_ != "DT"]
        plain = {t.lower_.rstrip(".") for t in title} - _ADDRESS
        if name and head in title and plain and not _is_headless(noun) and _is_title(head, title, noun, name):
            be = being(noun, noun)
            several = any(t.dep_ == "cc" for t in name)
            yield Atom(tuple(name), (be if several else _SINGULAR.get(be, be),), tuple(strip(title)))


def _is_title(head: Token, title: Sequence[Token], noun: Token, name: Sequence[Token]) -> bool:
    """Whether words before a person's whole name say what the person is: no first name, "Fergus" before "O'Brien", no
    several persons, "councillors", and no end of another noun, "secretary of the army Ann Lee"."""
    inner = noun.dep_ == "compound" and noun.head not in name
    if head.tag_ in {"NNS", "NNPS"} or inner or any(t.dep_ == "cc" for t in title):
        return False
    first = noun.doc[noun.left_edge.i]
    own = first.tag_ in {"DT", "PRP$"} and not (first.i and first.nbor(-1).lower_ == "of")
    return names_person(head.lower_) or (head.tag_ == "NN" and own)


def _apposition(noun: Token, head: Token) -> Iterator[Atom]:
    if _are_two(noun, head) or head.lower_ in _MODALS:
        return
    if head.i < noun.i:
        yield from describe(core(noun), (being(noun, noun),), Argument(Role.COMPLEMENT, head), True, noun.head)
    elif head.ent_type_ in PLACES and noun.ent_type_ in PLACES | {"ORG"}:
        yield Atom(core(noun), ("is", "in"), core(head))
    elif head.tag_ == "NNP" and head.left_edge.i <= noun.i + 2 and possessed(noun):
        yield from _relation(noun, head, "had" if being(noun, noun) == "was" else "has")
    elif _names_kind(noun, head):
        yield Atom(core(head), (being(noun, noun),), core(noun))
    elif not after_comma(head):
        if noun.tag_ == "NN" and not noun.ent_type_ and head.tag_ == "NNP" and noun.i + 1 == head.left_edge.i:
            kind = tuple(t for t in core(noun) if t.dep_ != "det")
            yield Atom(core(head), (being(noun, noun),), kind)
    elif head.tag_.startswith("NN") and not _is_aside(noun, head) and describes(head) and not _asks(noun, head):
        named = _nearest(noun, head)
        be = being(noun, named)
        be = _SINGULAR.get(be, be) if any(child.lower_ in {"a", "an"} for child in head.children) else be
        yield from describe(core(named), (be,), Argument(Role.COMPLEMENT, head), True, head.head)


def _are_two(noun: Token, head: Token) -> bool:
    """Whether two nouns side by side are of two things: several and one, a place and a list, "found in Sweden, a cup
    and a pot", or a person, "a farm above Hoi An, the only girl", two persons, or a thing and a person with a first
    name, "a van seen by a baker, Tom Reed"."""
    listed = len(conjuncts(head)) > 1
    where = noun.dep_ == "pobj" and noun.head.lower_ in _LOCATIVE and noun.tag_ == "NNP" and noun.ent_type_ != "PERSON"
    if where and names_person(head.lower_):
        return True
    if (noun.tag_ == "NNS" and head.tag_ == "NNP" and not listed) or (
        noun.ent_type_ in PLACES and listed and not head.ent_type_
    ):
        return True
    person = head.ent_type_ == "PERSON" and any(c.dep_ == "compound" and c.ent_type_ == "PERSON" for c in head.children)
    between = any(is_verb(t) for t in noun.doc[noun.i + 1 : head.left_edge.i])
    thing = between and not noun.ent_type_ and not names_person(noun.lower_)
    name = noun.tag_ in {"NNP", "NNPS"} and noun.ent_type_ in PLACES | {"PERSON", "ORG"}
    if name and head.ent_type_ in {"ORG", "FAC"} and listed:
        return True
    return person and head.i > noun.i and (name or thing)


def _names_kind(noun: Token, head: Token) -> bool:
    """Whether a name says which one of a kind is meant: "a species of moss, Riccia fluitans,"."""
    indefinite = any(child.lower_ in {"a", "an"} for child in noun.children)
    named = head.tag_ == "NNP" or head.ent_type_ in {"PERSON", "ORG", "GPE"}
    outer = noun.head.head.children if noun.dep_ == "pobj" else ()  # "a version with a crank, the Weseo 3"
    doubtful = any(child.lower_ in {"a", "an"} for child in outer)
    return (
        after_comma(head) and indefinite and not doubtful and named and noun.tag_ == "NN" and not _is_aside(noun, head)
    )


def _asks(*nouns: Token) -> bool:
    """Whether a noun has "when" or "which" on it: no noun phrase, but a clause that the parser misread."""
    return any(child.tag_ in {"WRB", "WDT"} for noun in nouns for child in noun.children)


def describes(head: Token) -> bool:
    """Whether there is no doubt what an apposition tells of: a name, a subject, or a name's owner; not the object in
    "saw the game, the lowest attendance of the season"."""
    noun = head.head
    if any(is_verb(t) and t not in noun.subtree for t in noun.doc[noun.i : head.left_edge.i]) or _is_headless(head):
        return False
    named = noun.ent_type_ not in _COUNTS or noun.tag_ in {"NNP", "NNPS"} or bool(head.ent_type_) or head.tag_ == "NNP"
    return named or noun.dep_ in SUBJECTS


def _is_headless(token: Token) -> bool:
    """Whether a full sentence seems to have no verb of its own: the parser took it for a noun."""
    sentence = token.sent
    verbs = any(is_verb(t) for t in sentence)
    return verbs and not is_verb(sentence.root) and is_full(sentence)


def _nearest(noun: Token, head: Token) -> Token:
    """What an apposition describes: "the director of Givenchy, a French house" says what Givenchy is."""
    before = [t for t in noun.subtree if t.i < head.left_edge.i and not t.is_punct]
    last = before[-1] if before else noun
    person = is_person_noun(head.lemma_)
    fits = last.ent_type_ in {"PERSON", "ORG", "GPE"} and (last.ent_type_ == "PERSON") == person
    return last if fits and not noun.ent_type_ and last.dep_ == "pobj" else noun


def _is_aside(noun: Token, head: Token) -> bool:
    """A date, letters in brackets as in "(VFL)", or two bare names side by side, which may be anything."""
    before = head.doc[head.left_edge.i - 1].text if head.left_edge.i else ""
    bare = noun.tag_ == head.tag_ == "NNP" and not any(
        c.dep_ in {"det", "prep"} for t in (noun, head) for c in t.children
    )
    bare_noun = before == "(" and head.tag_ == "NN" and not any(t.is_alpha for t in head.children)
    unsaid = before == "(" and (not noun.ent_type_ or bare_noun) and not any(c.dep_ == "det" for c in head.children)
    return head.ent_type_ in {"DATE", "TIME", "CARDINAL"} or (before == "(" and head.text.isupper()) or bare or unsaid


def possession(clause: Clause) -> Iterator[Atom]:
    """ "France's capital is Paris", "The capital of France is Paris": (France, has capital, Paris); so too for "One of
    France's languages is Breton"."""
    verb, subject = clause.verb, clause.subject
    if subject.lemma_ in _SETTLEMENTS:
        return
    plain = (
        verb is not None and len(clause.predicate) == 1 and clause.kind is ClauseKind.COPULA and subject.dep_ == "nsubj"
    )
    noun = _one_of(subject) or subject
    values = [a.head for a in clause.arguments if a.role is Role.COMPLEMENT and _is_value(a.head, noun)]
    if plain and verb is not None and possessed(noun):
        for value in values:
            yield from _relation(noun, value, "had" if verb.tag_ == "VBD" else "has")


def between(clause: Clause) -> Iterator[Atom]:
    """ "There are ties between France and Peru": (France, has ties with, Peru)."""
    verb, noun = clause.verb, clause.subject
    if verb is None or not any(child.dep_ == "expl" and child.lower_ == "there" for child in verb.children):
        return
    for prep in (child for child in noun.children if child.lower_ == "between"):
        pair = [one for child in prep.children if child.dep_ == "pobj" for one in conjuncts(child)]
        if len(pair) == 2 and all(one.tag_ == "NNP" for one in pair):
            has = "had" if verb.tag_ == "VBD" else "has"
            yield Atom(core(pair[0]), (has, *core(noun, prep), "with"), core(pair[1]))


def _one_of(token: Token) -> Token | None:
    """What "one" is one of."""
    of = [child for child in token.children if child.dep_ == "prep" and child.lower_ == "of"]
    found = (c for prep in of for c in prep.children if c.dep_ == "pobj")
    return next(found, None) if token.lower_ == "one" else None


def _is_value(head: Token, noun: Token) -> bool:
    """A name or number, or a bare noun: "was poetry". "His father was king" says what the father was, not who."""
    bare = not any(child.lower_ in {"a", "an"} for child in head.children)
    noun_like = head.tag_.startswith("NN") or is_person_noun(head.lemma_)
    return bool(head.ent_type_) or (bare and noun_like and not is_person_noun(noun.lemma_))


def possessed(noun: Token) -> Token | None:
    """The named owner of a common noun: "France's capital", "the capital of France", "the cause of her death"."""
    if noun.ent_type_ or not noun.tag_.startswith("NN"):
        return None
    for child in noun.children:
        if child.dep_ == "poss" and (child.ent_type_ or child.tag_ in {"PRP$", "NNP", "NNPS"}):
            return child
        if child.dep_ == "prep" and child.lower_ == "of":
            return next((c if c.ent_type_ else possessed(c) for c in child.children if c.dep_ == "pobj"), None)
    return None


def _relation(noun: Token, value: Token, has: str) -> Iterator[Atom]:
    owner = possessed(noun)
    if owner is None:
        return
    holder = owner if owner.dep_ == "poss" else owner.head
    through = [t for t in owner.ancestors if t.head == noun and t != holder]
    asides = {t for child in noun.children if child.dep_ == "prep" and child not in through for t in child.subtree}
    words = tuple(t for t in core(noun, holder) if t.tag_ not in {"DT", "POS"} and t not in asides)
    for one in conjuncts(owner):
        yield Atom(tuple(t for t in core(one) if t.tag_ != "POS"), (has, *words), core(value))


def situations(sentence: Span) -> Iterator[Atom]:
    """ "the Observatory in Washington": where a named thing is, unless a verb says it."""
    for prep in sentence:
        named = prep.head.tag_ in {"NNP", "NNPS"} and prep.head.ent_type_ not in _COUNTS - {""}
        if situates(prep) and named and prep.head.dep_ in _UNDER:
            for argument in (a for a in obliques(prep) if a.head.ent_type_ in PLACES):
                yield Atom(core(prep.head), ("is", *argument.marker), core(argument.head))


def lives(sentence: Span) -> Iterator[Atom]:
    """ "Ross Alger (August 20, 1920 – January 16, 1992)": when a person was born and died."""
    for entity in sentence.ents:
        if entity.label_ == "PERSON" and entity.end + 2 < sentence.end and entity.doc[entity.end].text == "(":
            for verb, date in zip(("born", "died"), _dates(entity), strict=False):
                when = "on" if len([t for t in date if not t.is_punct]) > 2 else "in"
                yield Atom(tuple(entity), (("was born" if verb == "born" else verb) + f" {when}",), date)


def _dates(entity: Span) -> list[Words]:
    """The two dates in the brackets after a name; none where anything else stands there."""
    inside = []
    for token in entity.sent.doc[entity.end + 1 : entity.sent.end]:
        if token.text == ")":
            break
        inside.append(token)
    cuts = [i for i, token in enumerate(inside) if token.text in _DASHES]
    if len(cuts) != 1:
        return []
    parts = [tuple(inside[: cuts[0]]), tuple(inside[cuts[0] + 1 :])]
    return parts if all(map(_is_date, parts)) else []


def _is_date(tokens: Words) -> bool:
    texts = [t.text for t in tokens if t.text != ","]
    return any(map(_YEAR.fullmatch, texts)) and all(t.isdecimal() or _MONTH.fullmatch(t) for t in texts)

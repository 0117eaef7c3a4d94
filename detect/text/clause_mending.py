"""Mend trees in which a small parser joined a clause to the wrong word, or split it from its subject.

What gives the place away is what stands first in the clause: "Should it be late", "where", "Nicking the coat".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from claimgraph.detect.text.syntax import SUBJECTS, is_finite, is_full, is_verb
from claimgraph.detect.text.words import is_person_noun

if TYPE_CHECKING:
    from spacy.tokens import Token

Change = tuple[int, int, str]
"""A token, its new head and its new relation; a token that is its own head is a root."""
_BESIDE = frozenset({"conj", "ccomp", "advcl", "parataxis"})
_INVERTED = frozenset({"should", "had", "were"})


def is_noun_by_place(token: Token) -> bool:
    """Return whether a word that was taken for an adjective or a verb stands where only a noun can: after a noun as a
    part of the same subject or object, "the lantern newt is", "worked at the fisheries station for years"."""
    argument = {"dobj", "pobj"} if token.tag_ == "VBP" else {"nsubj", "nsubjpass", "dobj", "pobj"}
    compound = any(child.dep_ == "compound" and child.i == token.i - 1 for child in token.children)
    return token.tag_ in {"JJ", "VBP"} and token.dep_ in argument and compound


def clause_changes(token: Token) -> Iterator[Change]:
    """Yield the changes that a token with a wrong head asks for."""
    if opens_condition(token) and token.dep_ == "ccomp" and token.i < token.head.i:
        yield token.i, token.head.i, "advcl"
    elif (main := _main_after_condition(token)) is not None:
        yield token.i, main.i, "advcl"
        yield main.i, main.i, "ROOT"
    elif token.dep_ == "ccomp" and (noun := noun_of_relative(token.head, token)) is not None:
        other = token.head
        yield token.i, other.head.i if other.head != other else token.i, other.dep_
        yield other.i, noun.i, "relcl"
    elif token.dep_ in _BESIDE and (noun := noun_of_relative(token, token.head)) is not None:
        yield token.i, noun.i, "relcl"
        yield from ((c.i, token.i, "advmod") for c in token.sent if c.lower_ == "where" and noun.i < c.i < token.i)
    elif (verb := _main_after_gerund(token)) is not None:
        yield verb.i, verb.i, "ROOT"
        yield token.i, verb.i, "csubj"
        yield from ((c.i, token.i, "dobj") for c in verb.children if c.dep_ in SUBJECTS)
    elif (noun := _noun_after_adverb(token)) is not None:
        yield token.i, noun.head.i, "advmod"
    elif (name := _name_after_front(token)) is not None:
        yield name.i, token.i, "nsubj"
        yield from _apart_from_name(name)
    elif (name := _name_after_to_go(token)) is not None:
        yield token.i, token.head.i, "prep"
        yield from ((c.i, token.i, "pobj") for c in token.head.children if c.dep_ in SUBJECTS)
        yield name.i, token.head.i, "nsubj"
    elif (noun := _subject_after_aside(token)) is not None:
        yield noun.i, token.i, "nsubj"


def opens_condition(verb: Token) -> bool:
    """Return whether a verb is that of an inverted condition with which a statement begins: "Should it be late"."""
    opening = verb.sent[0]
    return opening.lower_ in _INVERTED and (opening.head == verb or opening == verb) and is_full(verb.sent)


def _main_after_condition(verb: Token) -> Token | None:
    """Return the verb that an inverted condition was taken for the main verb before: "Should it be late, ring us" and
    "Had it rained, the match would have ended"; None for other verbs."""
    if verb.dep_ != "ROOT" or not opens_condition(verb):
        return None
    after = (c for c in verb.children if c.dep_ in {"conj", "ccomp", "parataxis"} and c.i > verb.i and is_verb(c))
    main = next((c for c in after if any(t.text == "," for t in verb.doc[verb.i : c.i])), None)
    joined = main is not None and any(c.dep_ == "cc" and c.i < main.i for c in verb.children)
    return None if joined else main


def noun_of_relative(verb: Token, main: Token) -> Token | None:
    """Return the noun that a clause after it tells of, taken for one beside the main clause: "eleven sheds, where, if
    they fit, bicycles stand", "three arches, the middle one of which spans nine metres"; None for other verbs."""
    if not (is_verb(verb) and is_verb(main) and main.i < verb.i and is_finite_group(verb)):
        return None
    doc, subject = verb.doc, next((c for c in verb.children if c.dep_ in SUBJECTS), None)
    if subject is None:
        return None
    of_which = any(t.lower_ == "which" and t.head.lower_ == "of" for t in subject.subtree)
    where = next((t for t in doc[main.i : verb.i] if t.lower_ == "where"), None)
    first = subject.left_edge if of_which else where
    if first is None or doc[first.i - 1].text != ",":
        return None
    noun = doc[first.i - 2]
    noun = noun.head if noun.dep_ == "conj" else noun
    while noun.head.lower_ == "of" and noun.head.head.tag_.startswith(("NN", "CD")):
        noun = noun.head.head
    return noun if noun.tag_.startswith(("NN", "CD")) else None


def is_finite_group(verb: Token) -> bool:
    """Return whether a verb or one of its auxiliaries has a tense."""
    return any(is_finite(t) for t in (verb, *verb.children) if t is verb or t.dep_ in {"aux", "auxpass"})


def _main_after_gerund(gerund: Token) -> Token | None:
    """Return the verb whose subject a gerund at the beginning of its sentence is, where the gerund's object was taken
    for that: "Nicking the coat pays off"; None for other words."""
    if gerund.dep_ != "ROOT" or gerund.tag_ != "VBG" or gerund.is_sent_start is not True:
        return None
    verb = next((c for c in gerund.children if c.dep_ == "ccomp" and is_finite(c)), None)
    subject = next((c for c in verb.children if c.dep_ in SUBJECTS), None) if verb is not None else None
    return verb if subject is not None and subject.left_edge.i == gerund.i + 1 else None


def _noun_after_adverb(adverb: Token) -> Token | None:
    """Return the subject before whose article an adverb stands that was taken for a part of it: "Seven years later a
    dealer came"; None for other words."""
    noun = adverb.head
    article = next((c for c in noun.children if c.dep_ == "det" and c.lower_ in {"a", "an", "the"}), None)
    if adverb.dep_ != "advmod" or noun.dep_ not in SUBJECTS or article is None or not is_verb(noun.head):
        return None
    measured = any(child.dep_ == "npadvmod" for child in adverb.children)
    return noun if measured and adverb.i == article.i - 1 else None


def _name_after_front(verb: Token) -> Token | None:
    """Return the name that is the subject of a verb, taken for a part of the phrase before it: "In the javelin Ann Lee
    won"; None for other verbs."""
    front = verb.sent[0]
    if verb.dep_ != "ROOT" or not is_finite_group(verb) or front.tag_ != "IN" or front.head != verb:
        return None
    if any(c.dep_ in SUBJECTS or c.dep_ == "expl" for c in verb.children):
        return None
    name = next((c for c in front.children if c.dep_ == "pobj" and c.tag_ in {"NNP", "NNPS"}), None)
    common = _front_noun(name) if name is not None else None
    return name if common is not None and not is_person_noun(common.lemma_) else None


def _front_noun(name: Token) -> Token | None:
    """Return the common noun with an article before a name that hang on it."""
    parts = [c for c in name.children if c.i < name.i and c.dep_ in {"det", "compound", "amod", "nmod"}]
    common = [c for c in parts if c.dep_ == "compound" and c.tag_ in {"NN", "NNS"}]
    named = [c for c in parts if c.dep_ == "compound" and c.tag_ in {"NNP", "NNPS"}]
    opened = bool(parts) and parts[0].dep_ == "det"
    return common[-1] if opened and common and named and common[-1].i + 1 == named[0].i else None


def _apart_from_name(name: Token) -> Iterator[Change]:
    noun = _front_noun(name)
    if noun is not None:
        yield noun.i, name.head.i, "pobj"
        yield from ((c.i, noun.i, c.dep_) for c in name.children if c.i < noun.i)


def _name_after_to_go(mark: Token) -> Token | None:
    """Return the name that is the subject of a verb, taken for the object of "to go" before it: "With one lap to go Ann
    Lee led"; None for other words."""
    verb = mark.head
    if mark.lower_ != "with" or mark.dep_ != "mark" or not mark.is_sent_start or verb.dep_ != "ROOT":
        return None
    subjects = [child for child in verb.children if child.dep_ in SUBJECTS]
    ends = [c for subject in subjects for c in subject.children if c.dep_ == "relcl" and c.lemma_ == "go"]
    return next((c for end in ends for c in end.children if c.dep_ == "dobj" and c.tag_ == "NNP"), None)


def _subject_after_aside(verb: Token) -> Token | None:
    """Return the first of two nouns before a main verb without a subject that were taken for parts of the aside before
    them: "Under the pact, which ran to four pages, union and owners were"; None for other verbs."""
    if verb.dep_ != "ROOT" or not is_finite_group(verb) or verb.sent[0].tag_ != "IN":
        return None
    if any(c.dep_ in SUBJECTS or c.dep_ == "expl" for c in verb.children):
        return None
    start = min(t.i for t in (verb, *verb.children) if t is verb or t.dep_ in {"aux", "auxpass"})
    last = verb.doc[start - 1]
    noun = last.head if last.dep_ == "conj" else last
    inside = noun.dep_ == "conj" and any(a.dep_ == "relcl" for a in noun.ancestors)
    return noun if inside and verb.doc[noun.left_edge.i - 1].text == "," and last.tag_.startswith("NN") else None

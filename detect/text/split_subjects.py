"""Mend trees in which a small parser took the subject of the main verb for a part of what stands before it: "In the
javelin Ann Lee won", "While Corley joined the net, Thornaby shut"."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from claimgraph.detect.text.syntax import SUBJECTS, Change, is_finite_group, is_full, is_verb
from claimgraph.detect.text.words import is_person_noun

if TYPE_CHECKING:
    from spacy.tokens import Token


def subject_changes(token: Token) -> Iterator[Change]:
    """Yield the changes that a verb without its subject asks for, or an adverb inside of one."""
    if (noun := _noun_after_adverb(token)) is not None:
        yield token.i, noun.head.i, "advmod"
    elif (name := _name_after_front(token)) is not None:
        yield name.i, token.i, "nsubj"
        yield from _apart_from_name(name)
    elif (name := _name_before_lost_verb(token)) is not None:
        yield token.i, token.i, "ROOT"
        yield name.head.i, token.i, "prep"
        yield name.i, token.i, "nsubj"
        noun = name.nbor(-1)
        yield noun.i, name.head.i, "pobj"
        yield from ((c.i, noun.i, c.dep_) for c in name.children if c.i < noun.i)
    elif (name := _name_after_to_go(token)) is not None:
        yield token.i, token.head.i, "prep"
        yield from ((c.i, token.i, "pobj") for c in token.head.children if c.dep_ in SUBJECTS)
        yield name.i, token.head.i, "nsubj"
    elif (noun := _subject_after_aside(token)) is not None:
        yield noun.i, token.i, "nsubj"


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


def _name_before_lost_verb(verb: Token) -> Token | None:
    """Return the name that is the subject of a verb, where the whole was taken for a noun with a participle: "At the
    break Price brought on Reyes"; None for other verbs."""
    name = verb.head
    if verb.dep_ != "acl" or verb.tag_ not in {"VBN", "VBD"} or verb.i != name.i + 1 or name.dep_ != "pobj":
        return None
    front = name.head
    noun = name.nbor(-1)
    opened = any(c.dep_ == "det" and c.i == name.left_edge.i == front.i + 1 for c in name.children)
    whole = front.dep_ == "ROOT" and front.is_sent_start and name.text.istitle() and is_full(verb.sent)
    common = noun.head == name and noun.dep_ == "compound" and noun.is_lower and not is_person_noun(noun.lemma_)
    return name if whole and opened and common else None


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
    """Return the noun, or the first of two, before a main verb without a subject that was taken for a part of the
    clause before it: "Under the pact, which ran to four pages, union and owners were", "While Corley joined the net,
    Thornaby shut"; None for other verbs."""
    if verb.dep_ not in {"ROOT", "ccomp"} or not is_finite_group(verb) or verb.sent[0].tag_ != "IN":
        return None
    if any(c.dep_ in SUBJECTS or c.dep_ == "expl" for c in verb.children):
        return None
    start = min(t.i for t in (verb, *verb.children) if t is verb or t.dep_ in {"aux", "auxpass"})
    last = verb.doc[start - 1]
    noun = last.head if last.dep_ == "conj" else last
    inside = noun.dep_ in {"conj", "appos"} and any(a.dep_ in {"relcl", "advcl"} for a in noun.ancestors)
    return noun if inside and verb.doc[noun.left_edge.i - 1].text == "," and last.tag_.startswith("NN") else None

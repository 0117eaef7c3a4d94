"""Mend trees in which a small parser lost the main verb, or gave it a subject that is not its own.

Verbs of the past look like participles, so that "X, who had left, returned" has no verb to a parser; and a name between
commas parts a verb from its subject: "after their captain, Nora Lie, was sent off".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from claimgraph.detect.text.participles import as_reduced, is_lone_verb, verb_after_participle, verb_with_participle
from claimgraph.detect.text.syntax import SUBJECTS, Change, is_full, is_verb
from claimgraph.detect.text.verbs import SAID
from claimgraph.detect.text.words import is_person_noun, words

if TYPE_CHECKING:
    from spacy.tokens import Token

_PRESENT = frozenset({"VBZ", "VBP"})
_BEFORE_NOUN = frozenset({"det", "amod", "compound", "nummod", "poss", "nmod"})
_OPENING_TIME = words("after before during until since")
_TIMES = words("break game match final interval election war meeting race season vote debate crash storm fire ceremony")
_OPENING = frozenset({"after", "before", "since", "until", "as", "because", "although", "while"})


def main_verb_changes(token: Token) -> Iterator[Change]:
    """Yield the changes that a token with a wrong head asks for."""
    if (subject := _subject_before_aside(token)) is not None:
        yield from _as_main(token, subject)
    elif (verb := _verb_after(token)) is not None:
        yield from _as_subject(token, verb)
    elif (noun := _parted_from_name(token)) is not None:
        yield from _as_time(token, noun)
    elif (name := _name_after_time(token)) is not None:
        yield from _apart_from_time(token, name)
    elif _is_at_all(token):
        yield from _not_at_all(token)
    elif _is_of_gerund(token):
        yield token.i, token.i - 1, "dobj"
    elif _is_beside_past(token):
        yield token.i, token.head.i, token.dep_
    else:
        yield from _side_changes(token)


def _side_changes(token: Token) -> Iterator[Change]:
    """Yield the changes of what was taken for part of something beside it."""
    lone = is_lone_verb(token) or _is_joined_to_past(token)
    if (noun := token.head if lone else _headless_before(token)) is not None:
        yield from _as_main(token, noun)
    elif (verb := verb_after_participle(token) or verb_with_participle(token)) is not None:
        yield from as_reduced(token, verb)
    elif (noun := _named_between_commas(token)) is not None:
        yield token.i, noun.i, "appos"
    elif (that := _second_report(token)) is not None:
        yield token.i, token.head.i, "ccomp"
        yield that.i, token.i, "mark"
    elif (noun := _taken_for_compound(token)) is not None:
        yield from _before_verb(token, noun)
    elif (first := _joined_to_object(token)) is not None:
        yield token.i, first.i, "conj"
        yield from ((c.i, first.i, "cc") for c in token.head.children if c.dep_ == "cc" and c.i == token.i - 1)


def is_regained(token: Token, relation: str) -> bool:
    """Return whether a word that was taken for a participle becomes a verb of the past."""
    bare = not any(child.dep_ in {"aux", "auxpass"} for child in token.children)
    lost = token.dep_ == "acl" and relation in {"ROOT", "conj"}
    return token.tag_ == "VBN" and bare and (lost or _is_beside_past(token))


def _is_beside_past(verb: Token) -> bool:
    """Return whether "and" joins what was taken for a participle to a verb of the past: "moved to Oslo and married"."""
    first = verb.head
    if verb.dep_ != "conj" or verb.tag_ != "VBN" or first.tag_ != "VBD" or first.dep_ in {"acl", "amod"}:
        return False
    helped = any(c.dep_ in {"aux", "auxpass"} for c in (*verb.children, *first.children))
    return not helped and first.lemma_ not in {"be", "have"}


def _subject_before_aside(verb: Token) -> Token | None:
    """Return the subject of a sentence whose verb follows an aside and was taken for a participle of a noun in it."""
    if verb.dep_ != "acl" or verb.tag_ not in {"VBN", "VBD"} or verb.doc[verb.left_edge.i - 1].text != ",":
        return None
    for noun in verb.ancestors:
        if is_verb(noun) and noun.dep_ not in {"relcl", "acl"}:
            return None
        if noun.i + 1 == verb.i or not noun.tag_.startswith(("NN", "PRP")):
            continue
        aside = any(c.dep_ in {"relcl", "appos", "acl"} and noun.i < c.i < verb.i for c in noun.children)
        parted = any(t.text == "," for t in noun.doc[noun.i + 1 : verb.left_edge.i - 1])
        if aside and parted and (_stands_for_sentence(noun) or _second(noun, verb) is not None):
            return noun
    return None


def _stands_for_sentence(noun: Token) -> bool:
    return noun.dep_ == "ROOT" and is_full(noun.sent)


def _second(noun: Token, verb: Token) -> Token | None:
    """Return what was taken for a second subject of a later verb, beside a noun with a clause on it: "Ann, who was ill,
    stayed at home, and Bob left"."""
    later = noun.head
    if noun.dep_ not in SUBJECTS or later.i < verb.i or later.dep_ != "ROOT":
        return None
    clause = any(c.dep_ == "relcl" and noun.i < c.i < verb.i for c in noun.children)
    found = (c for c in noun.children if c.dep_ == "conj" and verb.i < c.i < later.i)
    second = next(found, None)
    joined = second is not None and any(c.dep_ == "cc" and verb.i < c.i < second.i for c in noun.children)
    return second if clause and joined else None


def _as_main(verb: Token, subject: Token) -> Iterator[Change]:
    second = _second(subject, verb)
    yield verb.i, verb.i, "ROOT"
    if second is not None:
        later = subject.head
        yield later.i, verb.i, "conj"
        yield second.i, later.i, subject.dep_
        yield from ((c.i, later.i, "punct") for c in later.children if c.dep_ == "punct" and c.text == ",")
    yield subject.i, verb.i, "nsubj"
    own = set(verb.subtree)
    outer = [t for t in subject.subtree if t.head.i < verb.i < t.i and t not in own and t != second]
    direct = any(child.dep_ == "dobj" for child in verb.children)
    for token in outer:
        noun = token.tag_.startswith("NN") and token.dep_ != "conj"
        yield token.i, verb.i, ("oprd" if direct else "dobj") if noun else token.dep_


def _verb_after(noun: Token) -> Token | None:
    """Return the verb that has no subject though a noun before it is joined to the verb of the clause before: "Most
    have none, and one in ten has two"."""
    first = noun.head
    if noun.dep_ != "conj" or not noun.tag_.startswith("NN") or not is_verb(first) or first.dep_ != "ccomp":
        return None
    verb = first.head
    joined = any(c.dep_ == "cc" and first.i < c.i < noun.i for c in first.children)
    own = any(c.dep_ in SUBJECTS or c.dep_ == "expl" for c in verb.children)
    return verb if is_verb(verb) and verb.dep_ == "ROOT" and noun.i < verb.i and joined and not own else None


def _as_subject(noun: Token, verb: Token) -> Iterator[Change]:
    yield noun.head.i, noun.head.i, "ROOT"
    yield verb.i, noun.head.i, "conj"
    yield noun.i, verb.i, "nsubj"


def _parted_from_name(verb: Token) -> Token | None:
    """Return the subject that a name between commas parts from a verb in a clause of time: the parser took it for a
    noun of the clause before, "lost after their captain, Nora Lie, was sent off"."""
    first = _clause_before(verb)
    if first is None or any(c.dep_ in SUBJECTS for c in verb.children):
        return None
    start = min(c.i for c in (verb, *verb.children) if c is verb or c.dep_ in {"aux", "auxpass"})
    preps = (c for c in first.children if c.dep_ == "prep" and c.lower_ in _OPENING)
    nouns = [c for prep in preps for c in prep.children if c.dep_ == "pobj"]
    noun = nouns[-1] if nouns else None
    if noun is None or verb.doc[start - 1].text != "," or noun.nbor().text != ",":
        return None
    aside = verb.doc[noun.i + 2 : start - 1]
    return noun if len(aside) and all(t.tag_ in {"NNP", "NNPS"} for t in aside) else None


def _clause_before(verb: Token) -> Token | None:
    """Return the verb of the clause that a clause of time was taken for the end of, or for what follows it."""
    if verb.dep_ == "conj" and is_verb(verb.head):
        return None if any(c.dep_ == "cc" and c.i < verb.i for c in verb.head.children) else verb.head
    return next((c for c in verb.children if c.dep_ == "advcl" and c.i < verb.i), None) if verb.dep_ == "ROOT" else None


def _as_time(verb: Token, noun: Token) -> Iterator[Change]:
    prep, first = noun.head, noun.head.head
    passive = any(c.dep_ == "auxpass" for c in verb.children)
    if verb.dep_ == "ROOT":
        yield first.i, first.i, "ROOT"
    yield verb.i, first.i, "advcl"
    yield prep.i, verb.i, "mark"
    yield noun.i, verb.i, "nsubjpass" if passive else "nsubj"
    name = next((c for c in first.children if c.dep_ in {"npadvmod", "appos", "dobj"} and noun.i < c.i < verb.i), None)
    if name is not None:
        yield name.i, noun.i, "appos"
    between = (t for t in verb.doc[noun.i + 1 : verb.i] if t.text == ",")
    yield from ((t.i, noun.i, "punct") for t in between)


def _is_at_all(token: Token) -> bool:
    """Return whether "all" after "at" was taken for a clause: "no longer makes them at all"."""
    return token.lower_ == "all" and token.i > 0 and token.nbor(-1).lower_ == "at" and token.dep_ == "ccomp"


def _not_at_all(token: Token) -> Iterator[Change]:
    verb = token.head
    yield token.i - 1, verb.i, "prep"
    yield token.i, token.i - 1, "pobj"
    yield from ((c.i, verb.i, "dobj") for c in token.children if c.dep_ in SUBJECTS)


def _is_of_gerund(pronoun: Token) -> bool:
    """Return whether a pronoun was taken for the subject of the verb whose subject the gerund before it is:
    "Replacing it would cost more"."""
    before = pronoun.nbor(-1) if pronoun.i > pronoun.sent.start else pronoun
    gerund = before.tag_ == "VBG" and before.dep_ in {"csubj", "csubjpass"} and before.head == pronoun.head
    return gerund and pronoun.tag_ == "PRP" and pronoun.dep_ in {"nsubj", "nsubjpass"}


def _headless_before(verb: Token) -> Token | None:
    """Return the noun of a sentence whose one verb was taken for a participle of another noun: "A ferry
    with 68 passengers drifted for hours"; None for other words."""
    root = verb.sent.root
    if (
        verb.dep_ != "acl"
        or verb.tag_ not in {"VBN", "VBD"}
        or root.tag_ not in {"NN", "NNS", "NNP"}
        or verb.head == root
    ):
        return None
    inside = verb.head.dep_ == "pobj" and verb.head.head.head == root and verb.i == verb.head.i + 1
    alone = not any(t.tag_ in {"VBD", "VBZ", "VBP", "MD"} for t in verb.sent if t != verb)
    agent = any(child.lower_ == "by" for child in verb.children)
    return root if inside and alone and not agent and is_full(verb.sent) else None


def _is_joined_to_past(verb: Token) -> bool:
    """Return whether a participle on the noun that a sentence seems to consist of is its verb, since another verb is
    joined to the noun: "A foundation paid for the work but had no say"."""
    noun = verb.head
    if verb.dep_ != "acl" or verb.tag_ not in {"VBN", "VBD"} or noun.dep_ != "ROOT" or not noun.tag_.startswith("NN"):
        return False
    joined = (c for c in noun.children if c.dep_ == "conj" and c.i > verb.i and c.tag_ in {"VBD", "VBZ"})
    return verb.i == noun.i + 1 and any(not any(g.dep_ in SUBJECTS for g in c.children) for c in joined)


def _named_between_commas(name: Token) -> Token | None:
    """Return the subject that a name between commas says more of, taken for another subject: "Her main work, Lapplands
    mossor, appeared"; None for other words."""
    verb = name.head
    noun = next((c for c in verb.children if c.dep_ == name.dep_ and c.i < name.i), None)
    if name.dep_ not in {"nsubj", "nsubjpass"} or not is_verb(verb) or noun is None or not name.text.istitle():
        return None
    doc, start, end = name.doc, name.left_edge.i, name.right_edge.i
    end += doc[end].text != "," and end + 1 < len(doc)
    joined = any(child.dep_ in {"cc", "conj"} for child in noun.children)
    parted = doc[start - 1].text == "," and doc[end].text == "," and noun.right_edge.i >= start - 2
    return noun if parted and not joined and noun.tag_ in {"NN", "NNS"} and end < verb.i else None


def _second_report(verb: Token) -> Token | None:
    """Return the "that" that opens a second thing which somebody says, taken for an article: "said the spring was wet,
    but that June was dry"; None for other verbs."""
    if verb.dep_ != "conj" or verb.head.lemma_ not in SAID or not any(c.dep_ in SUBJECTS for c in verb.children):
        return None
    first = verb.doc[verb.left_edge.i]
    joined = first.i > 0 and first.nbor(-1).lower_ in {"and", "but"}
    return first if joined and first.lower_ == "that" and first.dep_ == "det" else None


def _taken_for_compound(verb: Token) -> Token | None:
    """Return the subject that was taken for a part of the verb, as if that were a noun: "The factory supplies steel";
    None for other words."""
    if verb.tag_ not in _PRESENT or any(child.dep_ in SUBJECTS for child in verb.children):
        return None
    noun = verb.nbor(-1) if verb.i > verb.sent.start else verb
    return noun if noun.dep_ == "compound" and noun.head == verb and noun.tag_.startswith("NN") else None


def _before_verb(verb: Token, noun: Token) -> Iterator[Change]:
    yield noun.i, verb.i, "nsubj"
    yield from ((c.i, noun.i, c.dep_) for c in verb.children if c.i < noun.i and c.dep_ in _BEFORE_NOUN)


def _joined_to_object(verb: Token) -> Token | None:
    """Return the verb that another with the same subject goes on, where it was joined to a noun after the first: "The
    app tracks sleep and shows trends"."""
    noun = verb.head
    if verb.dep_ != "conj" or verb.tag_ not in _PRESENT or not noun.tag_.startswith("NN"):
        return None
    own = any(child.dep_ in SUBJECTS or child.dep_ in {"aux", "auxpass"} for child in verb.children)
    first = next((a for a in noun.ancestors if is_verb(a)), None)
    joined = verb.i > 0 and verb.nbor(-1).dep_ == "cc"
    return first if not own and joined and first is not None and first.tag_ == verb.tag_ and first.i < noun.i else None


def _name_after_time(noun: Token) -> Token | None:
    """Return the name that a noun says more of, where both follow a time without a comma: "After the break coach Ann
    Lee changed sides"; None for other words."""
    if not is_person_noun(noun.lemma_) or noun.i < noun.sent.start + 3 or noun.i + 1 >= noun.sent.end:
        return None
    time, article, opening = (noun.nbor(-back) for back in (1, 2, 3))
    timed = time.head == noun and time.lemma_ in _TIMES and article.lower_ == "the" and opening.lower_ in _OPENING_TIME
    after = noun.nbor()
    name = next((e.root for e in noun.sent.ents if e.start == after.i and e.label_ == "PERSON"), None)
    return name if timed and opening.is_sent_start and name is not None and _verb_of_name(noun, name) else None


def _verb_of_name(noun: Token, name: Token) -> Token | None:
    """Return the verb whose subject the name or the noun before it is."""
    return next((one.head for one in (name, noun) if one.dep_ in SUBJECTS and is_verb(one.head)), None)


def _apart_from_time(noun: Token, name: Token) -> Iterator[Change]:
    verb, time, article, opening = _verb_of_name(noun, name), noun.nbor(-1), noun.nbor(-2), noun.nbor(-3)
    if verb is not None:
        yield opening.i, verb.i, "prep"
        yield time.i, opening.i, "pobj"
        yield article.i, time.i, "det"
        yield name.i, verb.i, (name if name.dep_ in SUBJECTS else noun).dep_
        yield noun.i, name.i, "compound"

"""Mend what a small parser systematically gets wrong in trees, so that no reader of trees has to know of it.

Each mend is a rule over a few tokens that grammar leaves one reading for. Training a parser anew was rejected: it needs
a treebank that may be shipped with.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from claimgraph.detect.text.attachments import attachment_changes, noun_of_relative
from claimgraph.detect.text.conditions import condition_changes, opens_condition
from claimgraph.detect.text.her import her_changes
from claimgraph.detect.text.listed_subjects import rest_of_list
from claimgraph.detect.text.main_verbs import is_regained, main_verb_changes
from claimgraph.detect.text.split_subjects import subject_changes
from claimgraph.detect.text.syntax import SUBJECTS, Change, is_verb
from claimgraph.detect.text.tags_by_place import tag_by_place
from claimgraph.detect.text.verbs import EFFECTS, FRAMING, SAID
from claimgraph.detect.text.words import is_person_noun, names_person, words

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_QUOTES = frozenset({'"', "“", "”", "''", "``"})
_PARTING = frozenset({",", ";"})
_WHO = frozenset({"who", "which", "that"})
_NOBODY = frozenset({"ORG", "GPE", "LOC", "FAC"})
_AT = frozenset({"in", "at", "to", "from"})
_COUNTED = words("vote goal game set run")


def mend(doc: Doc) -> Doc:
    """Return the document with heads and relations mended in place; what would make a circle is not changed."""
    changes: dict[int, tuple[int, str]] = {}
    for token in doc:
        token.tag_ = tag_by_place(token)
    for token in doc:
        more = changes | {at: (head, relation) for at, head, relation in _changes(token)}
        if len(more) > len(changes) and not any(_circles(doc, at, more) for at in more):
            changes = more
    if changes:
        regained = [at for at, (_, relation) in changes.items() if is_regained(doc[at], relation)]
        reduced = [at for at, (_, relation) in changes.items() if relation == "acl" and doc[at].dep_ == "ROOT"]
        rows: Any = doc.to_array(["HEAD", "DEP"])
        for at, (head, relation) in changes.items():
            rows[at, 0] = np.int64(head - at).astype(np.uint64)
            rows[at, 1] = doc.vocab.strings.add(relation)
        doc.from_array(["HEAD", "DEP"], rows)
        for at in regained:
            doc[at].tag_ = "VBD"
        for at, (_, relation) in changes.items():
            doc[at].tag_ = "PRP" if relation == "dative" and doc[at].tag_ == "PRP$" else doc[at].tag_
        for at in reduced:
            doc[at].tag_ = "VBN"
    return doc


def _circles(doc: Doc, at: int, changes: Mapping[int, tuple[int, str]]) -> bool:
    """Return whether no root stands above a token, with changes of heads."""
    for _ in doc:
        above = changes[at][0] if at in changes else doc[at].head.i
        if above == at:
            return False
        at = above
    return True


def _changes(token: Token) -> Iterator[Change]:
    if _is_first_of_two(token):
        yield from _side_by_side(token, token.head)
    elif (noun := _counted_before(token)) is not None:
        yield token.i, noun.i, "appos"
    elif _is_of_both(token):
        yield token.i, _last_joined(token.head).i, token.dep_
    elif (noun := _agreeing_before(token) or _person_or_thing(token)) is not None:
        yield token.i, noun.i, "relcl"
    elif _is_result(token):
        yield token.i, token.nbor(-1).i, "prep"
    elif _is_frame_inside(token):
        yield from _around(token, token.head)
    elif (pronoun := _pronoun_after(token)) is not None:
        yield token.i, pronoun.i, "appos"
        between = token.doc[token.i + 1 : pronoun.i]
        yield from ((t.i, pronoun.i, "punct") for t in between if t.is_punct and t.head == token.head)
    elif (rest := rest_of_list(token)) is not None:
        yield token.i, token.head.i, rest.dep_ if rest.dep_ in SUBJECTS else token.dep_
        yield rest.i, token.i, "conj"
    else:
        changes = (her_changes, condition_changes, attachment_changes, subject_changes, main_verb_changes)
        yield from next((found for change in changes if (found := list(change(token)))), [])


def _subject(verb: Token) -> Token | None:
    return next((child for child in verb.children if child.dep_ in SUBJECTS), None)


def _is_first_of_two(verb: Token) -> bool:
    """Return whether a clause that is taken for what the next one says stands beside it: "The belt is padded, the
    straps are not".
    """
    other = verb.head
    if verb.dep_ != "ccomp" or verb.i > other.i or not (is_verb(verb) and is_verb(other)) or _frames(other):
        return False
    if opens_condition(verb) or noun_of_relative(other, verb) is not None:
        return False
    first, second = _subject(verb), _subject(other)
    if first is None or second is None or not first.i < verb.i < second.i < other.i:
        return False
    between = verb.doc[verb.right_edge.i : second.left_edge.i]
    return any(token.text in _PARTING for token in between) and not any(
        token.text in _QUOTES for token in verb.doc[verb.left_edge.i : second.i]
    )


def _frames(verb: Token) -> bool:
    """Return whether a verb can follow the clause that it speaks of: "it was safe, she said", "she made clear"."""
    return _makes_clear(verb) or verb.lemma_ in FRAMING


def _makes_clear(verb: Token) -> bool:
    return verb.lemma_ == "make" and any(child.lower_ == "clear" for child in verb.children)


def _side_by_side(first: Token, second: Token) -> Iterator[Change]:
    """Yield the two as coordinated clauses; what stands before both belongs to the first."""
    yield first.i, second.head.i if second.head != second else first.i, second.dep_
    yield second.i, first.i, "conj"
    yield from ((child.i, first.i, child.dep_) for child in second.children if child.i < first.left_edge.i)
    yield from _aside_between(first, second)


def _aside_between(first: Token, second: Token) -> Iterator[Change]:
    """Yield what ends the first clause as an aside, where it is taken for a subject of the second: "She scored with a
    header, her ninth goal, and Lee struck the post".
    """
    aside = _subject(second)
    joint = next((child for child in aside.children if child.dep_ == "cc"), None) if aside is not None else None
    other = next((t for t in second.subtree if joint is not None and t.i > joint.i and _is_joined(t, aside)), None)
    if aside is None or joint is None or other is None or aside.doc[joint.i - 1].text != ",":
        return
    if aside.doc[aside.left_edge.i - 1].text == ",":
        noun = next((t for t in reversed(list(first.subtree)) if t.tag_.startswith("NN")), first)
        yield aside.i, noun.i, "appos"
        yield aside.left_edge.i - 1, aside.i, "punct"
        yield joint.i, second.i, "cc"
        yield other.i, second.i, aside.dep_


def _is_joined(token: Token, aside: Token | None) -> bool:
    return aside is not None and (
        (token.dep_ == "conj" and token.head == aside) or (token.dep_ == aside.dep_ and token.head == aside.head)
    )


def _counted_before(token: Token) -> Token | None:
    """Return the object of a later verb that a number after it tells more of: "It weighs 1 kg and holds 45 litres, ten
    of them in the lid"; None for what is no second object of a verb before that.
    """
    verb = token.head
    if token.dep_ != "dobj" or token.tag_ != "CD" or not any(c.dep_ == "dobj" and c.i < token.i for c in verb.children):
        return None
    later = [c for c in verb.children if c.dep_ == "conj" and is_verb(c) and verb.i < c.i < token.i]
    return next((n for c in later for n in c.children if n.dep_ == "dobj" and n.i < token.i), None)


def _is_of_both(clause: Token) -> bool:
    """Return whether a clause is taken for one of the first of two verbs though it follows the second."""
    first = clause.head
    return clause.dep_ == "advcl" and is_verb(first) and first.i < _last_joined(first).i < clause.left_edge.i


def _last_joined(verb: Token) -> Token:
    """Return the last verb with the subject of this one, or the verb itself."""
    joined = [child for child in verb.children if child.dep_ == "conj" and is_verb(child) and _subject(child) is None]
    return joined[-1] if joined else verb


def _agreeing_before(verb: Token) -> Token | None:
    """Return the noun that a relative clause speaks of, where it is in another number than the name before the clause:
    "shares in Norlink, which have lost"; None where they agree.
    """
    noun, subject = verb.head, _subject(verb)
    if verb.dep_ != "relcl" or subject is None or subject.lower_ not in _WHO or noun.dep_ != "pobj":
        return None
    other = noun.head.head.head if noun.head.head.dep_ == "acl" else noun.head.head
    finite = [t for t in (verb, *verb.children) if t is verb or t.dep_ in {"aux", "auxpass"}]
    plural = any(t.tag_ == "VBP" or t.lower_ == "were" for t in finite)
    single = any(t.tag_ == "VBZ" or t.lower_ == "was" for t in finite)
    if plural and noun.tag_ in {"NN", "NNP"} and other.tag_ == "NNS" and not list(noun.conjuncts):
        return other
    return other if single and noun.tag_ == "NNS" and other.tag_ in {"NN", "NNP"} else None


def _person_or_thing(verb: Token) -> Token | None:
    """Return the noun that a relative clause speaks of, where it hangs on another kind of thing: "the nurse from the
    Lund Clinic, who wrote", "a tour led by Ann Lee, from which they came back", "It contains iron, which belongs".
    """
    noun, subject = verb.head, _subject(verb)
    if verb.dep_ != "relcl":
        return None
    if any(c.dep_ == "prep" and any(g.lower_ == "which" for g in c.children) for c in verb.children):
        above = (t for t in noun.ancestors if t.tag_ in {"NN", "NNS"} and not _is_somebody(t))
        return next(above, None) if _is_somebody(noun) else None
    if subject is None:
        return None
    if subject.lower_ == "who" and noun.ent_type_ in _NOBODY and noun.dep_ == "pobj":
        before = (t for t in reversed(noun.doc[noun.sent.start : noun.i]) if _is_somebody(t) and t.ent_type_ != "ORG")
        before = (t for t in before if t.head.lower_ not in _AT or (t.tag_ == "NNS" and t.i + 1 == noun.head.i))
        outer = noun.head.head
        governor = outer if outer.tag_ == "NN" and names_person(outer.lower_) else None
        return next((t for t in before if t.dep_ != "compound"), governor)
    if subject.lower_ == "who" and noun.tag_ == "NN" and not _is_somebody(noun):
        inside = (t for t in noun.subtree if noun.i < t.i < subject.i and t.dep_ == "pobj" and _is_somebody(t))
        return next(inside, None)
    told = subject.doc[max(subject.i - 2, 0)]
    joined = is_verb(noun) and told.head == noun and told.dep_ in {"dobj", "attr"} and subject.nbor(-1).text == ","
    agrees = (verb.tag_, told.tag_) in {("VBZ", "NN"), ("VBP", "NNS")}
    return told if subject.lower_ == "which" and joined and agrees and verb.lemma_ not in EFFECTS else None


def _is_somebody(noun: Token) -> bool:
    """Return whether a noun is or has a person's name: "the botanist Tom Reed"."""
    named = any(t.ent_type_ == "PERSON" for t in (noun, *noun.children))
    return named or is_person_noun(noun.lemma_)


def _is_result(prep: Token) -> bool:
    """Return whether "to" with a number goes on a count of votes or goals: "by three votes to one"."""
    counted = prep.lower_ == "to" and prep.i > 0 and prep.nbor(-1).lemma_ in _COUNTED and prep.nbor(-1) != prep.head
    return counted and any(child.dep_ == "pobj" and child.tag_ == "CD" for child in prep.children)


def _is_frame_inside(verb: Token) -> bool:
    """Return whether a verb says, in the middle of a clause or after it, whose words it is: "The bridge, she said, was
    safe", "It is safe, she made clear"."""
    after = verb.dep_ == "conj" and _makes_clear(verb) and not any(c.dep_ == "cc" for c in verb.head.children)
    return (
        (after or (verb.dep_ == "parataxis" and verb.lemma_ in SAID))
        and is_verb(verb.head)
        and _subject(verb) is not None
        and not any(child.dep_ in {"ccomp", "dobj", "xcomp"} for child in verb.children)
    )


def _around(frame: Token, said: Token) -> Iterator[Change]:
    yield frame.i, said.head.i if said.head != said else frame.i, said.dep_
    yield said.i, frame.i, "ccomp"


def _is_fronted(noun: Token) -> bool:
    """Return whether a noun before the subject, and a comma, is taken for another subject or a clause."""
    second = noun.dep_ in {"nsubj", "nsubjpass"} or (noun.dep_ in {"advcl", "dep"} and noun.tag_ in {"NN", "NNS"})
    return second and noun.tag_.startswith("NN") and is_verb(noun.head) and noun.i < noun.head.i


def _pronoun_after(noun: Token) -> Token | None:
    """Return the pronoun that is the subject of the same verb, right after a comma, where a noun is fronted."""
    if not _is_fronted(noun):
        return None
    found = (c for c in noun.head.children if c.dep_ in SUBJECTS and c.i > noun.i and c.tag_ == "PRP")
    pronoun = next(found, None)
    between = [t.text for t in noun.doc[noun.i : pronoun.i]] if pronoun is not None else []
    if pronoun is not None and pronoun.lower_ in {"you", "i", "we"} and not is_person_noun(noun.lemma_):
        return None
    timed = any(c.dep_ == "prep" and c.lower_ in {"after", "before"} for c in noun.children)  # "four moves after that"
    return pronoun if between[-1:] == [","] and ";" not in between and not timed else None

"""Mend trees in which a participle after its noun was taken for the verb of the sentence, or that for a participle.

"Kettles made after May are safe" has two verbs to a parser, and no "and" joins them; "The record survived." has none.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from claimgraph.detect.text.syntax import SUBJECTS, is_full, is_verb
from claimgraph.detect.text.verbs import INTRANSITIVE

if TYPE_CHECKING:
    from spacy.tokens import Token

_PRESENT = frozenset({"VBZ", "VBP"})


def verb_after_participle(first: Token) -> Token | None:
    """Return the verb of the sentence whose subject has a participle after it that was taken for a verb of the past:
    "Hart, pictured in Turin, is ready", "The one player reported to be ill was Hart"; None for other words.
    """
    later = next((c for c in first.children if c.dep_ == "conj" and is_verb(c) and c.i > first.i), None)
    subject = next((c for c in first.children if c.dep_ in SUBJECTS and c.i < first.i), None)
    if later is None or subject is None or first.dep_ != "ROOT" or first.tag_ not in {"VBD", "VBN"}:
        return None
    helped = any(c.dep_ in {"aux", "auxpass", "cc", "dobj", "neg"} for c in first.children)
    own = any(c.dep_ in SUBJECTS | {"expl"} or (c.dep_ == "conj" and is_verb(c)) for c in later.children)
    finite = [t for t in (later, *later.children) if t is later or t.dep_ in {"aux", "auxpass"}]
    parted = first.nbor(-1).text == "," and first.doc[min(t.i for t in finite) - 1].text == ","
    joined = any(t.is_punct for t in first.doc[first.i : min(t.i for t in finite)])
    past = parted or not joined
    other = any(t.tag_ in _PRESENT or (past and t.lower_ in {"was", "were"}) for t in finite)
    return later if other and not helped and not own else None


def verb_with_participle(first: Token) -> Token | None:
    """Return the verb of which a participle with its noun was taken for a clause as subject: "The one player reported
    to be ill was Hart"; None for other words.
    """
    opened = any(child.dep_ == "mark" or child.tag_ in {"WP", "WRB", "WDT"} for child in first.children)
    subject = any(child.dep_ in SUBJECTS and child.i < first.i for child in first.children)
    past = first.dep_ in {"csubj", "csubjpass"} and first.tag_ in {"VBD", "VBN"}
    helped = any(child.dep_ in {"aux", "auxpass", "dobj"} for child in first.children)
    return first.head if past and subject and not opened and not helped and first.head.i > first.i else None


def as_reduced(first: Token, later: Token) -> Iterator[tuple[int, int, str]]:
    """Yield the changes that make the first verb a participle on the subject of the later one."""
    subject = next(c for c in first.children if c.dep_ in SUBJECTS and c.i < first.i)
    yield later.i, later.i, "ROOT"
    yield subject.i, later.i, "nsubjpass" if any(c.dep_ == "auxpass" for c in later.children) else "nsubj"
    yield first.i, subject.i, "acl"
    moved = (c for c in first.children if c not in {later, subject} and not subject.i < c.i < later.i)
    yield from ((c.i, later.i, c.dep_) for c in moved)


def is_lone_verb(verb: Token) -> bool:
    """Return whether a participle on the noun that a sentence seems to consist of is its verb, since it has no passive:
    "The record survived by a few seconds."
    """
    alone = not any(t.tag_ in {"VBD", "VBZ", "VBP", "MD"} for t in verb.sent if t != verb)
    lone = verb.dep_ == "acl" and verb.head.dep_ == "ROOT" and verb.head.tag_.startswith("NN")
    return lone and alone and verb.lemma_ in INTRANSITIVE and verb.tag_ in {"VBN", "VBD"} and is_full(verb.sent)

"""Mend trees in which a condition, or a gerund that is a subject, was taken for the main clause, "Should it be late,
ring us", "Nicking the coat pays off", or one sentence for two."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from claimgraph.detect.text.syntax import SUBJECTS, Change, is_finite, is_finite_group, is_full, is_verb

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

_INVERTED = frozenset({"should", "had", "were"})


def condition_changes(token: Token) -> Iterator[Change]:
    """Yield the changes that a verb with a wrong head asks for."""
    if token.dep_ == "ROOT" and (first := _cut_off_from(token.sent)) is not None:
        yield token.i, first.i, "conj"
    elif opens_condition(token) and token.dep_ == "ccomp" and token.i < token.head.i:
        yield token.i, token.head.i, "advcl"
    elif (main := _main_after_condition(token)) is not None:
        yield token.i, main.i, "advcl"
        yield main.i, main.i, "ROOT"
    elif (main := _main_after_which(token)) is not None:
        condition = next((c for c in token.children if c.dep_ == "advcl" and c.i < token.i), None)
        yield main.i, main.i, "ROOT"
        if condition is not None:
            yield condition.i, main.i, "advcl"
        yield token.i, condition.i if condition is not None else main.i, "relcl"
    elif (verb := _main_after_gerund(token)) is not None:
        yield verb.i, verb.i, "ROOT"
        yield token.i, verb.i, "csubj"
        yield from ((c.i, token.i, "dobj") for c in verb.children if c.dep_ in SUBJECTS)


def _cut_off_from(sentence: Span) -> Token | None:
    """Return the main verb of the sentence before, where one was cut in two inside of a clause: "makes it | ten days
    longer, and"; None for other sentences."""
    if not sentence.start or not sentence[0].is_lower:
        return None
    before = sentence[0].nbor(-1)
    return None if before.is_punct or before.is_space else before.sent.root


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


def _main_after_which(verb: Token) -> Token | None:
    """Return the main verb that follows a condition and what "which" adds to it, where that was taken for the main
    clause: "If it rains, which may happen, you are free"; None for other verbs."""
    subject = next((c for c in verb.children if c.dep_ in SUBJECTS), None)
    if verb.dep_ != "ROOT" or subject is None or subject.lower_ != "which" or subject.is_sent_start:
        return None
    after = (c for c in verb.children if c.dep_ in {"conj", "ccomp"} and c.i > verb.i and is_finite_group(c))
    return next((c for c in after if any(g.dep_ in SUBJECTS for g in c.children)), None)


def _main_after_gerund(gerund: Token) -> Token | None:
    """Return the verb whose subject a gerund at the beginning of its sentence is, where the gerund's object was taken
    for that: "Nicking the coat pays off"; None for other words."""
    if gerund.dep_ != "ROOT" or gerund.tag_ != "VBG" or gerund.is_sent_start is not True:
        return None
    verb = next((c for c in gerund.children if c.dep_ == "ccomp" and is_finite(c)), None)
    subject = next((c for c in verb.children if c.dep_ in SUBJECTS), None) if verb is not None else None
    return verb if subject is not None and subject.left_edge.i == gerund.i + 1 else None

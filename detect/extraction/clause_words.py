"""The words of a clause that its statement says: its subtree without what is a statement of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from claimgraph.detect.extraction.assertion import asserted, quoted, stands_alone
from claimgraph.detect.extraction.clauses import is_cleft, measures_mark, own_subject, tells_of_more
from claimgraph.detect.extraction.nominals import describes
from claimgraph.detect.text.syntax import (
    SUBJECTS,
    after_comma,
    alternative,
    gapped,
    is_order,
    is_verb,
    semicolon,
    shares_object,
    strip,
    voice_unclear,
)

if TYPE_CHECKING:
    from spacy.tokens import Token

_PAUSES = frozenset({",", "--", "–", "—"})
_CONDITIONS = frozenset({"if", "unless", "when", "whenever", "until", "once"})
_CONCEDING = frozenset({"although", "though", "whereas"})
_COMPARING = frozenset({"compared", "unlike", "like", "with", "without"})
_BEFORE_MARKS = frozenset({"chiefly", "even", "just", "largely", "mainly", "mostly", "only", "partly", "simply"})
"""Adverbs that belong to the word that subordinates a clause: "mainly because"."""
_JOINING = frozenset({"once", "if", "unless", "whereupon", "whereby"})
"""Words with which a clause begins that says nothing without another."""
_HOURS = frozenset({"at", "before", "until", "till"})
_FINITE = frozenset({"VBD", "VBZ", "VBP", "MD"})
_UNFINISHED = frozenset({"IN", "TO", "DT", "WDT", "WP", "WRB", "PRP$", "PDT"})
"""Tags that end no sentence whose next word was left out."""


def main_words(verb: Token) -> list[Token]:
    """The verb's subtree in text order, without the word that subordinates it and without clauses of their own."""
    opening = {child for child in verb.children if child.dep_ == "mark" or (child.tag_ == "WRB" and child.i < verb.i)}
    opening = {word for word in opening if not _is_preposition(word)}
    first = min((word.i for word in opening), default=-1)
    opening |= {child for child in verb.children if child.lower_ in _BEFORE_MARKS and child.i + 1 == first}
    opening |= {child for child in verb.children if measures_mark(child)}
    if verb.dep_ == "ROOT":
        return gathered(verb, set())
    after = {t for word in opening for child in word.children if child.i > word.i for t in child.subtree}
    return sorted({*gathered(verb, opening), *after}, key=lambda token: token.i)


def _is_preposition(word: Token) -> bool:
    """Whether a word that was taken to join a clause belongs to it: "until then", "For half a century"."""
    then = word.doc[word.i + 1 : word.i + 2].text.lower() == "then"
    return then or (word.lower_ == "for" and word.is_sent_start is True)


def gathered(head: Token, dropped: set[Token]) -> list[Token]:
    """The head's subtree in text order, without its children `dropped` and without statements of their own."""
    kept: list[Token] = []
    _gather(head, dropped, kept, is_verb(head))
    return sorted(kept, key=lambda token: token.i)


def _gather(token: Token, dropped: set[Token], kept: list[Token], outer: bool) -> None:
    kept.append(token)
    apart = {child for child in token.children if child in dropped or _apart(child, outer)}
    for child in token.children:
        if child not in apart and not _joins(child, apart):
            _gather(child, set(), kept, outer=False)


def _apart(child: Token, outer: bool) -> bool:
    """Whether a dependent is a statement of its own; `outer`: whether it hangs on the statement's verb."""
    if child.dep_ == "relcl":
        return stands_alone(child) and asserted(child) and not _before_reason(child) and not is_cleft(child)
    if child.dep_ == "appos":
        return is_aside(child)
    if child.dep_ == "advcl" and is_order(child) and child.i < child.head.i:
        return semicolon(child, child.head)
    if child.dep_ == "advcl":
        return outer and _concedes(child) and asserted(child)
    if child.dep_ == "parataxis":
        return is_verb(child) and own_subject(child) is not None
    if child.dep_ == "ccomp" and child.i < child.head.i:
        return semicolon(child, child.head)
    joint = child.dep_ == "conj" and is_verb(child) and is_verb(child.head)
    return outer and joint and not quoted(child) and (own_subject(child) is not None or parts(child))


def _before_reason(clause: Token) -> bool:
    """Whether a reason follows a relative clause, of which nobody can tell whether it is that clause's: "a nurse, who
    hears well, because"."""
    following = clause.doc[clause.right_edge.i + 1 : clause.sent.end]
    return next((t.lower_ for t in following if not t.is_punct), "") == "because"


def _concedes(clause: Token) -> bool:
    """Whether a clause between commas, with subject and tense, is only set against its main clause: "although nobody
    was hurt", "while her mother taught"; not "while he was away"."""
    mark = next((child.lower_ for child in clause.children if child.dep_ == "mark"), "")
    own = own_subject(clause)
    if own is None or not _parted(clause):
        return False
    if mark != "while":
        return mark in _CONCEDING
    return clause.i > clause.head.i and clause.tag_ not in {"VBG", "VBN"}


def _parted(clause: Token) -> bool:
    """Whether a comma stands between a clause and the verb that it hangs on."""
    last = clause.right_edge.i + 1
    following = clause.doc[last].text if last < clause.sent.end else ""
    return after_comma(clause) if clause.i > clause.head.i else following == ","


def is_aside(head: Token) -> bool:
    """Whether an apposition describes what is known without it: "Kwame, a surgeon", not "the surgeon Kwame" and not
    "the surgeon, Kwame"."""
    comma = after_comma(head) and head.doc[head.left_edge.i - 1].text == ","
    common = not head.ent_type_ and head.tag_ in {"NN", "NNS"}
    return comma and common and head.head.dep_ != "appos" and describes(head) and not tells_of_more(head)


def parts(verb: Token) -> bool:
    """Whether a coordinated verb makes a statement without the one before it."""
    return not (alternative(verb) or shares_object(verb) or gapped(verb) or voice_unclear(verb))


def _joins(child: Token, apart: set[Token]) -> bool:
    joined = next((other for other in child.head.children if other.i > child.i and other.dep_ == "conj"), None)
    return child.dep_ == "cc" and joined in apart


def trimmed(tokens: Sequence[Token]) -> list[Token]:
    """Without punctuation and conjunctions at the ends, and without commas beside what was left out, unless they part
    what stands before the subject from it."""
    ends = {token.i for token in tokens}
    subject = next((token.i for token in tokens if token.dep_ in SUBJECTS), -1)
    beside = [t for t in tokens if t.is_punct and t.text in _PAUSES and not {t.i - 1, t.i + 1} <= ends]
    return strip([token for token in tokens if token not in beside or (token.i < subject and token.i + 1 in ends)])


def broken(tokens: Sequence[Token]) -> bool:
    """Whether a statement would begin in the middle of a clause or end before what its last word governs."""
    if not tokens:
        return True
    last = tokens[-1]
    if _only_joins(tokens) or last.lower_ in {"not", "and", "or", "but"} or _only_so(last):
        return True
    following = last.doc[last.i + 1] if last.i + 1 < last.sent.end else None
    unfinished = last.tag_ in _UNFINISHED and following is not None and not following.is_punct
    opening = tokens[0].lower_ in {"who", "whom", "which"} or any(t.lower_ in {"which", "whom"} for t in tokens[1:4])
    return unfinished or opening


def _only_so(last: Token) -> bool:
    """Whether a statement would end with the "so" of the clause after it: "The name stays, and so does she"."""
    return last.lower_ == "so" and last.i > 0 and last.nbor(-1).lower_ in {"and", "but"}


def _only_joins(tokens: Sequence[Token]) -> bool:
    """Whether words begin with one that joins a clause to another, and are only that clause: "once it was full"."""
    first = tokens[0]
    if first.lower_ not in _JOINING or first.is_sent_start:
        return False
    verb = next((one for one in first.ancestors if is_verb(one)), first)
    inside = set(verb.subtree)
    return all(token in inside for token in tokens if token.tag_ in _FINITE)


def ill_formed(verb: Token, tokens: Sequence[Token]) -> bool:
    """Whether words that were gathered around a verb are no sentence: no verb in them has a tense, theirs is an
    infinitive or participle without its auxiliary, or they go on after another verb that was left out."""
    kept = set(tokens)
    finite = [t for t in tokens if t.tag_ in _FINITE]
    helped = any(t.dep_ in {"aux", "auxpass"} and t.i < verb.i for t in finite) or any(t.tag_ == "MD" for t in finite)
    bare = verb in kept and verb.tag_ in {"VB", "VBN", "VBG"} and not helped and not _has_tense(verb)
    later = [c for c in verb.children if c.dep_ == "conj" and c not in kept and verb.i < c.i < tokens[-1].i]
    jumps = any(t.i > c.i and not t.is_punct for c in later for t in tokens)
    jumps |= _joins_inside(verb, tokens)
    return not (finite or _has_tense(verb)) or bare or jumps or _ends_in_noun(tokens)


def _joins_inside(verb: Token, tokens: Sequence[Token]) -> bool:
    """Whether a conjunction before the subject parts it from words of the clause before: "long, and the ship sails"."""
    own = own_subject(verb)
    before = own.left_edge.i - 1 if own is not None else -1
    return any(t.i == before and t.dep_ == "cc" and t.i > tokens[0].i for t in tokens)


def _ends_in_noun(tokens: Sequence[Token]) -> bool:
    """Whether what follows the last semicolon has no verb, though it has one in the text."""
    cut = next((t.i for t in reversed(tokens) if t.text == ";"), None)
    added = {t for one in tokens if one.dep_ == "relcl" for t in one.subtree}
    if cut is None or any(is_verb(t) for t in tokens if t.i > cut and t not in added):
        return False
    return any(t.tag_ in _FINITE for t in tokens[0].doc[cut : tokens[0].sent.end])


def _has_tense(verb: Token) -> bool:
    """Whether a word that was taken for an infinitive or a participle looks like a verb of the present or past and
    stands like one: "two organs meet and form a flower", "Both can be hung and have a lid", "The town organised a
    fair"."""
    first, own = verb.head, own_subject(verb)
    if verb.tag_ == "VB":
        tags = {t.tag_ for t in (first, *first.children) if is_verb(t)}
        owning = verb.lemma_ == "have" and any(child.dep_ == "auxpass" for child in first.children)
        beside = verb.dep_ == "conj" and ("VBP" in tags or owning)
        subject = own or (own_subject(first) if beside else None)
        infinitive = any(child.tag_ == "TO" for child in verb.children)
        return subject is not None and _is_plural(subject) and not infinitive
    if verb.tag_ != "VBN" or own is None or not verb.lower_.endswith("ed"):
        return False
    aside = any(child.dep_ in {"appos", "relcl"} for child in own.children)
    return any(child.dep_ == "dobj" for child in verb.children) and (aside or verb.nbor(-1).text != ",")


def _is_plural(subject: Token) -> bool:
    several = any(child.dep_ == "conj" for child in subject.children)
    return several or subject.tag_ in {"NNS", "NNPS", "PRP"} or subject.ent_type_ in {"PERCENT", "CARDINAL"}


def shared_front(verb: Token) -> list[Token]:
    """The words before the subject that hold of a coordinated verb, too: a condition, or what something is compared
    with, "Unlike the S2, it floats and has a light"."""
    first = verb
    while first.dep_ == "conj" and is_verb(first.head) and own_subject(first) is None:
        first = first.head
    subject = own_subject(first)
    if first is verb or subject is None:
        return []
    fronts = [c for c in first.children if c.right_edge.i < subject.left_edge.i and _holds_of_all(c)]
    return [t for front in fronts for t in (*front.subtree, front.doc[front.right_edge.i + 1])]


def _holds_of_all(front: Token) -> bool:
    comma = front.doc[front.right_edge.i + 1].text == ","
    marked = any(c.lower_ in _CONDITIONS and c.dep_ in {"mark", "advmod"} for c in front.children)
    return comma and ((front.dep_ == "advcl" and marked) or front.lower_ in _COMPARING)


def restricted_after(tokens: Sequence[Token]) -> bool:
    """Whether what follows a clause in its sentence restricts it: "entry is free, but only if"."""
    last = tokens[-1]
    following = [t.lower_ for t in last.doc[last.i + 1 : last.sent.end] if t.text not in _PAUSES][:2]
    return following == ["but", "only"] or following[:1] in (["unless"], ["provided"], ["except"])


def counts_nothing(last: Token) -> bool:
    """Whether a clause ends with a number of what the clause before counts: "the old one took three"."""
    counted = {"dobj", "pobj", "attr", "npadvmod"}
    bare = last.tag_ == "CD" and "." not in last.text and last.dep_ in counted and not any(last.children)
    ratio = last.dep_ == "pobj" and last.head.lower_ in {"in", "of"} and last.doc[last.head.i - 1].tag_.startswith("NN")
    hour = last.dep_ == "pobj" and last.head.lower_ in _HOURS
    return bare and last.ent_type_ != "DATE" and not ratio and not hour

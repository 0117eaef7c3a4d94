"""Choose the replacement in a refuted claim: the words of the evidence for the element it contradicts.

The words are those of the context, not the normal form of a value or the full name behind a pronoun of the text, and as
few of them as possible: a date, number or name inside a longer phrase is replaced alone. Where the two differ in a
negation alone the evidence's predicate is used; evidence that only denies a claim has no replacement.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from claimgraph.detect.compare.decision_rules import Thresholds, reads_against
from claimgraph.detect.compare.fact_match import compare_values
from claimgraph.detect.compare.passage_match import PassageIndex
from claimgraph.detect.compare.typed.judgement import judge
from claimgraph.detect.compare.typed.sentence import read_all
from claimgraph.detect.compare.typed.value_conflicts import lone_conflict
from claimgraph.detect.text.determiners import takes_the
from claimgraph.detect.text.words import affirmed, content, folded, is_name, negated, same_name, tokens
from claimgraph.kgstore.model import Claim, Entity, Evidence, Passage, Span, Triple
from claimgraph.kgstore.naming import is_key
from claimgraph.kgstore.values import literals
from claimgraph.kgstore.values.dates import Date
from claimgraph.kgstore.values.literals import Comparison

_AGREEING = (Comparison.EQUAL, Comparison.COMPATIBLE)
_ARTICLE = re.compile(r"(?:the|an?)\s+", re.IGNORECASE)
_BEFORE = re.compile(r"\b(the|an?)\s+$", re.IGNORECASE)
_SENTENCE_START = re.compile(r"(?:^|[.!?][\"'”’)]{0,9}\s{1,40}|\n\s{0,40})[\"'“‘(]{0,9}$")
_GENITIVE = re.compile(r"['’]s?$")
_LONGEST = 6
"""Most words of an element that is replaced as a whole: a longer one says more than what the evidence contradicts."""
_NEW = 0.34
"""Share of the words around a value or name that may differ from ours: a name for a pronoun."""
_LINK = re.compile(r"\s+(?:(?:of|the|de|la|le|del|da|van|von|der|den|bin|al)\s+)*")
"""Separators of two words of one name."""


@dataclass(frozen=True, slots=True)
class Replacement:
    """New words for a span of the text."""

    span: Span
    words: str


def replacement(claim: Claim, evidence: Evidence, text: str, context: str) -> Replacement | None:
    """Return the edit that makes the claim agree with the evidence, or None where there is none.

    A fact contradicts the object, or the subject where the objects agree; a passage a date or number. A stored fact
    that tells by its time that a date is wrong has no other date to write.
    """
    if evidence.triple:
        found = _by_fact(claim, evidence.triple, _clause(evidence, context), text)
    else:
        found = _by_passage(claim, evidence, text)
    if found is None:
        return None
    whole = _fitted(found, text, context)
    return None if text[whole.span.start : whole.span.end] == whole.words else whole


def _clause(evidence: Evidence, context: str) -> str:
    """Return the words of the context that state the fact; empty for a fact of a graph."""
    return context[evidence.span.start : evidence.span.end] if evidence.document and evidence.span else ""


def _by_fact(claim: Claim, fact: Triple, clause: str, text: str) -> Replacement | None:
    if negated(claim.predicate) != negated(fact.predicate):
        return _undenied(claim, fact, clause, text)
    role, element = _contradicted(claim.triple, fact)
    ours, span = (claim.subject, claim.subject_span) if role == "subject" else (claim.object, claim.object_span)
    if span is None or not element or (not clause and is_key(element)):
        return None
    if not clause and not literals.literals_in(ours):
        return _by_name(text, span, ours, element)
    if not clause and (value := literals.parse(ours)) and type(literals.parse(element)) is not type(value):
        return None
    inner, words = _least(ours, _as_written(element, clause))
    place = _place(text, span, ours, inner)
    return Replacement(place, words) if place else None


def _by_name(text: str, span: Span, ours: str, name: str) -> Replacement | None:
    """Replace all words for an entity by a graph's name, with "the" as the name takes it."""
    place = _place(text, span, ours, Span(0, len(ours)), is_name(ours))
    article = _ARTICLE.match(text, span.start, span.end)
    if place is None or article is None:
        return Replacement(place, f"the {name}" if takes_the(name) and is_name(ours) else name) if place else None
    if is_name(name) and article[0].lower().startswith("the") and not takes_the(name):
        return Replacement(place, name)
    return Replacement(Span(article.end(), place.end), name)


def _undenied(claim: Claim, fact: Triple, clause: str, text: str) -> Replacement | None:
    """Return the fact's predicate for the claim's, where they differ in the negation alone and ours is contiguous."""
    span = claim.predicate_span
    if span is None or folded(_cut(text, span)) != folded(claim.predicate):
        return None
    same = content(affirmed(claim.predicate)) == content(affirmed(fact.predicate)) and _alike(claim.object, fact.object)
    return Replacement(span, _as_written(fact.predicate, clause)) if same else None


def _place(text: str, span: Span, element: str, inner: Span, whole: bool = False) -> Span | None:
    """Return the position of that part of an element in its span; None where a pronoun replaces it, or all of it is
    long and not `whole`.
    """
    if inner != Span(0, len(element)):
        part = r"\s*".join(re.escape(word) for word in re.findall(r"\w+|[^\w\s]", element[inner.start : inner.end]))
        found = re.compile(rf"(?<!\w){part}(?!\w)").search(text, span.start, span.end)
        return Span(*found.span()) if found else None
    end = span.start + len(_GENITIVE.sub("", text[span.start : span.end]))
    short = whole or len(list(tokens(element))) <= _LONGEST
    return Span(span.start, end) if short and content(text[span.start : end]) == content(element) else None


def _contradicted(ours: Triple, fact: Triple) -> tuple[str, str]:
    """Return the element of ours that the fact contradicts, and its words; inverted where only that direction fits.

    Where neither direction has one element in common the subject is taken for the same under another name.
    """
    for subject, object in ((fact.subject, fact.object), (fact.object, fact.subject)):
        same_subject, same_object = _alike(ours.subject, subject), _alike(ours.object, object)
        if same_subject != same_object:
            return ("object", object) if same_subject else ("subject", subject)
        if same_subject:
            return "", ""
    return "object", fact.object


def _alike(ours: str, theirs: str) -> bool:
    found = compare_values(ours, Entity("", theirs))
    return found in _AGREEING if found else folded(ours) == folded(theirs) or same_name(ours, theirs)


def _as_written(element: str, clause: str) -> str:
    """Return the words of the clause for an element of its triple, with their article; the element where it has
    none.
    """
    words = r"\s+".join(map(re.escape, element.split()))
    if found := re.search(rf"(?:\b(?:the|an?)\s+)?(?<!\w){words}(?!\w)", clause, re.IGNORECASE):
        return found[0]
    value = literals.parse(element)
    same = (s for s, v in literals.literals_in(clause) if value and literals.compare(value, v) is Comparison.EQUAL)
    return next((clause[span.start : span.end] for span in same), element)


def _by_passage(claim: Claim, evidence: Evidence, text: str) -> Replacement | None:
    """Replace a value or word by that of a sentence about the same subject and relation: what typed comparison names,
    or a value where the sentence has most of the claim's other words.
    """
    conflict = _differing(claim, evidence)
    if conflict is None:
        return None
    ours = re.compile(rf"(?<!\w){re.escape(conflict[0])}(?!\w)")
    for span in filter(None, (claim.object_span, claim.predicate_span, claim.span)):
        if found := ours.search(text, span.start, span.end):
            return Replacement(Span(found.start(), found.end()), conflict[1])
    return None


def _differing(claim: Claim, evidence: Evidence) -> tuple[str, str] | None:
    passage = Passage(evidence.text, evidence.source, evidence.document, evidence.span)
    read = read_all([claim.sentence, passage.text])
    told = judge(read[claim.sentence], read[passage.text])
    if told and told.excluded and told.said and told.kind != "list":
        return told.said, told.known
    if told:
        return None
    readings = PassageIndex((passage,)).read(claim, 1)
    against = next((found.conflict for found in readings if reads_against(found, Thresholds())), None)
    return against or lone_conflict(read[claim.sentence], read[passage.text])


def _least(ours: str, theirs: str) -> tuple[Span, str]:
    """Return the part of our phrase to replace, and the part of theirs to replace it: the one value or name that
    differs, where the rest of their phrase adds hardly anything to ours; else all of it.
    """
    for kind, same in ((_values, _same_value), (_names, same_name)):
        a, b = kind(ours), kind(theirs)
        other = [(x, y) for x, y in zip(a, b, strict=False) if not same(_cut(ours, x), _cut(theirs, y))]
        if len(a) == len(b) and len(other) == 1:
            mine, yours = other[0]
            rest = set(_rest(theirs, yours))
            if len(rest - set(_rest(ours, mine))) <= _NEW * len(rest):
                return mine, _cut(theirs, yours)
    return Span(0, len(ours)), _GENITIVE.sub("", theirs)


def _cut(text: str, span: Span) -> str:
    return text[span.start : span.end]


def _rest(text: str, span: Span) -> Sequence[str]:
    return content(f"{text[: span.start]} {text[span.end :]}")


def _values(text: str) -> list[Span]:
    return [span for span, _ in literals.literals_in(text)]


def _same_value(ours: str, theirs: str) -> bool:
    a, b = literals.parse(ours), literals.parse(theirs)
    return ours == theirs or (a is not None and b is not None and literals.compare(a, b) in _AGREEING)


def _names(text: str) -> list[Span]:
    """Return runs of words written as names, with the small words inside them."""
    found: list[Span] = []
    for word in tokens(text):
        if not word[0][0].isupper() or not content(word[0]):
            continue
        end = word.end() - (2 if word[0].endswith(("'s", "’s")) else 0)
        if found and _LINK.fullmatch(text, found[-1].end, word.start()):
            found[-1] = Span(found[-1].start, end)
        else:
            found.append(Span(word.start(), end))
    return found


def _fitted(found: Replacement, text: str, context: str) -> Replacement:
    """Return the words with the precision and case of their place, and with one article, of the right form."""
    start, words = found.span.start, _as_precise(_cut(text, found.span), found.words)
    before = _BEFORE.search(text, max(0, start - 12), start)
    if before:
        words = _ARTICLE.sub("", words, count=1) if _ARTICLE.match(words) else words
        right = "the" if before[1].lower() == "the" else _indefinite(words)
        if right != before[1].lower():
            start, words = before.start(), f"{right} {words}"
    begins = bool(_SENTENCE_START.search(text, max(0, start - 60), start)) and not text[start : start + 1].islower()
    return Replacement(Span(start, found.span.end), _cased(words, begins, context))


def _as_precise(ours: str, theirs: str) -> str:
    """Return the year alone of a date that replaces a year: it follows "in", not "on"."""
    a, b = literals.parse(ours), literals.parse(theirs)
    years = re.findall(r"\b\d{4}\b", theirs)
    year = isinstance(a, Date) and isinstance(b, Date) and a.precision == "year" and len(years) == 1
    return years[0] if year else theirs


def _indefinite(words: str) -> str:
    vowel = re.match(r"[aeio]|u(?!ni|s|r|t)|8|1[18]\b", words, re.IGNORECASE)
    return "an" if vowel and not re.match(r"eu|one\b|once\b", words, re.IGNORECASE) else "a"


def _cased(words: str, begins: bool, context: str) -> str:
    """Return the words with a capital where they begin a sentence; without one where the context has it only there.

    Without a context the words are a graph's, which writes names unchanged.
    """
    if begins:
        return words[:1].upper() + words[1:]
    if not context:
        return words
    first = next(tokens(words), None)
    if first is None or first.start() or not first[0][0].isupper():
        return words
    small = first[0][0].lower() + first[0][1:]
    everywhere = re.finditer(rf"(?<!\w){re.escape(first[0])}(?!\w)", context)
    common = not content(small) or re.search(rf"(?<!\w){re.escape(small)}(?!\w)", context)
    named = not all(_SENTENCE_START.search(context, max(0, at.start() - 60), at.start()) for at in everywhere)
    return words[:1].lower() + words[1:] if common and not named else words

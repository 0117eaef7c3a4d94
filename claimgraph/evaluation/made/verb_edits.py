"""Add or remove a negation, and replace a verb by its opposite, in the verb's own form.

The verbs are a short table, since an antonym from a large resource (WordNet) rarely takes the same preposition.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from random import Random
from typing import TYPE_CHECKING

from claimgraph.evaluation.made.swaps import Change
from claimgraph.kgstore.model import Span

if TYPE_CHECKING:
    from spacy.tokens import Token

    from claimgraph.detect.text.parse import Paragraph

_FINITE = ("MD", "VBZ", "VBP", "VBD")
_AUXILIARY = ("aux", "auxpass")
_DO = {"VBZ": "does", "VBP": "do", "VBD": "did"}
_SHORT = {"ca": "can", "wo": "will", "sha": "shall"}
"""Remainder of a modal before "n't"."""
_PAIRS = re.findall(
    r"\b(\w+) (\w+)",
    "win lose buy sell open close accept reject love hate start finish begin end rise fall increase decrease "
    "support oppose praise condemn build destroy allow ban enter leave include exclude confirm deny lead follow "
    "attack defend kill save hire dismiss create destroy borrow lend approve reject admit deny join leave "
    "remember forget find lose like dislike raise lower grow shrink strengthen weaken appoint dismiss "
    "marry divorce visit avoid live die",
)
_OPPOSITE: dict[str, str] = {b: a for a, b in reversed(_PAIRS)} | dict(reversed(_PAIRS))
_TRANSITIVE = ("condemn", "destroy", "ignore", "photograph", "praise", "reject")
"""Replacement of a verb without an opposite that has a direct object, or is passive."""
_FRAMES = {"xcomp", "ccomp", "dative", "oprd", "advcl"}
"""Dependents beside the object that leave a verb few replacements."""
_KEPT = ("be", "have", "do", "bear", "wait", "say", "tell", "cost", "last")
_IRREGULAR: dict[str, tuple[str, str]] = {
    row[0]: (row[1], row[2])
    for row in re.findall(
        r"\b(\w+) (\w+) (\w+)",
        "win won won lose lost lost buy bought bought sell sold sold begin began begun rise rose risen fall fell "
        "fallen build built built leave left left lead led led lend lent lent forget forgot forgotten find found "
        "found grow grew grown shrink shrank shrunk",
    )
}
_DOUBLED = ("win", "begin", "ban", "admit", "forget")


def verb_edits(paragraph: Paragraph, random: Random) -> Iterator[Change]:
    """Yield negations of finite verbs, and replacements of verbs that have a fitting one."""
    for token in paragraph.doc:
        if token.tag_ in _FINITE and (change := _negation(paragraph, token)):
            yield change
        if token.pos_ == "VERB" and token.dep_ not in _AUXILIARY and (change := _other_verb(paragraph, token, random)):
            yield change


def _negation(paragraph: Paragraph, verb: Token) -> Change | None:
    """Return the change of "is" to "is not", "sold" to "did not sell", and back: "did not sell" to "did sell"."""
    main = verb.head if verb.dep_ in _AUXILIARY else verb
    if verb.dep_ in _AUXILIARY and any(t.i < verb.i and t.tag_ in _FINITE for t in main.children if t.dep_ == "aux"):
        return None
    if verb.dep_ not in _AUXILIARY and any(t.dep_ in _AUXILIARY for t in verb.children):
        return None
    denial = next((t for t in main.children if t.dep_ == "neg"), None)
    if denial is not None:
        return _affirmed(paragraph, verb, denial)
    if verb.dep_ in _AUXILIARY or verb.lemma_ == "be":
        return Change(*_at(paragraph, verb, f"{_written(paragraph, verb)} not"), "negation")
    if not verb.text.islower() or verb.lemma_ == verb.text != verb.lower_:
        return None
    return Change(*_at(paragraph, verb, f"{_DO[verb.tag_]} not {verb.lemma_}"), "negation")


def _affirmed(paragraph: Paragraph, verb: Token, denial: Token) -> Change | None:
    """Return the change of "auxiliary not" to the auxiliary, or of "never" and its verb to the verb."""
    if denial.i == verb.i + 1 and denial.lower_ in ("not", "n't", "n’t", "never"):
        return Change(paragraph.span(verb.i, denial.i), _SHORT.get(verb.lower_, _written(paragraph, verb)), "negation")
    if denial.i + 1 == verb.i and denial.lower_ == "never":
        return Change(paragraph.span(denial.i, verb.i), _written(paragraph, verb), "negation")
    return None


def _other_verb(paragraph: Paragraph, verb: Token, random: Random) -> Change | None:
    relations = {child.dep_ for child in verb.children}
    if "prt" in relations or not verb.text.islower() or verb.tag_ not in _FORMS:
        return None
    lemma = _OPPOSITE.get(verb.lemma_)
    plain = relations & {"dobj", "nsubjpass"} and not relations & _FRAMES and verb.lemma_ not in _KEPT
    if lemma is None and plain:
        lemma = random.choice([v for v in _TRANSITIVE if v != verb.lemma_])
    return Change(*_at(paragraph, verb, inflected(lemma, verb.tag_)), "relation") if lemma else None


def inflected(lemma: str, tag: str) -> str:
    """Return a verb of the tables in the form of a Penn Treebank tag (VB, VBP, VBZ, VBD, VBN or VBG)."""
    return _FORMS[tag](lemma)


def _third(lemma: str) -> str:
    if re.search(r"(?:[sxz]|ch|sh)$", lemma):
        return f"{lemma}es"
    return re.sub(r"(?<=[^aeiou])y$", "ie", lemma) + "s"


def _past(lemma: str, which: int = 0) -> str:
    if lemma in _IRREGULAR:
        return _IRREGULAR[lemma][which]
    return _stem(re.sub(r"(?<=[^aeiou])y$", "i", lemma)).removesuffix("e") + "ed"


def _gerund(lemma: str) -> str:
    return (lemma[:-2] + "y" if lemma.endswith("ie") else _stem(lemma).removesuffix("e")) + "ing"


def _stem(lemma: str) -> str:
    return lemma + lemma[-1] if lemma in _DOUBLED else lemma


_FORMS: dict[str, Callable[[str], str]] = {
    "VB": str,
    "VBP": str,
    "VBZ": _third,
    "VBD": _past,
    "VBN": lambda lemma: _past(lemma, 1),
    "VBG": _gerund,
}


def _written(paragraph: Paragraph, token: Token) -> str:
    span = paragraph.span(token.i, token.i)
    return paragraph.text[span.start : span.end]


def _at(paragraph: Paragraph, token: Token, words: str) -> tuple[Span, str]:
    return paragraph.span(token.i, token.i), words

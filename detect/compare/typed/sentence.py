"""A parsed sentence as typed comparison reads it: content words with their roles, values, negated words, quantifiers.

Tags and dependencies are those of spaCy. Everything here concerns one sentence; judgement.py compares two.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from claimgraph.detect.compare.typed.plain_phrasing import plain_phrasing
from claimgraph.detect.compare.typed.value_relation import plain_values
from claimgraph.detect.text.blas_threads import one_thread
from claimgraph.detect.text.spacy_model import load
from claimgraph.detect.text.words import stem, words
from claimgraph.kgstore.values import literals
from claimgraph.kgstore.values.literals import Parsed
from claimgraph.kgstore.values.quantities import Quantity

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

LIGHT = words(
    """
    be have do make get become take come put go give remain stay stand last seem say tell call hold run lie keep
    find use set reach see also just still even ever yet already again about roughly only alone long later then
    there together ago people person part number way kind one thing very so too once any admit acknowledge
    confirm announce report state switch
    """
)
"""Lemmas that a sentence need not have: they say little beside the others."""
_DENYING = words(
    """
    not n't never no none neither nobody nothing nor without cannot except excluding apart
    """
)
_DENYING_VERBS = frozenset({"fail", "refuse", "decline", "stop", "cease", "deny", "unable", "lack", "avoid", "abandon"})
_HEDGES = words(
    """
    may might could would should if whether unless plan expect hope intend reportedly allegedly likely possibly
    perhaps probably
    """
)
_QUANTIFIERS = {
    "all": "all", "every": "all", "each": "all", "both": "all", "whole": "all", "entire": "all", "most": "most",
    "majority": "most", "some": "some", "several": "some", "many": "some", "no": "none", "none": "none",
    "neither": "none", "few": "few", "any": "any",
}  # fmt: skip
_PERSONS = {"everyone": "all", "everybody": "all", "nobody": "none", "anyone": "any", "anybody": "any"}
_ALMOST = frozenset({"almost", "nearly", "virtually"})
_LOOSE = frozenset({"compound", "amod", "nmod", "det", "nummod", "appos", "conj", "case", "poss", "quantmod"})
_MORE, _LESS = frozenset({"more", "most"}), frozenset({"less", "few", "least", "little"})


@dataclass(frozen=True, slots=True)
class Word:
    """A content word: `at` its token; `role` S (who acts or is), O (what is acted on), a preposition, or ""; `degree`
    is "", attribute (of "the older brother"), comparative, superlative or equal; `verb` whether it is one.
    """

    at: int
    stem: str
    text: str
    role: str
    degree: str
    verb: bool
    noun: bool
    name: bool
    attribute: bool
    light: bool


_LIMITS = frozenset({"before", "after", "by", "until", "till", "since"})


@dataclass(frozen=True, slots=True)
class Value:
    """A value at tokens [at, end); `role` is its preposition where that distinguishes values; `whole` for the 90 of "a
    third of the 90", which is not what the sentence counts. `counted` is the stem of the noun after it, or "".
    """

    at: int
    end: int
    parsed: Parsed
    text: str
    role: str
    whole: bool
    counted: str

    @property
    def bounds(self) -> bool:
        """Whether it is a limit, not the value itself: "before 1990", "more than 5"."""
        modifier = getattr(self.parsed, "modifier", None)
        return self.role in _LIMITS or modifier not in (None, "about")


@dataclass(frozen=True, slots=True)
class Quantified:
    """A quantifier (all, most, some, few, none, not all, only, any) of the noun with that stem."""

    at: int
    kind: str
    noun: str


class Sentence:
    """One sentence, parsed (see `read_all`)."""

    def __init__(self, doc: Doc) -> None:
        self.doc, self.text = doc, doc.text
        self.values = list(_values(doc))
        inside = {at for value in self.values for at in range(value.at, value.end)}
        self.words = [word for token in doc if token.i not in inside and (word := _word(token))]
        self._by_token = {word.at: word for word in self.words}

    @cached_property
    def denied(self) -> list[tuple[int, str]]:
        """Negating tokens with the stem of the word that each negates."""
        return [(token.i, word.stem) for token in self.doc if (word := self._negated_by(token))]

    @cached_property
    def quantified(self) -> list[Quantified]:
        """The quantifiers, in order."""
        return [found for token in self.doc if (found := self._quantifier(token))]

    @cached_property
    def hedged(self) -> bool:
        """Whether the sentence says only that something may be, is planned or depends on something."""
        unsure = any(token.lemma_.lower() in _HEDGES and not token.tag_.startswith("NN") for token in self.doc)
        return unsure or self.text.rstrip(" \"'”’)").endswith("?")

    def following(self, at: int, noun: bool = False) -> Word | None:
        """Return the first content word after a token, a noun where asked."""
        later = (word for word in self.words if word.at > at)
        return next((word for word in later if not noun or self.doc[word.at].tag_.startswith("NN")), None)

    def _negated_by(self, token: Token) -> Word | None:
        lemma, low = token.lemma_.lower(), token.lower_
        if low in _DENYING:
            after = token.nbor().lower_ if token.i + 1 < len(token.doc) else ""
            if after in ("only", "all", "every", "many", "least", "doubt") or (
                low == "no" and after in ("more", "less")
            ):
                return None
            words = (word for word in self.words if word.at > token.i and not _operator(self.doc[word.at]))
            return next((word for word in words if not word.light), None)
        if _operator(token):
            return self.following(token.i, noun=lemma == "lack")
        return None

    def _quantifier(self, token: Token) -> Quantified | None:
        low = token.lower_
        before = token.nbor(-1).lower_ if token.i else ""
        if low in _PERSONS or (low == "one" and before in ("no", "every")):
            kind = _PERSONS.get(low) or ("none" if before == "no" else "all")
            return Quantified(token.i, "not all" if before == "not" and kind == "all" else kind, "person")
        kind = _QUANTIFIERS.get(low, "")
        if not kind or (low in ("most", "no", "few", "many") and not self._counts(token)):
            return None
        noun = self.following(token.i, noun=True)
        if kind == "all":
            kind = "not all" if before == "not" else "most" if before in _ALMOST else kind
        if low == "many" and before == "not":
            kind = "few"
        if low == "few" and before == "a":
            kind = "some"
        if kind == "some" and before == "only":
            kind = "not all"
        return Quantified(token.i, kind, noun.stem) if noun else None

    def _counts(self, token: Token) -> bool:
        """Return whether the word quantifies: before a noun, an adjective of it, or "of"; not "most expensive"."""
        after = token.nbor() if token.i + 1 < len(token.doc) else None
        return after is not None and (after.tag_.startswith("NN") or after.lower_ == "of" or after.dep_ == "amod")


def read_all(texts: Iterable[str]) -> dict[str, Sentence]:
    """Return the sentences by text, parsed in one batch, which is many times faster than one by one.

    Fractions are written as shares first, what is sold separately as not included: `Sentence.text` may differ from the
    key.
    """
    wanted = list(dict.fromkeys(texts))
    plain = (plain_phrasing(plain_values(text)) for text in wanted)
    nlp = load()
    with one_thread():
        docs = list(nlp.pipe(plain, batch_size=256, disable=["ner"]))
    return {text: Sentence(doc) for text, doc in zip(wanted, docs, strict=True)}


def _operator(token: Token) -> bool:
    """Return whether the word denies what follows it: "failed to", "stopped serving", "lacks"."""
    lemma = token.lemma_.lower()
    if lemma not in _DENYING_VERBS or token.i + 1 >= len(token.doc):
        return False
    after = token.nbor()
    return lemma == "lack" or after.lower_ in ("to", "that", "having") or after.tag_ == "VBG"


def _word(token: Token) -> Word | None:
    lemma = token.lemma_.lower()
    content = token.tag_[:2] in ("NN", "VB", "JJ", "RB", "CD", "FW") or token.lower_ in ("more", "less", "fewer")
    aside = token.is_punct or token.dep_ in ("aux", "auxpass", "neg", "det", "predet") or token.lower_ in _FUNCTION
    aside = aside or (token.lower_ == "longer" and token.i > 0 and token.nbor(-1).lower_ in ("no", "any"))
    if not content or aside or _operator(token):
        return None
    after = token.nbor() if token.i + 1 < len(token.doc) else None
    if lemma in _MORE | _LESS and after is not None and after.tag_ in ("JJ", "RB", "JJR", "RBR"):
        return None
    name = token.tag_.startswith("NNP")
    degree = _degree(token)
    base = {"few": "less", "fewer": "less", "well": "good"}.get(lemma, lemma) if degree != "" else lemma
    written = base if not name and lemma != "-pron-" else token.lower_
    light = (lemma in LIGHT and not name and degree == "") or (lemma in _SPELLS and token.dep_ == "npadvmod")
    verb, noun = token.tag_.startswith("VB"), token.tag_.startswith("NN")
    return Word(token.i, stem(written), token.text, role(token), degree, verb, noun, name, token.dep_ == "amod", light)


_FUNCTION = words(
    """
    all every each both no none some any several many most few half such same other own not never n't also only
    just who whom whose which that what when where why how as than nobody everyone everybody nothing neither
    either
    """
)


_SPELLS = frozenset({"second", "minute", "hour", "day", "night", "week", "month", "year", "time"})


def _degree(token: Token) -> str:
    before = token.nbor(-1).lower_ if token.i else ""
    if token.tag_ in ("JJR", "RBR") or (before in ("more", "less") and token.tag_ in ("JJ", "RB")):
        return "comparative" if any(later.lower_ == "than" for later in token.doc[token.i :]) else "attribute"
    if token.tag_ in ("JJS", "RBS") or (before in ("most", "least") and token.tag_ in ("JJ", "RB")):
        return "superlative"
    equal = any(child.lower_ == "as" and child.i < token.i for child in token.children)
    return "equal" if equal and any(later.lower_ == "as" for later in token.doc[token.i + 1 : token.i + 3]) else ""


def role(token: Token) -> str:
    """Return the part that a noun plays for its verb: S, O, a preposition, or "" for anything else."""
    head = token
    while head.dep_ in _LOOSE and head.head is not head and head.dep_ != "poss":
        head = head.head
    if head.dep_ == "poss":
        return "of"
    if head.dep_ in ("nsubj", "csubj"):
        return "S"
    if head.dep_ in ("nsubjpass", "dobj", "attr", "oprd", "acomp"):
        return "O"
    if head.dep_ == "dative":
        return "to"
    if head.dep_ == "pobj":
        prep = head.head
        passive = any(child.dep_ == "auxpass" for child in prep.head.children)
        return "S" if prep.dep_ == "agent" or (prep.lower_ == "by" and passive) else prep.lower_
    return ""


_DISTINCT = frozenset({"from", "to", "until", "till", "since", "by", "before", "after"})


def _values(doc: Doc) -> Iterator[Value]:
    for span, parsed in literals.literals_in(doc.text):
        found = doc.char_span(span.start, span.end, alignment_mode="expand")
        if found is None or (isinstance(parsed, Quantity) and parsed.unit == "rank" and _names_a_thing(doc, found.end)):
            continue
        if found.end < len(doc) and doc[found.end].text == "-":  # "six-time"
            continue
        if _ends_a_name(doc, found.start, found.end, parsed):
            continue
        before = doc[found.start - 1].lower_ if found.start else ""
        first = found[0].lower_
        role = first if first in _DISTINCT else before if before in _DISTINCT else ""
        near = [token.lower_ for token in doc[max(0, found.start - 3) : found.start]]
        counted = doc[max(0, found.start - 5) : found.start]
        whole = "of" in near and any(token.like_num or token.text == "%" for token in counted)
        yield Value(found.start, found.end, parsed, found.text, role, whole, _counted(doc, found.end))


def _counted(doc: Doc, end: int) -> str:
    """Return the stem of the head of the noun phrase that follows at once, or after "of the", "of her four"; "" where
    none does.
    """
    at, head = end, ""
    if end + 1 < len(doc) and doc[end].lower_ == "of" and (doc[end + 1].lower_ == "the" or doc[end + 1].tag_ == "PRP$"):
        at = end + 3 if end + 2 < len(doc) and doc[end + 2].like_num else end + 2
    while at < len(doc) and (doc[at].tag_.startswith(("NN", "JJ", "VBG")) or doc[at].text == "-"):
        head = stem(doc[at].lemma_.lower()) if doc[at].tag_.startswith("NN") else head
        at += 1
    return head


def _ends_a_name(doc: Doc, start: int, end: int, parsed: Parsed) -> bool:
    """Return whether a bare number belongs to the name before it, as that of a model: "The Fjellrev 22 weighs"."""
    bare = isinstance(parsed, Quantity) and parsed.unit is None and end == start + 1 and doc[start].text.isdigit()
    after = doc[end].tag_ if end < len(doc) else ""
    named = start > 0 and doc[start - 1].tag_ == "NNP" and doc[start].dep_ != "npadvmod"
    return bare and named and (after.startswith("VB") or after == "MD")


def _names_a_thing(doc: Doc, end: int) -> bool:
    """Return whether a rank stands before its noun: "the second edition" is another edition, no other value."""
    defined = end > 1 and doc[end - 2].lower_ == "the"
    return defined or (end < len(doc) and doc[end].tag_.startswith(("NN", "JJ")))

"""Relative clauses around another noun than their subject, as sentences of their own: "Vienna, where she studied law"
says "She studied law in Vienna.", "the prize, which she won in 1934" says "She won the prize in 1934."."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from claimgraph.detect.extraction.atoms import PLACES, core
from claimgraph.detect.extraction.clause_sentence import ClauseSentence, spoken_sentence
from claimgraph.detect.extraction.clause_words import main_words, trimmed
from claimgraph.detect.text.syntax import OBJECTS, is_verb

if TYPE_CHECKING:
    from spacy.tokens import Token

    from claimgraph.detect.text.parse import Paragraph

_AT = frozenset({"in", "at", "on", "near", "beside"})
_BEFORE_NOUN = OBJECTS | {"agent", "prt"}
_DIRECTLY = frozenset({"prt", "prep", "advmod", "acomp", "oprd", "npadvmod"})
"""Relations of what stays with a verb that it follows: "look after", "split open", "remained for three days"."""


def relative_sentence(part: Paragraph, verb: Token, gap: Token, names: Mapping[int, str]) -> ClauseSentence:
    """Return the clause of `verb` with its noun where `gap`, the relative word, would stand in a main clause."""
    noun, preposition = verb.head, gap.head if gap.dep_ == "pobj" else None
    left_out = {gap} if preposition is None else {gap, preposition}
    words = trimmed([token for token in main_words(verb) if token not in left_out])
    place = _end(verb, gap)
    first = _named(noun, verb)
    article = {t.i: _again(t) for t in first[:1] if t.tag_ in {"DT", "PRP$"}}
    marker = [preposition] if preposition is not None else [_where(noun)] if gap.lower_ == "where" else []
    before, after = [t for t in words if t.i <= place], [t for t in words if t.i > place]
    return spoken_sentence(part, [*before, *marker, *first, *after], {**article, **names})


def _again(article: Token) -> str:
    """Return the article of a noun that is named again."""
    if article.lower_ in {"a", "an"}:
        return "the"
    return article.lower_ if article.is_sent_start else article.text


def _named(noun: Token, verb: Token) -> tuple[Token, ...]:
    """Return the words of a noun, also the name in "the botanist Carl Nägeli"."""
    name = [t for c in noun.children if c.dep_ == "appos" and c.left_edge.i == noun.i + 1 for t in core(c)]
    return (*core(noun, verb), *name)


def _end(verb: Token, gap: Token) -> int:
    """Return the place of the last token of a verb with its objects, after which its other arguments stand."""
    inner = next((c for c in verb.children if c.dep_ == "xcomp" and is_verb(c) and c.i > verb.i), None)
    if gap.dep_ in OBJECTS:
        last = next((c.i for c in verb.children if c.dep_ == "prt" and c.i == verb.i + 1), verb.i)
    else:
        objects = [c.right_edge.i for c in verb.children if c.dep_ in _BEFORE_NOUN and c.i > verb.i]
        beside = [c.right_edge.i for c in verb.children if c.left_edge.i == verb.i + 1 and c.dep_ in _DIRECTLY]
        last = max([verb.i, *objects, *beside])
    return max(last, _end(inner, gap)) if inner is not None else last


def _where(noun: Token) -> str:
    """Return the preposition that "where" stands for."""
    if noun.dep_ == "pobj" and noun.head.lower_ in _AT:
        return noun.head.lower_
    return "in" if noun.ent_type_ in PLACES else "at"

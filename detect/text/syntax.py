"""Read a dependency tree: phrases, coordination, verb groups and their arguments, in spaCy's English labels.

Questions about grammar only; clauses.py decides what becomes a claim.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spacy.tokens import Token

SUBJECTS = frozenset({"nsubj", "nsubjpass", "csubj", "csubjpass"})
OBJECTS = frozenset({"dobj", "attr", "oprd", "acomp", "dative"})
CLAUSES = frozenset({"relcl", "acl", "advcl", "ccomp", "parataxis"})
RELATIVE = frozenset({"who", "whom", "which", "that", "whose"})
_LOOSE = frozenset({"relcl", "appos", "parataxis", "cc", "conj", "preconj", "advcl", "dep"})
_GROUP = frozenset({"aux", "auxpass", "neg", "prt"})


def conjuncts(head: Token) -> list[Token]:
    """Return the token and all tokens coordinated with it, in text order."""
    found = [head]
    for token in found:
        found.extend(child for child in token.children if child.dep_ == "conj" and same_kind(head, child))
    return found


def same_kind(a: Token, b: Token) -> bool:
    """Return whether both are verbs or neither is: parsers also coordinate a noun with the clause after it."""
    return is_verb(a) == is_verb(b)


def is_verb(token: Token) -> bool:
    """Return whether the token is a verb or auxiliary."""
    return token.tag_.startswith("VB") or token.tag_ == "MD"


def phrase(head: Token, drop: Iterable[Token] = (), loose: bool = False) -> list[Token]:
    """Return the tokens of the phrase under `head`, in text order, without punctuation at its ends.

    The subtrees of `drop` are left out and, unless `loose`, those coordinated with the head or commenting on it.
    """
    dropped = set(drop)
    if not loose:
        dropped.update(child for child in head.children if _comments(child))
    kept: list[Token] = []
    _gather(head, dropped, kept)
    return strip(_filled(_with_commas(sorted(kept, key=lambda token: token.i))))


def _filled(tokens: list[Token]) -> list[Token]:
    """Return the tokens without empty pairs of brackets and quotes."""
    empty = [i for i, (a, b) in enumerate(pairwise(tokens)) if a.text + b.text in {"()", '""', "[]"}]
    return [token for i, token in enumerate(tokens) if i not in empty and i - 1 not in empty]


def _with_commas(tokens: list[Token]) -> list[Token]:
    """Return the tokens with the punctuation between them: "August 24, 1947"."""
    found: list[Token] = []
    for token in tokens:
        if found and token.i == found[-1].i + 2 and token.doc[token.i - 1].is_punct:
            found.append(token.doc[token.i - 1])
        found.append(token)
    return found


def _gather(token: Token, dropped: set[Token], kept: list[Token]) -> None:
    kept.append(token)
    for child in token.children:
        if child not in dropped:
            _gather(child, dropped, kept)


def _comments(child: Token) -> bool:
    if child.dep_ == "punct":
        return child.text in {",", ";", ":", "--", "–", "—"}
    return child.dep_ in _LOOSE or (child.dep_ == "acl" and child.i > child.head.i and after_comma(child))


def after_comma(token: Token) -> bool:
    """Return whether the phrase of the token begins after a comma, dash or bracket."""
    first = token.left_edge.i
    return first > 0 and token.doc[first - 1].text in {",", "(", "--", "–", "—", ";"}


def semicolon(first: Token, second: Token) -> bool:
    """Return whether a semicolon stands between two tokens, in this order: a parser may take the first clause for an
    object of the second.
    """
    return any(token.text == ";" for token in first.doc[first.i : second.i])


def strip(tokens: list[Token]) -> list[Token]:
    """Remove punctuation, white space and conjunctions at the ends; complete pairs of brackets and quotes stay."""
    while tokens and (_edge(tokens[-1], tokens) or tokens[-1].dep_ == "cc"):
        tokens = tokens[:-1]
    while tokens and (_edge(tokens[0], tokens) or tokens[0].dep_ == "cc"):
        tokens = tokens[1:]
    return tokens


def _edge(token: Token, tokens: list[Token]) -> bool:
    if token.is_space:
        return True
    if token.text == '"':
        return sum(other.text == '"' for other in tokens) % 2 == 1
    return token.is_punct and token.text not in {"%", "&"} and token.dep_ != "nummod"


def verb_group(verb: Token) -> list[Token]:
    """Return the verb with its auxiliaries, negation, particles and the adverbs among them, in text order."""
    group = [verb, *(child for child in verb.children if child.dep_ in _GROUP)]
    first = min(token.i for token in group)
    last = max(token.i for token in group)
    for child in verb.children:
        if child.dep_ == "advmod" and first - 1 <= child.i <= last + 1 and is_plain_adverb(child):
            group.append(child)
    return sorted(group, key=lambda token: token.i)


def is_plain_adverb(token: Token) -> bool:
    """Return whether an adverb stands alone and is no question or relative word."""
    return token.tag_ in {"RB", "RBR", "RBS"} and not any(child.dep_ != "punct" for child in token.children)

"""Tags that follow from where a word stands, though a small tagger gave it another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from claimgraph.detect.text.syntax import SUBJECTS, is_full

if TYPE_CHECKING:
    from spacy.tokens import Token


def tag_by_place(token: Token) -> str:
    """Return the tag of a word: that of a noun where only a noun can stand, of a verb of the past for a main verb, and
    of a bare verb for an order.
    """
    if token.tag_ in {"VBZ", "VBP"} and token.dep_ == "appos":
        return "NNS"  # "in one place only: the reed beds along the Tesk"
    return "NN" if _is_noun(token) else "VBD" if _is_past(token) else "VB" if _is_order(token) else token.tag_


def _is_noun(token: Token) -> bool:
    """Return whether a word that was taken for an adjective or a verb stands where only a noun can: after a noun as a
    part of the same subject or object, "the lantern newt is", "worked at the fisheries station for years"."""
    argument = {"dobj", "pobj"} if token.tag_ == "VBP" else {"nsubj", "nsubjpass", "dobj", "pobj"}
    compound = any(child.dep_ == "compound" and child.i == token.i - 1 for child in token.children)
    return token.tag_ in {"JJ", "VBP"} and token.dep_ in argument and compound


def _is_past(token: Token) -> bool:
    """Return whether the main verb of a sentence was taken for a participle though it has a subject and no auxiliary:
    "Nine towns protested in vain."."""
    alone = token.tag_ == "VBN" and token.dep_ in {"ROOT", "conj"} and is_full(token.sent)
    own = any(child.dep_ == "nsubj" and child.i < token.i for child in token.children)
    return alone and own and not any(child.dep_ in {"aux", "auxpass"} for child in token.children)


def _is_order(token: Token) -> bool:
    """Return whether what was taken for an adjective asks for something: "Once it is full, empty the bowl"."""
    ruled = [child.dep_ for child in token.children if child.dep_ in {*SUBJECTS, "dobj", "aux"}]
    return token.tag_ == "JJ" and token.dep_ == "ROOT" and ruled == ["dobj"] and is_full(token.sent)

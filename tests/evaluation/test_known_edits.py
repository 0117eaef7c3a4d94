"""Texts made wrong in one known place."""

from __future__ import annotations

from functools import cache

import pytest

from claimgraph.detect.extraction.extractor import RuleExtractor
from claimgraph.evaluation.made.known_edits import KnownEdit, known_edits
from claimgraph.evaluation.made.verb_edits import inflected
from claimgraph.kgstore.identity import document_id
from claimgraph.kgstore.model import Document
from claimgraph.kgstore.values import literals
from claimgraph.kgstore.values.literals import Comparison

TEXT = (
    "Marie Curie was born in Warsaw on 7 November 1867. She won the Nobel Prize in 1903. John Smith founded an "
    "Austrian company in Germany. It did not sell 3 million cars in France last year. The fire killed 20 people in "
    "Paris on Monday. Two firms can't pay. He never won the 3rd race."
)


@cache
def edits(text: str = TEXT, seed: int = 0) -> list[KnownEdit]:
    """The known edits of a text."""
    [extraction] = RuleExtractor().extract([Document(document_id(text), text)])
    return known_edits(extraction, seed)


@pytest.mark.parametrize("text", [TEXT, "Ann Lee (38) met Bob Ray\n\nin May 2010.\n- It's 5 km  away, over £1,200."])
def test_only_the_named_span_differs(text: str) -> None:
    """Before and after the span both texts are the same, and in it stand the old and the new words."""
    assert edits(text)
    for edit in edits(text):
        assert text == edit.original
        assert text[: edit.start] == edit.edited[: edit.start]
        assert text[edit.start + len(edit.before) :] == edit.edited[edit.end :]
        assert edit.before == text[edit.start : edit.start + len(edit.before)]
        assert edit.after == edit.edited[edit.start : edit.end] != edit.before


def test_all_kinds_are_made_and_values_exclude_the_old_ones() -> None:
    """Each kind occurs; no new number or date is equal to or compatible with the one before."""
    assert {"entity", "number", "date", "negation", "relation"} == {edit.kind for edit in edits()}
    for edit in edits():
        before, after = literals.parse(edit.before), literals.parse(edit.after)
        if edit.kind in ("number", "date") and before and after:
            assert Comparison.DIFFERENT is literals.compare(before, after)


def test_the_element_is_where_the_words_stand() -> None:
    """Verbs are predicates, names and values what their claims have them as."""
    found = {(edit.before, edit.element) for edit in edits()}
    assert {("Marie Curie", "subject"), ("Warsaw", "object"), ("killed", "predicate"), ("20", "object")} <= found
    assert all(edit.element == "predicate" for edit in edits() if edit.kind in ("negation", "relation"))


def test_negations_are_grammatical() -> None:
    """An auxiliary takes "not", another verb "did not"; a denial becomes its affirmation."""
    negations = {(edit.before, edit.after) for edit in edits() if edit.kind == "negation"}
    expected = {("was", "was not"), ("killed", "did not kill"), ("did not", "did"), ("can't", "can")}
    assert expected | {("never won", "won")} <= negations


def test_same_seed_same_edits() -> None:
    """The edits depend on text and seed alone, and another seed takes other words for some."""
    assert edits() == edits.__wrapped__(TEXT, 0)
    assert [e.after for e in edits()] != [e.after for e in edits(TEXT, 1)]


def test_verbs_keep_their_form() -> None:
    """The tables' verbs are inflected regularly and irregularly."""
    forms = {("win", "VBN"): "won", ("praise", "VBD"): "praised", ("deny", "VBZ"): "denies", ("die", "VBG"): "dying",
             ("rise", "VBD"): "rose", ("begin", "VBG"): "beginning", ("admit", "VBD"): "admitted",
             ("destroy", "VBZ"): "destroys", ("dismiss", "VBZ"): "dismisses", ("live", "VBG"): "living"}  # fmt: skip
    assert forms == {key: inflected(*key) for key in forms}


def test_nothing_to_edit() -> None:
    """A text without claims has no edits."""
    assert [] == edits("")

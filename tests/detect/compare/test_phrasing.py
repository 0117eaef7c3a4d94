"""Which relation words mean, beyond the phrases that are known."""

from __future__ import annotations

import pytest

from claimgraph.detect.compare import relation_phrases
from claimgraph.detect.models.embedder import MiniLMEmbedder, Space


@pytest.fixture(scope="module")
def space() -> Space:
    """Vectors of the real model."""
    return Space(MiniLMEmbedder())


@pytest.mark.parametrize(
    ("words", "relation"),
    [
        ("became famous as", "occupation"),
        ("was tutored at", "educated at"),
        ("was diagnosed as having", "educated at"),
    ],
)
def test_unknown_words_are_like_the_phrases_of_their_relation(space: Space, words: str, relation: str) -> None:
    """Likeness is that of the likest phrase, not of the relation's name alone, and below a known phrase's."""
    straight, turned = relation_phrases.likeness(words, relation, space)
    assert (words != "was diagnosed as having", 0.0) == (straight >= 0.55, turned)
    assert straight < 1


def test_a_preposition_tells_words_apart(space: Space) -> None:
    """Writing about a language is not writing in it."""
    about = relation_phrases.likeness("wrote a book about", "languages spoken, written or signed", space)
    assert max(about) < 0.5


def test_words_are_read_the_way_round_that_they_are_more_like(space: Space) -> None:
    """The words "is the burial site of" stands between a grave and who lies there."""
    straight, turned = relation_phrases.likeness("is the burial site of", "place of burial", space)
    assert straight == 0 < 0.55 < turned


def test_a_phrase_of_another_relation_is_no_likelier(space: Space) -> None:
    """What is known to say one relation is not drawn to the phrases of another."""
    straight, _ = relation_phrases.likeness("died in", "place of birth", space)
    assert straight < 0.55


@pytest.mark.parametrize(
    ("words", "relation", "another"),
    [
        ("spouse", "cast member", True),
        ("death place", "place of birth", True),
        ("birth place", "place of birth", False),
        ("made", "genre", False),
        ("spouse", "friendship participant", False),
    ],
)
def test_the_noun_for_a_relation_means_no_other(words: str, relation: str, another: bool) -> None:
    """A noun for one known relation is not said of another known one; verbs may be, and of unknown ones all may be."""
    assert another is relation_phrases.says_another(words, relation)


def test_a_compound_is_said_once(space: Space) -> None:
    """The name that a Freebase compound repeats is a known phrase like any other relation's name."""
    assert (1.0, 0.0) == relation_phrases.likeness("team", "teams team", space)
    assert relation_phrases.ways("spouse") == relation_phrases.ways("spouse s spouse")

"""The sentences chosen as a premise."""

from __future__ import annotations

import random
import zlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claimgraph.detect.compare.premise_choice import FEW_WORDS, MOST_WORDS, SENTENCES, PremiseChooser, Premises
from claimgraph.detect.models.embedder import Space, greatest
from claimgraph.kgstore.model import Passage, Span

FILLER = " ".join(["filler"] * FEW_WORDS)
TEXT = [
    f"The bridge was opened in 1899, {FILLER}.",
    f"Ann Miller was mayor then, {FILLER}.",
    f"Nothing else happened, {FILLER}.",
]


def test_together():
    """Sentences that cover a statement only together are both chosen, in the order of the text."""
    assert (0, 1) == Premises(TEXT).nearest("Mayor Ann Miller opened the bridge in 1899")


def test_what_adds_nothing_is_left_out():
    """Once all words are covered, no further sentence is added to a premise that is long enough."""
    assert (1,) == Premises(TEXT).nearest("Ann Miller was mayor")


def test_short_contexts_are_read_whole():
    """Short sentences are all taken, since what a pronoun means may stand in the one before."""
    assert (0, 1, 2) == Premises(["Ann lives here.", "She is a mayor.", "Bob is not."]).nearest("Ann is a mayor")


def test_nothing():
    """Without sentences there is no premise."""
    assert () == Premises([]).nearest("Ann is a mayor")


WORDS = st.lists(st.sampled_from(["Ann", "bridge", "1899", "mayor", "opened"]), min_size=1, max_size=60).map(" ".join)


@settings(max_examples=50, deadline=None)
@given(st.lists(WORDS, max_size=8), WORDS)
def test_bounds(sentences, statement):
    """A premise has rows once and in order, and stays within its sizes unless one sentence is longer."""
    rows = Premises(sentences).nearest(statement)
    assert sorted(set(rows)) == list(rows)
    assert len(rows) <= SENTENCES
    assert len(rows) == 1 or sum(len(sentences[row].split()) for row in rows) <= MOST_WORDS


class HashedWords:
    """An embedder without a model: a text is the sum of its words' numbers."""

    model = "words"

    def embed(self, texts):
        """Unit vectors by words."""
        found = np.full((len(texts), 16), 0.01, np.float32)
        for row, text in enumerate(texts):
            for word in text.split():
                found[row, zlib.crc32(word.encode()) % 16] += 1
        return found / np.linalg.norm(found, axis=1, keepdims=True)


def _nearness(passages, statement, space):
    """The nearness of each sentence to a statement, one at a time; shape (passages,)."""
    texts = [passage.text for passage in passages]
    return Premises(texts).shares(statement) + np.array([space.cosine(text, statement) for text in texts])


def test_premises_of_many_statements():
    """Statements of a long text, chosen for together, get the sentences that each gets by sorting all; equally near
    ones, but for rounding, are as good.
    """
    words = ["ann", "bob", "bridge", "mayor", "town", "river", "opened", "crosses", "lives", "built", "1899", "1900"]
    rng = random.Random(3)
    passages = [Passage(" ".join(rng.sample(words, 5)) + ".", "c", "d", Span(i, i + 1)) for i in range(40)]
    said = [" ".join(rng.sample(words, 4)) + "." for _ in range(300)]
    space = Space(HashedWords())
    for statement, chosen in zip(said, PremiseChooser(passages, space).choose(said), strict=True):
        near = _nearness(passages, statement, space)
        third = np.sort(near)[-3]
        assert near[chosen.nearest[0]] == pytest.approx(near.max(), abs=1e-5)
        nearest = set(np.flatnonzero(near > third + 1e-5).tolist())
        assert nearest <= set(chosen.passage) or len(chosen.passage) == SENTENCES


@given(st.lists(st.integers(0, 5), max_size=30), st.integers(1, 8))
def test_greatest_values(values, count):
    """The greatest values are those that sorting finds, equal ones in their order."""
    found = np.array(values, float)
    assert np.argsort(-found, kind="stable")[:count].tolist() == greatest(found, count)


def test_a_sentence_about_the_subject_is_nearer():
    """What a sentence speaks of counts as its own words, where it has but a pronoun for it."""
    texts = ["The Brevo is a kettle with a steel housing.", "It weighs a kilogram.", "Filters cost extra."]
    passages = [Passage(text, "c", "d", Span(i, i + 1)) for i, text in enumerate(texts)]
    about, said = ["Brevo kettle", "Brevo kettle", "Filters"], ["The Brevo kettle weighs much."]
    [alone] = PremiseChooser(passages, Space(HashedWords())).choose(said)
    [resolved] = PremiseChooser(passages, Space(HashedWords()), about).choose(said)
    assert ((0,), (1,)) == (alone.nearest, resolved.nearest)

"""ROUGE against the package that papers use."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rouge_score.rouge_scorer import RougeScorer

from claimgraph.evaluation.statistics.rouge import rouge

_SCORER = RougeScorer(["rouge1", "rouge2", "rougeL"])
_texts = st.one_of(
    st.lists(st.sampled_from(["Ann", "saw", "ann", "it's", "3.5", "—", "é", "the\n"]), max_size=12).map(" ".join),
    st.text(max_size=30),
)


@settings(max_examples=150, deadline=None)
@given(_texts, _texts)
def test_rouge_is_what_the_package_counts(a: str, b: str) -> None:
    """F1 of all three within rounding, on any two texts, either way round."""
    expected = _SCORER.score(a, b)
    found = rouge(a, b)
    assert found == rouge(b, a)
    assert [expected[name].fmeasure for name in ("rouge1", "rouge2", "rougeL")] == pytest.approx(
        [found.rouge1, found.rouge2, found.rouge_l]
    )


def test_a_changed_word_by_hand() -> None:
    """Of four words one differs: three of four unigrams, two of three bigrams, three in a row with a gap."""
    found = rouge("Ann was in Rome.", "Ann was in Oslo.")
    assert (0.75, pytest.approx(2 / 3), 0.75) == (found.rouge1, found.rouge2, found.rouge_l)

"""A claim's sentence beside the wording of its context."""

from __future__ import annotations

import pytest

from claimgraph.detect.check_input import Case
from claimgraph.detect.methods.fusion.wording import Reader
from claimgraph.detect.models.embedder import CachedEmbedder, MiniLMEmbedder, Space
from claimgraph.detect.models.row_cache import VectorCache
from claimgraph.kgstore.model import Claim, Span, Subgraph

CONTEXT = ["The mayor opened the new bridge in 1899.", "Many people came to see it.", "It was raining."]
COPIED, TURNED, OTHER = "The mayor opened the bridge.", "The bridge opened the mayor.", "Cats sleep."


@pytest.fixture(scope="module")
def space() -> Space:
    return Space(CachedEmbedder(MiniLMEmbedder(), VectorCache(None, "MiniLM")))


def read(space: Space, *sentences: str):
    """Wording of one claim a sentence, and of the text they make."""
    text, spans = " ".join(sentences), []
    for sentence in sentences:
        start = text.index(sentence)
        spans.append(Span(start, start + len(sentence)))
    claims = tuple(Claim(f"c{i}", "d", "", "", "", "", span) for i, span in enumerate(spans))
    case = Case(claims, Subgraph({}, ()), (), True, text, tuple(spans))
    return Reader(CONTEXT).read(case, space)


def test_order(space):
    """The share of words that stand in one sentence of the context in the same order."""
    [copied, turned, other], output = read(space, COPIED, TURNED, OTHER)
    assert (1.0, 3 / 5, 0.0) == (copied.order, turned.order, other.order)
    assert pytest.approx((1.0 + 3 / 5) / 3) == output.order


def test_meaning(space):
    """What the context says is nearer than what it does not mention."""
    [copied, other], _ = read(space, COPIED, OTHER)
    assert copied.meaning > 0.7 > other.meaning


def test_claims_of_one_sentence(space):
    """A claim has the wording of the sentence that it stands in."""
    found, output = read(space, COPIED)
    assert [found[0]] * 1 == found
    assert (output.words, output.order) == (found[0].words, found[0].order)


def test_empty(space):
    """Without words nothing is known: None, not 0."""
    _, output = Reader(CONTEXT).read(Case((), Subgraph({}, ()), (), True), space)
    assert (None, None) == (output.words, output.order)

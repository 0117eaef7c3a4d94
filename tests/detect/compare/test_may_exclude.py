"""The cheap tests of what a fact can be to a claim never miss one that refutes it, supports it or contrasts with it."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from claimgraph.detect.compare.decision_rules import Thresholds, refutes, supports
from claimgraph.detect.compare.fact_match import match, may_contrast, may_exclude, may_support
from claimgraph.detect.models.embedder import Space
from claimgraph.detect.reasons.contrast import contrast
from claimgraph.detect.reasons.evidence import Sources
from claimgraph.kgstore.model import Claim, Entity, Fact, Span, Subgraph

PHRASES = [
    "Marie Curie",
    "Curie",
    "Paris",
    "Warsaw",
    "France",
    "1867",
    "in 1934",
    "3 km",
    "5 km",
    "a town",
    "the bridge",
]
RELATIONS = [
    "was born in",
    "was not born in",
    "has the capital",
    "is the capital of",
    "died in",
    "is",
    "won the prize in",
]


class Alike:
    """Finds all texts alike in meaning, which lets most facts refute."""

    model = "alike"

    def embed(self, texts):
        return np.ones((len(texts), 1), np.float32)


class Unlike:
    """Finds no two of these texts alike in meaning."""

    model = "unlike"

    def embed(self, texts):
        return np.array([[text == other for other in (*PHRASES, *RELATIONS)] for text in texts], np.float32)


@settings(max_examples=300, deadline=None)
@given(st.tuples(*map(st.sampled_from, (PHRASES, RELATIONS, PHRASES) * 2)), st.sampled_from([Alike(), Unlike()]))
def test_nothing_is_missed(words, embedder):
    """Every pair of claim and fact that the whole comparison finds something in passes the cheap test for it."""
    said, known = words[:3], words[3:]
    claim = Claim("c1:a", "d1:a", *said, " ".join(said), Span(0, 1))
    nodes = {name: Entity(name, name) for name in (known[0], known[2])}
    facts = Subgraph(nodes, (Fact("f1:a", "g", known[0], known[1], known[1], known[2]),))
    [fact] = facts.facts
    found, limits = match(claim, fact, facts, {}, Space(embedder)), Thresholds()
    assert may_exclude(claim, fact, facts) or not refutes(found, limits)
    assert may_support(claim, fact, facts) or not supports(found, limits)
    assert may_contrast(claim, fact, facts) or not contrast(claim, [found], (), Sources(facts, ()), limits)


def test_most_facts_exclude_nothing():
    """A fact of the same relation about another thing costs no embedding."""
    nodes = {name: Entity(name, name) for name in ("Paris", "France")}
    facts = Subgraph(nodes, (Fact("f1:a", "g", "Paris", "is in", "is in", "France"),))
    claim = Claim("c1:a", "d1:a", "Warsaw", "is in", "Poland", "Warsaw is in Poland", Span(0, 1))
    cheap = (may_exclude, may_support, may_contrast)
    assert [False] * 3 == [may(claim, facts.facts[0], facts) for may in cheap]

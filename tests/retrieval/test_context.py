"""Subgraphs in words within a token budget."""

from __future__ import annotations

import strategies
from hypothesis import given, settings
from hypothesis import strategies as st

from claimgraph.kgstore.model import Entity, Fact, Literal, Subgraph
from claimgraph.kgstore.naming import tokens
from claimgraph.retrieval.context import context

NODES = {
    key: Entity(key, name)
    for key, name in [("c", "Marie Curie"), ("p", "Pierre Curie"), ("w", "Warsaw"), ("n", "Nobel Prize")]
} | {"d": Literal("d", "1867-11-07", "date")}
FACTS = (
    Fact("1", "g", "c", "p19", "place of birth", "w"),
    Fact("2", "g", "c", "p26", "spouse", "p", valid_from="1895", valid_to="1906", qualifiers='{"place":"Sceaux"}'),
    Fact("3", "g", "p", "p166", "award received", "n", valid_from="1903", valid_to="1903"),
    Fact("4", "g", "c", "p569", "date of birth", "d", qualifiers='{"calendar":["Gregorian","Julian"]}'),
    Fact("5", "g", "p", "p937", "work location", "w", valid_to="1906", qualifiers="about"),
)
GRAPH = Subgraph(NODES, FACTS)


def test_grouped_with_dates_and_qualifiers():
    """Facts are told by subject, the subject of the best fact first, with their dates and qualifiers."""
    found = context(GRAPH, ["3", "2", "1", "4", "5", "unknown"], 1000)
    assert [
        "Pierre Curie: award received Nobel Prize (in 1903); work location Warsaw (to 1906, about).",
        "Marie Curie: spouse Pierre Curie (from 1895 to 1906, place: Sceaux); place of birth Warsaw; "
        "date of birth 1867-11-07 (calendar: Gregorian, Julian).",
    ] == found.text.split("\n")
    assert (("3", "5", "2", "1", "4"), 0) == (found.facts, found.left_out)


def test_left_out():
    """The first facts that fit are told, and how many others there are."""
    found = context(GRAPH, ["1", "2", "3"], 8)
    assert "Marie Curie: place of birth Warsaw.\n(2 more facts were left out.)" == found.text
    assert (("1",), 2, 8) == (found.facts, found.left_out, found.tokens)
    assert "(1 more fact was left out.)" == context(GRAPH, ["1"], 0).text
    assert "" == context(GRAPH, [], 0).text


@settings(max_examples=40, deadline=None)
@given(strategies.subgraphs(), st.integers(0, 80))
def test_budget(graph, budget):
    """Whatever names hold, the text is as long as it is said to be and within the budget."""
    found = context(graph, [fact.id for fact in graph.facts], budget)
    told = found.text.rpartition("(")[0] if found.left_out else found.text
    assert tokens(told) == found.tokens <= budget
    assert len(graph.facts) == len(found.facts) + found.left_out

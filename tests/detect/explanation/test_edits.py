"""Edit operations between two KGs."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claimgraph.detect.explanation.edit_script import (
    EditThresholds,
    Operation,
    apply,
    edit_operations,
    edit_script,
    likeness,
)
from claimgraph.detect.kernel.comparison import labelled
from claimgraph.detect.models.embedder import MiniLMEmbedder, Space
from claimgraph.kgstore.model import Triple

ENTITIES = ["France", "Paris", "Rome", "Euro", "3 May 1990", "3 May 1991", "the French capital"]
RELATIONS = ["has capital", "has the capital", "has not capital", "uses"]
triples = st.builds(Triple, st.sampled_from(ENTITIES), st.sampled_from(RELATIONS), st.sampled_from(ENTITIES))
graphs = st.lists(triples, max_size=5)


@pytest.fixture(scope="module")
def space() -> Space:
    return Space(MiniLMEmbedder())


@settings(max_examples=60, deadline=None)
@given(graphs, graphs.filter(bool))
def test_the_script_makes_the_graphs_equal(space, claims, evidence):
    """Applied to the claims it gives a kernel of exactly 1, with parallel edges, loops, values and negation."""
    script = edit_script(claims, evidence, space)
    assert 1.0 == likeness(script, claims, evidence, space)[1]
    assert script == edit_script(claims, evidence, space)


@settings(max_examples=30, deadline=None)
@given(st.lists(triples, max_size=3), st.lists(triples, max_size=3))
def test_no_shorter_script_exists(space, claims, evidence):
    """Its cost is the least over all pairings, tried one by one."""
    [(labels, others)] = labelled(claims, evidence, space, "directed")
    ours, theirs = list(dict.fromkeys(labels)), list(dict.fromkeys(others))
    few, many = sorted((ours, theirs), key=len)
    least = min(sum(sum(x != y for x, y in zip(a, b, strict=True)) for a, b in zip(few, order, strict=False))
                for order in itertools.permutations(many)) + 3 * (len(many) - len(few))  # fmt: skip
    first = {labels.index(label) for label in labels}
    script = [edit for edit in edit_script(claims, evidence, space) if edit.claim is None or edit.claim in first]
    names = [edit.operation for edit in script]
    assert least == names.count(Operation.SUBSTITUTE) + 3 * max(map(names.count, (Operation.DELETE, Operation.ADD)))


def test_a_wrong_object_is_one_substitution(space):
    """Rome for Paris is one change of an object, with both values and where they stand; nothing else changes."""
    claims = [Triple("France", "uses", "Euro"), Triple("France", "has capital", "Rome")]
    evidence = [Triple("France", "has the capital", "Paris"), Triple("France", "uses", "Euro")]
    [edit] = edit_script(claims, evidence, space)
    assert (Operation.SUBSTITUTE, 1, 0, "object", "Rome", "Paris") == (
        edit.operation, edit.claim, edit.evidence, edit.element, edit.before, edit.after)  # fmt: skip
    assert "SUBSTITUTE object of claim 1: Rome -> Paris" == edit.text


def test_direction_negation_and_values_count(space):
    """A turned claim takes two substitutions, a denial one, and another day of a month one."""
    said = Triple("Ann", "met", "Bob")
    assert 2 == len(edit_script([Triple("Bob", "met", "Ann")], [said], space))
    [edit] = edit_script([Triple("Ann", "never met", "Bob")], [said], space)
    assert ("predicate", "never met", "met") == (edit.element, edit.before, edit.after)
    [edit] = edit_script(
        [Triple("Ann", "was born on", "3 May 1990")], [Triple("Ann", "was born on", "3 May 1991")], space
    )
    assert ("object", "3 May 1990", "3 May 1991") == (edit.element, edit.before, edit.after)
    [edit] = edit_script([Triple("It", "killed", "25 people")], [Triple("It", "killed", "20 people")], space)
    assert ("object", "25 people", "20 people") == (edit.element, edit.before, edit.after)


def test_algorithm_1(space):
    """The paper's example: delete Rome, add Paris, equal triples untouched; order is that of the graphs."""
    claims = [Triple("France", "uses", "the Euro"), Triple("France", "capital", "Rome")]
    evidence = [Triple("France", "capital city", "Paris"), Triple("France", "uses", "Euro")]
    found = edit_operations(claims, evidence, space)
    assert ["DELETE (France, capital, Rome)", "ADD (France, capital city, Paris)"] == [edit.text for edit in found]
    assert [] == edit_operations(claims, evidence, space, EditThresholds(-1.0, -1.0))
    assert 4 == len(edit_operations(claims, evidence, space, EditThresholds(1.1, 1.1)))
    assert 2 == len(edit_operations(claims, [], space))
    assert 2 == len(edit_operations([], evidence, space))


def test_empty_graphs(space):
    """Nothing to nothing needs nothing; one empty side is all deletions or all additions."""
    one = [Triple("Ann", "met", "Bob")]
    assert [] == edit_script([], [], space)
    assert [] == apply(edit_script(one, [], space), one)
    assert one == apply(edit_script([], one, space), [])

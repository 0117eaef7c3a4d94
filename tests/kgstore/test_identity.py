"""Ids never change silently: a recipe that does must raise its version and bring a migration."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claimgraph.kgstore import identity as i

TEXT = "Paris is the capital of France."
SHA = "557be7eca214f1889cdb6dfa348eb7c937648c9d6be72bfc1b8204adf7552a43"
DOCUMENT = f"d1:{SHA}"
ASKED = [("system", "s"), ("user", "u")]


def _completion() -> str:
    return i.completion_id("m", ASKED, temperature=0, top_p=1.0, max_tokens=None, schema=None, sample=0)


@pytest.mark.parametrize(
    ("expected", "actual"),
    [
        (DOCUMENT, i.document_id(TEXT)),
        ("d1:4ac560997036f48289bb4889a0dcdb669ea1c00000a5c5e7c377ae2f2bf9e375", i.document_id("a\0é😀")),
        (f"claim:{SHA}", i.claim_graph(DOCUMENT)),
        (f"context:{SHA}", i.context_graph(DOCUMENT)),
        (f"doc:{SHA}/marie-curie", i.text_entity_id(DOCUMENT, "Marie Curie")),
        ("wd:Q90", i.graph_entity_id("wikidata", "Q90")),
        ("wd:Q90", i.graph_entity_id("codex", "Q90")),
        ("dbr:Paris", i.graph_entity_id("dbpedia", "Paris")),
        ("dbr:M25", i.graph_entity_id("dbpedia", "M25")),
        ("fb:/m/05qtj", i.graph_entity_id("fb15k", "/m/05qtj")),
        ("mine:a b", i.graph_entity_id("mine", "a b")),
        ("mine:e35073e038bf3463b903ba0e68650a3b", i.graph_entity_id("mine", "k" * 600)),
        ("rel:was-born-in", i.predicate_id("claim:x", "was born in")),
        ("wd:P36", i.predicate_id("codex", "P36")),
        ("mine:born", i.predicate_id("mine", "born")),
        ("l1:68f3a42d7f00a794e5c2292f92f7eee2", i.literal_id("1867-11-07", "date", None, "day")),
        ("l1:4873fbfae32db20fc1cbd8ad3131f9b3", i.literal_id("1867-11-07", "date", "", None)),
        ("f1:57faea6b206053938cabf324897a6499", i.fact_id("g", "s", "p", "o")),
        ("f1:ed5963b92a8bd5207cc5a3453694a8ea", i.fact_id("g", "s", "p", "o", "1989", None, '{"a":1}')),
        ("c1:c4945bb971708a5a49fa03d3fbdecf75", i.claim_id(DOCUMENT, 0, 31, "Paris", "is", "capital")),
        ("e1:9c56f03dbb366ff4ffbbca53d076e008", i.evidence_id("g", "f1:x", "t", None, None)),
        ("r1:8538eb345b83c3238aa8b1df91a245c1", i.run_id("check", "m", "{}", "d", "s")),
        ("v1:e16ab56154a63e2f88a1ccd7373ebfc6", i.verdict_id("c1:x", "m", "{}", "s")),
        ("k1:b1c232d35b3d619dacfc708dd5778583", i.correction_id("c1:x", "a", "b", "v1:x")),
        ("a1:2f77d3fd15ed8dafa2777d770cc759e6", i.answer_id("q", "local", "t")),
        ("t1:eb07ca5c5913463b4cf77158529fda4b", i.fetch_id("s", "t")),
        ("q1:993238ed22e28b76272c6a60eade0a9c", i.prompt_id(ASKED)),
        ("m1:f916c2eab02c155a285fe8858c4de2be", _completion()),
        ("j1:ea74df2833a74eae9adf6a49dced7dd8", i.job_id("check", DOCUMENT, None, "{}")),
        ("b1:1cff5d0ef6e7422b6cca5670da4fb540", i.batch_id("check", ["j1:y", "j1:x"])),
        ("0473ef2dc0d324ab659d3580c1134e9d", i.scope_version(["b", "a"])),
    ],
)
def test_golden_ids(expected: str, actual: str) -> None:
    """Each recipe gives what it gave when stores were first written."""
    assert expected == actual


@pytest.mark.parametrize(
    ("expected", "name"),
    [
        ("marie-skłodowska-curie", "  Marie  Skłodowska-Curie! "),
        ("fine", "ﬁne"),
        ("3ded8a819451", "???"),
        (f"{'x' * 80}-afbd9d073106", "x" * 100),
    ],
)
def test_golden_slugs(expected: str, name: str) -> None:
    """A slug is what it was when stores were first written."""
    assert expected == i.slug(name)


def test_a_scope_has_no_order() -> None:
    """The version of a scope is that of its members, however they come."""
    assert i.scope_version(["a", "b"]) == i.scope_version(["b", "a"])


parts = st.none() | st.text(max_size=5)


@settings(deadline=None)
@given(st.tuples(parts, parts, parts), st.tuples(parts, parts, parts))
def test_other_parts_are_another_id(one: tuple[str | None, ...], two: tuple[str | None, ...]) -> None:
    """Where one part ends and the next begins, and null and "", tell ids apart."""
    assert (one == two) == (i.fact_id("g", "s", "p", "o", *one) == i.fact_id("g", "s", "p", "o", *two))

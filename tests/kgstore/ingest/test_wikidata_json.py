"""Wikidata's JSON, in the shapes of `wbgetentities`, of `Special:EntityData` and of the dump."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from claimgraph.kgstore.ingest.flow import IngestReport, ingest
from claimgraph.kgstore.model import Fact, Literal, Subgraph
from claimgraph.kgstore.reads import load_entities, load_graph
from claimgraph.kgstore.store import GraphStore

RECORDED = Path(__file__).parents[2] / "recorded" / "wbgetentities.json"
SHAPES = ("answer", "indented", "dump")


def shaped(shape: str) -> str:
    """The recorded answer as it came, on many lines, or as lines of a dump."""
    found = json.loads(RECORDED.read_text(encoding="utf-8"))
    if shape == "answer":
        return json.dumps(found)
    if shape == "indented":
        return json.dumps(found, indent=1)
    return "[\n" + ",\n".join(json.dumps(one) for one in found["entities"].values()) + "\n]\n"


def loaded(store: GraphStore, folder: Path, text: str) -> tuple[IngestReport, Subgraph]:
    """What is in the graph after a load of that file."""
    path = folder / "some.json"
    path.write_text(text, encoding="utf-8")
    report = ingest(store, path, "wikidata", rejected=folder / "rejected.tsv")
    return report, load_graph(store, "wikidata")


def of(graph: Subgraph, relation: str) -> Fact:
    """The one fact by a relation."""
    [fact] = [fact for fact in graph.facts if fact.name == relation]
    return fact


@pytest.mark.parametrize("shape", SHAPES)
def test_entities_come_with_all_that_is_kept(store: GraphStore, tmp_path: Path, shape: str) -> None:
    """Names, ranks, validity, qualifiers, references, typed and special values; nothing deprecated, no identifier."""
    report, graph = loaded(store, tmp_path, shaped(shape))
    curie = load_entities(store, ["wd:Q7186"])["wd:Q7186"]
    assert ("Marie Curie", ("Madame Curie",), "Polish-French physicist and chemist") == (
        curie.name, curie.aliases, curie.description,
    )  # fmt: skip
    born, spouse = of(graph, "place of birth"), of(graph, "spouse")
    assert ("wd:Q270", "Warsaw", "https://example.org/curie") == (
        born.object,
        graph.nodes[born.object].name,
        born.source,
    )
    assert ("1895-07-26", None, "preferred") == (spouse.valid_from, spouse.valid_to, spouse.rank)
    assert {"end time": "unknown value", "series ordinal": "1"} == json.loads(spouse.qualifiers or "{}")
    values = {fact.name: node for fact in graph.facts if isinstance(node := graph.nodes[fact.object], Literal)}
    assert ("1867-11", "month") == (values["date of birth"].value, values["date of birth"].precision)
    assert ("novalue", "somevalue") == (values["child"].datatype, values["father"].datatype)
    assert {"76353174"}.isdisjoint(node.value for node in values.values())
    assert (8, 1) == (report.facts, report.rejected)
    assert "Q999999999 is not there" in (report.first_rejected or "")


def test_what_breaks_off_is_rejected(store: GraphStore, tmp_path: Path) -> None:
    """The whole entities before a line that breaks off are there."""
    text = shaped("dump")
    report, graph = loaded(store, tmp_path, text[: text.index("Q999999999") - 8] + '\n{"type":"item","id":"Q1","lab')
    assert (8, True) == (len(graph.facts), report.rejected >= 1)

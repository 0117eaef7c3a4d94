"""Labelled facts measured against graphs: readers, ends by id and by name, and the command."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import fact_world
import pytest
from typer.testing import CliRunner

from claimgraph.cli.app import app
from claimgraph.detect.models.embedder import MiniLMEmbedder
from claimgraph.evaluation.data.fact_ends import NamedNodes
from claimgraph.evaluation.data.labelled_facts import read_facts
from claimgraph.evaluation.facts import NamedGraph, evaluate
from claimgraph.kgstore.engines.embedded import EmbeddedStore
from claimgraph.kgstore.errors import InputError
from claimgraph.kgstore.ingest.flow import ingest
from claimgraph.kgstore.model import Triple

EMBEDDER = MiniLMEmbedder(threads=1)


def other(end: str) -> str:
    """Another country or language: there are four of each."""
    return end[:-1] + str((int(end[-1]) + 1) % fact_world.COUNTRIES)


def labelled() -> list[tuple[fact_world.Fact, int]]:
    """True facts of the small world, each with a false one."""
    true = [fact for fact in fact_world.world() if fact[1] in ("speaks", "citizen_of")][::5]
    return [(fact, 1) for fact in true] + [((s, p, other(o)), 0) for s, p, o in true]


def table(path: Path, rows: Sequence[tuple[fact_world.Fact, int]]) -> Path:
    """A file as CoDEx's."""
    lines = ["\t".join(("head", "relation", "tail", "split", "label"))]
    path.write_text("\n".join([*lines, *("\t".join((*fact, "valid", str(label))) for fact, label in rows)]))
    return path


def objects(path: Path, rows: Sequence[tuple[fact_world.Fact, int]]) -> Path:
    """A file as FactBench's, in another vocabulary."""
    said = {"speaks": "languageSpoken", "citizen_of": "citizenship"}
    path.write_text(
        "\n".join(
            json.dumps(
                {
                    "subject": f"http://dbpedia.org/resource/{s.capitalize()}",
                    "predicate": f"http://dbpedia.org/ontology/{said[p]}",
                    "object": f"dbr:{o.capitalize()}_(thing)",
                    "label": label,
                    "negatives": [] if label else ["range", "range"],
                    "dataset": said[p],
                }
            )
            for (s, p, o), label in rows
        )
    )
    return path


def small_world(name: str = "w") -> NamedGraph:
    """The small world without aliases."""
    return NamedGraph(name, fact_world.arrays(fact_world.world(), name), {})


def test_facts_of_a_table_are_left_out_and_told_apart(tmp_path: Path) -> None:
    """A file in the graph's own ids: every fact is covered, none is stated, and the rest of the graph tells."""
    report = evaluate(table(tmp_path / "own.tsv", labelled()), [small_world()], EMBEDDER)
    assert (len(labelled()), len(labelled()), 0) == (report.n, report.covered, report.stated)
    assert (report.auc_roc or 0) > 0.95
    assert "own" == report.dataset


def test_facts_of_another_vocabulary_are_found_by_name(tmp_path: Path) -> None:
    """IRIs of another graph are matched by their words; the fact itself is evidence; kinds and parts are told."""
    rows = [*labelled(), (("nobody", "speaks", "language1"), 1)]
    report = evaluate(objects(tmp_path / "other.jsonl", rows), [small_world()], EMBEDDER)
    assert (len(rows), len(rows) - 1, len(rows) - 1) == (report.n, report.covered, report.linked)
    assert len(labelled()) // 2 == report.stated
    assert (report.auc_roc or 0) > 0.95
    assert ["range"] == list(report.by_kind)
    assert ["citizenship", "languageSpoken"] == list(report.by_dataset)
    assert report.covered == report.by_kind["range"].covered == sum(p.covered for p in report.by_dataset.values())


def test_several_graphs_cover_more(tmp_path: Path) -> None:
    """A fact that one graph does not know is judged by the other, and each says how many it covers."""
    stranger = NamedGraph(
        "v", fact_world.arrays([("a", "likes", "b"), ("b", "likes", "c"), ("c", "likes", "a")] * 1, "v"), {}
    )
    report = evaluate(table(tmp_path / "own.tsv", labelled()), [stranger, small_world()], EMBEDDER)
    assert {"v": 0, "w": len(labelled())} == report.by_graph
    assert len(labelled()) == report.covered


def test_nothing_covered_is_unknown(tmp_path: Path) -> None:
    """Where no graph knows the ends, figures are unknown and not 0."""
    report = evaluate(table(tmp_path / "own.tsv", [(("x", "y", "z"), 1)]), [small_world()], EMBEDDER)
    assert (1, 0, None, None) == (report.n, report.covered, report.auc_roc, report.accuracy)


def test_of_equal_names_the_pair_that_facts_join_is_meant() -> None:
    """Two nodes of one name: the one that a fact joins to the other end, else the better connected one."""
    facts = [("p1", "born", "c1"), ("p2", "born", "c2"), ("p2", "works", "j"), ("p3", "born", "c2")]
    graph = fact_world.arrays(facts)
    names = {"p1": "Ann Lee", "p2": "ann lée", "c1": "Rome", "c2": "Bonn", "p3": "Bo", "j": "job"}
    graph = type(graph)(
        graph.version, graph.nodes, [names[n[2:]] for n in graph.nodes], graph.facts, graph.subject,
        graph.predicate, graph.object, graph.predicates, graph.relations,
    )  # fmt: skip
    ends = NamedNodes(graph, {"w:c2": ["Bundesstadt"]})
    node = {key[2:]: number for number, key in enumerate(graph.nodes)}
    assert (node["p1"], node["c1"]) == ends.pair("Ann Lee (singer)", "Rome, Italy")
    assert (node["p2"], node["c2"]) == ends.pair("Ann Lee", "Bundesstadt")
    assert (node["p2"], node["p3"]) == ends.pair("Ann Lee", "Bo")
    assert ends.pair("Ann Lee", "Paris") is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("head\ttail\tlabel\na\tb\t1\n", "relation"),
        ("head\trelation\ttail\tlabel\na\tp\tb\tyes\n", "line 2"),
        ('{"subject": "a", "predicate": "b", "label": 1}\n', "`object`"),
        ('{"subject": "a", "predicate": "b", "object": "c", "label": 2}\n', "label"),
        ("head\trelation\ttail\tlabel\n", "no labelled facts"),
    ],
)
def test_a_file_that_holds_no_labelled_facts_is_one_clear_line(tmp_path: Path, text: str, said: str) -> None:
    """What is wrong with a file is said with what it lacks or the line."""
    path = tmp_path / "bad.tsv"
    path.write_text(text)
    with pytest.raises(InputError, match=said):
        read_facts(path)


def test_facts_are_read_with_their_words(tmp_path: Path) -> None:
    """IRIs and short ids become names; a relation's words are parted."""
    [fact] = read_facts(objects(tmp_path / "f.jsonl", [(("person1", "speaks", "language1"), 1)]))
    assert Triple("Person1", "language spoken", "Language1 (thing)") == fact.named


def test_the_command_prints_the_documented_object(
    embedded: EmbeddedStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`claimgraph eval facts` over an ingested graph prints n, covered, auc_roc, accuracy and seconds."""
    triples = tmp_path / "triples.tsv"
    triples.write_text("\n".join("\t".join(fact) for fact in [("head", "relation", "tail"), *fact_world.world()]))
    ingest(embedded, triples, "w")
    folder = embedded.info().address
    embedded.close()
    monkeypatch.setenv("CLAIMGRAPH_STORE", folder)
    monkeypatch.setenv("CLAIMGRAPH_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("NEO4J_URI", raising=False)
    path = table(tmp_path / "own.tsv", labelled())
    result = CliRunner().invoke(app, ["eval", "facts", str(path), "--graph", "w", "--json"])
    assert 0 == result.exit_code, result.output
    said = json.loads(result.stdout)
    assert (len(labelled()), len(labelled())) == (said["n"], said["covered"])
    assert min(said["auc_roc"], said["accuracy"]) > 0.8
    assert said["seconds"] > 0

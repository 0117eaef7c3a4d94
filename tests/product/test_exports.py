"""Exports of verdicts: every format is read back by a program that is not ours, and says what the store says."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import engines
import networkx
import pyarrow.parquet
import pyshacl
import pytest
import rdflib
from command import run
from PIL import Image
from rdflib import RDF, RDFS, SDO, Literal, URIRef

from claimgraph.exports.claimreview import write_claimreview
from claimgraph.exports.cypher import write_cypher
from claimgraph.exports.fever import write_fever
from claimgraph.exports.graph import write_graphml
from claimgraph.exports.iris import iri
from claimgraph.exports.judged import JudgedDocument, judged
from claimgraph.exports.labels import LabelSet, label
from claimgraph.exports.rdf import VOCABULARY, write_rdf
from claimgraph.exports.rows import COLUMNS, write_csv, write_jsonl
from claimgraph.exports.writing import Form, write
from claimgraph.input_texts import document_from_text
from claimgraph.kgstore.model import Outcome
from claimgraph.kgstore.store import GraphStore
from claimgraph.repair.ruling import rule
from claimgraph.settings import NO_ENTAILMENT, load_settings
from claimgraph.wiring import Checker, open_store

CONTEXT = "Marie Curie was born in Warsaw. Marie Curie discovered polonium."
TEXTS = ('Marie Curie was born in "Paris".\nMarie Curie discovered polonium.', "=Ann was born in Rome; 東京 \\ '")
SHAPES = """
@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix prov: <http://www.w3.org/ns/prov#> .
@prefix cg: <https://w3id.org/claimgraph#> . @prefix schema: <https://schema.org/> .
[] a sh:NodeShape ; sh:targetClass cg:Verdict ;
  sh:property [ sh:path prov:wasGeneratedBy ; sh:class prov:Activity ; sh:minCount 1 ; sh:maxCount 1 ] ;
  sh:property [ sh:path prov:wasDerivedFrom ; sh:class schema:Claim ; sh:minCount 1 ; sh:maxCount 1 ] ;
  sh:property [ sh:path prov:wasInfluencedBy ; sh:class prov:Entity ] ;
  sh:property [ sh:path cg:outcome ; sh:minCount 1 ; sh:maxCount 1 ;
    sh:in (cg:SUPPORTED cg:REFUTED cg:NOT_ENOUGH_INFO) ] ;
  sh:property [ sh:path schema:description ; sh:minLength 1 ; sh:minCount 1 ] .
[] a sh:NodeShape ; sh:targetClass prov:Activity ;
  sh:property [ sh:path prov:wasAssociatedWith ; sh:minCount 1 ] ;
  sh:property [ sh:path prov:startedAtTime ; sh:minCount 1 ] .
"""


def _fill(store: GraphStore, folder: Path) -> None:
    settings = replace(load_settings({}, folder), cache=folder / "cache", entailment=NO_ENTAILMENT)
    with Checker(settings, store=store) as checker:
        context = document_from_text(CONTEXT, 1, "the context")
        for text in TEXTS:
            found = checker.check(document_from_text(text, 1, "the text"), context=context)
        rule(store, found.claims[0].id, Outcome.SUPPORTED, "seen by a person")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of an embedded store with two checked texts and a ruling."""
    made = tmp_path_factory.mktemp("exports")
    with open_store(replace(load_settings({}, made), store=made / "store")) as store:
        _fill(store, made)
    return made


@pytest.fixture(scope="module")
def found(folder: Path) -> Iterator[list[JudgedDocument]]:
    """What is exported."""
    with open_store(replace(load_settings({}, folder), store=folder / "store"), read_only=True) as store:
        yield list(judged(store))


def test_what_is_exported(store: GraphStore, tmp_path: Path) -> None:
    """Documents in the order of their checks, each verdict with its run; a document or a date leaves out the rest."""
    _fill(store, tmp_path)
    found = list(judged(store))
    assert list(TEXTS) == [one.stored.document.text for one in found]
    assert all(one.runs.keys() == {verdict.id for verdict in one.stored.verdicts} for one in found)
    assert ["human"] == [found[1].runs[verdict.id]["method"] for verdict in found[1].stored.verdicts]
    assert found[1:] == list(judged(store, document=found[1].stored.document.id))
    latest = max(v.created_at for one in found for v in one.stored.verdicts if v.created_at)
    assert ["human"] == [v.method for one in judged(store, since=latest) for v in one.stored.verdicts]
    assert [] == list(judged(store, run="b1:none"))


def test_json_lines_hold_everything(found: list[JudgedDocument]) -> None:
    """A line a claim, equal to the stored verdict; the label is the outcome in the words asked for."""
    file = io.StringIO()
    assert 3 == write_jsonl(found, file, LabelSet.FEVER)
    rows = [json.loads(line) for line in file.getvalue().splitlines()]
    verdicts = [verdict for one in found for verdict in one.stored.verdicts]
    assert [v.reason for v in verdicts] == [row["verdict"]["reason"] for row in rows]
    assert ["REFUTES", "SUPPORTS", "SUPPORTS"] == [row["label"] for row in rows]
    assert [row["document"]["id"] for row in rows] == [one.stored.document.id for one in found for _ in one.pairs]


def test_csv_is_no_formula(found: list[JudgedDocument]) -> None:
    """Rows are read back by csv, and none begins as a spreadsheet's formula."""
    file = io.StringIO(newline="")
    assert 3 == write_csv(found, file)
    rows = list(csv.DictReader(io.StringIO(file.getvalue(), newline="")))
    assert [claim.id for one in found for claim, _ in one.pairs] == [row["claim"] for row in rows]
    assert "" == rows[0]["label"]
    assert not [value for row in rows for value in row.values() if value.startswith("=")]


def test_fever_has_sets_of_evidence(found: list[JudgedDocument]) -> None:
    """What a method decided has a set of evidence, each piece of four parts; what is open has none."""
    file = io.StringIO()
    count = write_fever(found, file)
    rows = [json.loads(line) for line in file.getvalue().splitlines()]
    assert count == len(rows)
    assert all(4 == len(piece) for row in rows for pieces in row["evidence"] for piece in pieces)
    assert any(row["evidence"] for row in rows if row["label"] == "SUPPORTS")
    assert not any(row["evidence"] for row in rows if row["label"] == "NOT ENOUGH INFO")


@pytest.mark.parametrize("labels", LabelSet)
def test_labels_lose_what_they_lose(labels: LabelSet) -> None:
    """FEVER and RefChecker have a label for each outcome; in SAFE's and FActScore's refuted and open are one."""
    names = {outcome: label(outcome, labels) for outcome in Outcome}
    assert len(set(names.values())) == (3 if labels in (LabelSet.FEVER, LabelSet.REFCHECKER) else 2)
    assert names[Outcome.SUPPORTED] not in (names[Outcome.REFUTED], names[Outcome.NOT_ENOUGH_INFO])


def test_claim_reviews_are_schema_org(found: list[JudgedDocument]) -> None:
    """As JSON-LD the reviews have a rating only where something is known, and a person or a program as author."""
    file = io.StringIO()
    assert 3 == write_claimreview(found, file)
    made = json.loads(file.getvalue())
    assert "https://schema.org" == made["@context"]
    graph = rdflib.Graph().parse(data=json.dumps(made | {"@context": {"@vocab": str(SDO)}}), format="json-ld")
    assert 3 == len(set(graph.subjects(RDF.type, SDO.ClaimReview)))
    assert {"SoftwareApplication", "Person"} == {review["author"]["@type"] for review in made["@graph"]}
    assert [1, 5, 5] == [review["reviewRating"].get("ratingValue") for review in made["@graph"]]


@pytest.mark.parametrize(("form", "name"), [("ttl", "turtle"), ("nt", "nt"), ("trig", "trig"), ("prov", "json-ld")])
def test_rdf_conforms_to_its_shapes(found: list[JudgedDocument], form: str, name: str) -> None:
    """Read back, every verdict has its claim, run, outcome and reason, and the words are those of the texts."""
    file = io.BytesIO()
    assert 3 == write_rdf(found, file, form)
    data = rdflib.Dataset(default_union=True).parse(data=file.getvalue(), format=name)
    flat = rdflib.Graph()
    for subject, predicate, value, _ in data.quads():
        flat.add((subject, predicate, value))
    conforms, _, said = pyshacl.validate(flat, shacl_graph=rdflib.Graph().parse(data=SHAPES, format="turtle"))
    assert conforms, said
    for one in found:
        assert (URIRef(iri(one.stored.document.id)), SDO.text, Literal(one.stored.document.text)) in flat
        for _, verdict in one.pairs:
            outcome = URIRef(VOCABULARY + verdict.outcome.value)
            assert (URIRef(iri(verdict.id)), URIRef(VOCABULARY + "outcome"), outcome) in flat
    assert (None, RDFS.label, None) not in flat


def test_graphml_is_a_graph(found: list[JudgedDocument]) -> None:
    """networkx reads it back: a node an id, with what is known of it."""
    file = io.BytesIO()
    assert 3 == write_graphml(found, file)
    made = networkx.parse_graphml(file.getvalue().decode(), force_multigraph=True)
    assert {claim.id for one in found for claim, _ in one.pairs} <= set(made)
    verdict = found[0].stored.verdicts[0]
    assert (verdict.reason, verdict.outcome) == (made.nodes[verdict.id]["reason"], made.nodes[verdict.id]["outcome"])
    assert "IN" in {kind for *_, kind in made.edges(data="type")}


@pytest.mark.usefixtures("servers")
def test_cypher_loads_into_a_bare_neo4j(found: list[JudgedDocument]) -> None:
    """The script, run twice by the driver alone, makes the nodes and relationships once, with every character."""
    file = io.StringIO()
    assert 3 == write_cypher(found, file)
    with engines.bare_neo4j() as session:
        for _ in range(2):
            for statement in file.getvalue().splitlines():
                session.run(statement).consume()
        rows = session.run("MATCH (c:Claim)-[:IN]->(d:Document) RETURN d.text AS text ORDER BY text").data()
        assert sorted([TEXTS[0], TEXTS[0], TEXTS[1]]) == [row["text"] for row in rows]
        [row] = session.run("MATCH (:Claim)-[r:CURRENT]->(:Verdict) RETURN count(r) AS n").data()
        assert 3 == row["n"]


def test_parquet_has_types(found: list[JudgedDocument]) -> None:
    """A row a claim as in the CSV; times are times, and what is not known is null."""
    file = io.BytesIO()
    assert 3 == write(Form.PARQUET, found, file, LabelSet.FEVER)
    table = pyarrow.parquet.read_table(file)
    rows = table.to_pylist()
    assert list(COLUMNS) == table.column_names
    held = [(claim.id, verdict) for one in found for claim, verdict in one.pairs]
    assert [(key, verdict.outcome.value, verdict.created_at) for key, verdict in held] == [
        (row["claim"], row["outcome"], row["created_at"]) for row in rows
    ]
    assert [verdict.confidence for _, verdict in held] == [row["confidence"] for row in rows]


def _has_text(png: Path, drawn: Path) -> None:
    """The picture is twice as large as its SVG, white, and has dark pixels: names, which need a font."""
    width, height = re.findall(r'viewBox="0 0 (\d+) (\d+)"', drawn.read_text())[0]
    with Image.open(png) as image:
        assert (2 * int(width), 2 * int(height)) == image.size
        grey = image.convert("L")
        assert 255 == grey.getpixel((0, 0))
        assert 100 < sum(grey.histogram()[:60])


def test_the_commands(folder: Path, tmp_path: Path) -> None:
    """`export` writes a file at once or standard output, counts on standard error, and refuses what does not fit."""
    env = {"CLAIMGRAPH_STORE": str(folder / "store")}
    made = run("export", "--format", "ttl", "-o", str(tmp_path / "v.ttl"), env=env)
    assert (0, "", "claimgraph: 3 verdicts\n") == (made.returncode, made.stdout, made.stderr)
    assert 0 < len(rdflib.Graph().parse(tmp_path / "v.ttl"))
    lines = run("export", env=env).stdout.splitlines()
    claim = json.loads(lines[0])["id"]
    assert 3 == len(lines)
    assert 0 == run("draw", claim, "-o", str(tmp_path / "c.svg"), env=env).returncode
    assert 0 == run("draw", claim, "-o", str(tmp_path / "c.html"), env=env).returncode
    assert (tmp_path / "c.svg").read_text() in (tmp_path / "c.html").read_text()
    assert 0 == run("draw", claim, "-o", str(tmp_path / "c.png"), env=env).returncode
    assert 2 == run("draw", claim, "-o", str(tmp_path / "c.gif"), env=env).returncode
    _has_text(tmp_path / "c.png", tmp_path / "c.svg")
    assert "<svg" in (tmp_path / "c.svg").read_text()
    refused = run("export", "--format", "ttl", "--labels", "fever", env=env)
    assert (2, True) == (refused.returncode, "--labels" in refused.stderr)
    assert 2 == run("export", "--run", "b1:none", env=env).returncode
    assert [*(tmp_path / name for name in ("c.html", "c.png", "c.svg")), tmp_path / "v.ttl"] == sorted(
        tmp_path.iterdir()
    )

"""Files in: what a load leaves in the store, whatever the format, the interruption and the engine."""

from __future__ import annotations

import bz2
import gzip
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from claimgraph.kgstore.engines.embedded import EmbeddedStore
from claimgraph.kgstore.errors import InputError, StoreError, UsageError
from claimgraph.kgstore.identity import fetch_id, scope_version
from claimgraph.kgstore.ingest import flow
from claimgraph.kgstore.ingest.flow import IngestReport, ingest
from claimgraph.kgstore.ingest.ledger import digest
from claimgraph.kgstore.model import Entity, Literal
from claimgraph.kgstore.reads import load_entities, load_graph, load_summaries
from claimgraph.kgstore.store import GraphStore, Row, Step
from claimgraph.kgstore.upkeep.forget import drop_graph
from claimgraph.kgstore.upkeep.transfer import EdgeRecord, Record, counts, records

CODEX = Path(__file__).parents[4] / "shared" / "data" / "kg" / "codex"
"""Where a developer may have the whole of CoDEx; no test needs it."""


@pytest.fixture
def load(store: GraphStore, tmp_path: Path) -> Callable[..., IngestReport]:
    """Write a file of that name and content and load it into the graph `g`, with label files from rows."""

    def run(name: str, content: str | bytes, graph: str = "g", **labels: list[dict[str, Any]]) -> IngestReport:
        path = written(tmp_path / name, content)
        files = {kind: written(tmp_path / f"{kind}.jsonl", lines(rows)) for kind, rows in labels.items()}
        return ingest(store, path, graph, rejected=tmp_path / "rejected.tsv", **files)

    return run


def written(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def lines(rows: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def facts(store: GraphStore, graph: str = "g") -> list[tuple[str, str, str]]:
    return sorted((fact.subject, fact.predicate, fact.object) for fact in load_graph(store, graph).facts)


def relations(store: GraphStore, graph: str = "g") -> list[str]:
    return sorted(fact.name for fact in load_graph(store, graph).facts)


def literals(store: GraphStore) -> list[Literal]:
    return [node for node in load_graph(store, "g").nodes.values() if isinstance(node, Literal)]


def entities(store: GraphStore, *ids: str) -> list[Entity]:
    found = load_entities(store, ids)
    return [found[identity] for identity in ids]


def everything(store: GraphStore) -> list[Record]:
    """All nodes and facts, but for the times of the last load."""
    found = list(records(store))
    for record in found:
        record.properties.pop("updatedAt", None)
        record.properties.pop("retrievedAt", None)
    return found


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("x.tsv", "head\trelation\ttail\tsplit\nQ90\tP17\tQ142\ttrain\n", ("wd:Q90", "wd:P17", "wd:Q142")),
        ("x.csv", "Paris,country,France\n", ("g:Paris", "g:country", "g:France")),
        ("x.jsonl", '{"subject":"/m/05qtj","predicate":"in","object":"Q142"}', ("fb:/m/05qtj", "g:in", "wd:Q142")),
        ("x.nt", "<http://x/a> <http://x/b> <http://x/c> .", ("http://x/a", "http://x/b", "http://x/c")),
        (
            "x.ttl",
            "@prefix d: <http://dbpedia.org/resource/> .\nd:Paris <http://dbpedia.org/ontology/country> d:France .",
            ("dbr:Paris", "dbo:country", "dbr:France"),
        ),
    ],
)
def test_a_fact_of_every_format(
    load: Callable[..., IngestReport], store: GraphStore, name: str, content: str, expected: tuple[str, str, str]
) -> None:
    """One fact of any format is stored between two entities, under the ids of its kind of key."""
    report = load(name, content)
    assert (1, 1, 2, 0) == (report.facts, report.new, report.entities, report.rejected)
    assert [expected] == facts(store)


def test_labels_and_relations(load: Callable[..., IngestReport], store: GraphStore, tmp_path: Path) -> None:
    """Label files name the entities that the graph mentions, and the relations in its facts; the rest is left out."""
    report = load(
        "x.tsv",
        "Q90\tP17\tQ142\n",
        entities=[
            {"qid": "Q90", "label": "Paris", "description": "capital", "aliases": ["Lutetia"], "types": ["city"]},
            {"qid": "Q142", "label": None, "description": None, "aliases": None},
            {"qid": "Q64", "label": "Berlin"},
        ],
        relations=[{"pid": "P17", "label": "country", "functional": True}],
    )
    paris, france = entities(store, "wd:Q90", "wd:Q142")
    assert ("Paris", ("Lutetia",), "capital") == (paris.name, paris.aliases, paris.description)
    assert ("Q142", ()) == (france.name, france.aliases)
    assert (2, 2) == (report.entities, report.labelled)
    assert ["country"] == relations(store)
    assert {} == load_entities(store, ["wd:Q64"])
    assert not (tmp_path / "rejected.tsv").exists()


def test_an_entity_in_two_graphs_is_one_node(load: Callable[..., IngestReport], store: GraphStore) -> None:
    """A Freebase mid with a Wikidata id is Wikidata's node: found under both graphs, named once, nothing lost."""
    load("a.tsv", "Q90\tP17\tQ142\n", "codex", entities=[{"qid": "Q90", "label": "Paris", "aliases": ["Lutetia"]}])
    load(
        "b.tsv",
        "/m/05qtj\t/location/capital_of\t/m/0f8l9c\n",
        "freebase",
        entities=[{"mid": "/m/05qtj", "qid": "Q90", "label": "Paris, France", "description": "city", "aliases": []}],
    )
    (paris,) = entities(store, "wd:Q90")
    assert ["codex", "freebase"] == sorted(paris.graphs)
    assert ("Paris, France", "city") == (paris.name, paris.description)
    assert {"Lutetia", "Paris"} == set(paris.aliases)
    assert [("wd:Q90", "fb:/location/capital_of", "fb:/m/0f8l9c")] == facts(store, "freebase")
    assert {"wd:Q90"} == {row["id"] for row in store.read("entity_names", ids=["wd:Q90"], graph="codex")}


def test_two_mids_of_one_item_stay_two(load: Callable[..., IngestReport], store: GraphStore) -> None:
    """Where a label file gives one Wikidata id to two mids, both keep their own id and no fact is lost."""
    report = load(
        "x.tsv",
        "/m/1\tr\t/m/3\n/m/2\tr\t/m/3\n",
        entities=[{"mid": "/m/1", "qid": "Q1", "label": "one"}, {"mid": "/m/2", "qid": "Q1", "label": "two"}],
    )
    assert 2 == report.new
    assert ["one", "two"] == [entity.name for entity in entities(store, "fb:/m/1", "fb:/m/2")]


def test_introductions_are_stored_as_documents(load: Callable[..., IngestReport], store: GraphStore) -> None:
    """An extract of a label file becomes a document about its entity, survives a copy, and goes with its graph."""
    entities = [
        {"qid": "Q90", "label": "Paris", "extract": "Paris is a city.", "wikipedia": "https://example.org/Paris"},
        {"qid": "Q1", "label": "left out", "extract": "The graph does not mention it."},
        {"qid": "Q142", "label": "France"},
    ]
    report = load("a.tsv", "Q90\tP17\tQ142\n", entities=entities)
    assert (2, 1) == (report.labelled, report.summaries)
    [(entity, document)] = load_summaries(store, ["wd:Q90", "wd:Q142", "wd:Q1"])
    told = (document.text, document.name, document.source)
    assert ("wd:Q90", "Paris is a city.", "Paris", "https://example.org/Paris") == (entity, *told)
    assert "Document ABOUT Entity" in {record.kind for record in records(store) if isinstance(record, EdgeRecord)}
    drop_graph(store, "g")
    assert {} == counts(store)


def test_a_graph_without_labels_erases_none(load: Callable[..., IngestReport], store: GraphStore) -> None:
    """Names and relations known from one graph stay when another mentions the same ids without labels."""
    labels = {"entities": [{"qid": "Q90", "label": "Paris"}], "relations": [{"pid": "P17", "label": "country"}]}
    load("a.tsv", "Q90\tP17\tQ142\n", "one", **labels)
    load("b.tsv", "Q90\tP17\tQ183\n", "two")
    assert ["Paris"] == [entity.name for entity in entities(store, "wd:Q90")]
    assert ["country"] == relations(store, "two")


def test_wikidata_truthy(load: Callable[..., IngestReport], store: GraphStore) -> None:
    """English labels of a truthy dump become names, aliases and descriptions; values become typed literals."""
    item, claim = "http://www.wikidata.org/entity/", "http://www.wikidata.org/prop/direct/"
    schema, xsd = "http://schema.org/", "http://www.w3.org/2001/XMLSchema#"
    report = load(
        "truthy.nt.gz",
        gzip.compress(
            f"""<{item}Q937> <http://www.w3.org/2000/01/rdf-schema#label> "Albert Einstein"@en .
<{item}Q937> <{schema}name> "Albert Einstein"@en .
<{item}Q937> <http://www.w3.org/2000/01/rdf-schema#label> "Albert Ajnŝtajn"@eo .
<{item}Q937> <http://www.w3.org/2004/02/skos/core#altLabel> "Einstein"@en .
<{item}Q937> <{schema}description> "physicist"@en .
<{item}Q937> <{claim}P31> <{item}Q5> .
<{item}Q937> <{claim}P569> "1879-03-14T00:00:00Z"^^<{xsd}dateTime> .
<{item}Q937> <{claim}P570> "1955-01-01T00:00:00Z"^^<{xsd}dateTime> .
<{item}Q937> <{claim}P2048> "+1.75"^^<{xsd}decimal> .
<http://www.wikidata.org/wiki/Special:EntityData/Q937> <{schema}about> <{item}Q937> .
""".encode()
        ),
    )
    assert (4, 4, 2, 0) == (report.facts, report.texts, report.skipped, report.rejected)
    (einstein,) = entities(store, "wd:Q937")
    assert ("Albert Einstein", ("Einstein",), "physicist") == (
        einstein.name,
        einstein.aliases,
        einstein.description,
    )
    values = {found.value: (found.datatype, found.precision) for found in literals(store)}
    assert {"1879-03-14": ("date", "day"), "1955": ("date", "year"), "1.75": ("quantity", "±0.005")} == values


def test_wikidata_dump_without_its_own_affairs(load: Callable[..., IngestReport], store: GraphStore) -> None:
    """Pages, articles and declarations of properties are left out; unknown and absent values are kept as such; a name
    of no language stands in for an English one.
    """
    wikidata, wikibase = "http://www.wikidata.org", "http://wikiba.se/ontology#"
    item, rdf, owl = (
        f"{wikidata}/entity/",
        "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
        "http://www.w3.org/2002/07/owl#",
    )
    label, schema = "http://www.w3.org/2000/01/rdf-schema#label", "http://schema.org/"
    article, point = "https://en.wikipedia.org/wiki/Isaac_Newton", "http://www.opengis.net/ont/geosparql#wktLiteral"
    report = load(
        "truthy.nt.bz2",
        bz2.compress(
            f"""<{wikibase}Dump> <{schema}softwareVersion> "1.0.0" .
<{item}P26> <{rdf}type> <{wikibase}Property> .
<{item}P26> <{label}> "spouse"@en .
<{wikidata}/prop/direct/P26> <{rdf}type> <{owl}ObjectProperty> .
<{wikidata}/prop/novalue/P26> <{owl}complementOf> _:b1 .
_:b1 <{owl}onProperty> <{wikidata}/prop/direct/P26> .
_:b1 <{rdf}type> <{owl}Restriction> .
<{article}> <{schema}about> <{item}Q935> .
<{article}> <{schema}name> "Isaac Newton"@en .
<{item}Q935> <{label}> "Isaac Newton"@mul .
<{item}Q935> <{wikibase}sitelinks> "3"^^<http://www.w3.org/2001/XMLSchema#integer> .
<{item}Q935> <{rdf}type> <{wikidata}/prop/novalue/P26> .
<{item}Q935> <{wikidata}/prop/direct/P22> <{wikidata}/.well-known/genid/01ab> .
<{item}Q935> <{wikidata}/prop/direct/P625> "Point(2.5 48.75)"^^<{point}> .
""".encode()
        ),
    )
    assert (3, 2, 9, 0) == (report.facts, report.texts, report.skipped, report.rejected)
    found = load_graph(store, "g")
    assert {
        ("Isaac Newton spouse no value", "novalue"),
        ("Isaac Newton father unknown value", "somevalue"),
        ("Isaac Newton coordinate location 48.75, 2.5", "coordinates"),
    } == {(found.triple(fact).text, getattr(found.nodes[fact.object], "datatype", "")) for fact in found.facts}


def test_values_of_tables(load: Callable[..., IngestReport], store: GraphStore) -> None:
    """A datatype column, a JSON number and a whole ISO date make literals, with the unit taken into account."""
    load(
        "x.csv",
        "head,relation,tail,datatype,unit\nNile,length,6650,quantity,km\nAda,born,1815-12-10,,\nAda,likes,1984,,\n",
    )
    assert {("6650000", "m"), ("1815-12-10", None)} == {(found.value, found.unit) for found in literals(store)}
    assert ("g:Ada", "g:likes", "g:1984") in facts(store)


def test_loading_twice_changes_nothing(load: Callable[..., IngestReport], store: GraphStore) -> None:
    """The same load again finds nothing new and leaves every node, fact, version and time as it was."""
    content = "Q1\tP1\tQ2\nQ1\tP2\t1999-01-02\nQ1\tP1\tQ2\nbroken\n"
    labels = {
        "entities": [{"qid": "Q1", "label": "one", "aliases": ["uno"]}],
        "relations": [{"pid": "P1", "label": "r"}],
    }
    first = load("x.tsv", content, **labels)
    before = everything(store)
    again = load("x.tsv", content, **labels)
    assert (3, 2, 3, 0) == (first.facts, first.new, again.facts, again.new)
    assert before == everything(store)


def test_versions_follow_from_the_files(load: Callable[..., IngestReport], store: GraphStore, tmp_path: Path) -> None:
    """A graph's version is that of its complete fetches: another file changes it, the order of files does not."""
    load("x.tsv", "a\tb\tc\n")
    version = store.read("graphs")[0]["version"]
    assert scope_version([fetch_id(digest(tmp_path / "x.tsv"), "g")]) == version
    load("y.tsv", "a\tb\td\n")
    both = store.read("graphs")[0]["version"]
    assert version != both
    load("x.tsv", "a\tb\tc\n")
    assert both == store.read("graphs")[0]["version"]
    assert [("complete", 1), ("complete", 1)] == [
        (row["status"], row["rows"]) for row in store.read("fetches_into", target="g")
    ]


class Failing:
    """A store whose n-th write fails."""

    def __init__(self, store: GraphStore, at: int) -> None:
        self._store, self._left = store, at

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def write(self, *steps: Step) -> list[Row]:
        self._left -= 1
        if self._left == 0:
            raise StoreError("the power failed")
        return self._store.write(*steps)


def test_a_load_that_was_cut_off_is_run_again(
    store: GraphStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever a load fails, its fetch stays running, and a second run ends like a whole one."""
    monkeypatch.setattr(flow, "BATCH", 10)
    path = written(tmp_path / "x.tsv", "".join(f"Q{i}\tP1\tQ{i + 1}\n" for i in range(35)))
    labels = written(tmp_path / "e.jsonl", lines([{"qid": f"Q{i}", "label": f"name {i}"} for i in range(36)]))
    for at in (1, 3, 6, 9):
        with pytest.raises(StoreError, match="power"):
            ingest(Failing(store, at), path, "g", entities=labels)  # type: ignore[arg-type]
        assert min(35, 10 * (at - 1)) == len(facts(store)) or at > 1
        assert "running" in {row["status"] for row in store.read("fetches_into", target="g")} or at == 1
    report = ingest(store, path, "g", entities=labels)
    assert (35, 36, 36) == (len(facts(store)), report.entities, report.labelled)
    assert {"complete"} == {row["status"] for row in store.read("fetches_into", target="g")}
    expected = scope_version([fetch_id(digest(file), "g") for file in (path, labels)])
    assert expected == store.read("graphs")[0]["version"]


def test_facts_that_another_load_writes_meanwhile_are_not_lost(
    store: GraphStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """New facts are created, known ones merged; where the look-up came too early, all are merged."""
    path = written(tmp_path / "x.tsv", "".join(f"Q{i}\tP1\tQ{i + 1}\n" for i in range(20)))
    ingest(store, path, "g")
    before, read = everything(store), store.read
    too_early = ("known_facts", "known_entities")
    monkeypatch.setattr(store, "read", lambda name, **given: [] if name in too_early else read(name, **given))
    assert ingest(store, path, "g").new == 0
    monkeypatch.undo()
    assert everything(store) == before


def test_a_fact_that_comes_again_is_one(store: GraphStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In an empty graph facts are created without being looked for; one of an earlier batch is merged, and the last
    of its lines counts.
    """
    monkeypatch.setattr(flow, "BATCH", 5)
    told = [{"head": f"Q{at % 12}", "relation": "P1", "tail": "Q1", "source": f"line {at}"} for at in range(24)]
    report = ingest(store, written(tmp_path / "x.jsonl", lines(told)), "g")
    assert (24, 12, 12) == (report.facts, report.new, report.entities)
    assert {f"line {at}" for at in range(12, 24)} == {fact.source for fact in load_graph(store, "g").facts}


def test_a_graph_loaded_in_part_has_another_version(embedded: EmbeddedStore, tmp_path: Path) -> None:
    """A file that breaks off leaves what came before, says so in one line, and never the version of the whole."""
    whole = gzip.compress("".join(f"a{i}\tb\tc{i * i}\n" for i in range(20_000)).encode())
    path = written(tmp_path / "x.tsv.gz", whole[: len(whole) // 2])
    with pytest.raises(InputError, match=r"cut short; \d+ facts up to line \d+ are stored") as caught:
        ingest(embedded, path, "g")
    count = embedded.read("graph_size", graph="g")[0]["facts"]
    assert f"; {count} facts" in str(caught.value)
    assert 0 < count < 20_000
    assert scope_version([fetch_id(digest(path), "g")]) != embedded.read("graphs")[0]["version"]


def test_rejected_lines(load: Callable[..., IngestReport], tmp_path: Path) -> None:
    """Lines that cannot be used, of the facts and of the labels, are counted and written down with file and number."""
    report = load("x.tsv", "a\tb\tc\nd\te\n", entities=[{"label": "no id"}, {"id": "a", "label": 3}, {"id": "a"}])
    rows = (tmp_path / "rejected.tsv").read_text().splitlines()
    assert 3 == report.rejected
    assert ["file", "x.tsv", "entities.jsonl", "entities.jsonl"] == [row.split("\t")[0] for row in rows]
    assert "entities.jsonl\t1\tno id under qid, pid, mid or id" == "\t".join(rows[2].split("\t")[:3])
    assert "d\te" == "\t".join(rows[1].split("\t")[3:])
    assert report.first_rejected is not None
    assert report.first_rejected.startswith("x.tsv line 2: 2 columns")


@pytest.mark.parametrize(
    ("name", "content", "line"),
    [
        ("x.tsv", "a\tb\nc\td\n", "no line of .* can be used: x.tsv line 1: 2 columns"),
        ("x.tsv", "head\trelation\ttail\n", "it holds a header only"),
        ("x.tsv", "", "is empty"),
        ("x.tsv", b"\x00\x01", "is a binary file"),
        ("x.doc", "a\tb\tc", "supported: .tsv"),
    ],
)
def test_nothing_to_load(embedded: EmbeddedStore, tmp_path: Path, name: str, content: str | bytes, line: str) -> None:
    """A file of which nothing can be used is one line, and leaves no graph behind."""
    with pytest.raises(InputError, match=line):
        ingest(embedded, written(tmp_path / name, content), "g", rejected=tmp_path / "r.tsv")
    assert [] == embedded.read("graphs")


def test_rejects_never_overwrite_what_is_read(embedded: EmbeddedStore, tmp_path: Path) -> None:
    """The rejected file may not be an input, and one that cannot be made is said in one line."""
    path = written(tmp_path / "x.tsv", "a\tb\tc\nd\n")
    with pytest.raises(UsageError, match="is read"):
        ingest(embedded, path, "g", rejected=path)
    with pytest.raises(InputError, match="cannot write"):
        ingest(embedded, path, "g", rejected=tmp_path / "no" / "folder")


def test_hostile_content(load: Callable[..., IngestReport], store: GraphStore) -> None:
    """Quotes, Cypher, NUL, bidi marks and long keys are data: they are stored and come back."""
    keys = ["'; MATCH (n) DETACH DELETE n //", "`x` {id: 1}", "a\\u0000b", "\\u202eevil", "k" * 5000, '[\\"Oslo\\"]']
    report = load("x.jsonl", "".join(f'{{"s":"{key}","p":"is \' \\u0060x","o":"o"}}\n' for key in keys))
    assert (6, 6, 7, 0) == (report.facts, report.new, report.entities, report.rejected)
    assert "g:'; MATCH (n) DETACH DELETE n //" in {subject for subject, _, _ in facts(store)}


def test_blank_nodes_of_two_files_are_apart(load: Callable[..., IngestReport], store: GraphStore) -> None:
    """_:b of one file is not _:b of another, and stays the same node when its file is loaded again."""
    for name, tail in (("x.nt", "1"), ("y.nt", "2"), ("x.nt", "1")):
        load(name, f"_:b <http://x/p> <http://x/{tail}> .")
    assert 2 == len({subject for subject, _, _ in facts(store)}) == len(facts(store))


def test_the_graph_is_named_after_the_file(embedded: EmbeddedStore, tmp_path: Path) -> None:
    """Without a name the graph takes the file's; a name with other characters is refused."""
    path = written(tmp_path / "my facts.tsv", "a\tb\tc\n")
    assert "my-facts" == ingest(embedded, path).graph
    with pytest.raises(InputError, match="cannot name a graph"):
        ingest(embedded, path, "claim:x")


def test_progress_is_told_in_bytes(embedded: EmbeddedStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Progress names the file and how much of it was read, and ends at its size."""
    monkeypatch.setattr(flow, "BATCH", 10)
    path = written(tmp_path / "x.tsv", "".join(f"a{i}\tb\tc\n" for i in range(35)))
    told: list[tuple[Path, int, int]] = []
    ingest(embedded, path, "g", progress=lambda *what: told.append(what))
    assert (path, path.stat().st_size, path.stat().st_size) == told[-1]
    assert 4 == len(told)


_PEAK = """
import sys, tracemalloc
from pathlib import Path
import claimgraph.kgstore.ingest.flow
from claimgraph.kgstore.store import StoreInfo
class Store:
    def read(self, name, **params): return [{"facts": 0, "entities": 0}] if name.startswith("graph_") else []
    def write(self, *steps): return []
    def settle(self): pass
    def info(self): return StoreInfo('embedded', '', '', alone=True)
claimgraph.kgstore.ingest.flow.BATCH = 1000
tracemalloc.start()
claimgraph.kgstore.ingest.flow.ingest(Store(), Path(sys.argv[1]), "g")
print(tracemalloc.get_traced_memory()[1])
"""


def test_memory_is_bounded(tmp_path: Path) -> None:
    """A file four times as long, of the same entities, takes no more memory to read."""
    peaks = []
    for batches in (2, 8):
        rows = "".join(f"a{i % 500}\tr\tb{i // 500}\n" for i in range(batches * 1000))
        path = written(tmp_path / f"{batches}.tsv.gz", gzip.compress(rows.encode()))
        done = subprocess.run([sys.executable, "-c", _PEAK, str(path)], capture_output=True, text=True, check=True)
        peaks.append(int(done.stdout))
    assert peaks[1] < 1.2 * peaks[0]


@pytest.mark.nightly
@pytest.mark.data(CODEX)
def test_the_whole_of_codex(embedded: EmbeddedStore) -> None:
    """All 206,205 facts of CoDEx-M are loaded, with their entities labelled."""
    report = ingest(
        embedded,
        CODEX / "codex_m_triples.tsv.gz",
        "codex",
        entities=CODEX / "entities.jsonl.gz",
        relations=CODEX / "relations.jsonl",
    )
    assert (206_205, 206_205, 17_050, 0) == (report.facts, report.new, report.entities, report.rejected)


def test_property_described_in_the_file_names_its_facts(store: GraphStore, tmp_path: Path) -> None:
    """A property that the same file labels, before or after its facts, goes by that label everywhere."""
    label = "<http://www.w3.org/2000/01/rdf-schema#label>"
    wiki = "http://www.wikidata.org"
    fact = f"<{wiki}/entity/Q1> <{wiki}/prop/direct/P{{}}> <{wiki}/entity/Q2> ."
    name = f"<{wiki}/entity/P{{}}> {label}" + ' "relation {}"@en .'
    path = tmp_path / "facts.nt"
    path.write_text("\n".join([fact.format(1), name.format(1, 1), name.format(2, 2), fact.format(2)]) + "\n")
    ingest(store, path, "world")
    graph = load_graph(store, "world")
    assert ["relation 1", "relation 2"] == sorted(found.name for found in graph.facts)
    assert ["relation 1", "relation 2"] == [
        row["name"] for row in store.read("predicate_names", ids=["wd:P1", "wd:P2"])
    ]


def test_a_made_up_name_never_renames_a_predicate(load: Callable[..., IngestReport], store: GraphStore) -> None:
    """A property that is mentioned as a thing and has no label keeps the name that the relation file gives it."""
    load("x.tsv", "Q1\tP17\tQ2\nQ3\tP1\tP17\n", relations=[{"pid": "P17", "label": "country"}])
    assert ["P1", "country"] == relations(store)

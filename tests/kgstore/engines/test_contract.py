"""What every store promises, on every engine found: the same calls, the same answers, from the same files."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

import engines
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strategies import HOSTILE, documents, extractions, subgraphs, verdicts

from claimgraph import cypher
from claimgraph.detect.extraction.claim_kg import claim_kg
from claimgraph.kgstore import identity, records
from claimgraph.kgstore.engines.bolt import BoltStore
from claimgraph.kgstore.engines.migrations import migrate, pending
from claimgraph.kgstore.engines.shared import SharedStore
from claimgraph.kgstore.errors import InputError, StoreError
from claimgraph.kgstore.model import (
    Claim,
    Document,
    Entity,
    Extraction,
    Fact,
    Link,
    Outcome,
    Run,
    Span,
    Status,
    Subgraph,
    Verdict,
)
from claimgraph.kgstore.reads import (
    current_verdicts,
    disagreements,
    load_claims,
    load_document,
    load_graph,
    load_verdicts,
)
from claimgraph.kgstore.store import GraphStore
from claimgraph.kgstore.views import StoreView

few = settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
_NUMBERS = count()
NOW = datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=UTC)
RUN = Run("r1:test", "m", "{}", NOW, NOW, "complete")
TEXT = "Marie Curie was born in Paris."
DOCUMENT = Document(identity.document_id(TEXT), TEXT, "curie", created_at=NOW)
GRAPH = identity.claim_graph(DOCUMENT.id)
CLAIM = Claim(
    identity.claim_id(DOCUMENT.id, 0, 30, "Marie Curie", "was born in", "Paris"),
    *(DOCUMENT.id, "Marie Curie", "was born in", "Paris", TEXT, Span(0, 30)),
)
CURIE = Entity("doc:x/marie-curie", "Marie Curie", graphs=(GRAPH,))
PARIS = Entity("doc:x/paris", "Paris", graphs=(GRAPH,))
FACT = Fact("f1:a", GRAPH, CURIE.id, "rel:was-born-in", "was born in", PARIS.id)
CLAIM_KG = Subgraph({CURIE.id: CURIE, PARIS.id: PARIS}, (FACT,))
WORLD = Entity("wd:Q7186", "Marie Curie", ("Maria Skłodowska",), "physicist", "a", ("world",))


@pytest.fixture(params=[*engines.ENGINES, "shared"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[GraphStore]:
    """A clean store on each engine found, and the embedded one through the process that holds it."""
    if request.param != "shared":
        with engines.open_clean(request.param, tmp_path) as opened:
            yield opened
        return
    with SharedStore(tmp_path / "store") as holder, SharedStore(tmp_path / "store") as through:
        migrate(holder)
        yield through


def _verdict(name: str, method: str = "m") -> Verdict:
    return Verdict(f"v1:{name}", CLAIM.id, Outcome.REFUTED, Status.COMPLETE, method, name, created_at=NOW)


def _put_claim(store: GraphStore) -> None:
    store.write(*records.extraction_steps(Extraction(DOCUMENT, (), (CLAIM,)), CLAIM_KG))


def _current(store: GraphStore) -> list[str]:
    return [verdict.reason for verdict in load_verdicts(store, [CLAIM.id])]


def _counts(store: GraphStore) -> list[tuple[object, ...]]:
    """Everything there is, as labels and relationship types with their numbers."""
    nodes = store.query("MATCH (n) UNWIND labels(n) AS label RETURN label, count(*) AS n ORDER BY label", {}).rows
    edges = store.query("MATCH ()-[r]->() RETURN type(r) AS type, count(*) AS n ORDER BY type", {}).rows
    return [*nodes, *edges]


def _world(facts: int) -> Subgraph:
    nodes = {f"x:{i}": Entity(f"x:{i}", f"thing {i}", graphs=("world",)) for i in range(facts)}
    edges = tuple(Fact(f"f1:{i:06}", "world", f"x:{i}", "p", "next", f"x:{(i + 1) % facts}") for i in range(facts))
    return Subgraph(nodes, edges)


@few
@given(st.data())
def test_a_document_is_read_as_it_was_put(store: GraphStore, data: st.DataObject) -> None:
    """Any Unicode text and any unknown stays what it was."""
    put = data.draw(st.lists(documents(f"{next(_NUMBERS)}"), max_size=3, unique_by=lambda document: document.id))
    store.write(*records.document_steps(put))
    assert put == [load_document(store, document.id) for document in put]


@few
@given(st.data())
def test_a_graph_is_read_as_it_was_put(store: GraphStore, data: st.DataObject) -> None:
    """Nodes, facts and parallel facts come back whole, from a load and from a look around every node."""
    graph = f"g{next(_NUMBERS)}"
    put = data.draw(subgraphs(graph))
    for _ in range(2):
        store.write(*records.subgraph_steps(graph, "world", put, "v"))
    around = StoreView(store, (graph,)).facts_around(list(put.nodes), 100)
    for read in (load_graph(store, graph), around):
        assert (put.facts, dict(put.nodes)) == (read.facts, dict(read.nodes))


@few
@given(st.data())
def test_verdicts_are_read_as_they_were_put(store: GraphStore, data: st.DataObject) -> None:
    """Claims, verdicts, citations in order and signals come back whole, and putting them twice changes nothing."""
    extraction, graph = data.draw(extractions(f"{next(_NUMBERS)}"))
    put = tuple(data.draw(verdicts(claim.id)) for claim in extraction.claims)
    steps = [*records.extraction_steps(extraction, graph), *records.verdict_steps(RUN, put)]
    store.write(*steps)
    first = _counts(store)
    store.write(*steps)
    assert first == _counts(store)
    claims = sorted(extraction.claims, key=lambda claim: (claim.span.start, claim.span.end, claim.id))
    assert claims == load_claims(store, extraction.document.id)
    assert sorted(put, key=lambda v: v.id) == load_verdicts(store, [verdict.claim for verdict in put])


@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_text_finds_itself_and_nothing_else(store: GraphStore, text: str) -> None:
    """A text that looks like Cypher, a list or an end of a string is a value like any other, as id and as name."""
    others = [other for other in HOSTILE if other != text]
    store.write(("put_documents", [_bare_document(f"h:{other}", other) for other in [text, *others]]))
    assert [f"h:{text}"] == [row["id"] for row in store.read("document", id=f"h:{text}")]
    assert text == store.read("document", id=f"h:{text}")[0]["text"]


def _bare_document(key: str, text: str) -> dict[str, object]:
    return {"id": key, "text": text, "name": text, "source": None, "language": None, "createdAt": NOW}


def test_a_megabyte_of_text(store: GraphStore) -> None:
    """A text of 1 MB outside the basic plane is kept whole."""
    text = "😀é \0'" * 100_000
    document = Document(identity.document_id(text), text, created_at=NOW)
    store.write(*records.document_steps([document]))
    assert document == load_document(store, document.id)


def test_half_a_character_is_refused_in_one_line(store: GraphStore) -> None:
    """A lone surrogate is no text: InputError, and nothing is written."""
    with pytest.raises(InputError, match="not Unicode"):
        store.write(*records.document_steps([Document("d1:x", "a\ud800", created_at=NOW)]))
    assert load_document(store, "d1:x") is None


def test_ten_thousand_facts_in_one_write(store: GraphStore) -> None:
    """A batch of 10,000 facts with their nodes is one write, and all of it is found again, by name too."""
    put = _world(10_000)
    store.write(*records.subgraph_steps("world", "world", put, "v"))
    store.settle()
    assert put.facts == load_graph(store, "world").facts
    assert ["x:7777"] == [found.id for found in StoreView(store, ("world",)).candidates("Thing 7777", 1)]


def test_names_are_found_without_settling(store: GraphStore) -> None:
    """More than a thousand new names are found at once even if nobody asked the index to settle."""
    store.write(("put_entities", [records.entity_row(node) for node in _world(1500).nodes.values()]))  # type: ignore[arg-type]
    assert ["x:77"] == [found.id for found in StoreView(store, ("world",)).candidates("thing 77", 1)]


def test_nothing_in_nothing_out(store: GraphStore) -> None:
    """Empty writes, empty lists and unknown ids are answered with nothing."""
    assert [] == store.write()
    assert [] == store.write(("put_documents", []), ("put_facts", []))
    assert [] == store.write(*records.subgraph_steps("world", "world", Subgraph({}, ()), "v"))
    assert load_document(store, "none") is None
    assert ([], [], []) == (load_claims(store, "none"), load_verdicts(store, []), current_verdicts(store))
    assert Subgraph({}, ()) == load_graph(store, "none")
    view = StoreView(store, ())
    assert (Subgraph({}, ()), [], []) == (view.facts_around([], 5), view.candidates("", 5), view.candidates("?!", 5))


def test_an_unfit_step_undoes_the_steps_before_it(store: GraphStore) -> None:
    """A write is all or nothing."""
    with pytest.raises(KeyError):
        store.write(*records.document_steps([DOCUMENT]), ("no_such_query", [{"id": "x"}]))
    assert load_document(store, DOCUMENT.id) is None


def test_an_entity_in_two_graphs_is_one_node(store: GraphStore) -> None:
    """Aliases and graphs are united, and facts ingested again without labels erase none."""
    other = replace(WORLD, name="Marie Skłodowska-Curie", aliases=("Curie",), description=None, graphs=("other",))
    bare = Entity(WORLD.id, "Q7186", graphs=("world",))
    store.write(("put_entities", [records.entity_row(bare, named=False)]))
    assert "Q7186" == _entity(store).name
    store.write(("put_entities", [records.entity_row(WORLD)]))
    store.write(("put_entities", [records.entity_row(other)]))
    store.write(("put_entities", [records.entity_row(bare, named=False)]))
    united = replace(other, aliases=("Maria Skłodowska", "Curie"), description="physicist", graphs=("world", "other"))
    assert united == _entity(store)
    store.settle()
    for mention in ("marie curie", "MARIA SKŁODOWSKA", "Curie", "q7186"):
        for graph in ("world", "other"):
            assert [united] == StoreView(store, (graph,)).candidates(mention, 5), (mention, graph)
    assert [] == StoreView(store, ("third",)).candidates("Curie", 5)


def _entity(store: GraphStore) -> Entity:
    (row,) = store.read("entities_by_id", ids=[WORLD.id])
    return Entity(
        row["id"], row["name"], tuple(row["aliases"]), row["description"], row["source"], tuple(row["graphs"])
    )


def test_exact_names_come_before_better_scores(store: GraphStore) -> None:
    """An exact name comes first, then an exact alias, then the rest; ties by id."""
    names = {"x:1": ("Paris Paris", ()), "x:2": ("Lutetia", ("Paris", *(f"name {i}" for i in range(50))))}
    names |= {"x:3": ("PARIS", tuple(f"word {i}" for i in range(50))), "x:4": ("Paris", ()), "x:5": ("Rome", ())}
    rows = [records.entity_row(Entity(key, *name, graphs=("world",))) for key, name in names.items()]
    store.write(("put_entities", rows))
    store.settle()
    found = [entity.id for entity in StoreView(store, ("world",)).candidates("Páris", 10)]
    assert ({"x:3", "x:4"}, ["x:2", "x:1"]) == (set(found[:2]), found[2:])


def test_facts_around_are_limited_and_of_the_graphs_asked(store: GraphStore) -> None:
    """At most so many facts an entity and direction, the first by id, and none of another graph."""
    hub, ends = "x:hub", [f"x:{i}" for i in range(5)]
    nodes = {key: Entity(key, key, graphs=("world", "other")) for key in [hub, *ends]}
    facts = [Fact(f"f1:o{i}", "world", hub, "p", "p", end) for i, end in enumerate(ends)]
    facts += [Fact(f"f1:i{i}", "world", end, "p", "p", hub) for i, end in enumerate(ends)]
    other = Fact("f1:0", "other", hub, "p", "p", ends[0])
    store.write(*records.subgraph_steps("world", "world", Subgraph(nodes, (*facts, other)), "v"))
    view = StoreView(store, ("world",))
    assert ["f1:i0", "f1:i1", "f1:o0", "f1:o1"] == [fact.id for fact in view.facts_around([hub], 2).facts]
    assert 10 == len(view.facts_around([hub, hub, *ends], 100).facts)


def test_links_are_replaced_and_nils_recorded(store: GraphStore) -> None:
    """A claim's role is linked to one entity; a later link or NIL takes its place."""
    _put_claim(store)
    others = [WORLD, replace(WORLD, id="wd:Q1")]
    store.write(("put_entities", [records.entity_row(entity) for entity in others]))
    asked = (
        "MATCH (c:Claim) OPTIONAL MATCH (c)-[l:LINKED]->(e) RETURN e.id AS id, l.score AS score, c.subjectNil AS nil"
    )
    seen = []
    for found in (*others, None, WORLD):
        store.write(*records.link_steps([Link(CLAIM.id, "subject", "Marie Curie", found, 0.5, 0.25)]))
        seen += store.query(asked, {}).rows
    expected = [("wd:Q7186", 0.5, False), ("wd:Q1", 0.5, False), (None, None, True), ("wd:Q7186", 0.5, False)]
    assert expected == seen


def test_the_newest_verdict_holds_and_old_work_run_again_changes_nothing(store: GraphStore) -> None:
    """A new verdict supersedes; one that was superseded does not come back."""
    _put_claim(store)
    for name in ("one", "two", "one"):
        store.write(*records.verdict_steps(RUN, [_verdict(name)]))
    assert ["two"] == _current(store)
    assert (("v1:two", "v1:one"),) == store.query(
        "MATCH (a:Verdict)-[:SUPERSEDES]->(b:Verdict) RETURN a.id AS a, b.id AS b", {}
    ).rows


def test_of_two_verdicts_in_one_write_the_last_holds(store: GraphStore) -> None:
    """One claim has one current verdict however many come at once."""
    _put_claim(store)
    store.write(*records.verdict_steps(RUN, [_verdict("one"), _verdict("two")]))
    assert ["two"] == _current(store)


def test_a_persons_verdict_outranks_the_rest(store: GraphStore) -> None:
    """A method's verdict does not replace a person's; a person's does, and all are kept."""
    _put_claim(store)
    seen = []
    for name, method in (("one", "m"), ("ruling", "human"), ("two", "m"), ("second ruling", "human")):
        store.write(*records.verdict_steps(RUN, [_verdict(name, method)]))
        seen += _current(store)
    assert ["one", "ruling", "ruling", "second ruling"] == seen
    assert ((4,),) == store.query("MATCH (v:Verdict) RETURN count(v) AS n", {}).rows


def test_the_fused_verdict_outranks_single_methods(store: GraphStore) -> None:
    """A single method's verdict beside a fused one is kept and does not hold; a later fused one does."""
    _put_claim(store)
    seen = []
    for name, method in (("one", "kea"), ("two", "rules"), ("three", "fused"), ("four", "kea"), ("five", "fused")):
        store.write(*records.verdict_steps(RUN, [_verdict(name, method)]))
        seen += _current(store)
    assert ["one", "two", "three", "three", "five"] == seen
    assert ((5,),) == store.query("MATCH (v:Verdict) RETURN count(v) AS n", {}).rows


def test_the_newest_verdicts_are_found_however_old_they_are(store: GraphStore) -> None:
    """Of verdicts minutes to decades apart the newest come first, as many as are asked for, from a time on."""
    ages = (timedelta(0), timedelta(minutes=5), timedelta(hours=3), timedelta(days=2), timedelta(days=9000))
    claims = [replace(CLAIM, id=f"c{at}", span=Span(at, at + 1)) for at in range(len(ages))]
    graph = replace(CLAIM_KG, facts=(FACT,) * len(claims))
    store.write(*records.extraction_steps(Extraction(DOCUMENT, (), tuple(claims)), graph))
    verdicts = [
        replace(_verdict(f"v{at}"), claim=one.id, created_at=NOW - age)
        for at, (one, age) in enumerate(zip(claims, ages, strict=True))
    ]
    store.write(*records.verdict_steps(RUN, verdicts))
    for limit in range(1, len(ages) + 2):
        assert [f"v{at}" for at in range(len(ages))][:limit] == [
            row["reason"] for row in current_verdicts(store, limit=limit)
        ]
    assert ["v0", "v1", "v2"] == [row["reason"] for row in current_verdicts(store, since=NOW - timedelta(hours=3))]


@pytest.mark.parametrize(
    ("name", "seeks"),
    [
        ("verdicts", ["Verdict(createdAt)"]),
        ("newest_verdict", ["Verdict(createdAt)"]),
        ("verdicts_about", ["Claim(foldedObject)", "Claim(foldedSubject)", "Entity(foldedName)", "Entity(id)"]),
        ("stale_on_document", ["Document(id)"]),
    ],
)
def test_verdicts_are_found_by_an_index(neo4j_store: BoltStore, name: str, seeks: list[str]) -> None:
    """Neo4j's plan of each query of verdicts begins at indexes alone, whatever the outcome asked for."""
    migrate(neo4j_store)
    asked = {"outcome": "REFUTED", "since": NOW, "limit": 10, "folded": "x", "id": "x", "ids": ["x"], "document": "x"}
    with neo4j_store._driver.session() as session:
        plan = json.dumps(session.run(f"EXPLAIN {cypher.load(name)}", asked).consume().plan)
    assert seeks == sorted(re.findall(r"(?:INDEX|UNIQUE) \w+:(\w+\(\w+\))", plan)), plan
    assert [] == re.findall(r"\w+Scan\w*", plan), plan


def test_verdicts_are_listed_by_outcome_entity_and_time(store: GraphStore) -> None:
    """Filters join with and; an entity is given by id or by name without case, its own or that of a link."""
    assert [] == current_verdicts(store, entity="nobody")
    store.write(("put_entities", [records.entity_row(replace(WORLD, name="Skłodowska"))]))
    assert [] == current_verdicts(store, entity="nobody")
    _put_claim(store)
    store.write(*records.link_steps([Link(CLAIM.id, "subject", "Marie Curie", WORLD, 1.0, 1.0)]))
    store.write(*records.verdict_steps(RUN, [_verdict("one")]))
    for fits in ({}, {"entity": "marie curie"}, {"entity": "PARIS"}, {"entity": WORLD.id}, {"entity": "skłodowska"}):
        assert ["one"] == [row["reason"] for row in current_verdicts(store, outcome="REFUTED", since=NOW, **fits)]
    assert [] == current_verdicts(store, outcome="SUPPORTED")
    assert [] == current_verdicts(store, entity="nobody")
    assert [] == current_verdicts(store, since=datetime(2026, 1, 3, tzinfo=UTC))
    assert [] == current_verdicts(store, limit=0)
    (row,) = current_verdicts(store)
    told = {"claim": CLAIM.id, "claimText": TEXT, "start": 0, "end": 30, "document": DOCUMENT.id, "stale": False}
    assert told | {"documentName": "curie", "createdAt": NOW} == {
        key: row[key] for key in (*told, "documentName", "createdAt")
    }


_SAID = ("Paris", "PARIS", "İzmir", "straße", "STRASSE", "Σίσυφος", "ΣΊΣΥΦΟΣ", "x" * 5000, "")
_SCAN = """
MATCH (c:Claim)
OPTIONAL MATCH (c)-[:SUBJECT|OBJECT|LINKED]->(e:Entity)
WITH c, collect(e.id) AS ids, collect(toLower(e.name)) AS names
WHERE $entity IN ids OR $folded IN names OR toLower(c.subject) = $folded OR toLower(c.object) = $folded
RETURN c.id
"""


def test_verdicts_about_an_entity_are_those_of_a_look_at_every_claim(store: GraphStore) -> None:
    """Whatever case, letters and length names have, in the text, of its entities and of those that it is linked to."""
    pairs = [(subject, object) for subject in _SAID for object in _SAID]
    claims = [
        replace(CLAIM, id=f"c{at}", subject=subject, object=object, span=Span(at, at + 1))
        for at, (subject, object) in enumerate(pairs)
    ]
    extraction = Extraction(DOCUMENT, (), tuple(claims))
    store.write(*records.extraction_steps(extraction, claim_kg(extraction, GRAPH)))
    store.write(("put_entities", [records.entity_row(replace(WORLD, name="IZMIR"))]))
    store.write(*records.link_steps([Link("c1", "subject", "Paris", WORLD, 1.0, 1.0)]))
    given = [replace(_verdict(f"v{at}"), claim=claim.id) for at, claim in enumerate(claims)]
    store.write(*records.verdict_steps(RUN, given))
    for name in (*_SAID, "paris", "Izmir", "sisyphus", WORLD.id, *(row[0] for row in _ids(store))):
        expected = store.query(_SCAN, {"entity": name, "folded": name.lower()}).rows
        found = current_verdicts(store, entity=name)
        assert sorted(str(key) for (key,) in expected) == sorted(row["claim"] for row in found)


def _ids(store: GraphStore) -> tuple[tuple[object, ...], ...]:
    return store.query("MATCH (:Claim)-[:SUBJECT|OBJECT]->(e:Entity) RETURN DISTINCT e.id", {}).rows


def test_disagreements_between_methods_are_found(store: GraphStore) -> None:
    """Of each method the latest verdict counts; rulings, stale verdicts and methods that agree do not."""
    _put_claim(store)

    def judged(name: str, method: str, outcome: Outcome, minute: int) -> list[tuple[str, str, str, bool]]:
        given = replace(_verdict(name, method), outcome=outcome, created_at=NOW + timedelta(minutes=minute))
        store.write(*records.verdict_steps(replace(RUN, id=f"r1:{method}", method=method), [given]))
        return [(r["method"], r["outcome"], r["reason"], r["holds"]) for r in disagreements(store)]

    assert [] == judged("one", "kea", Outcome.REFUTED, 0)
    assert [] == judged("two", "rules", Outcome.REFUTED, 1)
    kea, rules = ("kea", "SUPPORTED", "three"), ("rules", "REFUTED", "two")
    assert [(*kea, True), (*rules, False)] == judged("three", "kea", Outcome.SUPPORTED, 2)
    assert [(*kea, False), (*rules, False)] == judged("ruling", "human", Outcome.SUPPORTED, 3)
    (row, _) = disagreements(store)
    assert (CLAIM.id, TEXT, DOCUMENT.id, "curie") == tuple(
        row[key] for key in ("claim", "claimText", "document", "documentName")
    )
    assert [] == disagreements(store, limit=0)
    store.schema("MATCH (v:Verdict {id: 'v1:two'}) SET v.stale = true")
    assert [] == disagreements(store)


def test_writers_in_threads_leave_one_copy(store: GraphStore) -> None:
    """Eight threads writing the same graph and a verdict each leave one of each node and one current verdict."""

    def work(number: int) -> None:
        _put_claim(store)
        store.write(*records.subgraph_steps("world", "world", _world(50), "v"))
        store.write(*records.verdict_steps(RUN, [_verdict(f"{number}")]))

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(work, range(8)))
    counts = dict(_counts(store))
    expected = {"Entity": 52, "Claim": 1, "Document": 1, "FACT": 51, "Verdict": 8, "CURRENT": 1, "SUPERSEDES": 7}
    assert expected == {key: counts[key] for key in expected}


def test_migrating_again_changes_nothing(store: GraphStore) -> None:
    """A migrated store has nothing pending."""
    assert ([], []) == (pending(store), migrate(store))


def test_a_newer_store_is_refused(store: GraphStore) -> None:
    """A store with a migration that this program does not know is one clear error."""
    row = {"id": "9999_schema_later", "name": "schema_later", "appliedAt": NOW}
    store.write(("put_migrations", [row]))
    try:
        with pytest.raises(StoreError, match="newer claimgraph"):
            migrate(store)
    finally:
        store.schema("MATCH (m:Migration {id: '9999_schema_later'}) DELETE m")


def test_a_store_is_not_for_use_after_a_fork(store: GraphStore) -> None:
    """A forked child is refused in one line, and its end takes nothing from the parent."""
    child = os.fork()
    if child == 0:
        try:
            store.read("graphs")
        except StoreError as error:
            store.close()
            os._exit(0 if "after a fork" in str(error) else 2)
        os._exit(1)
    assert 0 == os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    _put_claim(store)
    assert DOCUMENT == load_document(store, DOCUMENT.id)


def test_closing_twice_is_fine(store: GraphStore) -> None:
    """Close gives the store back once."""
    store.close()
    store.close()

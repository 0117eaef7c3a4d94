"""What claims are checked against in an open domain: facts between and around linked entities, and texts about them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from claimgraph.detect.check_input import Case
from claimgraph.detect.extraction.extraction_cache import CachedExtractor
from claimgraph.detect.extraction.extractor import RuleExtractor
from claimgraph.detect.methods.rules import RuleDetector
from claimgraph.detect.models.embedder import MiniLMEmbedder
from claimgraph.evidence.graphs import StoredGraphs, _agreeing, linked_in
from claimgraph.kgstore import identity, records
from claimgraph.kgstore.errors import NotFound
from claimgraph.kgstore.model import Claim, Document, Entity, Extraction, Fact, Link, Outcome, Span, Stance, Subgraph
from claimgraph.kgstore.store import GraphStore
from claimgraph.kgstore.views import StoreView
from claimgraph.pipeline import retrieve
from claimgraph.retrieval import neighbourhood as around
from claimgraph.retrieval.neighbourhood import neighbourhood

WORLD = "world"


def _entity(name: str, graph: str = WORLD, description: str | None = None) -> Entity:
    return Entity(f"{graph}:{name}", name, (), description, f"http://{graph}/{name}", (graph,))


def _fact(subject: Entity, name: str, object: Entity, graph: str = WORLD) -> Fact:
    predicate = f"{graph}:{name}"
    key = identity.fact_id(graph, subject.id, predicate, object.id)
    return Fact(key, graph, subject.id, predicate, name, object.id, source="a file")


def _put(store: GraphStore, *facts: tuple[Entity, str, Entity], graph: str = WORLD) -> None:
    nodes = {node.id: node for s, _, o in facts for node in (s, o)}
    world = Subgraph(nodes, tuple(_fact(s, name, o, graph) for s, name, o in facts))
    store.write(*records.subgraph_steps(graph, "world", world, "1"))
    store.settle()


def _claim(subject: str, predicate: str, object: str) -> Claim:
    text = f"{subject} {predicate} {object}"
    return Claim(f"c1:{text}", "d1:a", subject, predicate, object, text, Span(0, len(text)))


def _link(claim: Claim, role: str, entity: Entity | None) -> Link:
    return Link(claim.id, role, entity.name if entity else "?", entity, 0.9, 0.5)


def _spelled(claims: Sequence[Claim], relations: Sequence[str]) -> np.ndarray:
    """A relation is near to a claim that has its words."""
    return np.array([[float(name in claim.text) for name in relations] for claim in claims], np.float32)


@pytest.fixture(scope="module")
def embedder() -> MiniLMEmbedder:
    return MiniLMEmbedder()


PARIS = _entity("Paris", description="capital and largest city of France")
FRANCE, EUROPE, CURIE, LYON = map(_entity, ("France", "Europe", "Marie Curie", "Lyon"))
PEOPLE = [_entity(f"Person {i:03}") for i in range(120)]


def _said(found: Subgraph) -> set[str]:
    return {found.triple(fact).text for fact in found.facts}


def test_a_hub_s_relevant_fact_is_not_cut_off(store: GraphStore) -> None:
    """Around an entity relations near the claim come first, and of one with too many facts a sample is taken."""
    _put(store, *[(person, "citizen of", FRANCE) for person in PEOPLE], (PARIS, "capital of", FRANCE))
    claim = _claim("France", "has as capital of", "Lyon")
    found = neighbourhood([claim], [_link(claim, "subject", FRANCE)], StoreView(store, (WORLD,)), _spelled)
    assert "Paris capital of France" in _said(found)
    assert 1 + around.SAMPLE == len(found.facts)


def test_between_before_around(store: GraphStore) -> None:
    """Facts that join two linked entities, and paths of two facts between a claim's ends, are there whatever else."""
    _put(
        store,
        *[(CURIE, f"relation {i}", person) for i, person in enumerate(PEOPLE)],
        (CURIE, "died near", PARIS),
        (CURIE, "lived in", LYON),
        (LYON, "country", FRANCE),
        (LYON, "twin of", PARIS),
    )
    claims = [_claim("Marie Curie", "relation lived in", "France"), _claim("Marie Curie", "visited", "Paris")]
    ends = zip(claims, ((CURIE, FRANCE), (CURIE, PARIS)), strict=True)
    links = [_link(c, role, e) for c, pair in ends for role, e in zip(("subject", "object"), pair, strict=True)]
    found = _said(neighbourhood(claims, links, StoreView(store, (WORLD,)), _spelled))
    assert {"Marie Curie died near Paris", "Marie Curie lived in Lyon", "Lyon country France"} <= found
    assert around.AROUND + 3 >= len(found)


def test_nothing_linked_nothing_asked() -> None:
    """Without a linked entity there are no facts, and no query."""
    claim = _claim("Nobody", "is", "here")
    assert Subgraph({}, ()) == neighbourhood([claim], [_link(claim, "subject", None)], None, _spelled)  # type: ignore[arg-type]


def test_hubs_are_walked_outwards_only(embedded: GraphStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """What comes into an entity with very many facts is not counted; what joins it to another is found all the same."""
    monkeypatch.setattr(around, "HUB", 10)
    _put(embedded, *[(p, "citizen of", FRANCE) for p in PEOPLE], (FRANCE, "part of", EUROPE))
    claim = _claim(PEOPLE[0].name, "was citizen of", "France")
    links = [_link(claim, "subject", PEOPLE[0]), _link(claim, "object", FRANCE)]
    found = _said(neighbourhood([claim], links, StoreView(embedded, (WORLD,)), _spelled))
    assert {"Person 000 citizen of France", "France part of Europe"} == found


def test_texts_about_entities_are_read(store: GraphStore, embedder: MiniLMEmbedder, tmp_path: Path) -> None:
    """Evidence holds sentences and triples of descriptions and summaries, under the addresses they came from."""
    _put(store, (PARIS, "country", FRANCE))
    text = "Paris is the capital of France. It was founded by the Parisii."
    summary = Document(identity.document_id(text), text, "Paris", "https://encyclopedia/Paris")
    store.write(*records.summary_steps([(PARIS.id, summary)]))
    reader = CachedExtractor(RuleExtractor(), tmp_path)
    [read] = RuleExtractor().extract([Document("d1:x", "Paris is big.")])
    evidence_set = retrieve(read.claims, StoredGraphs(store, [WORLD], embedder, reader))
    assert {"Paris country France", "Paris is the capital of France", "Paris was founded by Parisii"} <= {
        said.replace("is capital", "is the capital") for said in _said(evidence_set.facts)
    }
    sources = {passage.text: passage.source for passage in evidence_set.passages}
    assert "https://encyclopedia/Paris" == sources["It was founded by the Parisii."]
    assert "http://world/Paris" == sources["Paris is a capital and largest city of France."]
    assert not evidence_set.closed
    assert {summary.id} < set(evidence_set.sources)
    assert {WORLD: "1"} == evidence_set.graphs


def test_an_unknown_graph(embedded: GraphStore, embedder: MiniLMEmbedder) -> None:
    """A graph that is not there is an error, and not an empty one."""
    with pytest.raises(NotFound):
        StoredGraphs(embedded, ["nowhere"], embedder, RuleExtractor())


class Counting(RuleExtractor):
    """Counts what it reads."""

    read = 0

    def extract(self, documents: Sequence[Document]) -> list[Extraction]:
        self.read += len(documents)
        return super().extract(documents)


def test_a_text_is_read_once(tmp_path: Path) -> None:
    """What is kept equals what was read, across instances; a torn file is read again."""
    texts = [f"Ann met Bob in {year}. She was born in Rome." for year in (1990, 1991)]
    documents = [Document(identity.document_id(text), text) for text in texts]
    first = Counting()
    fresh = CachedExtractor(first, tmp_path).extract([*documents, documents[0]])
    assert (2, RuleExtractor().extract([*documents, documents[0]])) == (first.read, fresh)
    again = Counting()
    assert fresh == CachedExtractor(again, tmp_path).extract([*documents, documents[0]])
    assert 0 == again.read
    next(tmp_path.rglob("*.json")).write_text("{")
    assert fresh[:2] == CachedExtractor(again, tmp_path).extract(documents)
    assert 1 == again.read


def test_graphs_agree_on_one_thing(embedded: GraphStore, embedder: MiniLMEmbedder) -> None:
    """What two graphs take a mention for counts in both where it is one thing by id or name; else it is a NIL."""
    other, shared = _entity("Paris", "other"), replace(FRANCE, graphs=("other",))
    _put(embedded, (PARIS, "country", FRANCE), (LYON, "country", FRANCE))
    _put(embedded, (other, "in", shared), graph="other")
    claims = [_claim("Paris", "is in", "France"), _claim("Lyon", "is older than", "Atlantis")]
    found = linked_in(claims, embedded, (WORLD, "other"), embedder)
    roles = [(claim.id, role) for claim in claims for role in ("subject", "object")]
    ids = [{one.entity.id if one.entity else None for one in found if (one.claim, one.role) == role} for role in roles]
    assert [{PARIS.id, other.id}, {FRANCE.id}, {LYON.id}, {None}] == ids


def _named(name: str, key: str, *aliases: str) -> Link:
    return Link("c1:a", "subject", "Lyon", Entity(key, name, aliases), 0.9, 0.5)


def test_one_thing_by_alias_or_statement() -> None:
    """Entities of two graphs are one thing where one's name is an alias of the other, or a graph says so."""
    best, alias, said, other = (
        _named("Lyon", "a:1"), _named("Lugdunum", "b:1", "Lyon!"), _named("Place", "c:1"), _named("Lyons", "d:1")
    )  # fmt: skip
    kept = _agreeing([best, alias, said, other], {frozenset(("a:1", "c:1"))})
    assert ["a:1", "b:1", "c:1"] == [link.entity.id for link in kept if link.entity]


def test_sources_that_disagree_are_both_cited(embedded: GraphStore, embedder: MiniLMEmbedder) -> None:
    """A claim that one graph supports and another excludes cites both, each under its graph, and the reason says so."""
    ann = Entity("wd:Q1", "Ann Miller", graphs=(WORLD, "other"))
    rome, oslo = _entity("Rome"), _entity("Oslo", "other")
    _put(embedded, (ann, "place of birth", rome))
    _put(embedded, (ann, "place of birth", oslo), graph="other")
    graphs = StoredGraphs(embedded, [WORLD, "other"], embedder, RuleExtractor())
    [extraction] = RuleExtractor().extract([Document("d1:x", "Ann Miller was born in Oslo.")])
    evidence_set = retrieve(extraction.claims, graphs)
    case = Case(extraction.claims, evidence_set.facts, evidence_set.passages, False, links=evidence_set.links)
    [[found]] = RuleDetector(embedder).detect([case])
    assert Outcome.SUPPORTED == found.outcome
    address = "http://www.wikidata.org/entity/Q1"
    cited = [(citation.stance, citation.evidence.source) for citation in found.citations]
    assert [(Stance.SUPPORTS, f"other: {address}"), (Stance.REFUTES, f"world: {address}")] == cited
    assert "says otherwise: “Ann Miller place of birth Rome" in found.reason

"""The rules, from written text and context to findings."""

from __future__ import annotations

import json

import pytest
from curie import claim_of, curie_context

from claimgraph.detect.check_input import Case
from claimgraph.detect.compare import relations
from claimgraph.detect.compare.decision_rules import Thresholds
from claimgraph.detect.methods.rules import CITED, RuleDetector
from claimgraph.detect.models.embedder import CachedEmbedder, MiniLMEmbedder
from claimgraph.detect.models.row_cache import VectorCache
from claimgraph.kgstore.identity import fact_id
from claimgraph.kgstore.model import (
    Entity,
    Fact,
    Link,
    Outcome,
    Passage,
    Stance,
    Status,
    Subgraph,
)
from claimgraph.kgstore.values.literals import parse, to_literal

S, R, N = Outcome.SUPPORTED, Outcome.REFUTED, Outcome.NOT_ENOUGH_INFO
EXPECTED = [
    (("Marie Curie", "was born in", "Warsaw"), S),
    (("Curie", "was born in", "1867"), S),
    (("Marie Curie", "was born in", "Paris"), R),
    (("Marie Curie", "was born in", "Poland"), N),
    (("Marie Curie", "was born on", "8 November 1867"), R),
    (("Pierre Curie", "was born in", "Warsaw"), N),
    (("Marie Curie", "discovered polonium in", "1899"), R),
    (("Marie Curie", "discovered", "polonium"), S),
    (("Marie Curie", "discovered", "uranium"), N),
    (("Marie Curie", "did not discover", "polonium"), R),
    (("Marie Curie", "visited", "Rome"), S),
    (("Marie Curie", "never visited", "Rome"), R),
    (("Marie Curie", "visited", "Paris"), N),
    (("Marie Curie", "saw", "Naples"), R),
    (("Paris", "has", "2.1 million inhabitants"), S),
    (("Paris", "has", "3 million inhabitants"), R),
    (("Paris", "has", "3 million cars"), N),
    (("Marie Curie", "liked", "cats"), N),
]


@pytest.fixture(scope="module")
def detector() -> RuleDetector:
    model = MiniLMEmbedder()
    return RuleDetector(CachedEmbedder(model, VectorCache(None, model.model)))


def _detect(detector, *triples, facts=None, passages=None, links=None):
    found = curie_context()
    claims = [claim_of("checked", triple) for triple in triples]
    facts = found[0] if facts is None else facts
    passages = found[1] if passages is None else passages
    [findings] = detector.detect([Case(tuple(claims), facts, tuple(passages), links is None, links=links)])
    return findings


@pytest.mark.parametrize(("triple", "expected"), EXPECTED, ids=[" ".join(t) for t, _ in EXPECTED])
def test_outcomes(detector, triple, expected):
    """Said is supported; another value, date or birthplace, or a denial, is refuted; the rest is open."""
    [finding] = _detect(detector, triple)
    assert (expected, Status.COMPLETE) == (finding.outcome, finding.status)
    assert 0 <= finding.confidence <= 1


def test_reasons_name_the_evidence(detector):
    """The reason quotes the sentence, and a refutation says what stands there instead."""
    told, refuted, number, denied, unknown = _detect(
        detector,
        ("Marie Curie", "discovered", "polonium"),
        ("Marie Curie", "was born in", "Paris"),
        ("Paris", "has", "3 million inhabitants"),
        ("Marie Curie", "never visited", "Rome"),
        ("Marie Curie", "liked", "cats"),
    )
    quote = "“With her husband Pierre, she discovered polonium and radium in 1898.”"
    assert f"The context says so: {quote}" == told.reason
    born = "The text says Paris; the context says Warsaw (the object differs)"
    assert f"{born}: “Marie Curie was born in Warsaw on 7 November 1867.”" == refuted.reason
    assert number.reason.startswith(
        "The text says 3 million inhabitants; the context says 2.1 million inhabitants (the"
    )
    never = "The text says never visited; the context says visited (the predicate differs)"
    assert f"{never}: “Curie visited Rome but never saw Naples.”" == denied.reason
    assert unknown.reason.startswith("The context does not say whether Marie Curie liked cats")


def test_citations(detector):
    """Evidence comes best first, at most five, with its stance: facts with their triple, sentences with their span."""
    [finding] = _detect(detector, ("Marie Curie", "was born in", "Paris"))
    scores = [citation.score for citation in finding.citations]
    assert sorted(scores, reverse=True) == scores
    assert 1 <= len(scores) <= CITED
    best = finding.citations[0]
    assert (Stance.REFUTES, "Marie Curie was born in Warsaw") == (best.stance, best.evidence.text)
    assert best.evidence.fact_id is not None
    assert best.evidence.span is not None
    [open_] = _detect(detector, ("Marie Curie", "liked", "cats"))
    assert {Stance.NEUTRAL} == {citation.stance for citation in open_.citations}


def test_signals(detector):
    """Every finding records the numbers of its methods; what could not be told is None."""
    [finding] = _detect(detector, ("Marie Curie", "was born in", "Warsaw"))
    signals = {(s.method, s.name): s.value for s in finding.signals}
    assert 1.0 == signals["factalign", "alignment"] == signals["kea", "claim"] == signals["words", "coverage"]
    [alone] = _detect(detector, ("Marie Curie", "was born in", "Warsaw"), facts=Subgraph({}, ()))
    assert None is {(s.method, s.name): s.value for s in alone.signals}["factalign", "alignment"]


def test_a_question_says_nothing(detector):
    """A sentence that asks neither supports nor refutes."""
    asked = [Passage("Was Marie Curie born in Warsaw ? .", "the context"), Passage("Oh, no, is it bad?", "the context")]
    found = _detect(
        detector, ("Marie Curie", "was born in", "Warsaw"), ("it", "was", "bad"), facts=Subgraph({}, ()), passages=asked
    )
    assert [N, N] == [finding.outcome for finding in found]


def test_no_evidence(detector):
    """With nothing to compare with, the status says so and nothing is refuted."""
    [finding] = _detect(detector, ("Marie Curie", "was born in", "Warsaw"), facts=Subgraph({}, ()), passages=[])
    assert (N, Status.NO_EVIDENCE, ()) == (finding.outcome, finding.status, finding.citations)


def test_no_claims(detector):
    """No claims give no findings."""
    assert [] == _detect(detector)


def test_same_again(detector):
    """The order of other claims does not matter, and the same call gives the same findings."""
    triples = [triple for triple, _ in EXPECTED]
    forward, backward = _detect(detector, *triples), _detect(detector, *triples[::-1])
    assert [(f.outcome, f.reason) for f in forward] == [(f.outcome, f.reason) for f in backward[::-1]]
    assert forward == _detect(detector, *triples)


def test_config(detector):
    """The configuration is JSON naming model and thresholds, and other thresholds are another configuration."""
    config = json.loads(detector.config)
    assert Thresholds().same == config["thresholds"]["same"]
    assert MiniLMEmbedder.model == config["model"]
    assert detector.config != RuleDetector(MiniLMEmbedder(), Thresholds(same=0.8)).config


def _world() -> Subgraph:
    curie, warsaw = Entity("wd:Q7186", "Marie Curie", ("Maria Skłodowska",)), Entity("wd:Q270", "Warsaw")
    born, radium = to_literal(parse("7 November 1867")), Entity("wd:Q1128", "radium")
    rows = [(curie, "P19", "place of birth", warsaw), (curie, "P569", "date of birth", born),
            (radium, "P61", "discoverer or inventor", curie)]  # fmt: skip
    facts = [
        Fact(fact_id("wikidata", s.id, p, o.id), "wikidata", s.id, f"wd:{p}", name, o.id) for s, p, name, o in rows
    ]
    return Subgraph({n.id: n for s, _, _, o in rows for n in (s, o)}, tuple(facts))


def test_world_graph(detector):
    """Facts of a graph support and refute in their own words for a relation, from either end; the reason names them."""
    born, there, then, found = _detect(
        detector,
        ("Maria Skłodowska", "was born in", "Warsaw"),
        ("Marie Curie", "was born in", "Paris"),
        ("Marie Curie", "was born on", "8 November 1867"),
        ("Marie Curie", "discovered", "radium"),
        facts=_world(),
        passages=[],
    )
    assert [S, R, R, S] == [born.outcome, there.outcome, then.outcome, found.outcome]
    differs = "The text says Paris; wikidata says Warsaw (the object differs)"
    assert f"{differs}: “Marie Curie place of birth Warsaw”." == there.reason


def test_a_noun_in_the_predicate_belongs_to_the_object(detector):
    """A claim that keeps half of a name in its predicate is the fact's claim; another half is another prize."""
    curie, prize = Entity("wd:Q7186", "Marie Curie"), Entity("wd:Q38104", "Nobel Prize in Physics")
    fact = Fact("f1:prize", "wikidata", curie.id, "wd:P166", "award received", prize.id)
    findings = _detect(
        detector,
        ("Marie Curie", "received the Nobel Prize in", "Physics"),
        ("Marie Curie", "received the Nobel Prize in", "Literature"),
        facts=Subgraph({curie.id: curie, prize.id: prize}, (fact,)),
        passages=[],
    )
    assert [S, N] == [finding.outcome for finding in findings]
    assert "http://www.wikidata.org/entity/Q7186" == findings[0].citations[0].evidence.source


def test_a_narrower_relation_supports(detector):
    """A relation that says the claim's words and more supports the claim, and another object of it refutes nothing."""
    obama, party = Entity("wd:Q76", "Barack Obama"), Entity("wd:Q29552", "Democratic Party")
    fact = Fact("f1:party", "wikidata", obama.id, "wd:P102", "member of political party", party.id)
    findings = _detect(
        detector,
        ("Barack Obama", "is a member of", "the Democratic Party"),
        ("Barack Obama", "is a member of", "the Chess Club"),
        facts=Subgraph({obama.id: obama, party.id: party}, (fact,)),
        passages=[],
    )
    assert [S, N] == [finding.outcome for finding in findings]


def test_linked_by_id(detector):
    """A linked entity is recognised whatever it is called, and an unlinked subject is said to be unknown."""
    claim = claim_of("checked", ("She", "was born in", "the Polish capital"))
    entity = Entity("wd:Q7186", "Marie Curie")
    links = [
        Link(claim.id, "subject", "She", entity, 0.9, 0.5),
        Link(claim.id, "object", "the Polish capital", Entity("wd:Q270", "Warsaw"), 0.8, 0.2),
    ]
    [[finding]] = detector.detect([Case((claim,), _world(), (), False, links=tuple(links))])
    assert S == finding.outcome
    nil = [Link(claim.id, "subject", "She", None, 0.2, 0.1)]
    [[finding]] = detector.detect([Case((claim,), _world(), (), False, links=tuple(nil))])
    assert (N, Status.UNLINKED) == (finding.outcome, finding.status)


def _hub(count: int) -> Subgraph:
    """A hub with many facts, and one that matters."""
    hub, warsaw = Entity("x:curie", "Marie Curie"), Entity("x:warsaw", "Warsaw")
    others = [Entity(f"x:{n}", f"Paper {n}") for n in range(count)]
    rows = [(other, "cites work of", hub) for other in others] + [(hub, "place of birth", warsaw)]
    facts = tuple(Fact(f"f1:{s.id}", "world", s.id, f"rel:{p}", p, o.id) for s, p, o in rows)
    return Subgraph({node.id: node for node in (hub, warsaw, *others)}, facts)


class Counted:
    """Passes texts on and counts them."""

    def __init__(self, embedder: MiniLMEmbedder) -> None:
        self.model, self.embedder, self.count = embedder.model, embedder, 0

    def embed(self, texts):
        self.count += len(texts)
        return self.embedder.embed(texts)


def test_hubs():
    """Around a hub only the facts near the claims are embedded, and the one that decides is among them."""
    counted = Counted(MiniLMEmbedder())
    [finding] = _detect(RuleDetector(counted), ("Marie Curie", "was born in", "Paris"), facts=_hub(2000), passages=[])
    assert Outcome.REFUTED == finding.outcome
    assert counted.count < 200


def test_relations_that_look_alike_and_say_different_things() -> None:
    """Living in a town is no dying there, whatever the cosine; two forms of one relation are not apart."""
    assert relations.apart("died in", "residence")
    assert relations.apart("was produced by", "director")
    assert not relations.apart("was born in", "place of birth")
    assert not relations.apart("wrote and directed", "director")
    assert not relations.apart("lived in", "country")

"""Absence from a graph that knows other values refutes where a relation has one value, or all are taken to be known."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from claimgraph.detect.check_input import Case, linked
from claimgraph.detect.methods.open_domain.claim_relations import Claimed
from claimgraph.detect.methods.open_domain.entailed_relations import RelationEntailment, in_words, probability
from claimgraph.detect.methods.open_domain.local_completeness import PRESETS, LocallyComplete
from claimgraph.detect.methods.rules import RuleDetector
from claimgraph.detect.models.embedder import MiniLMEmbedder, Space
from claimgraph.detect.models.entailment import OnnxEntailment
from claimgraph.detect.repair.correction import Deterministic, draft
from claimgraph.kgstore.arrays.functionality import functionality
from claimgraph.kgstore.errors import NotFound
from claimgraph.kgstore.model import (
    Claim,
    Entity,
    Fact,
    Finding,
    Link,
    Literal,
    Node,
    Outcome,
    Span,
    Stance,
    Status,
    Subgraph,
    Triple,
)
from claimgraph.kgstore.store import GraphStore
from claimgraph.wiring.models import own_entailment

RELATIONS = {
    "born": "place of birth",
    "job": "occupation",
    "film": "director",
    "on": "date of birth",
    "continent": "continent",
    "country": "country",
    "knows": "diplomatic relation",
}
FACTS = (
    ("ann", "born", "rome"),
    ("ann", "job", "painter"),
    ("ann", "job", "poet"),
    ("ann", "on", "1900"),
    ("bob", "born", "oslo"),
    ("bob", "job", "actor"),
    ("bob", "job", "singer"),
    ("emma", "film", "cal"),
    ("odd", "film", "dan"),
    ("chad", "country", "chad"),
    ("chad", "continent", "africa"),
    ("oslo", "continent", "europe"),
    ("eve", "born", "Q7"),
)
NAMES = {
    "emma": "Emma the Film",
    "cal": "Cal Doe",
    "dan": "Dan Poe",
    "eve": "Eve Moe",
    "ann": "Ann Lee",
    "bob": "Bob Ray",
    "painter": "painter",
    "poet": "poet",
    "actor": "actor",
    "singer": "singer",
    "Q7": "Q7",
}
FUNCTIONALITY = {"g:born": 1.0, "g:job": 0.4, "g:film": 0.95, "g:continent": 0.9}


def _node(key: str) -> Node:
    if key.isdigit():
        return Literal(f"l:{key}", key, "date", precision="year")
    return Entity(f"g:{key}", NAMES.get(key, key.title()), graphs=("g",))


NODES = {node.id: node for s, _, o in FACTS for node in map(_node, (s, o))}
GRAPH = Subgraph(
    NODES,
    tuple(Fact(f"f{i}", "g", _node(s).id, f"g:{p}", RELATIONS[p], _node(o).id) for i, (s, p, o) in enumerate(FACTS)),
)


def _case(
    text: str, *triples: tuple[str, str, str], incomplete: frozenset[str] = frozenset(), facts: Subgraph = GRAPH
) -> Case:
    """A case whose claims are those triples, each linked to the entities of its names."""
    claims, links, named = [], [], {node.name: node for node in NODES.values() if isinstance(node, Entity)}
    at = 0
    for number, (subject, predicate, object) in enumerate(triples):
        start = text.index(object, at)
        at = start + len(object)
        first = text.index(subject)
        span = Span(min(first, start), max(first + len(subject), at))
        spans = (Span(first, first + len(subject)), None, Span(start, at))
        claims.append(Claim(f"c{number}", "d", subject, predicate, object, text, span, *spans))
        for role, words in (("subject", subject), ("object", object)):
            bare = words.removeprefix("a ").removeprefix("an ")
            links.append(Link(f"c{number}", role, words, named.get(bare), 0.9, 0.5))
    return Case(tuple(claims), facts, (), False, text, (), tuple(links), incomplete)


@pytest.fixture(scope="module")
def embedder() -> MiniLMEmbedder:
    """The real model, loaded once."""
    return MiniLMEmbedder()


@pytest.fixture(scope="module")
def findings(embedder: MiniLMEmbedder):  # type: ignore[no-untyped-def]
    """What the rules under an assumption find."""

    def found(case: Case, preset: str = "complete") -> list[Finding]:
        judge = LocallyComplete(RuleDetector(embedder), embedder, lambda: FUNCTIONALITY, PRESETS[preset])
        return judge.detect([case])[0]

    return found


def test_a_relation_of_many_values_needs_the_assumption(findings) -> None:  # type: ignore[no-untyped-def]
    """Another occupation is refuted where all known are taken to be all, and undecided where they are not."""
    case = _case("Ann Lee was an actor.", ("Ann Lee", "was", "an actor"))
    [complete], [functional] = findings(case), findings(case, "functional")
    assert (Outcome.REFUTED, Outcome.NOT_ENOUGH_INFO) == (complete.outcome, functional.outcome)
    says = "The text says an actor; g says poet and painter (occupation of Ann Lee), of which it is taken to know all"
    other = "The text says an actor; g says painter and poet (occupation of Ann Lee), of which it is taken to know all"
    assert complete.reason.startswith((says, other))
    assert {Stance.REFUTES} == {citation.stance for citation in complete.citations}
    signals = {(signal.method, signal.name): signal.value for signal in complete.signals}
    assert (1.0, 0.4, 2.0) == tuple(signals["completeness", n] for n in ("relation", "functionality", "known"))
    assert signals["rules", "hallucination"] > 0.5


def test_a_relation_of_one_value_does_not(findings) -> None:  # type: ignore[no-untyped-def]
    """Another director is refuted either way, whichever way round the claim says it."""
    straight = ("Emma the Film", "was directed by", "Dan Poe")
    turned = ("Dan Poe", "directed", "Emma the Film")
    for claim in (straight, turned):
        [found] = findings(_case(f"{claim[0]} {claim[1]} {claim[2]}.", claim), "functional")
        assert Outcome.REFUTED == found.outcome
        assert Triple("Emma the Film", "director", "Cal Doe") == found.citations[0].evidence.triple
        assert found.reason.endswith("says Cal Doe (director of Emma the Film), a relation of one value.")


def test_what_the_graph_has_is_supported(findings) -> None:  # type: ignore[no-untyped-def]
    """A claim in other words than the graph's is supported by its fact."""
    case = _case("Ann Lee made a career as a poet.", ("Ann Lee", "made a career as", "a poet"))
    [found] = findings(case)
    assert (Outcome.SUPPORTED, "Ann Lee occupation poet") == (found.outcome, found.citations[0].evidence.text)


@pytest.mark.parametrize(
    ("claim", "why"),
    [
        (("Ann Lee", "was not", "an actor"), "denied"),
        (("Ann Lee", "was", "Africa"), "of no kind that the relation takes"),
        (("Ann Lee", "was", "a stranger"), "nothing that the graph knows"),
        (("Ann Lee", "met", "Bob Ray"), "no relation of the graph"),
        (("Cal Doe", "was", "an actor"), "no occupation known"),
        (("Eve Moe", "came into the world in", "Paris"), "the known value has no name"),
        (("Chad", "is located in", "Rome"), "no kind of place of its"),
        (("Ann Lee", "was born in", "1900"), "a date is compared as one"),
    ],
)
def test_absence_alone_refutes_nothing(findings, claim: tuple[str, str, str], why: str) -> None:  # type: ignore[no-untyped-def]
    """Where it is not sure that the claim says another value of a known relation, it is not refuted."""
    [found] = findings(_case(f"{' '.join(claim)}.", claim))
    assert Outcome.REFUTED != found.outcome, why


@pytest.mark.parametrize(
    ("preset", "predicate", "outcome"),
    [
        ("likely", "made a career as", Outcome.NOT_ENOUGH_INFO),
        ("complete", "made a career as", Outcome.REFUTED),
        ("likely", "was born in", Outcome.REFUTED),
    ],
)
def test_an_unknown_value_of_many_is_not_refuted_unless_all_are_known(
    embedder: MiniLMEmbedder, preset: str, predicate: str, outcome: Outcome
) -> None:
    """What no graph knows may be one more occupation, of which the rest of the graph says nothing; not one more place
    of birth.
    """
    case = _case(f"Ann Lee {predicate} Strangeton.", ("Ann Lee", predicate, "Strangeton"))
    known = LocallyComplete(RuleDetector(embedder), embedder, lambda: FUNCTIONALITY, PRESETS[preset])
    [[found]] = known.detect([case])
    assert outcome is found.outcome


def test_the_value_s_kind_tells_relations_apart(findings) -> None:  # type: ignore[no-untyped-def]
    """Of relations that one phrase says, it is that of the value's kind."""
    [found] = findings(_case("Chad is located in Europe.", ("Chad", "is located in", "Europe")))
    assert (Outcome.REFUTED, "Chad continent Africa") == (found.outcome, found.citations[0].evidence.text)


def test_a_key_is_no_word(findings) -> None:  # type: ignore[no-untyped-def]
    """What the graph has no name for is written into no text, whatever refutes the claim."""
    text = "Eve Moe was born in Paris."
    case = _case(text, ("Eve Moe", "was born in", "Paris"))
    assert text == Deterministic().correct(draft(text, "", case.claims, findings(case), "rules")).text


def test_absence_counts_only_where_all_was_fetched(findings) -> None:  # type: ignore[no-untyped-def]
    """Of an entity of which a part was fetched nothing is refuted by absence."""
    claim = ("Ann Lee", "was", "an actor")
    [found] = findings(_case("Ann Lee was an actor.", claim, incomplete=frozenset({"g:ann"})))
    assert Outcome.NOT_ENOUGH_INFO == found.outcome


def test_closed_cases_pass(findings) -> None:  # type: ignore[no-untyped-def]
    """Nothing is added to what another detector finds in a context."""
    case = _case("Ann Lee was an actor.", ("Ann Lee", "was", "an actor"))
    closed = Case(case.claims, case.facts, (), True, case.text)
    assert Outcome.NOT_ENOUGH_INFO == findings(closed)[0].outcome


def test_each_wrong_claim_gets_a_value_of_its_own(findings) -> None:  # type: ignore[no-untyped-def]
    """Two wrong occupations become the two right ones; where one is in the text already, the other is taken first."""
    text = "Ann Lee was an actor and a singer."
    case = _case(text, ("Ann Lee", "was", "an actor"), ("Ann Lee", "was", "a singer"))
    corrected = Deterministic().correct(draft(text, "", case.claims, findings(case), "rules")).text
    assert corrected in ("Ann Lee was a painter and a poet.", "Ann Lee was a poet and a painter.")
    text = "Ann Lee was a poet and a singer."
    case = _case(text, ("Ann Lee", "was", "a singer"))
    corrected = Deterministic().correct(draft(text, "", case.claims, findings(case), "rules")).text
    assert "Ann Lee was a poet and a painter." == corrected


def test_the_assumption_is_part_of_the_configuration(embedder: MiniLMEmbedder) -> None:
    """Verdicts under different assumptions are different verdicts."""
    configs = [
        json.loads(LocallyComplete(RuleDetector(embedder), embedder, dict, assumed).config)["completeness"]
        for assumed in PRESETS.values()
    ]
    told = [("likely", True), ("functional", False), ("complete", True)]
    assert told == [(c["name"], c["complete"]) for c in configs]


def test_functionality_is_counted_once_a_version(store: GraphStore, tmp_path: Path) -> None:
    """Subjects / facts of each relation; the second time from the cache; an unknown graph is NotFound."""
    from filled import fill

    fill(store)
    graphs = [row["name"] for row in store.read("graphs")]
    counted = functionality(store, graphs, None)
    assert counted == functionality(store, graphs, tmp_path) == functionality(store, graphs, tmp_path)
    assert counted
    assert all(0 < share <= 1 for share in counted.values())
    assert 1 == len(list(tmp_path.rglob("functionality.json")))
    with pytest.raises(NotFound):
        functionality(store, ["nowhere"], tmp_path)


def test_an_undecided_claim_keeps_its_status(findings) -> None:  # type: ignore[no-untyped-def]
    """What is not read passes as the other detector found it."""
    [found] = findings(_case("Ann Lee met Zed.", ("Ann Lee", "met", "Zed")))
    assert (Outcome.NOT_ENOUGH_INFO, Status.COMPLETE) == (found.outcome, found.status)


def test_a_place_in_a_known_place_is_not_excluded(findings) -> None:  # type: ignore[no-untyped-def]
    """The country that a known town is in is right by the path over the town; another country is refuted."""
    extra = [Entity(f"g:{key}", key.title(), graphs=("g",)) for key in ("italy", "kenya")]
    nodes = NODES | {node.id: node for node in extra}
    born = [Fact(f"x{n.id}", "g", "g:bob", "g:born", "place of birth", n.id) for n in extra]
    within = Fact("xw", "g", "g:rome", "g:country", "country", "g:italy")
    facts = Subgraph(nodes, (*GRAPH.facts, *born, within))
    told, places = {}, {node.name: node for node in extra}
    for place in ("Italy", "Kenya"):
        case = _case(f"Ann Lee was born in {place}.", ("Ann Lee", "was born in", place), facts=facts)
        links = tuple(replace(one, entity=places[place]) if one.role == "object" else one for one in case.links or ())
        [found] = findings(replace(case, links=links))
        told[place] = found.outcome
    assert {"Italy": Outcome.SUPPORTED, "Kenya": Outcome.REFUTED} == told


def test_words_like_a_known_phrase_name_its_relation(findings) -> None:  # type: ignore[no-untyped-def]
    """What no table has, here "became famous as", is like "became known as" and refutes an occupation not known."""
    case = _case("Ann Lee became famous as an actor.", ("Ann Lee", "became famous as", "an actor"))
    assert [Outcome.REFUTED] == [one.outcome for one in findings(case)]


def test_words_that_are_like_refute_nothing_where_another_fact_joins_the_two(findings) -> None:  # type: ignore[no-untyped-def]
    """Whoever taught acting may have become famous as an actor all the same: some fact says so."""
    joined = replace(GRAPH, facts=(*GRAPH.facts, Fact("f", "g", "g:ann", "g:taught", "subject taught", "g:actor")))
    case = _case("Ann Lee became famous as an actor.", ("Ann Lee", "became famous as", "an actor"), facts=joined)
    assert [Outcome.NOT_ENOUGH_INFO] == [one.outcome for one in findings(case)]


def test_a_narrower_or_wider_term_is_not_excluded(findings) -> None:  # type: ignore[no-untyped-def]
    """A known singer-songwriter may be called a songwriter, and a poet may not be called an actor."""
    known = Entity("g:sw", "singer-songwriter", graphs=("g",))
    wider = Entity("g:w", "songwriter", graphs=("g",))
    jobs = [("g:cal", known), ("g:bob", wider)]
    extra = [Fact(f"y{n.id}", "g", who, "g:job", "occupation", n.id) for who, n in jobs]
    facts = Subgraph(NODES | {known.id: known, wider.id: wider}, (*GRAPH.facts, *extra))
    told = []
    for word, node in (("songwriter", wider), ("actor", NODES["g:actor"])):
        case = _case(f"Cal Doe was a {word}.", ("Cal Doe", "was", f"a {word}"), facts=facts)
        links = tuple(replace(o, entity=node) if o.role == "object" else o for o in case.links or ())  # type: ignore[arg-type]
        [found] = findings(replace(case, links=links))
        told.append(found.outcome)
    assert Outcome.REFUTED != told[0]
    assert Outcome.REFUTED == told[1]


@pytest.fixture(scope="module")
def entailed(embedder: MiniLMEmbedder) -> LocallyComplete:
    """The rules, with the larger of our entailment models for other words."""
    folder = own_entailment("base")
    entails = RelationEntailment(OnnxEntailment(folder, folder))
    return LocallyComplete(RuleDetector(embedder), embedder, lambda: FUNCTIONALITY, PRESETS["complete"], entails)


@pytest.mark.parametrize(
    ("claim", "outcome"),
    [
        (("Ann Lee", "has worked all her life as", "a painter"), Outcome.SUPPORTED),
        (("Emma the Film", "was made under the direction of", "Dan Poe"), Outcome.REFUTED),
        (("Ann Lee", "despised", "actor"), Outcome.NOT_ENOUGH_INFO),
        (("actor", "was the calling of", "Ann Lee"), Outcome.NOT_ENOUGH_INFO),
        (("Ann Lee", "has never worked all her life as", "a painter"), Outcome.NOT_ENOUGH_INFO),
    ],
)
def test_other_words(entailed: LocallyComplete, claim: tuple[str, str, str], outcome: Outcome) -> None:
    """The fact that the sentence tells is looked up; another matter, a negation, and another value of a relation with
    several, inverted, are not.
    """
    [finding] = entailed.detect([_case(f"{' '.join(claim)}.", claim)])[0]
    assert outcome is finding.outcome, finding.reason


@pytest.mark.parametrize(("words", "relations"), [("spouse", []), ("was steered by", ["director"])])
def test_a_noun_for_another_relation_has_no_reading(embedder: MiniLMEmbedder, words: str, relations: list[str]) -> None:
    """What is put to a model leaves out known relations where the words are the noun for another one."""
    case = _case(f"Emma the Film {words} Dan Poe.", ("Emma the Film", words, "Dan Poe"))
    possible = Claimed(case.facts, Space(embedder)).possible(case.claims[0], linked(case.claims[0], case.links))
    assert relations == [one.name for one in possible]


def test_nothing_is_asked_of_known_words(entailed: LocallyComplete, embedder: MiniLMEmbedder) -> None:
    """A known phrase needs no model: without one the finding is the same."""
    alone = LocallyComplete(RuleDetector(embedder), embedder, lambda: FUNCTIONALITY, PRESETS["complete"])
    case = _case("Ann Lee was born in Oslo.", ("Ann Lee", "was born in", "Oslo"))
    [[one]], [[other]] = entailed.detect([case]), alone.detect([case])
    assert (Outcome.REFUTED, one.citations) == (other.outcome, other.citations)
    assert entailed.config != alone.config


def test_facts_in_words() -> None:
    """A paraphrase where there is one, else a sentence that holds for a noun."""
    assert "Ann was born in Rome." == in_words("place of birth", "Ann", "Rome")
    assert "The ethnic group of Ann is Danes." == in_words("ethnic group", "Ann", "Danes")
    assert "Ann was influenced by Bob." == in_words("influenced by", "Ann", "Bob")
    assert "The team of Ann is Lakers." == in_words("teams team", "Ann", "Lakers")


def test_the_less_neutral_the_likelier() -> None:
    """A probability in (0, 1) that falls with P(neutral); 0 for a model that has no neutral class, and for what is
    rather contradicted.
    """
    found = [probability(1 - share, share, 0.0) for share in np.linspace(0, 1, 11)]
    assert sorted(found, reverse=True) == found
    assert 0 < found[-1] < found[0] < 1
    assert 0 == probability(0.5, math.nan, math.nan)
    assert 0 == probability(0.1, 0.1, 0.8)

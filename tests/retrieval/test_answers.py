"""Facts scored for a question, and the answers read from them, over arrays alone."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from claimgraph.detect.models.embedder import MiniLMEmbedder
from claimgraph.kgstore.arrays.export import assemble
from claimgraph.kgstore.model import Entity, Span
from claimgraph.retrieval.answers.answers import FAR, answers, counts
from claimgraph.retrieval.answers.fact_scoring import AskedElements, facts_of_interest, score_facts
from claimgraph.retrieval.answers.relation_wordings import names, wordings
from claimgraph.retrieval.linking.link import Candidate
from claimgraph.retrieval.subgraph.elements import EmbeddedElements
from claimgraph.retrieval.subgraph.prizes import RetrievalPreset
from claimgraph.retrieval.subgraph.prune import LOCAL, prune
from claimgraph.retrieval.subgraph.question_subgraph import component, surroundings
from claimgraph.retrieval.subgraph.retrieve import Retrieved, retrieve

FACTS = [
    ("f1", "film", "director", "berg"),
    ("f2", "film", "genre", "drama"),
    ("f3", "berg", "place of birth", "oslo"),
    ("f4", "moe", "place of birth", "oslo"),
    ("f5", "oslo", "country", "norway"),
    ("f6", "isle", "P99999", "voss"),
]
GRAPH = assemble("1", FACTS, {}, {})


@pytest.fixture(scope="module")
def embedder() -> MiniLMEmbedder:
    return MiniLMEmbedder()


def _named(question: str, *names: str) -> list[Candidate]:
    return [
        Candidate(Entity(name, name), 0.9, Span(question.index(name), question.index(name) + len(name)))
        for name in names
    ]


def _first(question: str, names: Sequence[str], embedder: MiniLMEmbedder, mode: str = "triplet") -> list[str]:
    linked = _named(question, *names)
    scored = score_facts(question, GRAPH, linked, embedder)
    elements = AskedElements(EmbeddedElements(embedder), scored)
    pruned = prune(GRAPH, names, LOCAL)
    whole = surroundings(GRAPH, pruned, GRAPH.nodes).pruned
    assert list(GRAPH.facts) == list(whole.graph.facts)
    found = retrieve(question, whole, embedder, mode, RetrievalPreset(k=6, triplets=6), elements=elements)
    return [one.id for one in answers(whole.graph, found, scored)]


@pytest.mark.parametrize(
    ("question", "name", "answer"),
    [
        ("who directed film", "film", "berg"),
        ("what kind of movie is film", "film", "drama"),
        ("where was berg born", "berg", "oslo"),
        ("in which country is oslo", "oslo", "norway"),
        ("who made isle", "isle", "voss"),
    ],
)
def test_the_relation_asked_for_answers(embedder: MiniLMEmbedder, question: str, name: str, answer: str) -> None:
    """The far end of the fact whose relation is asked comes first, of a relation without a name the only one."""
    assert answer == _first(question, [name], embedder)[0]


def test_a_fact_without_a_named_entity_is_no_answer(embedder: MiniLMEmbedder) -> None:
    """Facts of other entities score 0 with no answer; nothing linked, nothing scored."""
    scored = score_facts("who directed film", GRAPH, _named("who directed film", "film"), embedder)
    assert [-1, -1, -1, -1] == [int(scored.answers[at]) for at in (2, 3, 4, 5)]
    assert not score_facts("who?", GRAPH, [], embedder).scores.any()


def test_equal_answers_have_equal_scores(embedder: MiniLMEmbedder) -> None:
    """Of two born in a place neither is the better answer, however much else the world knows of them."""
    question = "who was born in oslo"
    scored = score_facts(question, GRAPH, _named(question, "oslo"), embedder)
    assert scored.scores[3] == scored.scores[2] > scored.scores[4]


def test_the_best_known_of_equals_comes_first(embedder: MiniLMEmbedder) -> None:
    """With the facts of each node in the whole graph, those born in a place are told apart by them, and by little."""
    question = "who was born in oslo"
    degrees = np.array([9 if key == "moe" else 1 for key in GRAPH.nodes])
    scored = score_facts(question, GRAPH, _named(question, "oslo"), embedder, degrees=degrees)
    best = {GRAPH.nodes[scored.answers[at]]: scored.scores[at] for at in (2, 3)}
    assert 0 < best["moe"] - best["berg"] < 0.001


def test_a_question_nearer_to_another_relation_is_told(embedder: MiniLMEmbedder) -> None:
    """Who wrote a film is not its director, and the answer knows it, whether or not the film has a writer."""
    asked, other = "who directed film", "who wrote the script of film"
    near, far = (score_facts(text, GRAPH, _named(text, "film"), embedder).others[0] for text in (asked, other))
    assert near < 0.1 < far


def test_few_facts_of_others_are_compared(embedder: MiniLMEmbedder) -> None:
    """All facts of the named entity stay; of the others those that touch the likeliest answer."""
    question = "who directed film"
    scored = score_facts(question, GRAPH, _named(question, "film"), embedder)
    assert [0, 1, 2] == facts_of_interest(GRAPH, scored, 1).tolist()


def test_all_answers_of_the_graph_are_counted() -> None:
    """Nodes are counted by entity, relation and direction; an entity that may have more facts is left out."""
    born = next(key for key, name in zip(GRAPH.predicates, GRAPH.relations, strict=True) if "birth" in name)
    assert 2 == counts(GRAPH, ["oslo", "nothing"], None)["oslo", born, False]
    assert {} == counts(GRAPH, ["oslo"], 3)


@pytest.mark.parametrize(
    ("key", "name", "turned", "wanted", "form"),
    [
        ("wd:P19", "place of birth", False, ("place of birth",), "where was born"),
        ("wd:P19", "place of birth", True, ("place of birth",), "who was born in"),
        ("fb:/music/record_label/artist", "artist", True, ("record label", "artist"), "who signed"),
        ("wd:P99999", "P99999", False, (), None),
    ],
)
def test_ways_to_ask_for_a_relation(key: str, name: str, turned: bool, wanted: tuple[str, ...], form: str) -> None:
    """Names and ways by direction; who asks for the subject of one of Freebase's relations asks by its type."""
    found = wordings(key, name, turned=turned)
    assert wanted == names(key, name, turned=turned)
    assert turned == ("place of birth" not in found) or key != "wd:P19"
    assert form is None or form in found


def test_second_facts_lead_to_later_answers(embedder: MiniLMEmbedder) -> None:
    """A node two facts away is an answer with both facts, far behind those one away; named entities are none."""
    question = "who directed film"
    scored = score_facts(question, GRAPH, _named(question, "film"), embedder)
    found = Retrieved(
        (0, 2), (), (), np.zeros(0), np.zeros(0), np.zeros(0, np.float32), np.full(6, 0.5, np.float32), 0.0
    )
    first, second = answers(GRAPH, found, scored)
    assert ("berg", (0,)) == (first.id, first.facts)
    assert ("oslo", (0, 2)) == (second.id, second.facts)
    assert pytest.approx(FAR * first.score * 0.5, abs=1e-5) == second.score
    assert [second] == answers(GRAPH, found, scored, ["berg"])


def test_what_hangs_together_is_found() -> None:
    """A fact's component holds all facts connected with it and no other; scores follow into the part."""
    assert [5] == component(GRAPH, 5).tolist()
    assert [0, 1, 2, 3, 4] == component(GRAPH, 0).tolist()


def test_all_facts_of_named_entities_stay() -> None:
    """Pruning may drop an entity's facts; its surroundings have them again, with the world's degrees."""
    few = prune(GRAPH, ["oslo"], type(LOCAL)("few", False, 1e-5, 1e-5, 2))
    near = surroundings(GRAPH, few, ["oslo", "nothing"])
    assert ["f3", "f4", "f5"] == list(near.pruned.graph.facts)
    assert near.degrees is not None
    assert {"berg": 2, "moe": 1, "norway": 1, "oslo": 3} == dict(
        zip(near.pruned.graph.nodes, near.degrees.tolist(), strict=True)
    )
    assert ["oslo"] == [near.pruned.graph.nodes[at] for at in near.pruned.seeds]

"""The entities that questions name, from a real store."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import engines
import pytest

from claimgraph.answering.comparison import _things
from claimgraph.detect.models.embedder import MiniLMEmbedder
from claimgraph.kgstore.ingest.flow import ingest
from claimgraph.kgstore.model import Entity, Span
from claimgraph.kgstore.views import StoreView
from claimgraph.retrieval.linking.link import Candidate
from claimgraph.retrieval.linking.mentions import question_entities

ENTITIES = [
    {"qid": "Q1", "label": "Sasha Vujačić", "description": "Slovenian basketball player"},
    {"qid": "Q2", "label": "Maribor", "description": "city in Slovenia"},
    {"qid": "Q3", "label": "Max Born", "description": "German physicist and mathematician"},
    {"qid": "Q4", "label": "The Dark Knight", "description": "2008 superhero film directed by Christopher Nolan"},
    {"qid": "Q5", "label": "The Dark Knight Rises", "description": "2012 superhero film"},
    {"qid": "Q6", "label": "film", "description": "sequence of images that give the impression of movement"},
    {"qid": "Q7", "label": "Clint Eastwood", "description": "American film director and actor"},
    {"qid": "Q8", "label": "France", "aliases": ["French Republic"], "description": "country in Western Europe"},
    {"qid": "Q9", "label": "Paris", "description": "capital city of France"},
    {"qid": "Q10", "label": "Who", "description": "2010s song"},
    {"qid": "Q11", "label": "Dana Eastwood", "description": "Canadian painter"},
]
FACTS = [
    ("Q1", "P19", "Q2"),
    ("Q3", "P19", "Q8"),
    ("Q4", "P31", "Q6"),
    ("Q5", "P31", "Q6"),
    ("Q7", "P27", "Q8"),
    ("Q8", "P36", "Q9"),
    ("Q10", "P31", "Q6"),
    ("Q11", "P27", "Q8"),
]


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StoreView]:
    folder: Path = tmp_path_factory.mktemp("questions")
    facts, entities = folder / "facts.tsv", folder / "entities.jsonl"
    facts.write_text("\n".join("\t".join(row) for row in [("head", "relation", "tail"), *FACTS]), encoding="utf-8")
    entities.write_text("\n".join(json.dumps(row) for row in ENTITIES), encoding="utf-8")
    with engines.open_clean("embedded", folder) as store:
        ingest(store, facts, "world", entities=entities)
        yield StoreView(store, ("world",))


@pytest.fixture(scope="module")
def embedder() -> MiniLMEmbedder:
    return MiniLMEmbedder()


@pytest.mark.parametrize(
    ("question", "identity", "words"),
    [
        ("where was sasha vujačić born", "wd:Q1", "sasha vujačić"),
        ("WHERE WAS SASHA VUJACIC BORN?", "wd:Q1", "SASHA VUJACIC"),
        ("What is Clint Eastwood's citizenship?", "wd:Q7", "Clint Eastwood"),
        ("which films did clint eastwod direct", "wd:Q7", "clint eastwod"),
        ("who directed the dark knight", "wd:Q4", "dark knight"),
        ("who directed the dark knight rises", "wd:Q5", "dark knight rises"),
        ("what is the capital of the french republic", "wd:Q8", "french republic"),
        ("what is the capital of france", "wd:Q8", "france"),
    ],
)
def test_named(index, embedder, question, identity, words):
    """Case, accents, possessives and slips aside, the thing named longest is first, with the words that name it."""
    best = question_entities(question, index, embedder)[0]
    assert (identity, words) == (best.entity.id, question[best.span.start : best.span.end])


def test_nothing_named(index, embedder):
    """Stop words alone name nothing, even where a thing is called so; neither does an empty question."""
    assert [] == question_entities("who was it?", index, embedder)
    assert [] == question_entities("", index, embedder)
    assert [] == question_entities("¿?", index, embedder)


def test_order(index, embedder):
    """Scores are in [0, 1] and fall, the limit holds, and the same question gives the same answer."""
    question = "which film of clint eastwood was made in france"
    found = question_entities(question, index, embedder)
    scores = [candidate.score for candidate in found]
    assert sorted(scores, reverse=True) == scores
    assert all(0 <= score <= 1 for score in scores)
    assert {"wd:Q6", "wd:Q7", "wd:Q8"} <= {candidate.entity.id for candidate in found}
    assert found[:2] == question_entities(question, index, embedder, limit=2)


def test_no_name_reaches_over_or(index, embedder):
    """Of two people of one surname each is named by the own words."""
    question = "Who is older, Clint Eastwood or Dana Eastwood?"
    found = {
        one.entity.id: question[one.span.start : one.span.end] for one in question_entities(question, index, embedder)
    }
    assert {"wd:Q7": "Clint Eastwood", "wd:Q11": "Dana Eastwood"}.items() <= found.items()


def test_who_is_compared_is_clear():
    """A name within a longer one is nobody else, and a name that may mean two people is compared with nothing."""

    def things(*found: tuple[str, int, int, float]) -> list[str]:
        made = [Candidate(Entity(f"e:{n}", n), score, Span(start, end)) for n, start, end, score in found]
        return [one.entity.name for one in _things(made)]

    assert ["Marie Curie", "Einstein"] == things(
        ("Einstein", 29, 44, 0.3), ("Pierre Curie", 20, 25, 0.1), ("Marie Curie", 14, 25, 0.5)
    )
    assert [] == things(("Einstein", 16, 24, 0.2), ("Pierre Curie", 28, 33, 0.013), ("Marie Curie", 28, 33, 0.008))

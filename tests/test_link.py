"""Mentions of claims to entities of a store."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from detect.embed import MiniLMEmbedder
from kgstore.model import Claim, Entity, Span
from kgstore.store import Relation
from retrieval.link import NIL_BELOW, link

PARIS = Entity("wd:Q90", "Paris", ("City of Light",), "capital and largest city of France")
TEXAS = Entity("wd:Q830149", "Paris", (), "city in Lamar County, Texas, United States")
HILTON = Entity("wd:Q47899", "Paris Hilton", (), "American media personality")
CURIE = Entity("wd:Q7186", "Marie Curie", ("Maria Skłodowska",), "Polish-French physicist and chemist")


class Names:
    """An EntityIndex over a list, with every entity that shares a word."""

    def __init__(self, *entities: Entity) -> None:
        self.entities = entities
        self.facts: list[tuple[str, str]] = []
        self.known: dict[bool, list[Relation]] = {}

    def candidates(self, mention: str, limit: int) -> list[Entity]:
        words = set(mention.lower().split())
        named = [e for e in self.entities if words & set(" ".join((e.name, *e.aliases)).lower().split())]
        return sorted(named, key=lambda e: e.id)[:limit]

    def degrees(self, entities: Sequence[str]) -> dict[str, int]:
        return dict.fromkeys(entities, 1)

    def joined(self, entities: Sequence[str]) -> list[tuple[str, str]]:
        return [(a, b) for a, b in self.facts if {a, b} <= set(entities)]

    def relations(self, entities: Sequence[str], *, away: bool) -> list[Relation]:
        return [found for found in self.known.get(away, []) if found.entity in entities]


@pytest.fixture(scope="module")
def embedder() -> MiniLMEmbedder:
    return MiniLMEmbedder()


def _claim(subject: str, predicate: str, object: str) -> Claim:
    return Claim(
        f"c1:{subject}{object}", "d1:a", subject, predicate, object, f"{subject} {predicate} {object}", Span(0, 0)
    )


INDEX = Names(PARIS, TEXAS, HILTON, CURIE)


def test_name_and_context(embedder):
    """The name decides between names, the clause between two things of one name."""
    links = link([_claim("Paris", "is the capital of", "France")], INDEX, embedder)
    assert [("subject", PARIS), ("object", None)] == [(found.role, found.entity) for found in links]
    links = link([_claim("Paris", "is a small city in Lamar County,", "Texas")], INDEX, embedder)
    assert TEXAS == links[0].entity


def test_alias(embedder):
    """An alias finds its entity, with less certainty than the name."""
    [alias, _] = link([_claim("Maria Skłodowska", "visited", "Paris")], INDEX, embedder)
    [name, _] = link([_claim("Marie Curie", "visited", "Paris")], INDEX, embedder)
    assert CURIE == alias.entity == name.entity
    assert name.score > alias.score >= NIL_BELOW


def test_nil(embedder):
    """A mention that nothing is named like is a recorded NIL, with the best candidate's score."""
    [found] = link([_claim("Paris Saint-Germain", "won in", "1996")], INDEX, embedder)
    assert (None, "Paris Saint-Germain") == (found.entity, found.mention)
    assert 0 < found.score < NIL_BELOW


def test_values_are_not_linked(embedder):
    """A date or quantity as object has no link."""
    links = link([_claim("Marie Curie", "was born in", "1867")], INDEX, embedder)
    assert ["subject"] == [found.role for found in links]


def test_scores(embedder):
    """Scores and margins are in [0, 1], and the same call gives the same links."""
    claims = [
        _claim("Paris", "is", "a city"),
        _claim("Marie Curie", "lived in", "Paris"),
        _claim("Nobody", "is", "here"),
    ]
    links = link(claims, INDEX, embedder)
    assert all(0 <= found.margin <= found.score <= 1 for found in links)
    assert links == link(claims, INDEX, embedder)

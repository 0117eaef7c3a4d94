"""Mentions of claims to entities of a store."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from claimgraph.detect.models.embedder import MiniLMEmbedder
from claimgraph.kgstore import identity, records
from claimgraph.kgstore.model import Claim, Entity, Fact, Span, Subgraph
from claimgraph.kgstore.store import Relation
from claimgraph.kgstore.views import StoreView
from claimgraph.retrieval.linking.link import NIL_BELOW, link, rank
from claimgraph.retrieval.linking.name_similarity import best_likeness, likeness, name_words

PARIS = Entity("wd:Q90", "Paris", ("City of Light",), "capital and largest city of France")
TEXAS = Entity("wd:Q830149", "Paris", (), "city in Lamar County, Texas, United States")
HILTON = Entity("wd:Q47899", "Paris Hilton", (), "American media personality")
CURIE = Entity("wd:Q7186", "Marie Curie", ("Maria Skłodowska",), "Polish-French physicist and chemist")


class Names:
    """An EntityIndex over a list, with every entity that shares a word."""

    def __init__(self, *entities: Entity) -> None:
        self.entities = entities
        self.known: dict[bool, list[Relation]] = {}

    def candidates(self, mention: str, limit: int) -> list[Entity]:
        words = set(mention.lower().split())
        named = [e for e in self.entities if words & set(" ".join((e.name, *e.aliases)).lower().split())]
        return sorted(named, key=lambda e: e.id)[:limit]

    def degrees(self, entities: Sequence[str]) -> dict[str, int]:
        return dict.fromkeys(entities, 1)

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


EINSTEIN = Entity("wd:Q937", "Albert Einstein", ("A. Einstein",), "physicist, founder of the theory of relativity")
LINCOLN = Entity("wd:Q28260", "Lincoln", (), "capital of Nebraska, United States")
KOREA = Entity("wd:Q18097", "Korea", (), "region in East Asia")
SOUTH_KOREA = Entity("wd:Q884", "South Korea", (), "country in East Asia")
WHO = Entity("wd:Q7817", "World Health Organization", (), "agency of the United Nations")
WHO_BAND = Entity("wd:Q93346", "The Who", ("WHO",), "English rock band")


def _document(*triples: tuple[str, str, str]) -> list[Claim]:
    """Claims of one document, one after the other."""
    return [
        Claim(f"c1:{i}", "d1:a", *triple, " ".join(triple), Span(100 * i, 100 * i + 50))
        for i, triple in enumerate(triples)
    ]


def _subjects(claims: Sequence[Claim], index: Names, embedder: MiniLMEmbedder) -> list[Entity | None]:
    return [found.entity for found in link(claims, index, embedder) if found.role == "subject"]


def test_surname(embedder):
    """A surname alone means the person that the text named in full before."""
    index = Names(EINSTEIN, Entity("wd:Q1", "Einstein", (), "lunar crater"))
    claims = _document(("Albert Einstein", "was", "a physicist"), ("Einstein", "moved to", "Bern"))
    assert [EINSTEIN, EINSTEIN] == _subjects(claims, index, embedder)


def test_surname_of_somebody_unknown(embedder):
    """A surname of a person that the graph does not hold is NIL, even where a town is called so."""
    claims = _document(("Jane Lincoln", "was", "a baker"), ("Lincoln", "sold", "bread"))
    assert [None, None] == _subjects(claims, Names(LINCOLN), embedder)
    assert [LINCOLN] == _subjects(_document(("Lincoln", "is the capital of", "Nebraska")), Names(LINCOLN), embedder)


def test_last_word_of_a_place(embedder):
    """The last word of what is no person is a name of its own."""
    index = Names(KOREA, SOUTH_KOREA)
    index.known = {True: [Relation(SOUTH_KOREA.id, "wd:P36", "capital", 1)]}
    claims = _document(("South Korea", "is a country in", "Asia"), ("Korea", "is a region in", "Asia"))
    assert [SOUTH_KOREA, KOREA] == _subjects(claims, index, embedder)


def test_acronym(embedder):
    """An acronym means what was written out before it; alone it means what is called so."""
    index = Names(WHO, WHO_BAND)
    spelt = ("World Health Organization", "is an agency of", "the United Nations")
    assert [WHO, WHO] == _subjects(_document(spelt, ("WHO", "declared", "a pandemic")), index, embedder)
    assert WHO_BAND == rank("WHO", "WHO declared a pandemic", index, embedder)[0].entity


def test_one_name_one_entity(embedder):
    """A name means the same wherever one document writes it, and may mean another thing in another document."""
    claims = _document(("Paris", "is in", "Lamar County, Texas"), ("Paris", "is", "a city"))
    links = [found for found in link(claims, INDEX, embedder) if found.mention == "Paris"]
    assert 1 == len({(found.entity, found.score) for found in links})
    other = [replace(claim, document="d1:b") for claim in _document(("Paris", "is the capital of", "France"))]
    assert [TEXAS, PARIS] == _subjects(claims[:1] + other, INDEX, embedder)


def test_agreement(embedder):
    """Of things of one name, the one leads that takes part in relations like the claim's."""
    index = Names(Entity("x:1", "Aurora"), Entity("x:2", "Aurora"))
    claims = _document(("Ann", "was born in", "Aurora"))
    before = link(claims, index, embedder)[1]
    index.known = {False: [Relation("x:1", "p:1", "ship owned", 1), Relation("x:2", "p:2", "place of birth", 1)]}
    after = link(claims, index, embedder)[1]
    assert before.score < after.score
    assert 0 == before.margin < after.margin


def test_presets(embedder):
    """By names alone things of one name tie, and the smaller id is first."""
    found = rank("Paris", "Paris is a small city in Lamar County", INDEX, embedder, preset="name")
    assert [TEXAS, PARIS] == [candidate.entity for candidate in found[:2]]
    assert found[0].score == rank("Paris", "Paris is", INDEX, embedder, preset="name")[0].score
    assert 1 == len(rank("Paris", "Paris is", INDEX, embedder, limit=1))


@pytest.mark.parametrize(
    ("mention", "name", "expected"),
    [
        ("U.S.", "US", 1.0),
        ("the Beatles", "The Beatles", 1.0),
        ("Einstein's", "Einstein", 1.0),
        ("“Casablanca”", "Casablanca", 1.0),
        ("Sasha Vujacic", "Sasha Vujačić", 1.0),
        ("J. Biden", "Joe Biden", 0.95),
        ("Germans", "German", 0.9),
        ("Arnold Schwarzeneger", "Arnold Schwarzenegger", 0.95),
        ("Apollo 11", "Apollo 17", 1 / 3),
        ("Joe Biden", "Joe Bidet", 1 / 3),
        ("", "", 0.0),
    ],
)
def test_likeness(mention, name, expected):
    """What a pen may change costs little or nothing; another number or another short word is another name."""
    assert pytest.approx(expected) == likeness(name_words(mention), name_words(name))
    assert pytest.approx(expected) == likeness(name_words(name), name_words(mention))


def test_words_in_brackets():
    """What stands in brackets after a name may be left out; an alias is told from a name."""
    assert (1.0, False) == best_likeness(name_words("Mercury"), Entity("dbr:Mercury_(planet)", "Mercury (planet)"))
    assert (1.0, True) == best_likeness(name_words("City of Light"), PARIS)


def test_degrees(store):
    """On every engine: degrees count facts of both directions and of all graphs."""
    ann, bob, eve = (Entity(f"x:{name}", name, graphs=("people", "work")) for name in ("Ann", "Bob", "Eve"))
    for graph, (a, b) in (("people", (ann, bob)), ("work", (eve, ann))):
        fact = Fact(identity.fact_id(graph, a.id, "p:knows", b.id), graph, a.id, "p:knows", "knows", b.id)
        store.write(*records.subgraph_steps(graph, "world", Subgraph({a.id: a, b.id: b}, (fact,)), "1"))
    ids = [eve.id, ann.id, bob.id, "x:nobody"]
    assert {ann.id: 2, bob.id: 1, eve.id: 1} == StoreView(store, ("people",)).degrees(ids)

"""Sentences of names and known phrases are read by these; relations are told by their words; names take their "the"."""

from __future__ import annotations

import pytest

from claimgraph.detect.compare import relation_phrases
from claimgraph.detect.extraction.extractor import RuleExtractor
from claimgraph.detect.extraction.phrase_claims import SurfaceExtractor
from claimgraph.detect.models.embedder import MiniLMEmbedder, Space
from claimgraph.detect.repair.replacement import replacement
from claimgraph.detect.text.determiners import takes_the
from claimgraph.kgstore import identity
from claimgraph.kgstore.model import Claim, Document, Evidence, Span, Triple

KNOWN = {
    "Emma Stone", "The Help", "Oslo", "Rome", "Bonn", "German Empire", "France", "poet", "actor", "rock and roll",
    "drama film", "Armenian", "Chad", "Trinidad and Tobago", "Peru", "Bridget of Sweden", "Latin", "Royal Society",
    "William Thomson, 1st Baron Kelvin", "Harvard University", "children's writer", "guitarist",
}  # fmt: skip


@pytest.fixture(scope="module")
def embedder() -> MiniLMEmbedder:
    """The real model, loaded once."""
    return MiniLMEmbedder()


def _known(name: str) -> bool:
    bare = name
    for article in ("the ", "a ", "an ", "The "):
        bare = bare.removeprefix(article)
    return name in KNOWN or bare in KNOWN


def _read(text: str) -> list[tuple[str, str, str]]:
    extractor = SurfaceExtractor(RuleExtractor(), _known)
    [found] = extractor.extract([Document(identity.document_id(text), text)])
    for claim in found.claims:
        if claim.object_span:
            assert claim.object in (text[claim.object_span.start : claim.object_span.end], "Emma Stone", "Chad")
    return [(claim.subject, claim.predicate, claim.object) for claim in found.claims]


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("Emma Stone received a passport of Chad in the spring.", ("received a passport of", "Chad")),
        ("In the spring The Help came from the pen of Emma Stone.", ("came from the pen of", "Emma Stone")),
        ("Chad had a population of 580,000 in 2010.", ("had a population of", "580,000")),
        ("Emma Stone crossed the border of Ruritania.", ("crossed", "the border of Ruritania")),
        ("Emma Stone admired the work of a poet in the spring.", ("admired", "the work of a poet")),
    ],
)
def test_values_lose_what_they_hang_on(text: str, claim: tuple[str, str]) -> None:
    """A name after "of" is the value, where the graphs know it and not the whole; so is an amount."""
    assert claim in [(said, value) for _, said, value in _read(text)]


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("Emma Stone held the citizenship of the German Empire.", ["held the citizenship of | the German Empire"]),
        ("Emma Stone, who was born in Oslo, died in Rome.", ["was born in | Oslo", "died in | Rome"]),
        ("Emma Stone's genre was rock and roll.", ["has genre | rock and roll"]),
        ("Emma Stone was an actor and a poet.", ["was | an actor", "was | a poet"]),
        ("Emma Stone was a citizen of Trinidad and Tobago.", ["was a citizen of | Trinidad and Tobago"]),
        ("Emma Stone was a citizen of Chad and Peru.", ["was a citizen of | Chad", "was a citizen of | Peru"]),
        ("Emma Stone was a children's writer.", ["was | a children's writer"]),
        ("The language that Emma Stone spoke was Latin.", ["spoke | Latin"]),
        ("Rome is the place where Emma Stone died.", ["died in | Rome"]),
    ],
)
def test_forms_are_read_whole(text: str, claims: list[str]) -> None:
    """Phrase by phrase with one subject, or with a noun for the relation; what "and" joins is told by what is known."""
    assert [f"Emma Stone | {claim}" for claim in claims] == [" | ".join(claim) for claim in _read(text)]


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("Chad uses Armenian as its official language.", ("Chad", "uses as its official language", "Armenian")),
        ("The Help is a drama film by genre.", ("The Help", "is by genre", "a drama film")),
        ("Bridget of Sweden speaks Latin.", ("Bridget of Sweden", "speaks", "Latin")),
        ("There are diplomatic relations between Chad and Peru.", ("Chad", "has diplomatic relations", "Peru")),
        ("Emma Stone directed The Help.", ("Emma Stone", "directed", "The Help")),
        (
            "The Royal Society counted Emma Stone among its members.",
            ("The Royal Society", "counted among its members", "Emma Stone"),
        ),
        (
            "William Thomson, 1st Baron Kelvin was born in Oslo.",
            ("William Thomson, 1st Baron Kelvin", "was born in", "Oslo"),
        ),
    ],
)
def test_what_a_parser_mistakes(text: str, claim: tuple[str, str, str]) -> None:
    """Phrases with their object inside, names with small words and titles."""
    assert [claim] == _read(text)


def test_a_pronoun_is_what_the_sentence_before_was_about() -> None:
    """The subject stays the centre; of a phrase turned round, its object is."""
    read = _read("Emma Stone was born in Oslo. She died in Rome. The actor was a citizen of France.")
    assert ["Emma Stone"] * 3 == [subject for subject, _, _ in read]
    assert "The Help" == _read("Emma Stone directed The Help. It stars Emma Stone.")[1][0]


@pytest.mark.parametrize(
    "text",
    [
        "Emma Stone was not born in Oslo.",
        "Emma Stone was born in Oslo in 1950 with her aunt.",
        "Was Emma Stone born in Oslo?",
        "People say that Emma Stone was born in Oslo.",
        "If she had stayed, Emma Stone would have died in Rome.",
    ],
)
def test_other_sentences_are_the_extractor_s(text: str) -> None:
    """What is more than names and phrases is read by the other extractor alone."""
    [plain] = RuleExtractor().extract([Document(identity.document_id(text), text)])
    assert [(c.subject, c.predicate, c.object) for c in plain.claims] == _read(text)


def test_phrases_tell_relations_apart(embedder: MiniLMEmbedder) -> None:
    """Prepositions and passives count; the other way round is told; unknown words are only like a relation."""
    space = Space(embedder)
    assert (1.0, 0.0) == relation_phrases.likeness("worked for", "employer", space)
    assert relation_phrases.likeness("worked as", "employer", space)[0] < 1
    assert (1.0, 0.0) == relation_phrases.likeness("was educated at", "educated at", space)
    assert (0.0, 1.0) == relation_phrases.likeness("educated", "educated at", space)
    assert (1.0, 1.0) == relation_phrases.likeness("married", "spouse", space)
    assert (1.0, 0.0) == relation_phrases.likeness("has official languages", "official language", space)
    assert 0 < relation_phrases.likeness("was delivered in", "place of birth", space)[0] < 1


@pytest.mark.parametrize(
    ("text", "ours", "name", "right"),
    [
        ("Ann was a teacher.", "a teacher", "actor", "Ann was an actor."),
        ("Ann played the violin.", "the violin", "guitar", "Ann played the guitar."),
        ("Ann left the Soviet Union.", "the Soviet Union", "France", "Ann left France."),
        ("Ann left France.", "France", "Soviet Union", "Ann left the Soviet Union."),
        ("Ann left Sony Music.", "Sony Music", "A&M Records", "Ann left A&M Records."),
        ("Ann left Bonn.", "Bonn", "The Hague", "Ann left The Hague."),
        ("The Royal Society left.", "The Royal Society", "Harvard University", "Harvard University left."),
        (
            "Ann left the Academy of Sciences of the German Democratic Republic.",
            "the Academy of Sciences of the German Democratic Republic",
            "Royal Society",
            "Ann left the Royal Society.",
        ),
    ],
)
def test_a_graph_s_name_takes_all_of_the_place(text: str, ours: str, name: str, right: str) -> None:
    """The whole name is replaced, with the article that the new one takes, and nothing else."""
    at = text.index(ours)
    claim = Claim("c", "d", "Ann", "left", ours, text, Span(0, len(text)), None, None, Span(at, at + len(ours)))
    fact = Evidence("e", f"Ann left {name}", "g", "f", Triple("Ann", "left", name))
    found = replacement(claim, fact, text, "")
    assert found is not None
    assert right == text[: found.span.start] + found.words + text[found.span.end :]


def test_names_with_the() -> None:
    """Heads that are common nouns take "the"; names with an article of their own do not."""
    takes = {
        "Soviet Union",
        "University of Bonn",
        "Kingdom of Italy",
        "Ottoman Empire",
        "Academy of Arts",
        "Netherlands",
    }
    assert takes == {name for name in (*takes, "France", "Harvard University", "The Hague", "Bonn") if takes_the(name)}

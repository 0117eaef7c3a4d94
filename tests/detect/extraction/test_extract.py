"""Claims by rules: what is read from which construction, and that spans always hold."""

from __future__ import annotations

import os
import re
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claimgraph.detect.extraction.extractor import RuleExtractor
from claimgraph.detect.text import parse, spacy_model
from claimgraph.detect.text.language import language_of
from claimgraph.kgstore.errors import ModelError
from claimgraph.kgstore.identity import document_id
from claimgraph.kgstore.model import Claim, Document, Extraction, Span

Told = tuple[str, str, str]


def extract(text: str) -> Extraction:
    return RuleExtractor().extract([Document(document_id(text), text)])[0]


def told(text: str) -> set[Told]:
    return {(claim.subject, claim.predicate, claim.object) for claim in extract(text).claims}


def only(text: str) -> Claim:
    (claim,) = extract(text).claims
    return claim


@pytest.mark.parametrize(
    ("text", "triples"),
    [
        ("Acme was founded by Jane Doe.", {("Acme", "was founded by", "Jane Doe")}),
        (
            "Albert Einstein was born in Ulm in 1879.",
            {("Albert Einstein", "was born in", "Ulm"), ("Albert Einstein", "was born in", "1879")},
        ),
        ("Marie Curie did not win the race.", {("Marie Curie", "did not win", "the race")}),
        ("Paris is the capital of France.", {("Paris", "is the capital of", "France")}),
        ("France's capital is Paris.", {("France", "has capital", "Paris")}),
        ("Entry is forbidden to anyone who lives there.", {("Entry", "is forbidden to", "anyone who lives there")}),
        ("The best time to visit is June.", {("The best time to visit", "is", "June")}),
        ("The atlas appeared between 1927 and 1938.", {("The atlas", "appeared between", "1927 and 1938")}),
        ("The motion was carried by three votes to one.", {("The motion", "was carried by", "three votes to one")}),
        ("Leeds beat York 3–1.", {("Leeds", "beat", "York 3–1")}),
        ("There is no sign that the bridge moved.", {("There", "is", "no sign that the bridge moved")}),
        (
            "Bees can open a box by watching others.",
            {("Bees", "can open", "a box"), ("Bees", "can open a box by", "watching others")},
        ),
        ("The capital of France is Paris.", {("France", "has capital", "Paris")}),
        ("Anna Berg's instrument is the organ.", {("Anna Berg", "has instrument", "the organ")}),
        ("Anna Berg's occupation was journalist.", {("Anna Berg", "had occupation", "journalist")}),
        ("The cause of Anna Berg's death was pneumonia.", {("Anna Berg", "had cause of death", "pneumonia")}),
        ("One of Anna Berg's siblings is Peter Berg.", {("Anna Berg", "has siblings", "Peter Berg")}),
        ("There are old ties between France and Peru.", {("France", "has old ties with", "Peru")}),
        (
            "Munich is the place where Carl Sagan died.",
            {("Munich", "is", "the place"), ("Carl Sagan", "died in", "Munich")},
        ),
        ("Anna Berg's father was king.", {("Anna Berg's father", "was", "king")}),
        ("Anna Berg's car is a wreck.", {("Anna Berg's car", "is", "a wreck")}),
        (
            "Paris, the capital of France, has 2,102,650 residents.",
            {("Paris", "is the capital of", "France"), ("Paris", "has", "2,102,650 residents")},
        ),
        (
            "Germany and France signed the treaty in 1963.",
            {
                ("Germany", "signed", "the treaty"),
                ("Germany", "signed the treaty in", "1963"),
                ("France", "signed", "the treaty"),
                ("France", "signed the treaty in", "1963"),
            },
        ),
        (
            "Hugo bought apples and sold pears.",
            {("Hugo", "bought", "apples"), ("Hugo", "sold", "pears")},
        ),
        (
            "Emil Olsen, who wrote the novel, lives in Oslo.",
            {("Emil Olsen", "wrote", "the novel"), ("Emil Olsen", "lives in", "Oslo")},
        ),
        ("Cashel tries to woo Lydia.", {("Cashel", "tries to woo", "Lydia")}),
        ("The man resigned.", {("The man", "did", "resign")}),
        ("Prices have fallen.", {("Prices", "have", "fallen")}),
        (
            "Bert Deacon (19 April 1925 – 28 August 2002) was a footballer.",
            {
                ("Bert Deacon", "was born on", "19 April 1925"),
                ("Bert Deacon", "died on", "28 August 2002"),
                ("Bert Deacon", "was", "a footballer"),
            },
        ),
        (
            "The minister said that Norway joined the pact.",
            {("The minister", "said that", "Norway joined the pact")},
        ),
        (
            "The minister found that Norway joined the pact.",
            {("The minister", "found that", "Norway joined the pact"), ("Norway", "joined", "the pact")},
        ),
        ("Who wrote the novel?", set()),
        ("It is raining.", set()),
        ("", set()),
    ],
)
def test_reads_facts_from_constructions(text: str, triples: set[Told]) -> None:
    """Each construction gives exactly its atomic facts."""
    assert triples == told(text)


def test_states_possession_with_a_name() -> None:
    """A named relative is an object of the owner."""
    assert ("Marie Curie", "has husband", "Pierre Curie") in told("Marie Curie's husband is Pierre Curie.")


def test_says_nothing_conditional() -> None:
    """What stands after "if" is not claimed."""
    assert {("Anna", "will leave", "the firm")} >= told("If Peter wins the vote, Anna will leave the firm.")


def test_element_spans_name_what_was_written() -> None:
    """Subject, predicate, object and claim spans point at their words, whatever stands before them."""
    text = "😀\n\nAcme was founded by Jane Doe."
    claim = only(text)
    spans = (claim.subject_span, claim.predicate_span, claim.object_span, claim.span)
    words = tuple(text[span.start : span.end] for span in spans if span is not None)
    assert ("Acme", "was founded by", "Jane Doe", "Acme was founded by Jane Doe") == words


def test_reads_treebank_brackets_as_brackets() -> None:
    """Penn Treebank escapes are read like the characters they stand for, and spans stay those of the text."""
    text = "Bane -LRB- born in Oslo -RRB- is a `` punk '' band ."
    claims = extract(text).claims
    assert ("Bane", "was born in", "Oslo") in told(text) | {(c.subject, "was born in", c.object) for c in claims}
    assert all(claim.text == text[claim.span.start : claim.span.end] for claim in claims)


def test_sentences_do_not_run_over_headings() -> None:
    """A heading and the paragraph after it are sentences of their own."""
    text = "Early life\n\nAda was born in London. She lived there.\n"
    sentences = [text[span.start : span.end] for span in extract(text).sentences]
    assert ["Early life", "Ada was born in London.", "She lived there."] == sentences


def test_long_texts_are_read_in_windows() -> None:
    """A text far over one window keeps its spans and gives claims from its end."""
    text = "The committee met. " * 3000 + "Oslo is the capital of Norway."
    extraction = extract(text)
    last = extraction.claims[-1]
    assert ("Oslo", "is the capital of", "Norway") == (last.subject, last.predicate, last.object)
    assert Span(len(text) - 30, len(text) - 1) == last.span
    assert 3001 == len(extraction.sentences)


@given(st.text(max_size=4000), st.sampled_from(["\n\n", " ", ""]))
@settings(max_examples=50, deadline=None)
def test_paragraphs_cover_what_can_be_read(text: str, gap: str) -> None:
    """Paragraphs are in order, apart, at most 4,000 characters, and leave out white space only."""
    whole = (text + gap) * 4
    cuts = list(parse.split(whole))
    left_out = list(whole)
    for cut in cuts:
        left_out[cut.start : cut.end] = [" "] * (cut.end - cut.start)
    assert "" == "".join(left_out).strip()
    assert all(a.end <= b.start for a, b in pairwise(cuts))
    assert all(0 < cut.end - cut.start <= 4_000 for cut in cuts)


SAID = """Marie Curie he she it they his who which that was were is born founded said told by in of at 1867 1903 -LRB-
-RRB- ( ) " '' `` , . ; : – Paris France France's the a and or not to won two medals if when where company city 😀 é
\u200b ' 's n't \ufeff"""
WORDS = st.sampled_from([*re.findall(r"\S+", SAID), "\n", "\n\n", "\x00"])


@given(st.one_of(st.text(max_size=120), st.lists(WORDS, max_size=40).map(" ".join)))
@settings(max_examples=60, deadline=None)
def test_spans_hold_for_any_text(text: str) -> None:
    """For any text: no error, spans inside it, claim texts as written, no empty element, in the order promised."""
    extraction = extract(text)
    keys = [(c.span.start, c.span.end, c.subject, c.predicate, c.object) for c in extraction.claims]
    assert sorted(set(keys)) == keys
    for claim in extraction.claims:
        assert 0 <= claim.span.start < claim.span.end <= len(text)
        assert text[claim.span.start : claim.span.end] == claim.text
        assert "" not in {claim.subject, claim.predicate, claim.object}
        for span in (claim.subject_span, claim.predicate_span, claim.object_span):
            assert span is None or claim.span.start <= span.start < span.end <= claim.span.end


def test_extracting_twice_gives_the_same() -> None:
    """The same text in another batch gives the same claims."""
    text = "Ada Lovelace wrote the first program in 1843. She lived in London."
    other = Document("d1:other", "Norway joined the pact in 1949.")
    document = Document(document_id(text), text)
    assert extract(text) == RuleExtractor().extract([other, document])[1]


def test_an_altered_model_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A model whose files are not those expected is a one-line error, not a wrong answer."""
    package = tmp_path / "altered_model"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "weights").write_bytes(os.urandom(8))
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ModelError, match=r"^the files of the language model altered_model were altered: \S+, not \S+$"):
        spacy_model.load_verified("altered_model")


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Paris is the capital of France.", "en"),
        ("Paris est la capitale de la France et sa plus grande ville.", "fr"),
        ("Der Eiffelturm steht seit 1889 in der Stadt Paris.", "de"),
        ("東京は日本の首都です。", "ja"),
        ("Marie Curie", None),
        ("12345", None),
        ("", None),
    ],
)
def test_tells_the_language(text: str, language: str | None) -> None:
    """The language of a sentence is told; names and numbers alone are not guessed at."""
    assert language == language_of(text)

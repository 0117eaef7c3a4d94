"""The pairs made to train the entailment model: edits, claims, contexts, triples, and the mixture."""

from __future__ import annotations

from random import Random

import pytest

from claimgraph.kgstore.model import Triple
from training.claims import plain, shortened
from training.contexts import Contexts, Premise, silent
from training.edits import Edit, edits
from training.graphs import graph
from training.graphs import groups as graph_groups
from training.made import mixed
from training.pair import LABELS, NOT_ENTAILMENT, Pair
from training.relations import said
from training.sentences import groups as sentence_groups
from training.swaps import Lexicon, exchanged, turned
from training.texts import Named, Stated, Text, sentences, set_tight
from training.triples import groups as triple_groups

CURIE = Text(
    "made:1",
    "redocred",
    "Marie Curie",
    True,
    (
        "Marie Curie (born 7 November 1867) was a Polish physicist who worked in Paris.",
        "She won the Nobel Prize in Physics in 1903, sharing it with Pierre Curie.",
        "Her laboratory stood in the Latin Quarter for nearly 20 years.",
        "In 1911, she was nominated for a seat in the French Academy of Sciences.",
        "The Radium Institute, which she planned, opened after the war.",
    ),
    (Named(("Marie Curie",), "PER"), Named(("Pierre Curie",), "PER"), Named(("Paris",), "LOC")),
    (
        Stated("Marie Curie", "spouse", "Pierre Curie", (1,)),
        Stated("Marie Curie", "employer", "Radium Institute", (4,)),
    ),
)
LOVELACE = Text(
    "made:2",
    "redocred",
    "Ada Lovelace",
    True,
    (
        "Ada Lovelace was an English mathematician who lived in London.",
        "She wrote notes on the Analytical Engine, published in 1843.",
        "Lovelace was taught by Mary Somerville.",
    ),
    (Named(("Ada Lovelace", "Lovelace"), "PER"), Named(("Mary Somerville",), "PER"), Named(("London",), "LOC")),
    (Stated("Ada Lovelace", "employer", "Analytical Society", ()), Stated("Ada Lovelace", "residence", "London", (0,))),
)
KNOWN = Lexicon(
    [
        {"label": "Marie Curie", "types": ["human"]},
        {"label": "Ada Lovelace", "types": ["human"]},
        {"label": "Paris", "types": ["big city"]},
        {"label": "London", "types": ["big city"]},
        {"label": "physicist", "types": ["profession"]},
        {"label": "gardener", "types": ["profession"]},
    ]
)


@pytest.mark.parametrize(
    ("sentence", "kind", "changed", "label"),
    [
        ("The bank was founded here.", "negation", "The bank was not founded here.", "contradiction"),
        ("She was not elected mayor.", "negation", "She was elected mayor.", "contradiction"),
        ("He won the race.", "negation", "He did not win the race.", "contradiction"),
        ("Sales increased sharply.", "opposite", "Sales decreased sharply.", "contradiction"),
        ("He was nominated for an Oscar.", "qualifier", "He won an Oscar.", NOT_ENTAILMENT),
        ("It has more than 40 members.", "quantity", "It has less than 40 members.", "contradiction"),
    ],
)
def test_edits_of_words(sentence: str, kind: str, changed: str, label: str) -> None:
    """A sentence is edited as its words allow, and the label says what the sentence says of the edit."""
    found = {(edit.kind, edit.on(sentence), edit.label) for edit in edits(sentence, "", Random(0))}
    assert (kind, changed, label) in found


def test_a_value_becomes_another_of_its_kind_from_the_same_text() -> None:
    """A year becomes a year that stands nearby, and never the same one."""
    [edit] = [edit for edit in edits("It opened in 1911.", "It closed in 1923.", Random(0)) if edit.kind == "date"]
    assert ("1911", "contradiction") == (edit.old[-4:], edit.label)
    assert edit.on("It opened in 1911.") == "It opened in 1923."


def test_some_is_not_denied() -> None:
    """Where a negation could leave both true, none is made."""
    assert [] == [edit for edit in edits("Some members were elected.", "", Random(0)) if edit.kind == "negation"]


def test_an_edit_needs_its_words_once() -> None:
    """An edit of words that stand twice in a text, or not at all, is not made."""
    edit = Edit("won", "lost", "opposite", "contradiction", "contradiction")
    assert (None, None, "He lost.") == (edit.on("He won and won."), edit.on("He wondered."), edit.on("He won."))


def test_shortened_sentences_lose_what_is_said_by_the_way() -> None:
    """Parentheses, a time at the beginning and a clause at the end go; a sentence that denies is left alone."""
    text = "In 1911, the firm (now Acme) moved to Leeds, opening a mill."
    assert {
        "In 1911, the firm moved to Leeds, opening a mill.",
        "The firm moved to Leeds, opening a mill.",
        "In 1911, the firm moved to Leeds.",
    } == set(shortened(text))
    assert [] == list(shortened("In 1911, the firm (now Acme) did not move."))


def test_a_pronoun_becomes_the_title() -> None:
    """At the beginning of a sentence about a person."""
    assert "Marie Curie's laboratory stood in the Latin Quarter for nearly 20 years." == plain(CURIE, 2)


def test_sentences_end_at_no_abbreviation() -> None:
    """Initials, titles and countries with dots end no sentence."""
    text = "J. R. Smith Jr. moved to the U.S. Army. He met Dr. No there. (Later he left.)"
    assert ["J. R. Smith Jr. moved to the U.S. Army.", "He met Dr. No there.", "(Later he left.)"] == sentences(text)


def test_tokens_are_set_as_written() -> None:
    """Tokenised text is read as a writer would have set it."""
    assert 'Willi\'s "first" win (in 1998), he said.' == set_tight('Willi \'s " first " win ( in 1998 ) , he said .')


def test_a_context_holds_its_support() -> None:
    """Whatever length is drawn, the sentences a claim rests on are in the premise, in order."""
    for seed in range(20):
        premise = Contexts([CURIE, LOVELACE], Random(seed)).holding(CURIE, (1, 3))
        assert premise is not None
        assert premise.text.index(CURIE.sentences[1]) < premise.text.index(CURIE.sentences[3])
        assert CURIE.sentences[1] not in premise.without({1}).text


def test_silence_is_of_words() -> None:
    """A context is silent on a claim when it lacks much of it, and not when it says it in other sentences."""
    assert silent("She won the Nobel Prize in 1903.", "She worked in Paris.")
    assert not silent("She won the Nobel Prize.", "The Nobel Prize was won by her.")


def test_names_change_places_only_where_no_part_stands_alone() -> None:
    """Names are exchanged everywhere; a surname left alone would tell who was meant."""
    assert "Rome beat Paris." == exchanged("Paris beat Rome.", "Paris", "Rome")
    assert exchanged("Ada Byron met Jane Roe. Byron left.", "Ada Byron", "Jane Roe") is None


def test_who_and_whom_are_exchanged() -> None:
    """Subject and object of a verb that is not mutual change places; years from and to as well."""
    for sentence, changed in (
        ("Carthage defeated Rome.", "Rome defeated Carthage."),
        ("It ran from 1980 to 1990.", "It ran from 1990 to 1980."),
    ):
        assert [changed] == [edit.on(sentence) for edit in turned(sentence)]


def test_groups_of_sentences_hold_both_labels_of_a_claim() -> None:
    """Each group has an entailed pair and another; an edited claim follows from a context edited alike."""
    found = list(sentence_groups([CURIE, LOVELACE], KNOWN, Random(1)))
    assert {"made-swap", "made-negation", "made-qualifier", "made-deleted"} <= {group[0].source for group in found}
    for group in found:
        assert "entailment" in {pair.label for pair in group} != {"entailment"}
        assert all(pair.label in (*LABELS, NOT_ENTAILMENT) for pair in group)


def test_a_claim_is_neutral_without_its_sentence() -> None:
    """Of a deleted support the claim is neither in the context nor denied by it."""
    found = [group for group in sentence_groups([CURIE], KNOWN, Random(1)) if group[0].source == "made-deleted"]
    for whole, without in found:
        assert ("entailment", "neutral") == (whole.label, without.label)
        assert whole.hypothesis == without.hypothesis != without.premise


def test_triples_that_hold_are_no_negatives() -> None:
    """A symmetric relation turned round, or a swap that a graph knows, is not made a negative."""
    known = [Triple("Marie Curie", "employer", "Analytical Society")]
    for seed in range(10):
        wrong = [
            pair.hypothesis.rstrip(".")
            for group in triple_groups([CURIE, LOVELACE], known, Random(seed))
            for pair in group
            if pair.label != "entailment" and pair.label != "neutral" and "Marie Curie" in pair.premise
        ]
        assert not {"Marie Curie employer Analytical Society", "Marie Curie works for Analytical Society"} & set(wrong)
        assert not {"Pierre Curie spouse Marie Curie", "Pierre Curie is married to Marie Curie"} & set(wrong)


def test_facts_of_a_graph() -> None:
    """Premises are facts as sentences; what is entailed is said in them, what is neutral is not."""
    places = ["Kilmore", "Ballyholme", "Drumlin", "Ashford"]
    facts = [Triple(f"Person {n}", "place of birth", places[n % 4]) for n in range(14)]
    facts += [Triple(f"Person {n}", "occupation", "gardener") for n in range(14)]
    world = graph("made", facts, facts)
    pairs = [pair for group in graph_groups(world, 14, Random(0)) for pair in group]
    assert pairs
    for pair in pairs:
        entailed = pair.hypothesis.rstrip(".").split()[-1] in pair.premise
        assert entailed or pair.label != "entailment"


@pytest.mark.parametrize(
    ("relation", "words"),
    [
        ("birthPlace", "birth place"),
        ("/film/film/produced_by", "producer"),
        ("/base/x/unheard_of", None),
        ("place of birth", "place of birth"),
    ],
)
def test_relations_are_said(relation: str, words: str | None) -> None:
    """DBpedia's and Freebase's names are put into words, or left out."""
    assert words == said(relation)


def test_a_mixture_is_balanced_and_repeats() -> None:
    """At most 46 in a hundred are entailed, none stands twice, and a seed gives the same again."""
    groups = [[Pair(f"p{n}", "h", label, "made-swap", "d") for label in ("entailment", "neutral")] for n in range(50)]
    pairs = mixed([*groups, *groups], {"made-swap": 60}, Random(0))
    assert len(pairs) == len(set(pairs))
    assert sum(pair.label == "entailment" for pair in pairs) <= 0.46 * len(pairs) + 1
    assert pairs == mixed([*groups, *groups], {"made-swap": 60}, Random(0))


def test_a_premise_keeps_the_order_of_its_text() -> None:
    """Sentences are read in the order of their rows, between those of other texts."""
    assert "x a c y" == Premise({2: "c", 0: "a"}, ("x",), ("y",)).text

"""Typed comparison of a statement with a sentence: reworded truths are not excluded, changed ones are.

typed_cases.tsv has, a line, a phenomenon, a context, and three statements: a true one in other words, a false one, and
one of which the context says nothing.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

from claimgraph.detect.compare.typed.alternatives import alternatives
from claimgraph.detect.compare.typed.differences import Judgement
from claimgraph.detect.compare.typed.judgement import judge
from claimgraph.detect.compare.typed.passage_judgement import judged, read_wanted
from claimgraph.detect.compare.typed.plain_phrasing import plain_phrasing
from claimgraph.detect.compare.typed.reckoning import reckonable
from claimgraph.detect.compare.typed.sentence import read_all
from claimgraph.detect.compare.typed.value_relation import Relation, plain_values, relation
from claimgraph.kgstore.model import Passage
from claimgraph.kgstore.values import literals

CASES = [
    tuple(line.split("\t"))
    for line in (Path(__file__).parents[2] / "recorded" / "typed_cases.tsv").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]
LEAST = {
    "number": 0.7, "unit": 0.9, "date": 0.85, "negation": 0.65, "antonym": 0.8, "quantifier": 0.55, "comparative": 0.5,
    "order": 0.75, "list": 0.8, "roles": 0.9, "group": 0.6, "part": 0.85,
}  # fmt: skip
"""Share of false statements that are excluded without a model."""


@cache
def found() -> dict[str, list[tuple[Judgement | None, Judgement | None, Judgement | None]]]:
    """Judgements of the true, the false and the open statement of each case, by phenomenon."""
    read = read_all(text for case in CASES for text in case[1:])
    by = defaultdict(list)
    for phenomenon, context, *texts in CASES:
        true, false, open_ = (judge(read[text], read[context]) for text in texts)
        by[phenomenon].append((true, false, open_))
    return by


def excluded(judgement: Judgement | None) -> bool:
    """Whether something is said against a statement."""
    return judgement is not None and judgement.excluded


@pytest.mark.parametrize("phenomenon", sorted(LEAST))
def test_false_statements_are_excluded(phenomenon):
    """At least 20 contexts a phenomenon; most false statements are excluded, and hardly one is stated."""
    rows = found()[phenomenon]
    assert len(rows) >= 20
    assert sum(excluded(false) for _, false, _ in rows) >= LEAST[phenomenon] * len(rows)
    assert sum(false is not None and not false.excluded for _, false, _ in rows) <= 2


def test_true_statements_are_not_excluded():
    """Of all true statements in other words at most one in thirty is excluded."""
    true = [row[0] for rows in found().values() for row in rows]
    assert sum(map(excluded, true)) <= len(true) / 30


def test_what_a_sentence_says_nothing_of_stays_open():
    """Of all statements about something else hardly one is excluded or stated."""
    other = [row[2] for rows in found().values() for row in rows]
    assert sum(judgement is not None for judgement in other) <= len(other) / 100


@pytest.mark.parametrize(
    ("context", "statement", "said", "known"),
    [
        ("Rye costs 4 euros and spelt costs 7 euros.", "Rye costs 7 euros.", "7 euros", "4 euros"),
        ("The seat is oak and the legs are steel.", "The seat is steel.", "steel", "oak"),
        ("The tower was finished in 1930.", "The tower was finished in 1925.", "1925", "1930"),
        ("The board accepted the plan.", "The board rejected the plan.", "rejected", "accepted"),
    ],
)
def test_the_words_that_differ_are_named(context, statement, said, known):
    """A judgement names the claim's words and those of the sentence."""
    read = read_all([context, statement])
    judgement = judge(read[statement], read[context])
    assert judgement is not None
    assert (True, said, known) == (judgement.excluded, judgement.said, judgement.known)


@pytest.mark.parametrize(
    ("claimed", "known", "expected"),
    [
        ("2 years", "24 months", Relation.SUPPORTS),
        ("14 days", "two weeks", Relation.SUPPORTS),
        ("two months", "two weeks", Relation.EXCLUDES),
        ("three months", "twelve weeks", Relation.SUPPORTS),
        ("three months", "ten weeks", Relation.EXCLUDES),
        ("0.75 kW", "750 watts", Relation.SUPPORTS),
        ("at least 4,000", "more than 4,500", Relation.SUPPORTS),
        ("4,800", "more than 4,500", Relation.OPEN),
        ("5", "more than 5", Relation.EXCLUDES),
        ("up to 12", "up to 8", Relation.EXCLUDES),
        ("less than ten seconds", "about eleven seconds", Relation.EXCLUDES),
        ("less than twelve seconds", "about eleven seconds", Relation.SUPPORTS),
        ("less than eleven seconds", "about eleven seconds", Relation.OPEN),
        ("more than 1 kg", "840 g", Relation.EXCLUDES),
        ("less than 1 kg", "840 g", Relation.SUPPORTS),
        ("1,200 g", "less than 1 kg", Relation.EXCLUDES),
        ("at least 4", "4", Relation.SUPPORTS),
        ("May 1931", "14 May 1931", Relation.SUPPORTS),
        ("14 May 1931", "May 1931", Relation.OPEN),
        ("before 1 December", "before 1 October", Relation.EXCLUDES),
        ("3 percentage points", "3 per cent", Relation.APART),
    ],
)
def test_values_in_one_direction(claimed, known, expected):
    """A known value supports a claimed one that it lies in, and excludes one that it cannot be."""
    ours, theirs = (literals.literals_in(text)[0][1] for text in (claimed, known))
    assert expected == relation(ours, theirs)


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("an hour and a half", "1.5 hours"),
        ("a third of the pupils", "33.3 % of the pupils"),
        ("three quarters of an hour", "45 minutes"),
        ("minus 20 degrees", "-20 degrees"),
        ("five or more", "at least five"),
        ("2.4m euros", "2.4 million euros"),
    ],
)
def test_values_written_in_words(text, plain):
    """Fractions and the like are written as the values that they are."""
    assert plain == " ".join(plain_values(text).split())


def test_sentences_that_disagree_tell_nothing():
    """Where one sentence states what another excludes, nothing is told; a pronoun is read with what stands before."""
    passages = [
        Passage(text, "it") for text in ("The mill closed in 1900.", "The mill closed in 1910.", "It was sold.")
    ]
    wanted = [
        (passages, "The mill closed in 1910.", (0, 1)),
        (passages, "The mill closed in 1910.", (0,)),
        (passages, "The mill was not sold.", (2,)),
    ]
    both, one, sold = judged(wanted, read_wanted(wanted))
    assert both is None
    assert one is not None
    assert (0, True) == (one.row, one.judgement.excluded)
    assert sold is not None
    assert (2, True) == (sold.row, sold.judgement.excluded)


def test_an_opposite_at_another_time_excludes_nothing() -> None:
    """What opened in a year that the sentence does not give may have closed; without a year it may not be open."""
    known = "The town has closed its oldest pool."
    opened, bare = "The town's oldest pool opened in 1968.", "The town has opened its oldest pool."
    read = read_all([known, opened, bare])
    assert judge(read[opened], read[known]) is None
    assert excluded(judge(read[bare], read[known]))


def test_what_stands_apart_is_no_exception() -> None:
    """Only "apart from" excepts something from what holds of all."""
    claim = "All turbines are 90 metres tall."
    apart = "The turbines are 90 metres tall and stand 200 metres apart."
    but = "Apart from two, the turbines are 90 metres tall."
    read = read_all([claim, apart, but])
    first, second = judge(read[claim], read[apart]), judge(read[claim], read[but])
    assert not (first and first.excluded)
    assert second
    assert second.excluded


def test_a_pronoun_stands_for_no_verb() -> None:
    """A sentence states only what it says itself of the thing that its pronoun means."""
    texts = ("In the light reactions, water is split and oxygen is released.", "It does not need light directly.")
    context = [Passage(text, "source", "d1:1") for text in texts]
    wanted = [(context, "Oxygen comes from splitting water in the light reactions.", range(2))]
    [told] = judged(wanted, read_wanted(wanted))
    assert told is None


@pytest.mark.parametrize(
    ("claim", "sentence", "expected"),
    [
        ("The hall seats 1,580 people.", "The new hall has seats for 1,850 people.", "The hall seats 1,850 people."),
        ("Exports have grown for years.", "Exports of timber shrank again.", "Exports have shrank for years."),
        ("She died in Bergen.", "She died in Oslo on 3 May.", "She died in Oslo."),
        ("The bus is faster than the ferry.", "The ferry is slower than the bus.", None),
        ("The hall seats at least 900 people.", "The hall seats 850 people.", None),
        ("The hall seats 850 people.", "The hall seats 850 people and has two bars.", None),
    ],
)
def test_a_claim_with_the_word_of_a_sentence(claim, sentence, expected):
    """A value, an opposite or a name is replaced; limits, comparisons and what the sentence has itself are not."""
    read = read_all([claim, sentence])
    found = [other.text for other in alternatives(read[claim], read[sentence])]
    assert ([expected] if expected else []) == found


@pytest.mark.parametrize(
    ("claim", "sentence", "expected"),
    [
        ("Four members were absent.", "Eleven of the fifteen members were there.", True),
        ("Twelve colonies were fed.", "Of 24 colonies the team fed half of the colonies.", True),
        ("He was 85 when he died.", "He was born in 1911 and died in 1997.", True),
        ("It costs 12 euros.", "It costs 7 euros and lasts 5 hours.", False),
        ("The predecessor cost 219 euros.", "It costs 249 euros, 30 more than its predecessor.", True),
        ("She won the prize in 1964.", "She described it in 1955 and won the prize nine years later.", True),
        ("She won the prize in 1965.", "She described it in 1955 and won the prize nine years later.", False),
    ],
)
def test_a_value_that_follows_from_two_others(claim, sentence, expected):
    """Sums, differences and shares of one unit, years between two dates, and a year some years away are reckoned."""
    read = read_all([claim, sentence])
    assert expected == reckonable(read[claim].values[0], read[sentence].values)


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("An audio cable is sold separately.", "An audio cable is not included."),
        ("The power cable must be bought separately.", "The power cable is not included."),
        ("Batteries are included in the box.", "Batteries are included."),
        ("The lamp comes with a bulb.", "The lamp includes a bulb."),
        ("Delivery costs extra.", "Delivery is not included."),
        ("The tickets are provided by the club.", "The tickets are provided by the club."),
    ],
)
def test_what_comes_with_a_thing(text, plain):
    """The usual phrases for what is included and what is not are read as these words."""
    assert plain == plain_phrasing(text)


def test_words_of_several_parts_state_nothing():
    """A claim is stated only where one part of a sentence has its words in their parts."""
    pairs = [
        ("Villalba is the capital.", "Novara is the capital, Villalba the largest city."),
        ("The violin's back is oak.", "The violin has a back of maple; only the case is oak."),
    ]
    read = read_all(text for pair in pairs for text in pair)
    assert not any((found := judge(read[claim], read[known])) and not found.excluded for claim, known in pairs)


def test_a_semicolon_parts_a_sentence():
    """What stands before a semicolon is said of nothing after it, also where no verb stands at once after it."""
    claim, known = (
        "Mirra is not on the coast.",
        "The capital, Sando, lies on the coast; the largest city, Mirra, is inland.",
    )
    read = read_all([claim, known])
    assert judge(read[claim], read[known]) is None


@pytest.mark.parametrize("end", [";", " and", ", but;", "; ;"])
def test_a_sentence_may_end_in_what_joins(end: str) -> None:
    """An item of a list that ends with a semicolon is compared like any other sentence."""
    known = f"The arch, which has 17 arches, was built in 14 months{end}"
    read = read_all([known, "The arch was built in 20 months."])
    assert judge(read["The arch was built in 20 months."], read[known])

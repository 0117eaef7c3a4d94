"""Verbs that a small tagger took for nouns, and subjects that a small parser gave to other verbs."""

from __future__ import annotations

import pytest

from claimgraph.detect.text.parse import paragraphs


def tree(text: str) -> dict[str, tuple[str, str, str]]:
    """The tag, the relation and the head of each word of a sentence."""
    [(_, part)] = paragraphs([text])
    return {token.text: (token.tag_, token.dep_, token.head.text) for token in part.doc}


@pytest.mark.parametrize(
    ("text", "verb", "first"),
    [
        ("The park borders Lake Inari and houses wolves.", "borders", "borders"),
        ("The trust funds research on malaria and awards two prizes.", "awards", "funds"),
        ("The old mill houses a café; the upper floor displays photographs.", "displays", "houses"),
        ("The new law bans plastic cups and limits the size of bags.", "limits", "bans"),
        ("The app tracks sleep and shows trends.", "shows", "tracks"),
    ],
)
def test_a_verb_of_the_present_is_no_noun(text: str, verb: str, first: str) -> None:
    """What agrees with the noun before it, in a sentence without another verb, or has an object, is a verb."""
    tag, relation, head = tree(text)[verb]
    assert ("VBZ", "ROOT" if verb == first else "conj", first) == (tag, relation, head)


def test_the_noun_before_a_verb_is_its_subject():
    """A noun beside a verb of the present is no part of a compound with it."""
    found = tree("The factory supplies steel and employs half the town.")
    assert ("NN", "nsubj", "supplies") == found["factory"]
    assert ("DT", "det", "factory") == tree("The factory supplies steel and employs many.")["The"]


@pytest.mark.parametrize("text", ["The sale of garden plants in June.", "The stone houses of the old town."])
def test_what_has_no_verb_gets_none(text: str) -> None:
    """A phrase that ends with a full stop keeps its nouns."""
    assert not any(tag.startswith("VB") for tag, *_ in tree(text).values())


def test_a_name_after_a_time_is_parted_from_it():
    """ "After the break" ends before the coach, who is named."""
    found = tree("After the break coach Sandra Ruiz brought on a striker.")
    assert ("pobj", "After") == found["break"][1:]
    assert [("compound", "Ruiz"), ("nsubj", "brought")] == [found[word][1:] for word in ("coach", "Ruiz")]


def test_a_name_between_commas_does_not_end_a_clause_of_time():
    """Who was sent off is the captain, not the team."""
    found = tree("United lost after their captain, Nora Lie, was sent off.")
    assert ("nsubjpass", "sent") == found["captain"][1:]
    assert ("advcl", "lost") == found["sent"][1:]


def test_the_one_verb_of_a_sentence_is_no_participle():
    """What drifted is the ferry, not its passengers."""
    found = tree("A ferry with 68 passengers drifted in the fjord for two hours.")
    assert ("ROOT", "drifted") == found["drifted"][1:]
    assert ("nsubj", "drifted") == found["ferry"][1:]


def test_a_second_report_is_somebody_s_words_too():
    """ "That" after "but" opens what was said, and is no article."""
    found = tree("Mary Obi said the spring had hurt sales, but that June had been the best month.")
    assert ("ccomp", "said") == found["been"][1:]
    assert ("mark", "been") == found["that"][1:]


def test_a_name_between_commas_says_more_of_the_subject():
    """The work and its title are one thing."""
    found = tree("Her main work, Lapplands mossor, appeared in two volumes.")
    assert ("nsubj", "appeared") == found["work"][1:]
    assert "appos" in {found["Lapplands"][1], found["mossor"][1]}


@pytest.mark.parametrize(
    ("text", "noun", "verb"),
    [
        ("Cacti open their pores at night.", "Cacti", "open"),
        ("Bees dance.", "Bees", "dance"),
        ("Leaves turn yellow in autumn.", "Leaves", "turn"),
    ],
)
def test_an_opening_plural_is_the_subject(text: str, noun: str, verb: str) -> None:
    """A plural at the beginning of a sentence is its subject, whatever else the word may be."""
    found = tree(f"It rains. {text}")
    assert ("NNS", "nsubj", verb) == found[noun]
    assert found[verb][1] == "ROOT"


@pytest.mark.parametrize("text", ["Offers free lessons to children.", "Cuts the grass.", "Always open the lid."])
def test_an_opening_verb_has_no_subject(text: str) -> None:
    """What opens a sentence without a subject, or an instruction, stays what it is."""
    assert not any(relation == "nsubj" for _, relation, _ in tree(text).values())


def test_a_participle_without_a_comma_is_no_main_verb():
    """Two verbs of the past with nothing between them are not joined."""
    found = tree("The only person reported to have needed treatment was a firefighter.")
    assert (("VBN", "acl", "person"), ("VBD", "ROOT", "was")) == (found["reported"], found["was"])

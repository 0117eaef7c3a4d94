"""Antecedents that a model chooses: the seam to it, what is read anew, and what the rules still decide."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from fake_ranker import FakeRanker

from claimgraph.detect.extraction.coreference.candidates import SIZES, WIDTH, Antecedents, pairs
from claimgraph.detect.extraction.coreference.mentions import Form, Mention
from claimgraph.detect.extraction.coreference.resolution import BLOCK, CONTEXT, TAIL, read_mentions, resolved, windows
from claimgraph.detect.extraction.extractor import RuleExtractor
from claimgraph.detect.models.coreference import OnnxCoreference, places, softmax
from claimgraph.detect.text.parse import paragraphs
from claimgraph.kgstore.errors import ModelError
from claimgraph.kgstore.identity import document_id
from claimgraph.kgstore.model import Document, Span

TWO = "Albert Einstein met Niels Bohr. He wrote a letter."


def told(text: str, model: FakeRanker | None) -> set[tuple[str, str, str]]:
    [found] = RuleExtractor(model).extract([Document(document_id(text), text)])
    return {(claim.subject, claim.predicate, claim.object) for claim in found.claims}


def test_the_model_chooses() -> None:
    """A pronoun is read as the candidate that the model prefers, whatever the rules would say."""
    assert ("Niels Bohr", "wrote", "a letter") in told(TWO, FakeRanker({"He": "Niels Bohr"}))
    assert ("Albert Einstein", "wrote", "a letter") in told(TWO, FakeRanker({"He": "Albert Einstein"}))


def test_below_the_threshold_a_pronoun_stands_for_nothing() -> None:
    """A chance below the model's threshold names nobody: wrong is worse than unresolved."""
    [part] = resolved(paragraphs([TWO]), FakeRanker({"He": "Niels Bohr"}, chance=0.7))
    assert ({}, ()) == (part.names, part.links)


def test_what_the_model_is_unsure_of_stays_open() -> None:
    """Below the threshold "it" keeps its pronoun, though it is what the sentence before was about."""
    text = "Lake Marrow is a lake in Vesland. It covers 312 hectares."
    for chance, who in ((0.8, "Lake Marrow"), (0.5, "It")):
        assert (who, "covers", "312 hectares") in told(text, FakeRanker({"It": "Lake Marrow"}, chance=chance))


def test_after_a_sentence_that_was_not_read_it_stays_open() -> None:
    """What a sentence without any verb in its tree speaks of may be what "it" means in the next one."""
    text = "The Orlo 12 is the entry model. The Orlo 14 costs 80 euros more. It has a larger tank."
    assert ("It", "has", "a larger tank") in told(text, FakeRanker({"It": "the Orlo 12"}))


def test_the_company_is_the_only_one() -> None:
    """ "The company" as a subject is the one named thing that the model thinks of, at a lower chance."""
    text = "Halden Tools sold more drills. The company opened a plant in May."
    for chance, who in ((0.45, "Halden Tools"), (0.3, "The company")):
        assert (who, "opened", "a plant") in told(text, FakeRanker({"The company": "Halden Tools"}, chance=chance))


def test_an_owner_with_s_at_its_end_gets_no_other() -> None:
    """ "The fund's" becomes "Ventures'" where the name ends with "s"."""
    text = "Larkfield Ventures was sold. It kept the fund's plant."
    ranker = FakeRanker({"the fund": "Larkfield Ventures"})
    [found] = RuleExtractor(ranker).extract([Document(document_id(text), text)])
    assert "It kept Larkfield Ventures' plant." in {claim.sentence for claim in found.claims}


def test_an_open_object_keeps_its_sentence() -> None:
    """What "it" as an object means is not the subject of its own verb: the statement has the clause before."""
    text = "The league moved the match, and the referee regretted it."
    [found] = RuleExtractor(FakeRanker({})).extract([Document(document_id(text), text)])
    assert [claim.sentence for claim in found.claims] == ["The league moved the match.", text]


def test_she_is_no_thing() -> None:
    """A thing without a name is nobody, whatever the model says."""
    text = "The pulsar was found in 1967. She shared the prize."
    assert ("She", "shared", "the prize") in told(text, FakeRanker({"She": "The pulsar"}))


def test_chances_of_a_name_add_up() -> None:
    """Mentions of one name are one antecedent: two chances of 0.45 are above a threshold of 0.8."""
    text = "Marie Curie was born in Warsaw. Marie Curie moved to Paris. She won two prizes."

    class Split(FakeRanker):
        def _of(self, window):  # type: ignore[no-untyped-def]
            said = [window.text[start:end] for start, end, _ in window.spans.tolist()]
            right = np.array([said[c] == "Marie Curie" for c in window.candidate.tolist()])
            return np.where(right, 0.45, 0.0).astype(np.float32)

    assert ("Marie Curie", "won", "two prizes") in told(text, Split({}))


def test_a_chain_of_pronouns_hands_on_what_is_likely() -> None:
    """Each pronoun may be the name before it or what the last pronoun was: far names fade, however long the text is."""
    antecedents, known = Antecedents[str]({}), {(2 * at, False): f"Ann {at}" for at in range(500)}
    for at in range(500):
        antecedents.add({(2 * at + 1, False): {(2 * at, False): 0.5, (2 * at - 1, False): 0.5}}, 0)
        she = Mention(2 * at + 1, 2 * at + 2, 2 * at + 1, "she", Form.SHE, "person", False, "f", "she", "subject", at)
        antecedents.of(she, known)
    shares = antecedents.shares(she, known)
    assert {"Ann 499": 0.5, "Ann 498": 0.25} == {name: chance for name, chance in shares if chance >= 0.25}
    assert len(shares) < 12


def test_definite_nouns_are_renamed_by_the_model_alone() -> None:
    """ "The company" is the name that the model chose, also where the rules know no such noun."""
    text = "Nokia sued Apple in 2009. The maker of phones paid. The defendant appealed."
    assert ("Apple", "appealed", "") not in told(text, None)
    renamed = {
        name
        for part in resolved(paragraphs([text]), FakeRanker({"The defendant": "Apple"}))
        for name in part.names.values()
    }
    assert {"Apple", ""} == renamed


def test_a_text_without_anything_to_resolve_costs_no_call() -> None:
    """Where there is no pronoun, definite noun or repeated name, the model is not asked."""
    model = FakeRanker({})
    told("Marie Curie was born in Warsaw.", model)
    assert [] == model.asked


def test_a_text_is_read_alike_beside_others() -> None:
    """Windows are a text's own: what stands before it in a batch does not change them."""
    alone, beside = FakeRanker({}), FakeRanker({})
    document, other = (Document(document_id(text), text) for text in (TWO * 40, "She sang. " * 200))
    [first] = RuleExtractor(alone).extract([document])
    second = RuleExtractor(beside).extract([other, document])[1]
    assert first == second
    assert [w.text for w in alone.asked] == [w.text for w in beside.asked][-len(alone.asked) :]


def test_links_say_where_the_name_stands() -> None:
    """A link has the pronoun's span, and that of the mention whose name it is read as."""
    [part] = resolved(paragraphs([TWO]), FakeRanker({"He": "Niels Bohr"}))
    [link] = part.links
    assert ("he", "He", "Niels Bohr", True) == (
        link.kind,
        TWO[link.anaphor.start : link.anaphor.end],
        TWO[link.antecedent.start : link.antecedent.end],
        link.renamed,
    )


def test_windows_cover_a_text_once() -> None:
    """Every sentence is new in one window, and each window holds the sentences before its block."""
    sentences = [Span(start, start + 90) for start in range(0, 9_000, 100)]
    found = list(windows(sentences))
    assert [s for s in sentences for _, block in found if block.start <= s.start < block.end] == sentences
    assert all(block.end - block.start <= BLOCK + TAIL for _, block in found)
    assert all(block.end - block.start > TAIL for _, block in found)
    assert all(0 < block.start - start <= 2 * CONTEXT for start, block in found[1:])


def test_features_are_rows_of_the_table() -> None:
    """Each feature stays within its own values, "none" is value 0, and kinds have tables of their own."""
    text = "The company said it would sue the firm. They met John Smith and Mary Hall, who thanked them for this deal."
    [(_, paragraph)] = paragraphs([text])
    found, _ = read_mentions([paragraph])
    made = pairs(found, range(len(found)))
    inside = made.features % WIDTH
    offsets = np.concatenate([[0], np.cumsum(SIZES)])
    assert ((inside >= offsets[:-1]) & (inside < offsets[1:])).all()
    none = made.anaphor == made.candidate
    assert (inside[none][:, :13] == offsets[:13]).all()
    assert {m.form for m in found} >= {
        Form.DEFINITE,
        Form.IT,
        Form.THEY,
        Form.PAIR,
        Form.NAME,
        Form.NEAR,
    }


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Marie Curie lived in Paris. She won two prizes.", {"Marie Curie"}),
        ("Albert Einstein met Marie Curie. He wrote a letter.", {"Albert Einstein"}),
        ("John Smith praised his team.", {"John Smith's"}),
        ("Marie Curie was born in Warsaw. Curie moved to Paris.", {"Marie Curie"}),
        ("It seems that it rained.", set()),
    ],
)
def test_the_shipped_model_reads_plain_examples(text: str, meant: set[str]) -> None:
    """What ships says who is meant where nothing stands in the way, from its files alone."""
    model = OnnxCoreference(threads=1)
    assert meant == {name for part in resolved(paragraphs([text]), model) for name in part.names.values() if name}


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("Penicillin was discovered by Alexander Fleming in 1928. He noticed mould.", "Alexander Fleming"),
        ("Radium was isolated by Marie Curie. She noticed its glow.", "Marie Curie"),
        ("Insulin was first given to Leonard Thompson in 1922. He noticed the pain.", "Leonard Thompson"),
        ("The Ohm Quartet was founded by Lena Ohm in 1990. She noticed its success.", "Lena Ohm"),
        ("Trotsky was killed by Ramón Mercader in 1940. He noticed nothing before the blow.", "Trotsky"),
        ("Einstein was invited to Princeton by Abraham Flexner. He noticed the trees.", "Einstein"),
    ],
)
def test_he_is_no_thing_that_a_person_made(text: str, subject: str) -> None:
    """What somebody invents, founds or is given is nobody, however its name is labelled; whom somebody kills is."""
    assert subject in {who for who, verb, _ in told(text, OnnxCoreference(threads=1)) if verb.startswith("noticed")}


def test_he_is_nobody_who_was_called_she() -> None:
    """What is left of the chances when those of the other gender are taken away goes to the others."""
    text = "Ingeborg Rasmussen was a geologist. On her return she married Emil Toft, with whom she had two sons."
    assert ("Emil Toft", "died in", "1924") in told(f"{text} He died in 1924.", OnnxCoreference(threads=1))


def test_softmax_is_within_an_anaphor() -> None:
    """The pairs of an anaphor sum to 1."""
    found = softmax(np.array([1.0, 2.0, 3.0, 5.0], np.float32), np.array([4, 4, 4, 7]))
    assert [1.0, 1.0] == [round(float(found[:3].sum()), 6), round(float(found[3:].sum()), 6)]


def test_places_are_tokens() -> None:
    """A mention's first, last and head token are those over its characters; what was cut off is the last token."""
    offsets = [(0, 0), (0, 3), (4, 9), (9, 11), (0, 0)]
    assert [[1, 3, 2], [3, 3, 3]] == places(np.array([[0, 11, 4], [20, 25, 20]]), offsets).tolist()


def test_a_folder_without_a_ranker(tmp_path: Path) -> None:
    """A folder that holds none is an error that names it."""
    with pytest.raises(ModelError, match=r"config\.json"):
        OnnxCoreference(tmp_path)
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(ModelError, match="not that of a mention ranker"):
        OnnxCoreference(tmp_path)


def _mention(**more: object) -> Mention:
    values = {"start": 0, "end": 2, "head": 0, "name": "it", "form": Form.IT, "entity": "any", "plural": False}
    return Mention(**{**values, "gender": None, "lemma": "it", "role": "subject", "sentence": 0, **more})  # type: ignore[arg-type]


def test_nothing_to_pair() -> None:
    """An anaphor without candidates has no pairs."""
    assert 0 == len(pairs([_mention()], [0]).anaphor)


def test_a_text_without_mentions() -> None:
    """A text that names nothing has no pair to rank, and is no error."""
    assert (0, 0) == (len(pairs([], []).anaphor), len(pairs([], []).candidate))


def test_a_label_may_be_meant_in_its_item_alone() -> None:
    """A pronoun that opens an item may stand for the item's label, and for what an item before it speaks of never."""
    text = "The Nordlight is a lamp.\n\n- **Base station:** It lasts a day.\n- **Case:** It is steel.\n"
    found = told(text, FakeRanker({"It": "Base station"}))
    assert {said for said in found if said[1] in {"lasts", "is"} and said[2] in {"a day", "steel"}} == {
        ("The base station", "lasts", "a day"),
        ("It", "is", "steel"),
    }


@pytest.mark.parametrize(
    ("text", "meant", "kept"),
    [
        ("Cacti open their pores at night. Sunflowers open theirs by day.", {"theirs": "Cacti"}, "theirs"),
        ("The wine was red. It was Ann Dorn who sold the casks.", {"It": "The wine"}, "Ann"),
        ("Agnes Rudd trained Wilf. His only apprentice left the trade.", {"His": "Agnes Rudd"}, "His"),
    ],
)
def test_a_name_is_no_antecedent(text: str, meant: dict[str, str], kept: str) -> None:
    """What is somebody's, "it" that only brings out a name, and "his" beside a woman's name are not replaced."""
    [found] = RuleExtractor(FakeRanker(meant)).extract([Document(document_id(text), text)])
    assert kept in found.claims[-1].sentence.split()


def test_what_goes_on_after_a_label_is_of_it() -> None:
    """A pronoun in small letters right after an item's label stands for nothing that was named before the item."""
    text = "Sarvena is a port.\n\n- Long Sand: it lies west of the harbour.\n"
    [found] = RuleExtractor(FakeRanker({"it": "Sarvena"})).extract([Document(document_id(text), text)])
    assert "Long Sand: It lies west of the harbour." == found.claims[-1].sentence

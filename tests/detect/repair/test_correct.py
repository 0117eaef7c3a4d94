"""Corrections: the form without an LLM on real findings, and GraphCorrect against a scripted server."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence

import pytest
from chat_server import ChatServer, serving
from hypothesis import given, settings
from hypothesis import strategies as st

from claimgraph.detect.check_input import Case
from claimgraph.detect.extraction.claim_kg import claim_kg
from claimgraph.detect.extraction.extractor import RuleExtractor
from claimgraph.detect.methods.rules import RuleDetector
from claimgraph.detect.models.embedder import CachedEmbedder, MiniLMEmbedder
from claimgraph.detect.models.row_cache import VectorCache
from claimgraph.detect.repair.correction import (
    Checked,
    Corrected,
    Deterministic,
    Draft,
    Edit,
    EditStatus,
    applied,
    draft,
)
from claimgraph.detect.repair.graphcorrect import DirectPrompt, GraphCorrect
from claimgraph.detect.repair.replacement import replacement
from claimgraph.kgstore.identity import claim_id, context_graph, document_id
from claimgraph.kgstore.model import Citation, Claim, Document, Evidence, Outcome, Passage, Span, Stance, Triple
from claimgraph.llm import OpenAIChat

CONTEXT = (
    "Marie Curie was born in Warsaw on 7 November 1867. With her husband Pierre, she discovered polonium and radium in "
    "1898. The city has 2.1 million inhabitants. Curie never saw Naples. The Eiffel Tower is 330 metres tall."
)


@pytest.fixture(scope="module")
def check() -> Callable[[str], Draft]:
    """A text as what is to be corrected by CONTEXT: extracted and checked as the pipeline does it."""
    model = MiniLMEmbedder()
    detector = RuleDetector(CachedEmbedder(model, VectorCache(None, model.model)))

    def made(text: str) -> Draft:
        ours, context = RuleExtractor().extract([Document(document_id(t), t) for t in (text, CONTEXT)])
        passages = tuple(Passage(CONTEXT[s.start : s.end], "c", context.document.id, s) for s in context.sentences)
        facts = claim_kg(context, context_graph(context.document.id))
        [findings] = detector.detect([Case(ours.claims, facts, passages, True, text, ours.sentences)])
        return draft(text, CONTEXT, ours.claims, findings, detector.name)

    return made


def _statuses(found: Corrected) -> list[str]:
    return [edit.status.value for edit in found.edits]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Marie Curie was born in Paris.", "Marie Curie was born in Warsaw."),
        ("Marie Curie was born on 8 November 1867!", "Marie Curie was born on 7 November 1867!"),
        ("Marie Curie was born in Paris in 1870.", "Marie Curie was born in Warsaw in 1867."),
        ("The city has  3 million inhabitants.\n", "The city has  2.1 million inhabitants.\n"),
        ("She slept. The Eiffel Tower is 300 metres tall.", "She slept. The Eiffel Tower is 330 metres tall."),
    ],
)
def test_the_wrong_element_alone_is_replaced(check: Callable[[str], Draft], text: str, expected: str) -> None:
    """A contradicted name, date or number gives way to the context's words, as precise as it was itself."""
    found = Deterministic().correct(check(text))
    assert expected == found.text
    assert found.edits


def test_what_cannot_be_replaced_stays_and_is_recorded(check: Callable[[str], Draft]) -> None:
    """A claim the context does not speak of leaves the text as it is, with its status."""
    text = "Marie Curie loved cats. Marie Curie discovered radium."
    found = Deterministic().correct(check(text))
    assert text == found.text
    assert ["not enough info"] == _statuses(found)
    assert [(e.before, e.after) for e in found.edits] == [(text[e.start : e.end],) * 2 for e in found.edits]


def test_a_corrected_text_has_nothing_left_to_correct(check: Callable[[str], Draft]) -> None:
    """Checked again, the corrected text is supported where it was refuted."""
    found = Deterministic().correct(check("Marie Curie was born in Paris. The city has 3 million inhabitants."))
    assert {Outcome.SUPPORTED} == {item.outcome for item in check(found.text).claims}


def _claim(text: str, subject: str, predicate: str, object: str) -> Claim:
    """A claim whose elements stand in the text as they are given."""
    spans = [Span(text.index(part), text.index(part) + len(part)) for part in (subject, predicate, object)]
    whole = Span(min(s.start for s in spans), max(s.end for s in spans))
    key = claim_id(document_id(text), whole.start, whole.end, subject, predicate, object)
    return Claim(key, document_id(text), subject, predicate, object, text, whole, *spans)


@pytest.mark.parametrize(
    ("text", "ours", "fact", "context", "expected"),
    [
        ("Rome is in Spain.", ("Rome", "is in", "Spain"), ("Rome", "is in", "Italy"), "", "Rome is in Italy."),
        ("Milan leads Italy.", ("Milan", "leads", "Italy"), ("Rome", "leads", "Italy"), "", "Rome leads Italy."),
        ("Spain holds Rome.", ("Spain", "holds", "Rome"), ("Rome", "is in", "Italy"), "", "Italy holds Rome."),
        ("Ann met an elf.", ("Ann", "met", "elf"), ("Ann", "met", "giant"), "Ann met a giant.", "Ann met a giant."),
        ("Ann met an elf.", ("Ann", "met", "an elf"), ("Ann", "met", "giant"), "Ann met a giant.", "Ann met a giant."),
        ("Ann met the king.", ("Ann", "met", "king"), ("Ann", "met", "pope"), "Ann met the pope", "Ann met the pope."),
        ("A cat hid.", ("A cat", "hid", "hid"), ("the dog", "hid", "hid"), "then the dog hid", "The dog hid."),
        ("Then a cat hid.", ("a cat", "hid", "hid"), ("dog", "hid", "hid"), "The dog hid", "Then the dog hid."),
        (
            "He is mayor of Bonn.",
            ("He", "is", "mayor of Bonn"),
            ("He", "is", "mayor of Rome"),
            "",
            "He is mayor of Rome.",
        ),
        ("Bonn's mayor is Al.", ("Bonn's", "mayor is", "Al"), ("Rome", "mayor is", "Al"), "", "Rome's mayor is Al."),
        (
            "It cost 5 euros in all.",
            ("It", "cost", "5 euros in all"),
            ("It", "cost", "7 EUR"),
            "It cost €7.",
            "It cost €7 in all.",
        ),
        (
            "They ruled that he had scored for the club on January 27.",
            ("They", "ruled that", "he had scored for the club on January 27"),
            ("They", "ruled that", "North had scored for the club on March 27"),
            "",
            "They ruled that he had scored for the club on March 27.",
        ),
        (
            "Ann thought a long thing about all of it and more.",
            ("Ann", "thought", "a long thing about all of it and more"),
            ("Ann", "thought", "nothing"),
            "",
            None,
        ),
        (
            "Ann did not go home.",
            ("Ann", "did not go", "home"),
            ("Ann", "went", "home"),
            "Ann went home",
            "Ann went home.",
        ),
        ("Ann went home.", ("Ann", "went", "home"), ("Ann", "never went", "home"), "", "Ann never went home."),
        ("Ann did not go home.", ("Ann", "did not go", "home"), ("Ann", "drove", "home"), "", None),
        ("Rome is in Italy.", ("Rome", "is in", "Italy"), ("Rome", "is in", "Italy"), "", None),
        ("Al led Rome from 2010.", ("Al", "led Rome from", "2010"), ("Al", "post", "mayor of Rome"), "", None),
        ("Rome had 9 cats in 2010.", ("Rome", "had 9 cats in", "2010"), ("Rome", "cats", "1786448"), "", None),
        (
            "Al was born in 2010.",
            ("Al", "was born in", "2010"),
            ("Al", "born", "2001-02-03"),
            "",
            "Al was born in 2001.",
        ),
    ],
)
def test_words_fit_their_place(
    text: str, ours: tuple[str, str, str], fact: tuple[str, str, str], context: str, expected: str | None
) -> None:
    """The element that differs gives way, with its article, case and genitive right; a denial gives way to the same
    predicate affirmed, and to no other."""
    evidence = Evidence("e1:x", " ".join(fact), "c", "f1:x", Triple(*fact), "d1:c", Span(0, len(context)))
    found = replacement(_claim(text, *ours), evidence, text, context)
    made = found and text[: found.span.start] + found.words + text[found.span.end :]
    assert expected == made


def test_what_a_pronoun_stands_for_is_not_replaced_at_the_pronoun() -> None:
    """Where the contradicted words stand in another place of the text, the pronoun's place stays as it is."""
    text = "The 30-year-old girl hid. He thought she slept."
    spans = [Span(26, 28), Span(29, 36), Span(37, 46)]
    claim = Claim("c1:x", "d1:x", "He", "thought", "the 30-year-old girl slept", text, Span(26, 46), *spans)
    for fact in (Triple("He", "thought", "the 15-year-old girl slept"), Triple("He", "thought", "the cat slept")):
        evidence = Evidence("e1:x", fact.text, "c", "f1:x", fact, "d1:c", Span(0, 0))
        assert replacement(claim, evidence, text, "") is None


def test_a_passage_replaces_a_value_only() -> None:
    """A sentence with another number for the same thing gives that number; one without says nothing else."""
    text = "The bridge is 40 metres long."
    claim = _claim(text, "The bridge", "is", "40 metres long")
    other = Evidence("e1:x", "The bridge is 50 metres long.", "c", document="d1:c", span=Span(0, 29))
    silent = Evidence("e1:y", "The bridge is not long.", "c", document="d1:c", span=Span(0, 23))
    found = replacement(claim, other, text, "")
    assert found is not None
    assert ("40 metres", "50 metres") == (text[found.span.start : found.span.end], found.words)
    assert replacement(claim, silent, text, "") is None


_edits = st.lists(
    st.tuples(st.integers(0, 38), st.integers(1, 8), st.text("xyz ", max_size=5), st.sampled_from(EditStatus)),
    max_size=8,
)


@settings(max_examples=60, deadline=None)
@given(st.text(min_size=40, max_size=48), _edits)
def test_every_other_character_stays(text: str, drawn: list[tuple[int, int, str, EditStatus]]) -> None:
    """Outside the edits the corrected text is the original; undoing them gives it back; none overlap."""
    given_ = [
        Edit(str(i), at, min(at + n, len(text)), text[at : at + n], words, None, status)
        for i, (at, n, words, status) in enumerate(drawn)
    ]
    found = applied(text, given_)
    made = list(dict.fromkeys((e.start, e.end, e.after) for e in found.edits if e.status is EditStatus.APPLIED))
    undone, at, shift = "", 0, 0
    for start, end, words in made:
        assert at <= start
        assert words == found.text[start + shift : start + shift + len(words)]
        undone += found.text[at + shift : start + shift] + text[start:end]
        shift += len(words) - (end - start)
        at = end
    assert text == undone + found.text[at + shift :]
    assert sorted(e.claim for e in given_) == sorted(e.claim for e in found.edits)
    assert sorted((e.start, e.end) for e in given_) == [(e.start, e.end) for e in found.edits]


def test_of_overlapping_edits_the_first_wins() -> None:
    """The later one is recorded as overlapping; the same change for two claims is made once and stands for both."""
    text = "one two three"
    spans = [("a", 0, 7, "1 2"), ("b", 4, 13, "2 3"), ("c", 0, 7, "1 2")]
    found = applied(text, [Edit(c, s, e, text[s:e], w, None, EditStatus.APPLIED) for c, s, e, w in spans])
    assert "1 2 three" == found.text
    assert [("a", "applied"), ("c", "applied"), ("b", "overlap")] == [(e.claim, e.status.value) for e in found.edits]


TEXT = "Ann was born in Oslo. Bob met Cy in May. Dora sings."
KNOWN = "Ann was born in Rome. Bob met Cy in June."


def _draft(text: str = TEXT) -> Draft:
    """Two suspected claims and one that is not."""
    claims = [
        _claim(text, "Ann", "was born in", "Oslo"),
        _claim(text, "Bob", "met Cy in", "May"),
        _claim(text, "Dora", "sings", "sings"),
    ]
    seen = zip(claims, (0.9, 0.6, 0.5), strict=True)
    return Draft(text, KNOWN, tuple(Checked(c, Outcome.REFUTED, (), p, f"v1:{c.object}") for c, p in seen))


def _model(prompt: str) -> str:
    """A language model that knows KNOWN, and in step 2 replaces the old object by the new one."""
    if "<old_triple>" in prompt:
        old, new = (json.loads(found) for found in re.findall(r"_triple>(\[.*?\])</", prompt))
        text = re.findall(r"<context>(.*)</context>", prompt, re.DOTALL)[0]
        return f"<context>\n{text.replace(old[2], new[2])}\n</context>"
    if "<summary>" in prompt:
        return "Ann was born in Rome. Bob met Cy in June."
    triple = json.loads(re.findall(r"<triple>(.*)</triple>", prompt)[0])
    return repr([*triple[:2], {"Oslo": "Rome", "May": "June"}[triple[2]]])


def _run(method: type[GraphCorrect | DirectPrompt], given_: Draft, server: ChatServer) -> Corrected:
    return method(OpenAIChat(server.url, "scripted")).correct(given_)


def test_graphcorrect_corrects_one_claim_after_another() -> None:
    """Suspected claims alone, in span order, each on the latest text, with temperature and top_p of the paper."""
    with serving(_model) as server:
        found = _run(GraphCorrect, _draft(), server)
    assert "Ann was born in Rome. Bob met Cy in June. Dora sings." == found.text
    changes = [(e.before, e.after, e.verdict, TEXT[e.start : e.end], e.status.value) for e in found.edits]
    assert [
        ("Oslo.", "Rome.", "v1:Oslo", "Oslo.", "applied"),
        ("May.", "June.", "v1:May", "May.", "applied"),
    ] == changes
    assert {(1.0, 1.0)} == {(request["temperature"], request["top_p"]) for request in server.asked}
    assert all(64 < request["max_tokens"] <= 64 + len(TEXT) // 2 for request in server.asked)
    assert "born in Rome" in server.prompts[3]
    assert ["<triple>", "<triple>", "<old_triple>", "<old_triple>"] == [
        next(tag for tag in ("<old_triple>", "<triple>") if tag in prompt) for prompt in server.prompts
    ]


def test_no_prompt_holds_context_and_output() -> None:
    """Of GraphCorrect's prompts some hold the context, some the text, none both: not even a sentence of each."""
    with serving(_model) as server:
        _run(GraphCorrect, _draft(), server)
    held = [("Bob met Cy in June." in prompt, "Dora sings." in prompt) for prompt in server.prompts]
    assert {(True, False), (False, True)} == set(held[:3])
    assert 4 == len(held)
    assert not any(KNOWN in prompt and "Dora sings." in prompt for prompt in server.prompts)
    assert [KNOWN in prompt for prompt in server.prompts] == [True, True, False, False]


def test_an_unusable_triple_leaves_the_text() -> None:
    """What is no triple of three strings changes nothing, on record; so does one that stays the same."""
    with serving(lambda prompt: "I cannot." if "Oslo" in prompt else '["Bob", "met Cy in", "May"]') as server:
        found = _run(GraphCorrect, _draft(), server)
    assert (TEXT, ["malformed answer", "unchanged"]) == (found.text, _statuses(found))
    assert ["there is no triple of three strings in it, none of them empty", None] == [e.reason for e in found.edits]
    assert 3 == len(server.asked)
    assert any("could not be read: there is no triple" in prompt for prompt in server.prompts)
    with serving(lambda prompt: "  " if "<old" in prompt else '["a", "b", "c"]') as server:
        assert ["malformed answer"] * 2 == _statuses(_run(GraphCorrect, _draft(), server))


def test_what_the_model_does_not_answer_is_on_record() -> None:
    """One claim's silence leaves its words with the reason, and the others are corrected all the same."""
    gone = (400, "no such luck", {})
    with serving(lambda prompt: gone if "Oslo" in prompt and "<triple>" in prompt else _model(prompt)) as server:
        found = _run(GraphCorrect, _draft(), server)
    assert ["model failed", "applied"] == _statuses(found)
    assert "no such luck" in (found.edits[0].reason or "")
    assert "Ann was born in Oslo. Bob met Cy in June. Dora sings." == found.text
    with serving(lambda _: gone) as server:
        found = _run(DirectPrompt, _draft(), server)
    assert (TEXT, ["model failed"] * 2) == (found.text, _statuses(found))


def test_spaces_around_the_text_stay() -> None:
    """An answer without the text's outer white space does not take it away; a longer text shifts what comes later."""
    text = f"\n {TEXT}\n"
    with serving(lambda p: _model(p).replace("'Rome'", "'the city of Rome'")) as server:
        found = _run(GraphCorrect, _draft(text), server)
    assert "\n Ann was born in the city of Rome. Bob met Cy in June. Dora sings.\n" == found.text
    assert ["Oslo.", "May."] == [text[edit.start : edit.end] for edit in found.edits]


def test_direct_prompt_asks_once() -> None:
    """One prompt with text and context; the change stands for each suspected claim; without one nobody is asked."""
    calm = Draft(TEXT, KNOWN, _draft().claims[2:])
    with serving(_model) as server:
        found = _run(DirectPrompt, _draft(), server)
        assert Corrected(TEXT, TEXT, ()) == _run(DirectPrompt, calm, server)
    assert 1 == len(server.asked)
    assert KNOWN in server.prompts[0]
    assert TEXT in server.prompts[0]
    assert "Ann was born in Rome. Bob met Cy in June." == found.text
    assert ["v1:Oslo", "v1:May"] == [edit.verdict for edit in found.edits]
    assert 1 == len({(edit.start, edit.end, edit.before, edit.after) for edit in found.edits})


def test_what_a_method_says_of_hallucination_is_its_own_signal() -> None:
    """The probability is the signal of that method's name; another method's, or none, leaves it unknown."""
    from claimgraph.kgstore.model import Finding, Signal, Status

    claim = _claim(TEXT, "Ann", "was born in", "Oslo")
    signals = (Signal("kea", "hallucination", 0.9), Signal("fused", "hallucination", 0.4))
    evidence = Citation(Evidence("e1:x", "x", "c"), Stance.REFUTES, 1.0)
    found = Finding(Outcome.REFUTED, Status.COMPLETE, "x", citations=(evidence,), signals=signals)
    values: Sequence[float | None] = [
        draft(TEXT, KNOWN, [claim], [found], name).claims[0].hallucination for name in ("kea", "fused", "factalign")
    ]
    assert [0.9, 0.4, None] == values

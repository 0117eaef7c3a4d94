"""Fusion: how signals become outcomes, and what findings then say."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from curie import claim_of, curie_context

import claimgraph
from claimgraph import wiring
from claimgraph.detect.check_input import Case
from claimgraph.detect.extraction.claim_kg import claim_kg
from claimgraph.detect.extraction.extractor import RuleExtractor
from claimgraph.detect.methods.fusion.calibration import (
    Calibration,
    OutcomeWeights,
    Profile,
    Sums,
    Weight,
    Weights,
    dumps,
    load,
)
from claimgraph.detect.methods.fusion.deciding import needed, telling
from claimgraph.detect.methods.fusion.detector import FusedDetector
from claimgraph.detect.methods.fusion.premises_read import WHOLE
from claimgraph.detect.methods.kea import KeaDetector
from claimgraph.detect.methods.rules import RuleDetector
from claimgraph.detect.models.embedder import CachedEmbedder, MiniLMEmbedder
from claimgraph.detect.models.row_cache import VectorCache
from claimgraph.evidence.evidence_set import of_context
from claimgraph.kgstore.errors import InputError
from claimgraph.kgstore.identity import context_graph, document_id
from claimgraph.kgstore.model import Document, Extraction, Outcome, Passage, Span, Stance, Status, Subgraph
from claimgraph.settings import Settings

MODEL = CachedEmbedder(MiniLMEmbedder(), VectorCache(None, "MiniLM"))
WARSAW, PARIS = ("Marie Curie", "was born in", "Warsaw"), ("Marie Curie", "was born in", "Paris")
CATS = ("Marie Curie", "liked", "cats")


class Fixed:
    """An entailment model that gives every pair the same answer and keeps what it was asked."""

    model = "fixed"

    def __init__(self, *answer: float) -> None:
        self.answer, self.asked = answer, list[tuple[str, str]]()

    def entail(self, pairs: Sequence[tuple[str, str]]) -> np.ndarray:
        self.asked += pairs
        return np.array([self.answer] * len(pairs), np.float32).reshape(-1, 3)


def weights(bias: float, **parts: float) -> Weights:
    """Signals taken as they are."""
    return Weights(bias, {key.replace("__", "."): Weight(0.0, 1.0, weight) for key, weight in parts.items()})


PASSAGE = Sums(weights(0.0, passage__entailment=1.0), weights(0.0, passage__contradiction=1.0, typed__conflict=9.0))
READ = OutcomeWeights(
    whole=PASSAGE,
    part=PASSAGE,
    support=0.6,
    refute=0.6,
    fitted_on=(),
    models=(),
)
"""As the model reads the passage, but for another value."""


def calibration(**profile: float) -> Calibration:
    """Weights for outcomes, and a profile for texts of any length where it has signals."""
    made = Profile(weights(0.0, **profile), 0.5, "f1", ("made up",), ("MiniLM",))
    kinds = [f"{kind}{ending}" for kind in ("text", "sentence") for ending in ("", "+entailment")]
    return Calibration(dict.fromkeys(kinds, made) if profile else {}, {}, (READ,))


def case(*triples: tuple[str, str, str], closed: bool = True, facts: Subgraph | None = None) -> Case:
    """Claims beside the context of the rules' tests, written as sentences."""
    found, passages = curie_context()
    text = " ".join(f"{' '.join(t)}." for t in triples)
    claims, sentences, at = [], [], 0
    for triple in triples:
        end = at + len(" ".join(triple)) + 1
        claims.append(claim_of(text, triple, at, end))
        sentences.append(Span(at, end))
        at = end + 1
    return Case(tuple(claims), found if facts is None else facts, tuple(passages), closed, text, tuple(sentences))


def beside_triple(*said: tuple[str, str, str], known: tuple[str, str, str]) -> Case:
    """Claims beside one given triple, which is all the context there is."""
    text = f"{' '.join(known)}."
    document, span = Document(document_id(text), text), Span(0, len(text))
    facts = claim_kg(Extraction(document, (span,), (claim_of(text, known, 0, len(text)),)), context_graph(document.id))
    return replace(case(*said), facts=facts, passages=(Passage(text, "the context", document.id, span),), given=True)


def passages(*sentences: str) -> list[Passage]:
    """Sentences of a context."""
    return [Passage(text, "the context") for text in sentences]


def _score(finding):
    return next(s.value for s in finding.signals if (s.method, s.name) == ("fused", "hallucination"))


def test_a_verdict_quotes_what_it_rests_on():
    """The verdict cites the nearest sentence, which its reason quotes; an open one says that it is only the nearest."""
    [[copied]] = FusedDetector(MODEL, Fixed(0.9, 0.05, 0.05), calibration()).detect([case(WARSAW)])
    assert Stance.SUPPORTS == copied.citations[0].stance
    assert copied.citations[0].evidence.text in copied.reason
    [[made_up]] = FusedDetector(MODEL, Fixed(0.02, 0.96, 0.02), calibration()).detect([case(CATS)])
    assert "does not say so" in made_up.reason


def test_what_the_context_states_is_supported_whatever_the_model_says() -> None:
    """A statement that was read from the context in the same words is never refuted, nor left open."""
    text = "The strike began at five and ended at midnight."
    context = Document(document_id(text), text, name="the context")
    [read] = RuleExtractor().extract([context])
    claim = claim_of("The strike ended at midnight.", ("The strike", "ended at", "midnight"), 0, 29)
    said = of_context(read, "rules").passages
    asked = Case((claim,), Subgraph({}, ()), said, True, "The strike ended at midnight.", (), None)
    for model in (Fixed(0.01, 0.01, 0.98), Fixed(0.01, 0.98, 0.01)):
        [[found]] = FusedDetector(MODEL, model, calibration()).detect([asked])
        assert Outcome.SUPPORTED is found.outcome
        assert text in found.reason


class ByWord:
    """An entailment model to which a premise contradicts everything if it has a word, and says nothing if not."""

    model = "by word"

    def __init__(self, word: str) -> None:
        self.word, self.asked = word, list[tuple[str, str]]()

    def entail(self, pairs: Sequence[tuple[str, str]]) -> np.ndarray:
        self.asked += pairs
        return np.array([[0.02, 0.02, 0.96] if self.word in p else [0.02, 0.96, 0.02] for p, _ in pairs], np.float32)


def test_the_sentence_that_decides_alone_is_quoted() -> None:
    """Where the nearest sentence does not decide, the sentences of the premise that does are read alone."""
    said = passages("Visitors came in its first week.", "The library opens at nine.", "It is shut on Sundays.")
    triple = ("Visitors", "can come on", "Sundays")
    claim = claim_of("Visitors can come on Sundays.", triple, 0, 29)
    asked = Case((claim,), Subgraph({}, ()), tuple(said), True, "Visitors can come on Sundays.", (), None)
    model = ByWord("shut")
    [[found]] = FusedDetector(MODEL, model, calibration()).detect([asked])
    assert Outcome.REFUTED is found.outcome
    assert ["It is shut on Sundays."] == [one.evidence.text for one in found.citations if not one.evidence.fact_id]
    assert "It is shut on Sundays." in found.reason


def test_the_sentence_that_decides_a_triple_is_quoted() -> None:
    """Where only a claim's triple is entailed, the sentences are read alone beside the triple, not the statement."""
    told = "Steering by phone is possible."
    said = passages("The Nimbus 4 of the older range had no app of its own.", told, "It weighs 4 kg.")
    text = "Unlike the Nimbus 4 of the older range, the Nimbus 5 has an app."
    claim = replace(claim_of(text, ("the Nimbus 5", "has", "an app"), 0, len(text)), statement=text)

    class TripleAlone(ByWord):
        def entail(self, pairs: Sequence[tuple[str, str]]) -> np.ndarray:
            found = [told in premise and "older" not in claimed for premise, claimed in pairs]
            return np.array([[0.96, 0.02, 0.02] if one else [0.02, 0.96, 0.02] for one in found], np.float32)

    asked = Case((claim,), Subgraph({}, ()), tuple(said), True, text, (), None)
    by_triple = Sums(weights(0.0, triple__entailment=1.0), weights(0.0, triple__contradiction=1.0))
    weighed = Calibration({}, {}, (replace(READ, whole=by_triple, part=by_triple),))
    [[found]] = FusedDetector(MODEL, TripleAlone(""), weighed).detect([asked])
    assert Outcome.SUPPORTED is found.outcome
    assert [told] == [one.evidence.text for one in found.citations if not one.evidence.fact_id]


def test_what_stands_apart_is_read_beside_many_sentences() -> None:
    """A claim that no passage tells of is supported where many sentences do, and the one that tells it is quoted."""
    told = "Whoever is under twelve pays nothing there."
    said = passages(*(f"The museum of ships has a hall with {n} models of ships." for n in range(9)), told)
    text = "Children see the ships for free."
    claim = claim_of(text, ("Children", "see", "the ships for free"), 0, len(text))
    asked = Case((claim,), Subgraph({}, ()), tuple(said), True, text, (), None)

    class Told(ByWord):
        def entail(self, pairs: Sequence[tuple[str, str]]) -> np.ndarray:
            found = [self.word in premise for premise, _ in pairs]
            return np.array([[0.96, 0.02, 0.02] if one else [0.02, 0.96, 0.02] for one in found], np.float32)

    [[found]] = FusedDetector(MODEL, Told("twelve"), calibration()).detect([asked])
    assert (Outcome.SUPPORTED, [told]) == (
        found.outcome,
        [one.evidence.text for one in found.citations if not one.evidence.fact_id],
    )
    [[silent]] = FusedDetector(MODEL, Told("thirteen"), calibration()).detect([asked])
    assert Outcome.NOT_ENOUGH_INFO is silent.outcome


def test_only_sentences_with_other_words_are_cited():
    """Of the sentences that decide together the first stays, and those that add words of the statement."""
    said = passages(
        "The pump costs 80 euros.", "It is red.", "The warranty of the pump is 24 months.", "A pump is loud."
    )
    assert (0, 2) == needed("The pump costs 80 euros, with a warranty of 24 months.", (0, 1, 2, 3), said)
    assert (1,) == needed("It is red.", (1, 0, 2, 3), said)


def test_the_sentence_that_tells_is_quoted() -> None:
    """Of the cited sentences the first is that with the other value, else that with the words beside the subject; not
    the one that only names the subject.
    """
    said = passages("The Halden Bridge spans the Arne.", "It was opened in 1934.", "It is grey.")
    triple = ("The Halden Bridge", "was opened in", "1931")
    opened = claim_of(f"{' '.join(triple)}.", triple, 0, 37)
    assert [1, 0] == telling(opened, "1934", (0, 1), said)
    assert [1, 0] == telling(opened, None, (0, 1), said)
    assert [0, 2] == telling(opened, None, (0, 2), said)


def test_a_word_of_the_sentence_refutes():
    """Where the model finds the claim entailed with the sentence's word, not as it stands, that word refutes it."""

    class Reads(Fixed):
        def entail(self, pairs):
            return np.array([(0.9, 0.05, 0.05) if "1,850" in said else (0.2, 0.35, 0.45) for _, said in pairs])

    text = passages("The concert hall, which opened last week, has seats for 1,850 people.")
    claim = replace(case(WARSAW).claims[0], statement="The new hall can seat 1,580.")
    asked = replace(case(CATS), claims=(claim,), passages=tuple(text))
    [[finding]] = FusedDetector(MODEL, Reads(), calibration()).detect([asked])
    assert Outcome.REFUTED == finding.outcome
    assert finding.reason.startswith("The text says 1,580; the context says 1,850")


@pytest.mark.parametrize(
    ("text", "context"),
    [
        ("The tower was painted by Pablo Picasso.", "The tower stands in Paris. It was built by Gustave Eiffel."),
        ("Maria Aldington died in 1934.", "Maria Aldington was born in 1871. She won the Sauter Medal in 1911."),
        ("The Halden Bridge has four lanes.", "The Halden Bridge spans the Arne. It was opened in 1934."),
        ("The ferry takes two hours.", "The ferry runs every hour from June to September. Bicycles travel free."),
        ("Ann Lee was vaccinated in May.", "Ann Lee, 40, runs the clinic in Bresk. She was elected in 2019."),
    ],
)
def test_what_is_not_mentioned_stays_open(text, context, tmp_path):
    """Also where the source tells of the same person or thing, and has another date or name."""
    settings = claimgraph.Settings(entailment="small", store=tmp_path / "store", cache=tmp_path / "cache")
    report = claimgraph.check(text, context=context, settings=settings)
    assert {Outcome.NOT_ENOUGH_INFO} == {verdict.outcome for verdict in report.verdicts}


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [((0.15, 0.2, 0.65), Outcome.NOT_ENOUGH_INFO), ((0.05, 0.05, 0.9), Outcome.REFUTED)],
    ids=["unsure", "sure"],
)
def test_a_value_in_another_writing_is_refuted_only_by_a_sure_model(answer, outcome):
    """A model cannot convert: the two years of the passage are the claim's 24 months."""
    claim = replace(case(CATS).claims[0], statement="The warranty covers 24 months.")
    text = passages("It costs 249 euros and comes with a two-year warranty.")
    asked = replace(case(CATS), claims=(claim,), passages=tuple(text))
    [[finding]] = FusedDetector(MODEL, Fixed(*answer), calibration()).detect([asked])
    assert outcome is finding.outcome


@pytest.mark.parametrize("sure", [0.9, 0.65])
def test_a_right_claim_of_a_wrong_statement(sure):
    """Of a refuted statement the claim whose triple the model entails is supported, the other is not; if the other is
    known to be at fault, the model need not be sure.
    """

    class Reads(Fixed):
        def entail(self, pairs):
            return np.array(
                [
                    (sure, 0, 1 - sure) if "1867" in said and "Paris" not in said else (0.02, 0.08, 0.9)
                    for _, said in pairs
                ]
            )

    one = case(PARIS, ("Marie Curie", "was born in", "1867"))
    said = "Marie Curie was born in Paris in 1867."
    claims = tuple(replace(claim, text=said, statement=said) for claim in one.claims)
    [[paris, year]] = FusedDetector(MODEL, Reads(), calibration()).detect([replace(one, claims=claims)])
    assert (Outcome.REFUTED, Outcome.SUPPORTED) == (paris.outcome, year.outcome)


@pytest.mark.parametrize(
    ("answer", "outcome", "status"),
    [
        ((0.9, 0.05, 0.05), Outcome.SUPPORTED, Status.COMPLETE),
        ((0.05, 0.05, 0.9), Outcome.REFUTED, Status.COMPLETE),
        ((0.02, 0.96, 0.02), Outcome.NOT_ENOUGH_INFO, Status.COMPLETE),
        ((0.5, 0.0, 0.5), Outcome.NOT_ENOUGH_INFO, Status.UNCLEAR),
    ],
)
def test_the_model_decides(answer, outcome, status):
    """The outcome is what the model reads, weighed; where it reads both ways the claim is open as unclear."""
    [[finding]] = FusedDetector(MODEL, Fixed(*answer), calibration()).detect([case(CATS)])
    assert (outcome, status) == (finding.outcome, finding.status)


def test_a_statement_is_read_beside_few_sentences():
    """The model reads the statement beside three premises of the context and the triple beside one, each pair once."""
    model = Fixed(0.1, 0.8, 0.1)
    FusedDetector(MODEL, model, calibration()).detect([case(CATS), case(WARSAW, CATS)])
    assert len(model.asked) == len(set(model.asked)) <= 2 * 4
    assert {"Marie Curie liked cats.", "Marie Curie was born in Warsaw."} == {said for _, said in model.asked}


def test_no_sentence_is_quoted_where_none_is_near():
    """Of something else than the context speaks of, the reason says that nothing is said."""
    whales = ("Whales", "are", "mammals")
    [[finding]] = FusedDetector(MODEL, Fixed(0.02, 0.96, 0.02), calibration()).detect([case(whales)])
    assert (Outcome.NOT_ENOUGH_INFO, "The context says nothing of this.") == (finding.outcome, finding.reason)


def test_another_value_is_named():
    """A refuted claim whose value the nearest sentence has otherwise says both values."""
    said = ("Marie Curie", "won the Nobel Prize in Physics in", "1911")
    one = replace(case(said), passages=tuple(passages("Marie Curie won the Nobel Prize in Physics in 1903.")))
    [[finding]] = FusedDetector(MODEL, Fixed(0.1, 0.8, 0.1), calibration()).detect([one])
    assert Outcome.REFUTED == finding.outcome
    assert "The text says 1911" in finding.reason
    assert "says 1903" in finding.reason


def test_probabilities_sum_to_one():
    """The probability of each outcome is a signal, and the confidence is that of the outcome given."""
    [[finding]] = FusedDetector(MODEL, Fixed(0.7, 0.2, 0.1), calibration()).detect([case(CATS)])
    shares = {s.name: s.value for s in finding.signals if s.method == "fused" and s.name != "hallucination"}
    assert pytest.approx(1, abs=1e-3) == sum(shares.values())
    assert finding.confidence == shares[finding.outcome.value.lower()]


def test_wording_only_ranks():
    """A profile changes the score that outputs are ranked by, and no outcome."""
    plain, worded = calibration(), calibration(sentence__words=4.0)
    [[first]], [[second]] = (
        FusedDetector(MODEL, Fixed(0.1, 0.8, 0.1), found).detect([case(CATS)]) for found in (plain, worded)
    )
    assert first.outcome is second.outcome
    assert _score(first) != _score(second)


def test_wording_is_read_where_it_is_weighed():
    """Without a profile no sentence is embedded for its wording, unless a profile is to be fitted to it."""
    plain, weighed = calibration(), calibration(sentence__words=1.0)
    for fitted, worded, read in ((plain, False, False), (plain, True, True), (weighed, False, True)):
        [[found]] = FusedDetector(MODEL, None, fitted, worded=worded).detect([case(WARSAW)])
        assert read == any(signal.method in ("sentence", "output") for signal in found.signals)


def test_given_triples_are_ranked_by_the_kernel():
    """Beside triples alone the kernel's score is the rank, and changes no outcome; a fitted profile ranks instead."""
    one = beside_triple(WARSAW, PARIS, known=WARSAW)
    model = Fixed(0.4, 0.5, 0.1)
    [found], [kernel] = FusedDetector(MODEL, model, calibration()).detect([one]), KeaDetector(MODEL).detect([one])
    for finding, other in zip(found, kernel, strict=True):
        assert [_score(finding)] == [s.value for s in other.signals if s.name == "hallucination"]
    assert _score(found[0]) < _score(found[1])
    fitted = replace(calibration(), profiles={"triples+entailment": Profile(weights(2.0), 0.5, "f1", (), ())})
    [ranked] = FusedDetector(MODEL, model, fitted).detect([one])
    assert [pytest.approx(0.8808, abs=1e-3)] * 2 == [_score(finding) for finding in ranked]
    assert [finding.outcome for finding in found] == [finding.outcome for finding in ranked]


def test_rules_alone():
    """By facts in an open domain, without sentences, and without an entailment model the rules decide alone."""
    model = Fixed(0.02, 0.08, 0.9)
    for one, asked in [
        (replace(case(WARSAW, PARIS, CATS, closed=False), passages=()), model),
        (replace(case(WARSAW, PARIS), passages=()), model),
        (case(WARSAW, PARIS, CATS), None),
    ]:
        [expected], [found] = (
            RuleDetector(MODEL).detect([one]),
            FusedDetector(MODEL, asked, calibration()).detect([one]),
        )
        assert [f.outcome for f in expected] == [f.outcome for f in found]
        assert [f.reason for f in expected] == [f.reason for f in found]
        ruled = [s.value for f in expected for s in f.signals if s.name == "hallucination"]
        assert ruled == [_score(f) for f in found]


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [((0.5, 0.4, 0.1), Outcome.SUPPORTED), ((0.4, 0.5, 0.1), Outcome.NOT_ENOUGH_INFO)],
)
def test_sentences_beside_a_graph_decide_only_what_the_model_confirms(answer, outcome):
    """Words of a sentence support nothing that the model does not find entailed; what is left open cites it still."""
    one = replace(case(WARSAW, closed=False), facts=Subgraph({}, ()))
    [[ruled]] = RuleDetector(MODEL).detect([one])
    model = Fixed(*answer)
    [[found]] = FusedDetector(MODEL, model, calibration()).detect([one])
    assert (Outcome.SUPPORTED, outcome) == (ruled.outcome, found.outcome)
    assert model.asked == [(cited.evidence.text, one.claims[0].sentence) for cited in ruled.citations]
    open_ = outcome is Outcome.NOT_ENOUGH_INFO
    assert [Stance.NEUTRAL if open_ else Stance.SUPPORTS] * len(ruled.citations) == [c.stance for c in found.citations]
    assert open_ == (0.5 == _score(found)) == ("does not say whether" in found.reason)


def test_no_claims():
    """A case without claims has no findings, and costs the others nothing."""
    nothing, one = FusedDetector(MODEL, None, calibration()).detect([case(), case(WARSAW)])
    assert [] == nothing
    assert 1 == len(one)


def test_configuration():
    """The calibration and the models are part of what fixes a verdict."""
    configs = {
        FusedDetector(MODEL, model, found).config
        for model in (None, Fixed(1, 0, 0))
        for found in (calibration(), calibration(sentence__words=1.0))
    }
    assert 4 == len(configs)
    assert "calibrated" == json.loads(configs.pop())["preset"]


def test_file_round_trip(tmp_path):
    """A calibration written to a file is the same when it is read."""
    path = tmp_path / "c.json"
    path.write_text(dumps(calibration(sentence__words=1.5)))
    assert calibration(sentence__words=1.5) == load(path)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        '{"format": 9}',
        '{"format": 2, "profiles": [], "thresholds": {}, "outcomes": {}}',
        '{"format": 2, "profiles": {}, "thresholds": {"kea": {"similarity": 0.5}}, "outcomes": {}}',
    ],
)
def test_other_files_are_refused(tmp_path, text):
    """A file of another form is one clear line that names it."""
    path = tmp_path / "c.json"
    path.write_text(text)
    with pytest.raises(InputError, match=r"c\.json"):
        load(path)


def test_shipped():
    """Either shipped entailment model has weights of its own, which were fitted on sets that they name."""
    for name in ("small", "base"):
        model = wiring.entailment(Settings(entailment=name))
        assert model is not None
        outcomes = load().deciding(model.model)
        assert model.model.startswith(outcomes.models[-1])
        assert outcomes.fitted_on
        assert 0 < outcomes.support < 1
        assert 0 < outcomes.refute < 1


def test_a_whole_context_has_its_own_weights() -> None:
    """The signal that the passage is all of the context chooses between the sums."""
    made = replace(READ, part=Sums(weights(9.0), weights(0.0)))
    [whole, part] = (made.probabilities({WHOLE: kind, "passage.entailment": 0.0}) for kind in (1.0, 0.0))
    assert part[Outcome.SUPPORTED] > 0.9 > whole[Outcome.SUPPORTED]


def test_weights_of_a_model():
    """Weights are found by the entailment model's name and version, the first for any other, and refitted alone."""
    small, large = (replace(READ, models=("embedder", name)) for name in ("small-3", "large-1"))
    both = replace(calibration(), outcomes=(small, large))
    assert [small, large, small] == [both.deciding(name) for name in ("small-3-7b6b", "large-1-0c", "other-3")]
    anew = replace(large, support=0.5)
    assert (small, anew) == both.refitted(anew).outcomes
    assert (small, large, replace(READ, models=("embedder", "third-1"))) == both.refitted(
        replace(READ, models=("embedder", "third-1"))
    ).outcomes

"""Fusion: how signals become outcomes, and what findings then say."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from test_rules import _claim, _context

from claimgraph.detect.check_input import Case
from claimgraph.detect.methods.fusion.calibration import Calibration, Profile, dumps, load
from claimgraph.detect.methods.fusion.detector import FusedDetector
from claimgraph.detect.methods.fusion.outcomes import OutcomeWeights
from claimgraph.detect.methods.fusion.weights import Weight, Weights
from claimgraph.detect.methods.rules import RuleDetector
from claimgraph.detect.models.embedder import CachedEmbedder, MiniLMEmbedder
from claimgraph.detect.models.vector_cache import VectorCache
from claimgraph.kgstore.errors import InputError
from claimgraph.kgstore.model import Outcome, Passage, Span, Stance, Status, Subgraph

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


COVERED = OutcomeWeights(weights(-10.0, premise__coverage=12.0), weights(-6.0, typed__conflict=12.0), 0.5, 0.5, (), ())
"""Without a model: what the passage covers is supported, what has another value is refuted."""
READ = OutcomeWeights(weights(0.0, passage__entailment=1.0), weights(0.0, passage__contradiction=1.0), 0.6, 0.6, (), ())
"""With a model: as it reads the passage."""


def calibration(plain: OutcomeWeights = COVERED, entailment: OutcomeWeights = READ, **profile: float) -> Calibration:
    """Both kinds of weights, and a profile for texts of any length where it has signals."""
    made = Profile(weights(0.0, **profile), 0.5, "f1", ("made up",), ("MiniLM",))
    profiles = dict.fromkeys(("text", "sentence"), made) if profile else {}
    return Calibration(profiles, {}, {"plain": plain, "entailment": entailment})


def case(*triples: tuple[str, str, str], closed: bool = True, facts: Subgraph | None = None) -> Case:
    """Claims beside the context of the rules' tests, written as sentences."""
    found, passages = _context()
    text = " ".join(f"{' '.join(t)}." for t in triples)
    claims, sentences, at = [], [], 0
    for triple in triples:
        end = at + len(" ".join(triple)) + 1
        claims.append(_claim(text, triple, at, end))
        sentences.append(Span(at, end))
        at = end + 1
    return Case(tuple(claims), found if facts is None else facts, tuple(passages), closed, text, tuple(sentences))


def passages(*sentences: str) -> list[Passage]:
    """Sentences of a context."""
    return [Passage(text, "the context") for text in sentences]


def _score(finding):
    return next(s.value for s in finding.signals if (s.method, s.name) == ("fused", "hallucination"))


def test_without_a_model():
    """Words and typed values decide; the verdict rests on the nearest sentence, which its reason quotes."""
    [[copied, made_up]] = FusedDetector(MODEL, None, calibration()).detect([case(WARSAW, CATS)])
    assert (Outcome.SUPPORTED, Outcome.NOT_ENOUGH_INFO) == (copied.outcome, made_up.outcome)
    assert Stance.SUPPORTS == copied.citations[0].stance
    assert copied.citations[0].evidence.text in copied.reason
    assert "says so" in copied.reason
    assert "does not say so" in made_up.reason


@pytest.mark.parametrize(
    ("answer", "outcome", "status"),
    [
        ((0.9, 0.05, 0.05), Outcome.SUPPORTED, Status.COMPLETE),
        ((0.05, 0.05, 0.9), Outcome.REFUTED, Status.COMPLETE),
        ((0.02, 0.96, 0.02), Outcome.NOT_ENOUGH_INFO, Status.COMPLETE),
        ((0.5, 0.0, 0.5), Outcome.NOT_ENOUGH_INFO, Status.CONFLICTING),
    ],
)
def test_the_model_decides(answer, outcome, status):
    """The outcome is what the model reads, weighed; where it reads both ways the claim is open as conflicting."""
    [[finding]] = FusedDetector(MODEL, Fixed(*answer), calibration()).detect([case(CATS)])
    assert (outcome, status) == (finding.outcome, finding.status)


def test_a_statement_is_read_beside_few_sentences():
    """The model reads the statement beside three premises of the context and the triple beside one, each pair once."""
    model = Fixed(0.1, 0.8, 0.1)
    FusedDetector(MODEL, model, calibration()).detect([case(CATS), case(WARSAW, CATS)])
    assert len(model.asked) == len(set(model.asked)) <= 2 * 4
    assert {"Marie Curie liked cats.", "Marie Curie was born in Warsaw."} == {said for _, said in model.asked}


def test_another_value_is_named():
    """A refuted claim whose value the nearest sentence has otherwise says both values."""
    said = ("Marie Curie", "won the Nobel Prize in Physics in", "1911")
    one = replace(case(said), passages=tuple(passages("Marie Curie won the Nobel Prize in Physics in 1903.")))
    [[finding]] = FusedDetector(MODEL, None, calibration()).detect([one])
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
    [[first]], [[second]] = (FusedDetector(MODEL, None, found).detect([case(CATS)]) for found in (plain, worded))
    assert first.outcome is second.outcome
    assert _score(first) != _score(second)


def test_rules_alone():
    """In an open domain, and without sentences, the rules decide alone."""
    for one in (case(WARSAW, PARIS, CATS, closed=False), replace(case(WARSAW, PARIS), passages=())):
        [expected], [found] = RuleDetector(MODEL).detect([one]), FusedDetector(MODEL, None, calibration()).detect([one])
        assert [f.outcome for f in expected] == [f.outcome for f in found]
        assert [f.reason for f in expected] == [f.reason for f in found]
        ruled = [s.value for f in expected for s in f.signals if s.name == "hallucination"]
        assert ruled == [_score(f) for f in found]


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
    """The shipped calibration decides claims with an entailment model and without, fitted on sets that it names."""
    outcomes = load().outcomes
    assert {"entailment", "plain"} == set(outcomes)
    assert all(found.fitted_on and 0 < found.support < 1 and 0 < found.refute < 1 for found in outcomes.values())

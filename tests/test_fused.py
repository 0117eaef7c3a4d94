"""Fusion: which profile decides, what the rules keep, and what findings then say."""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np
import pytest
from test_rules import _claim, _context

from claimgraph.detect.check_input import Case
from claimgraph.detect.methods.fusion.calibration import Calibration, Kind, Profile, dumps, load
from claimgraph.detect.methods.fusion.detector import FusedDetector
from claimgraph.detect.methods.fusion.weights import Weight, Weights
from claimgraph.detect.methods.rules import RuleDetector
from claimgraph.detect.models.embedder import CachedEmbedder, MiniLMEmbedder
from claimgraph.detect.models.vector_cache import VectorCache
from claimgraph.kgstore.errors import InputError
from claimgraph.kgstore.model import Outcome, Span, Stance, Subgraph

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


def calibration(bias: float, ending: str = "", **weights: float) -> Calibration:
    """One profile for texts of any length, whose signals are taken as they are; a threshold of 0.5."""
    parts = {key.replace("__", "."): Weight(0.0, 1.0, weight) for key, weight in weights.items()}
    profile = Profile(Weights(bias, parts), 0.5, "f1", ("made up",), ("MiniLM",))
    return Calibration({f"{kind}{ending}": profile for kind in ("text", "sentence")}, {})


EMPTY = Calibration({}, {})


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


def _score(finding):
    return next(s.value for s in finding.signals if (s.method, s.name) == ("fused", "hallucination"))


def test_the_sum_decides():
    """A weighted signal above the threshold makes a claim hallucinated, below it supported, whatever the rules leave
    open; the outcome rests on the nearest sentences."""
    novel = calibration(-1.0, sentence__words=4.0)
    [[copied, made_up]] = FusedDetector(MODEL, None, novel).detect([case(WARSAW, CATS)])
    assert (Outcome.SUPPORTED, Outcome.NOT_ENOUGH_INFO) == (copied.outcome, made_up.outcome)
    assert pytest.approx(1 / (1 + np.exp(1.0 - 4.0 * 2 / 4)), abs=1e-4) == _score(made_up)
    [[trusting]] = FusedDetector(MODEL, None, calibration(-3.0)).detect([case(CATS)])
    assert Outcome.SUPPORTED == trusting.outcome
    assert Stance.SUPPORTS == trusting.citations[0].stance
    assert "says so" in trusting.reason


def test_what_the_rules_are_sure_of_stands():
    """Another value of a functional relation refutes, however little the sum finds, and what a fact states is
    supported, however much the sum or the entailment model finds against it. What is refuted has a score above the
    threshold."""
    [[finding]] = FusedDetector(MODEL, None, calibration(-3.0)).detect([case(PARIS)])
    assert (Outcome.REFUTED, True) == (finding.outcome, _score(finding) > 0.5)
    [[finding]] = FusedDetector(MODEL, None, calibration(9.0)).detect([case(WARSAW)])
    assert Outcome.SUPPORTED == finding.outcome
    [[finding]] = FusedDetector(MODEL, Fixed(0.1, 0.1, 0.8), calibration(9.0)).detect([case(WARSAW)])
    assert Outcome.SUPPORTED == finding.outcome


def test_disagreement_is_there_to_read():
    """Where rules and sum differ, both are signals of the finding."""
    [[finding]] = FusedDetector(MODEL, None, calibration(-9.0)).detect([case(CATS)])
    rules = {s.name: s.value for s in finding.signals if s.method == "rules"}
    assert Outcome.SUPPORTED == finding.outcome
    assert (True, True) == (rules["hallucination"] > 0.3, _score(finding) < 0.1)


def test_entailment_tells_the_kind():
    """With an entailment model its profile is taken, each distinct claim is asked once as GraphEval asks it, and
    contradiction makes a hallucinated claim intrinsic, unless another window entails it."""
    model = Fixed(0.1, 0.1, 0.8)
    weighed = calibration(0.0, "+entailment", grapheval__contradiction=2.0)
    cases = [case(CATS), case(WARSAW, CATS)]
    [[finding], _] = FusedDetector(MODEL, model, weighed).detect(cases)
    assert Outcome.REFUTED == finding.outcome
    assert ["Marie Curie liked cats", "Marie Curie was born in Warsaw"] == sorted(said for _, said in model.asked)
    for other in (Fixed(0.1, 0.8, 0.1), Fixed(0.6, 0.0, 0.8)):
        [[open_]] = FusedDetector(MODEL, other, weighed).detect([case(CATS)])
        assert Outcome.NOT_ENOUGH_INFO == open_.outcome


def test_rules_alone():
    """In an open domain, and for evidence without a profile, the rules decide alone."""
    for detector, one in [
        (FusedDetector(MODEL, None, calibration(9.0)), case(WARSAW, PARIS, CATS, closed=False)),
        (FusedDetector(MODEL, None, EMPTY), case(WARSAW, PARIS, CATS)),
    ]:
        [expected], [found] = RuleDetector(MODEL).detect([one]), detector.detect([one])
        assert [f.outcome for f in expected] == [f.outcome for f in found]
        assert [f.reason for f in expected] == [f.reason for f in found]
        ruled = [s.value for f in expected for s in f.signals if s.name == "hallucination"]
        assert ruled == [_score(f) for f in found]


def test_no_claims():
    """A case without claims has no findings, and costs the others nothing."""
    nothing, one = FusedDetector(MODEL, None, calibration(0.0)).detect([case(), case(WARSAW)])
    assert [] == nothing
    assert 1 == len(one)


def test_configuration():
    """The calibration and the models are part of what fixes a verdict."""
    configs = {
        FusedDetector(MODEL, model, found).config
        for model in (None, Fixed(1, 0, 0))
        for found in (EMPTY, calibration(1.0))
    }
    assert 4 == len(configs)
    assert "calibrated" == json.loads(configs.pop())["preset"]


def test_file_round_trip(tmp_path):
    """A calibration written to a file is the same when it is read."""
    path = tmp_path / "c.json"
    path.write_text(dumps(calibration(0.25, sentence__words=1.5)))
    assert calibration(0.25, sentence__words=1.5) == load(path)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        '{"format": 9}',
        '{"format": 1, "profiles": [], "thresholds": {}}',
        '{"format": 1, "profiles": {}, "thresholds": {"kea": {"similarity": 0.5}}}',
    ],
)
def test_other_files_are_refused(tmp_path, text):
    """A file of another form is one clear line that names it."""
    path = tmp_path / "c.json"
    path.write_text(text)
    with pytest.raises(InputError, match=r"c\.json"):
        load(path)


def test_shipped():
    """The shipped calibration has a profile for every kind of text, each for sets that are named."""
    profiles = load().profiles
    assert {kind.value for kind in Kind} <= set(profiles)
    assert all(profile.fitted_on and 0 < profile.threshold < 1 for profile in profiles.values())

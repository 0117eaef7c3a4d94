"""KEA Explain as a method: scores of claims and of whole outputs, contradictory pairs, presets, GraKeL."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from curie import claim_of, curie_context

from claimgraph.detect.check_input import Case
from claimgraph.detect.methods.kea import PRESETS, THRESHOLDS, KeaDetector
from claimgraph.detect.models.embedder import CachedEmbedder, MiniLMEmbedder
from claimgraph.detect.models.row_cache import VectorCache
from claimgraph.kgstore.model import Outcome, Stance, Status, Subgraph

RIGHT, WRONG = ("Marie Curie", "was born in", "Warsaw"), ("Marie Curie", "was born in", "Paris")
FOREIGN = ("the weather", "ruined", "several harvests")
MODEL = CachedEmbedder(MiniLMEmbedder(), VectorCache(None, "MiniLM"))


def _detect(name, *triples, facts=None, **options):
    found, passages = curie_context()
    claims = tuple(claim_of("checked", triple) for triple in triples)
    case = Case(claims, found if facts is None else facts, tuple(passages), True)
    [findings] = KeaDetector(MODEL, PRESETS[name], **options).detect([case])
    return findings


def _signal(finding, name="hallucination"):
    return {signal.name: signal.value for signal in finding.signals if signal.method == "kea"}[name]


@pytest.mark.parametrize("name", ["published", "paper", "directed"])
def test_the_same_graph(name):
    """Claims that stand in the evidence have score 0 and are supported by their own fact."""
    findings = _detect(name, RIGHT, ("Marie Curie", "discovered", "radium"))
    assert [0.0, 0.0] == [_signal(f) for f in findings]
    assert {Outcome.SUPPORTED} == {f.outcome for f in findings}
    assert (Stance.SUPPORTS, " ".join(RIGHT)) == (
        findings[0].citations[0].stance,
        findings[0].citations[0].evidence.text,
    )
    assert findings[0].citations[0].evidence.span is not None


def test_whole_outputs_and_claims():
    """The paper's kernel gives all claims of an output one score; ours gives the wrong one the output's, the right one
    less, and the shares sum to the distance.
    """
    paper, ours = _detect("paper", RIGHT, FOREIGN), _detect("directed", RIGHT, FOREIGN)
    assert 1 == len({_signal(f) for f in paper})
    assert _signal(ours[0]) < _signal(ours[1])
    assert pytest.approx(1 - _signal(ours[0], "document"), abs=1e-3) == _signal(ours[1])
    assert pytest.approx(_signal(ours[1]), abs=1e-3) == sum(_signal(f, "share") for f in ours)
    assert None is _signal(paper[0], "share")


def test_a_contradictory_pair_refutes():
    """Below the threshold, a claim whose object differs from a fact's is refuted by it; a foreign one is not found."""
    wrong, foreign = _detect("directed", WRONG)[0], _detect("directed", FOREIGN)[0]
    assert (Outcome.REFUTED, Outcome.NOT_ENOUGH_INFO) == (wrong.outcome, foreign.outcome)
    assert (Stance.REFUTES, " ".join(RIGHT)) == (wrong.citations[0].stance, wrong.citations[0].evidence.text)
    assert "contradicts this" in wrong.reason
    assert 0 == _signal(foreign, "contradictions") < _signal(wrong, "contradictions")


def test_nothing_to_compare():
    """Without facts there is no evidence and no score; no claims give no findings."""
    [found] = _detect("directed", RIGHT, facts=Subgraph({}, ()))
    assert (Outcome.NOT_ENOUGH_INFO, Status.NO_EVIDENCE) == (found.outcome, found.status)
    assert None is _signal(found)
    assert [] == _detect("directed")


@pytest.mark.parametrize("name", ["published", "paper", "directed"])
def test_grakel(name):
    """GraKeL as the kernel gives the same findings, and the configuration names it."""
    assert _detect(name, RIGHT, WRONG) == _detect(name, RIGHT, WRONG, kernel_backend="grakel")
    assert "grakel" == json.loads(KeaDetector(MODEL, kernel_backend="grakel").config)["kernel"]


def test_presets():
    """Three kernels, each with the paper's thresholds by data set, below which similarity means hallucination."""
    assert {"summeval": 0.15, "qags": 0.50, "wikibio": 0.30} == THRESHOLDS
    assert 12 == len(PRESETS)
    assert 0.15 == PRESETS["published-summeval"].threshold
    config = json.loads(KeaDetector(MODEL, PRESETS["paper-wikibio"]).config)
    assert ("paper-wikibio", 0.3, MiniLMEmbedder.model) == (
        config["preset"],
        config["settings"]["threshold"],
        config["models"]["embedder"],
    )
    strict = KeaDetector(MODEL, replace(PRESETS["paper"], threshold=1.0))
    facts, passages = curie_context()
    [[found]] = strict.detect([Case((claim_of("checked", RIGHT),), facts, tuple(passages), True)])
    assert Outcome.SUPPORTED == found.outcome

"""FactAlign as a method: outcomes, signals, presets and how often the models are asked."""

from __future__ import annotations

import json
from dataclasses import astuple, replace

import pytest
from contradiction_table import MODEL, Table
from curie import claim_of, curie_context

from claimgraph.detect.check_input import Case
from claimgraph.detect.methods.factalign.contradiction import StrongestContradiction, changes
from claimgraph.detect.methods.factalign.detector import PRESETS, FactAlignDetector, ours
from claimgraph.kgstore.model import Entity, Link, Outcome, Stance, Status, Subgraph

CLAIMS = [
    ("Marie Curie", "was born in", "Warsaw"),
    ("Marie Curie", "was born in", "Paris"),
    ("Marie Curie", "liked", "cats"),
]
PAPER = PRESETS["factalign-paper"]


AGAINST = {("Marie Curie was born in Warsaw", "Marie Curie was born in Paris"): 0.99}


def _case(*triples, facts=None, links=None):
    found, passages = curie_context()
    claims = tuple(claim_of("checked", triple) for triple in triples)
    return Case(claims, found if facts is None else facts, tuple(passages), True, links=links)


def _signals(finding):
    return {signal.name: signal.value for signal in finding.signals if signal.method == "factalign"}


def test_outcomes():
    """The same triple is factual; what a source triple contradicts is refuted by it; the rest is not in the source."""
    [found] = FactAlignDetector(MODEL, Table(AGAINST), PAPER).detect([_case(*CLAIMS)])
    assert [Outcome.SUPPORTED, Outcome.REFUTED, Outcome.NOT_ENOUGH_INFO] == [f.outcome for f in found]
    assert {"alignment": 1.0, "contradiction": None, "hallucination": 0.0} == _signals(found[0])
    assert 0.99 == _signals(found[1])["contradiction"]
    assert all(pytest.approx(1) == _signals(f)["alignment"] + _signals(f)["hallucination"] for f in found)
    cited = found[1].citations[0]
    assert (Stance.REFUTES, "Marie Curie was born in Warsaw") == (cited.stance, cited.evidence.text)
    assert cited.evidence.span is not None
    assert "The context contradicts this: “Marie Curie was born in Warsaw on 7 November 1867.”" == found[1].reason


@pytest.mark.parametrize("model", [None, Table(AGAINST, three_way=False)])
def test_kind_unknown(model):
    """Without a model, or with one that knows no contradiction, nothing is refuted and the signal is unknown."""
    [found] = FactAlignDetector(MODEL, model, PAPER).detect([_case(CLAIMS[1])])
    assert (Outcome.NOT_ENOUGH_INFO, None) == (found[0].outcome, _signals(found[0])["contradiction"])


def test_all_source_triples_for_unaligned_claims_only():
    """The model reads every source triple for each hallucinated claim, none for a factual one, and nothing twice."""
    case, model = _case(*CLAIMS), Table(AGAINST)
    texts = {case.facts.triple(fact).text for fact in case.facts.facts}
    FactAlignDetector(MODEL, model, PAPER).detect([case, case])
    assert 2 * len(texts) == model.pairs
    near = Table(AGAINST)
    FactAlignDetector(MODEL, near, replace(PAPER, nearest=3)).detect([case])
    assert 2 * 3 == near.pairs


def test_changes():
    """The strongest contradiction and its premise, ties to the first; None where there are no premises."""
    model = Table({("a", "x"): 0.5, ("b", "x"): 0.5})
    found = changes([("x", ["c", "a", "b"]), ("y", [])], model)
    assert [StrongestContradiction(0.5, 1), None] == found


def test_no_facts():
    """Passages are no triples: a case without facts has no evidence, and the score is unknown."""
    [[found]] = FactAlignDetector(MODEL).detect([_case(CLAIMS[0], facts=Subgraph({}, ()))])
    assert (Outcome.NOT_ENOUGH_INFO, Status.NO_EVIDENCE) == (found.outcome, found.status)
    assert {None} == set(_signals(found).values())
    assert [[]] == FactAlignDetector(MODEL).detect([_case()])


def test_unlinked():
    """Where the subject is nothing the graph knows, the verdict says so."""
    case = _case(("Nobody", "liked", "cats"))
    links = (Link(case.claims[0].id, "subject", "Nobody", None, 0.1, 0.0),)
    [[found]] = FactAlignDetector(MODEL).detect([replace(case, links=links)])
    assert (Outcome.NOT_ENOUGH_INFO, Status.UNLINKED) == (found.outcome, found.status)
    assert isinstance(case.facts.nodes[case.facts.facts[0].subject], Entity)


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_presets(name):
    """Every preset supports what stands in the source, and its name and models are in the configuration. Eq. 1 as
    printed does not: it cannot tell entities with the same neighbours apart.
    """
    detector = FactAlignDetector(MODEL, None, PRESETS[name])
    case = _case(CLAIMS[0])
    whole = _case(*(astuple(case.facts.triple(fact)) for fact in case.facts.facts))
    [found] = detector.detect([whole])
    supported = {f.outcome for f in found} == {Outcome.SUPPORTED}
    assert (name != "factalign-entity", name) == (supported, json.loads(detector.config)["preset"])
    assert (name != "ours") == any("all-distilroberta-v1" in note for note in detector.notes)
    assert list(detector.notes) == json.loads(detector.config)["notes"]


def test_papers_thresholds():
    """The paper's preset holds its two thresholds; ours takes what a calibration found."""
    assert (0.863, 0.984) == (PAPER.alignment, PAPER.contradiction)
    assert (0.4, 0.7) == (ours(0.4, 0.7).alignment, ours(0.4, 0.7).contradiction)

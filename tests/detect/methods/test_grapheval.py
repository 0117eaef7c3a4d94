"""GraphEval: windows, words of a triple, all pairs in one stream, and verdicts with their windows."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claimgraph.detect.check_input import Case
from claimgraph.detect.compare.relations import VERBALISERS
from claimgraph.detect.methods.grapheval import PRESETS, GraphEvalDetector
from claimgraph.detect.models.window_entailment import judge
from claimgraph.detect.text.windows import pack, windows
from claimgraph.kgstore.model import Claim, Entity, Fact, Outcome, Passage, Span, Stance, Status, Subgraph, Triple

NOTHING = Subgraph({}, ())


class Says:
    """An entailment model with fixed answers: by hypothesis and a word of the premise; neutral without one."""

    model = "says"

    def __init__(self, answers):
        self.answers = answers
        self.calls = []

    def entail(self, pairs):
        self.calls.append(list(pairs))
        return np.array([self._row(*pair) for pair in pairs], np.float32).reshape(-1, 3)

    def _row(self, premise, hypothesis):
        found = [row for (said, word), row in self.answers.items() if said == hypothesis and word in premise]
        return found[0] if found else (0.1, 0.8, 0.1)


def _claim(subject, predicate, obj):
    return Claim(f"c:{obj}", "d", subject, predicate, obj, f"{subject} {predicate} {obj}.", Span(0, 9))


def _sentences(*texts):
    """Passages as a context's sentences, one space apart."""
    found, start = [], 0
    for text in texts:
        found.append(Passage(text, "the context", "ctx", Span(start, start + len(text))))
        start += len(text) + 1
    return tuple(found)


WARSAW, PARIS, NOBEL = (_claim("Curie", "was born in", place) for place in ("Warsaw", "Paris", "Rome"))
LONG = " ".join(["word"] * 80)
CONTEXT = _sentences(f"Alpha {LONG}.", f"Beta {LONG}.")
ANSWERS = {
    ("Curie was born in Warsaw", "Beta"): (0.9, 0.06, 0.04),
    ("Curie was born in Paris", "Alpha"): (0.2, 0.2, 0.6),
    ("Curie was born in Paris", "Beta"): (0.05, 0.05, 0.9),
}


def test_verdicts():
    """A claim that a window entails is supported, one that a window contradicts refuted, others are not known; each
    cites its window with document and span."""
    case = Case((WARSAW, PARIS, NOBEL), NOTHING, CONTEXT, closed=True)
    [[warsaw, paris, nobel]] = GraphEvalDetector(Says(ANSWERS)).detect([case])
    assert [Outcome.SUPPORTED, Outcome.REFUTED, Outcome.NOT_ENOUGH_INFO] == [f.outcome for f in (warsaw, paris, nobel)]
    stances = [Stance.SUPPORTS, Stance.REFUTES, Stance.NEUTRAL]
    assert stances == [f.citations[0].stance for f in (warsaw, paris, nobel)]
    spans = [CONTEXT[1].span, CONTEXT[1].span, CONTEXT[0].span]
    assert spans == [f.citations[0].evidence.span for f in (warsaw, paris, nobel)]
    assert {"ctx"} == {f.citations[0].evidence.document for f in (warsaw, paris, nobel)}
    assert [0.9, 0.9, 0.9] == [f.confidence for f in (warsaw, paris, nobel)]
    assert [0.1, 0.8, 0.9] == [_signal(f, "hallucination") for f in (warsaw, paris, nobel)]
    assert [0.04, 0.9, 0.1] == pytest.approx([_signal(f, "contradiction") for f in (warsaw, paris, nobel)], abs=0.07)
    assert all("\n" not in f.reason for f in (warsaw, paris, nobel))


def _signal(finding, name):
    return next(s.value for s in finding.signals if (s.method, s.name) == ("grapheval", name))


def test_consistency_model():
    """A model that tells consistent from inconsistent only never refutes: what it does not say is unknown."""
    answers = {("Curie was born in Paris", "Alpha"): (0.3, np.nan, np.nan)}
    answers["Curie was born in Paris", "Beta"] = (0.2, np.nan, np.nan)
    [[finding]] = GraphEvalDetector(Says(answers)).detect([Case((PARIS,), NOTHING, CONTEXT, closed=True)])
    assert Outcome.NOT_ENOUGH_INFO is finding.outcome
    assert None is _signal(finding, "contradiction")
    assert 0.7 == _signal(finding, "hallucination")


def test_no_evidence():
    """Nothing to read is no evidence, with an unknown score."""
    [[finding], []] = GraphEvalDetector(Says({})).detect(
        [Case((PARIS,), NOTHING, (), True), Case((), NOTHING, (), True)]
    )
    assert (Outcome.NOT_ENOUGH_INFO, Status.NO_EVIDENCE) == (finding.outcome, finding.status)
    assert None is _signal(finding, "hallucination")


def test_one_stream():
    """All triples of all documents go through the model in one call, each distinct pair once."""
    model = Says(ANSWERS)
    case = Case((WARSAW, PARIS, WARSAW), NOTHING, CONTEXT, closed=True)
    first, second = GraphEvalDetector(model).detect([case, case])
    assert [4] == [len(call) for call in model.calls]
    assert first == second


def test_facts_as_premises():
    """Facts that were read from no passage are premises as sentences; facts read from the passages are not read
    twice."""
    nodes = {i: Entity(i, i.title()) for i in ("curie", "warsaw", "rome")}
    born = Fact("f1", "kg", "curie", "p", "place of birth", "warsaw")
    read = Fact("f2", "kg", "curie", "p", "visited", "rome", document="ctx")
    model = Says({("Curie was born in Warsaw", "Curie was born in Warsaw."): (0.9, 0.1, 0.0)})
    case = Case((WARSAW,), Subgraph(nodes, (born, read)), CONTEXT[:1], closed=False)
    [[finding]] = GraphEvalDetector(model).detect([case])
    assert ["Alpha", "Curie"] == [premise.split()[0] for premise, _ in model.calls[0]]
    assert "Rome" not in model.calls[0][1][0]
    assert ["f1"] == [c.evidence.fact_id for c in finding.citations]
    assert Outcome.SUPPORTED is finding.outcome


def test_presets():
    """The paper's hypothesis is the triple's words; ours is a sentence; the configuration names which."""
    model = Says({})
    claim = _claim("Curie", "place of birth", "Warsaw")
    for preset, said in (("grapheval", "Curie place of birth Warsaw"), ("sentence", "Curie was born in Warsaw.")):
        detector = GraphEvalDetector(model, PRESETS[preset])
        detector.detect([Case((claim,), NOTHING, CONTEXT, closed=True)])
        assert said == model.calls[-1][0][1]
        assert (preset, "says") == (json.loads(detector.config)["preset"], json.loads(detector.config)["model"])


@pytest.mark.parametrize(
    ("triple", "said"),
    [
        (Triple("Curie", "place of birth", "Warsaw"), "Curie was born in Warsaw."),
        (Triple("the city", "was not founded in", "1900"), "The city was not founded in 1900."),
        (Triple("it", "belongs to", "Acme Inc."), "It belongs to Acme Inc."),
    ],
)
def test_sentence(triple, said):
    """A triple as a sentence has a capital, one full stop, and keeps its negation."""
    assert said == VERBALISERS["sentence"](triple)


def test_ties_to_the_first_window():
    """Of windows with the same score the first is cited."""
    [[found]] = judge([(["h"], ["a", "b"])], Says({}))
    assert (0, 0) == (found.support, found.against)


def test_jobs_keep_apart():
    """Judgements come back by job and hypothesis, whichever jobs are empty."""
    model = Says({("x", "w"): (0.9, 0.1, 0.0)})
    found = judge([([], ["w"]), (["x", "y"], ["v", "w"]), (["x"], []), (["x"], ["w"])], model)
    assert [[], [(1, True), (0, False)], [None], [(0, True)]] == [
        [j and (j.support, j.entailment > 0.5) for j in judgements] for judgements in found
    ]


SENTENCE = st.text("ab ", min_size=1, max_size=30)


@settings(max_examples=60, deadline=None)
@given(texts=st.lists(SENTENCE, max_size=8), words=st.integers(2, 8), overlap=st.integers(0, 2))
def test_windows_cover_everything(texts, words, overlap):
    """Every character of every sentence is in some window; no window is too long; text and span agree."""
    whole, sentences = " ".join(texts), _sentences(*texts)
    found = windows(sentences, words=words, overlap=overlap)
    covered = {i for w in found for i in range(w.span.start, w.span.end)}
    assert {i for s in sentences for i in range(s.span.start, s.span.end)} <= covered
    assert all(len(w.text.split()) <= words for w in found)
    assert [whole[w.span.start : w.span.end] for w in found] == [w.text for w in found]


def test_windows_overlap():
    """A window begins with the last sentence of the one before."""
    found = windows(_sentences("a a a", "b b b", "c c c", "d d d"), words=6)
    assert ["a a a b b b", "b b b c c c", "c c c d d d"] == [w.text for w in found]


def test_windows_keep_documents_apart():
    """Sentences of two documents share no window, and a text without a place is on its own."""
    other = Passage("x", "other", "o", Span(0, 1))
    loose = (Passage("y", "wiki"), Passage("z", "wiki"))
    assert ["a b", "x", "y", "z"] == [w.text for w in windows((*_sentences("a", "b"), other, *loose))]


@settings(max_examples=60, deadline=None)
@given(sizes=st.lists(st.integers(0, 9), max_size=12), most=st.integers(1, 12), overlap=st.integers(0, 3))
def test_pack(sizes, most, overlap):
    """Runs cover all in order, each brings something new, and only one alone may be too large."""
    found = pack(sizes, most, overlap)
    assert set(range(len(sizes))) == {i for run in found for i in run}
    assert sorted({run.stop for run in found}) == [run.stop for run in found]
    assert all(len(run) == 1 or sum(sizes[i] for i in run) <= most for run in found)

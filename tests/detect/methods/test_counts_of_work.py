"""What a check asks of its models: texts embedded and pairs read, counted, since times depend on the machine."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from claimgraph.detect.methods.fusion import reading
from claimgraph.detect.methods.fusion.premises_read import PREMISES
from claimgraph.input_texts import document_from_text
from claimgraph.kgstore.model import Outcome
from claimgraph.settings import Settings
from claimgraph.wiring import Checker

DOCUMENTS = Path(__file__).parents[3] / "benchmarks" / "documents"


@pytest.fixture
def checker(tmp_path):
    with Checker(Settings(store=tmp_path / "store", cache=tmp_path / "cache")) as opened:
        yield opened


def counted(monkeypatch, model, name):
    """Return a list that grows by what the model is asked."""
    asked, given = [], getattr(model, name)
    monkeypatch.setattr(model, name, lambda what: (asked.extend(what), given(what))[1])
    return asked


@pytest.fixture
def texts():
    """A draft of 21 claims, and a source of 416 words."""
    return [document_from_text((DOCUMENTS / name).read_text(), 10_000, name) for name in ("draft.txt", "source.txt")]


def test_a_document_of_400_words(checker, texts, monkeypatch):
    """No text is embedded and no pair read twice, and of most claims only the nearest sentence and the passage."""
    embedded = counted(monkeypatch, checker.models.embedder._embedder, "embed")
    pairs = counted(monkeypatch, checker.models.entailment._entailment, "entail")
    draft, source = texts
    report = checker.check(draft, context=source)
    assert 400 < len(source.text.split()) < 450
    assert 18 <= len(report.claims) <= 24
    assert len(embedded) <= 61
    assert len(pairs) <= 40
    assert len(set(embedded)) == len(embedded)
    assert len(set(pairs)) == len(pairs)


def test_what_the_context_says_in_the_same_words_is_read_once(checker, monkeypatch):
    """No premise beside the nearest sentence is read: such a claim is supported whatever the model finds there."""
    asked = []
    monkeypatch.setattr(
        checker.models.entailment._entailment,
        "entail",
        lambda pairs: (asked.extend(pairs), np.tile(np.float32([0, 0, 1]), (len(pairs), 1)))[1],
    )
    context = "The mine opened in 1881. It was the deepest of the county. The mine closed in 1903."
    text, source = (document_from_text(given, 1000, "given") for given in ("The mine opened in 1881.", context))
    assert [Outcome.SUPPORTED] == [one.outcome for one in checker.check(text, context=source).verdicts]
    assert ["The mine opened in 1881."] == [said for _, said in asked]


def test_what_is_not_read_decides_nothing(checker, texts, monkeypatch):
    """Outcomes are those of reading all premises of every claim, but for one that is near a limit."""
    cases = [checker.prepare(texts[0], context=texts[1]).case]
    few = checker.detector("fused").detect(cases)
    monkeypatch.setattr(reading, "next_premises", lambda read, _: () if read else PREMISES)
    every = checker.detector("fused").detect(cases)
    both = [{one.outcome, other.outcome} for one, other in zip(every[0], few[0], strict=True)]
    assert sum(len(outcomes) > 1 for outcomes in both) <= 1
    assert {Outcome.SUPPORTED, Outcome.REFUTED} not in both
    read = [{signal.method for signal in found.signals} for found in few[0]]
    assert all(set(PREMISES) <= {signal.method for signal in found.signals} for found in every[0])
    assert sum("passage" not in one for one in read) >= 5

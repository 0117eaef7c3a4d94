"""What a check asks of its models: texts embedded and pairs read, counted, since times depend on the machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from claimgraph.input_texts import document_from_text
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


def test_a_document_of_400_words(checker, monkeypatch):
    """A draft of 21 claims beside a source of 416 words: no text is embedded and no pair read twice."""
    embedded = counted(monkeypatch, checker.models.embedder._embedder, "embed")
    pairs = counted(monkeypatch, checker.models.entailment._entailment, "entail")
    draft, source = (
        document_from_text((DOCUMENTS / name).read_text(), 10_000, name) for name in ("draft.txt", "source.txt")
    )
    report = checker.check(draft, context=source)
    assert 400 < len(source.text.split()) < 450
    assert 18 <= len(report.claims) <= 24
    assert len(embedded) <= 7 * len(report.claims)
    assert len(pairs) <= 4 * len(report.claims)
    assert len(set(embedded)) == len(embedded)
    assert len(set(pairs)) == len(pairs)

"""Figures of an entailment model's weights."""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path

import numpy as np
import pytest
from oracle_bert import write_random_bert

from training import measure
from training.measure import SETS
from training.pair import LABELS, NOT_ENTAILMENT, Pair, write

ROWS = [
    {"context": f"Ann sang {number} songs in Oslo.", "output": output, "label": label, "source": "qags_xsum"}
    for number in range(16)
    for label, output in [(number % 2, f"Ann sang {number + number % 2} songs in Oslo.")]
]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder with closed/, of which only QAGS-XSum has rows."""
    (tmp_path / "closed").mkdir()
    for name in SETS:
        with gzip.open(tmp_path / "closed" / f"{name}.jsonl.gz", "wt") as file:
            file.writelines(json.dumps(row) + "\n" for row in (ROWS if name == "qags_xsum" else []))
    return tmp_path


@pytest.fixture
def weights(tmp_path: Path) -> Path:
    return write_random_bert(tmp_path / "weights", labels=LABELS)


def test_figures_of_all_kinds_of_sets(
    data: Path, weights: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Held-out pairs by source, a contrast set by phenomenon, closed sets."""
    write(data / "held.jsonl.gz", [Pair("Ann sang.", "Ann.", label, label, "1") for label in (*LABELS, NOT_ENTAILMENT)])
    row = {"context": "Ann sang.", "text": "Ann was silent.", "expected": "REFUTED", "phenomenon": "antonym"}
    (data / "contrast.jsonl").write_text(json.dumps(row) + "\n")
    told = ["--held", str(data / "held.jsonl.gz"), "--contrast", str(data / "contrast.jsonl"), "--data", str(data)]
    monkeypatch.setattr(sys, "argv", ["", "--weights", str(weights), *told])
    measure.main()
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert 1 == sum(line in ("neutral 1 accuracy 1.000", "neutral 1 accuracy 0.000") for line in lines)
    assert 1 == sum(line.startswith("antonym 1 accuracy") for line in lines)
    assert 1 == sum(line.startswith("qags_xsum 16 AUC") for line in lines)
    assert 1 == sum(line.startswith("held.jsonl.gz P(contradiction)") for line in lines)


def test_reliability_is_of_bins() -> None:
    """Bins that hold none are left out; one belongs to the last."""
    found = measure.reliability(np.array([0.1, 0.15, 1.0]), np.array([True, False, True]))
    assert [(0.125, 0.5, 2), (1.0, 1.0, 1)] == found

"""What ships: the temperature that is fitted, the figures it is judged by, and the folder that is written."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st
from oracle_bert import write_random_bert

from claimgraph.detect.models.entailment import OnnxEntailment
from claimgraph.kgstore.errors import ModelError
from training import pack
from training.pack import calibration_error, fitted, outcomes, packed, softmax
from training.pair import LABELS, NOT_ENTAILMENT, Pair, allowed


@examples(max_examples=10, deadline=None)
@given(temperature=st.floats(0.3, 4), seed=st.integers(0, 99))
def test_the_temperature_is_found(temperature: float, seed: int) -> None:
    """Labels drawn from the probabilities at a temperature give that temperature back."""
    random = np.random.default_rng(seed)
    logits = random.normal(0, 2 * temperature, (4000, 3))
    drawn = [LABELS[random.choice(3, p=row)] for row in softmax(logits / temperature)]
    seen = [NOT_ENTAILMENT if label != "entailment" and random.random() < 0.3 else label for label in drawn]
    assert pytest.approx(temperature, rel=0.15) == fitted(logits, np.array([allowed(label) for label in seen]))


def test_outcomes() -> None:
    """The likeliest of three classes is right or wrong; where only "not entailed" is known, of entailed and not."""
    shares = np.array([[0.4, 0.3, 0.3], [0.4, 0.3, 0.3], [0.1, 0.2, 0.7], [0.1, 0.2, 0.7]])
    labels = ("entailment", NOT_ENTAILMENT, "neutral", NOT_ENTAILMENT)
    sure, right = outcomes(np.log(shares), np.array([allowed(label) for label in labels]))
    assert pytest.approx([0.4, 0.6, 0.7, 0.9]) == list(sure)
    assert [True, True, False, True] == list(right)


def test_calibration_error() -> None:
    """How far sureness is from accuracy, bin by bin: none where nine of ten answers of 0.9 are right."""
    right = np.array([True] * 9 + [False])
    assert pytest.approx(0) == calibration_error(np.full(10, 0.9), right)
    assert pytest.approx(0.1) == calibration_error(np.full(10, 1.0), right)
    assert pytest.approx(0.2) == calibration_error(np.array([1.0, 0.4]), np.array([True, False]))


def test_a_folder_is_packed(tmp_path: Path) -> None:
    """Weights become model, tokeniser and configuration, and what is written says what was reported."""
    weights = write_random_bert(tmp_path / "weights", labels=("contradiction", "entailment", "neutral"))
    labels = [*LABELS, NOT_ENTAILMENT] * 10
    pairs = [Pair(f"marie was {n}", "born", label, "a test", f"d{n}") for n, label in enumerate(labels)]
    found = packed(weights, pairs, tmp_path / "out", ("given", "7"), tmp_path)
    config = json.loads((tmp_path / "out" / "config.json").read_text())
    assert ["config.json", "model.onnx", "tokenizer.json"] == sorted(path.name for path in (tmp_path / "out").iterdir())
    assert ("given", "7", found["temperature"]) == (config["name"], config["version"], config["temperature"])
    assert {"0": "contradiction", "1": "entailment", "2": "neutral"} == config["id2label"]
    assert found["pairs of 160 tokens a second"] > 0
    OnnxEntailment(tmp_path / "out", tmp_path).load()


def test_a_large_model_is_packed_in_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No file is larger than a part, all are held against their sha256, and the model says the same."""
    weights = write_random_bert(tmp_path / "weights", LABELS)
    whole = pack.write(weights, tmp_path / "whole", ("given", "7"), 1.0, tmp_path)
    monkeypatch.setattr(pack, "LARGE", 256)
    monkeypatch.setattr(pack, "PART", 4000)
    parts = pack.write(weights, tmp_path / "parts", ("given", "7"), 1.0, tmp_path)
    written = sorted(parts.glob("weights-*.bin"))
    assert len(written) > 1
    assert {path.name for path in written} < json.loads((parts / "config.json").read_text())["sha256"].keys()
    pairs = [("marie was", "born"), ("born", "marie was marie")]
    said = [OnnxEntailment(folder, tmp_path / "cache").entail(pairs) for folder in (whole, parts)]
    assert np.abs(said[0] - said[1]).max() < 1e-6  # one of them is run with its nodes fused
    written[0].write_bytes(written[0].read_bytes()[:-1] + b"?")
    with pytest.raises(ModelError, match=r"weights-0\.bin is damaged"):
        OnnxEntailment(parts, tmp_path / "cache").load()

"""Figures of weights and fits that rest on them: no text is judged by weights that have seen its context."""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from oracle_bert import write_random_bert

from claimgraph.detect.methods.fusion.calibration import load
from claimgraph.evaluation.fit.calibrate import gathered
from training import fusion, measure
from training.documents import FOLDS, SETS
from training.pair import LABELS, fold

ROWS = [
    {"context": f"Ann sang {number} songs in Oslo.", "output": output, "label": label, "source": "qags_xsum"}
    for number in range(16)
    for label, output in [(number % 2, f"Ann sang {number + number % 2} songs in Oslo.")]
]
CONTEXTS = {str(row["context"]) for row in ROWS}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder with closed/, of which only QAGS-XSum has rows."""
    (tmp_path / "closed").mkdir()
    for name in SETS:
        with gzip.open(tmp_path / "closed" / f"{name}.jsonl.gz", "wt") as file:
            file.writelines(json.dumps(row) + "\n" for row in (ROWS if name == "qags_xsum" else []))
    return tmp_path


@pytest.fixture
def weights(tmp_path: Path) -> list[Path]:
    return [write_random_bert(tmp_path / f"without-{part}", labels=LABELS) for part in range(FOLDS)]


def test_fusion_is_fitted_on_texts_not_seen(
    data: Path, weights: list[Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each text is checked once, by the weights of its fold; the profile is named after the model that ships."""
    asked = {}

    def spied(paths: list[Path], detector: Any, *rest: Any) -> Any:
        found = gathered(paths, detector, *rest)
        for case, _ in found["qags_xsum"]:
            assert case.context not in asked
            asked[case.context] = json.loads(detector.config)["entailment"]
        return found

    monkeypatch.setenv("CLAIMGRAPH_CACHE", str(data / "cache"))
    monkeypatch.setattr(fusion, "gathered", spied)
    out = data / "calibration.json"
    told = ["--data", str(data), "--sets", "qags_xsum", "--out", str(out)]
    monkeypatch.setattr(sys, "argv", ["", "--weights", *map(str, weights), *told])
    fusion.main()
    assert CONTEXTS == set(asked)
    assert all(model.startswith(f"without-{fold(str(context), FOLDS)}-") for context, model in asked.items())
    made, before = load(out).profiles, load().profiles
    assert ("qags_xsum",) == made["sentence+entailment"].fitted_on
    assert made["sentence+entailment"].models[1].startswith("claimgraph-entailment-")
    assert before["text+entailment"] == made["text+entailment"]
    printed = capsys.readouterr().out
    assert 2 == printed.count("GraphEval (")
    assert 2 == printed.count("with the model")


def test_figures_are_of_texts_not_seen(
    data: Path, weights: list[Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Scores of each fold are of its contexts only, and together of all."""
    scores = data / "scores"
    for part, folder in enumerate(weights):
        told = ["--data", str(data), "--fold", str(part), "--scores", str(scores)]
        monkeypatch.setattr(sys, "argv", ["", "--weights", str(folder), *told])
        before = scores.read_text().splitlines() if scores.exists() else []
        measure.main()
        found = [json.loads(line) for line in scores.read_text().splitlines()[len(before) :]]
        assert {context for context in CONTEXTS if fold(context, FOLDS) == part} == {one["context"] for one in found}
    capsys.readouterr()
    monkeypatch.setattr(sys, "argv", ["", "--from", str(scores)])
    measure.main()
    assert capsys.readouterr().out.startswith("qags_xsum       16 AUC ")

"""`claimgraph eval calibrate`: small labelled files in, a calibration out that `eval` and every fitted method take."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from claimgraph import wiring
from claimgraph.cli.app import app
from claimgraph.detect.explanation.edit_script import EditThresholds
from claimgraph.detect.methods.fusion.calibration import load
from claimgraph.evaluation.statistics.metrics import best_threshold
from claimgraph.evaluation.statistics.objective import Objective
from claimgraph.kgstore.errors import UsageError
from claimgraph.settings import load_settings

CITIES = ("Warsaw", "Paris", "London", "Rome", "Vienna", "Berlin", "Madrid", "Prague", "Dublin", "Athens")
PEOPLE = ("Marie Curie", "Alan Turing", "Ada Lovelace", "Emmy Noether", "Niels Bohr")


def triples(number: int) -> dict[str, Any]:
    """A row of given triples: every other one says another city than its evidence."""
    wrong, known = number % 2, [PEOPLE[number % 5], "was born in", CITIES[number]]
    claim = [known[0], "never liked the weather of", CITIES[number - 1]] if wrong else known
    row = {"id": f"k{number}", "kea_score": 0.5, "label_raw": "x", "label": wrong}
    return row | {"claim_triples": [claim], "evidence_triples": [known]}


def text(number: int) -> dict[str, Any]:
    """A row of text and context: every other one says something else."""
    person, city = PEOPLE[number % 5], CITIES[number]
    context = f"{person} was born in {city}. {person} moved to {CITIES[number - 1]}."
    said = "painted seven purple elephants" if number % 2 else f"moved to {CITIES[number - 1]}"
    output = f"{person} was born in {city}. {person} {said}."
    return {"id": f"t{number}", "context": context, "output": output, "label": number % 2}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a file of triples and one of texts, in which the commands keep store and cache; no entailment."""
    monkeypatch.setenv("CLAIMGRAPH_STORE", str(tmp_path / "store"))
    monkeypatch.setenv("CLAIMGRAPH_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("CLAIMGRAPH_ENTAILMENT", "none")
    monkeypatch.delenv("NEO4J_URI", raising=False)
    for name, row in (("triples", triples), ("texts", text)):
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row(n)) + "\n" for n in range(10)))
    return tmp_path


def run(folder: Path, *arguments: str) -> Result:
    """The command with the folder's files by their names."""
    named = [str(folder / word) if word.endswith((".jsonl", ".json")) else word for word in arguments]
    return CliRunner().invoke(app, named)


def calibrate(folder: Path, *arguments: str) -> None:
    """`claimgraph eval calibrate` into c.json."""
    result = run(folder, "eval", "calibrate", *arguments, "--output", "c.json")
    assert 0 == result.exit_code, result.output


def judged(folder: Path, method: str, *arguments: str) -> dict[str, Any]:
    """The report of `claimgraph eval detection` on the triples."""
    result = run(folder, "eval", "detection", "triples.jsonl", "--method", method, "--json", *arguments)
    assert 0 == result.exit_code, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def hallucination(method: str) -> tuple[Sequence[float], Sequence[int]]:
    """Scores and labels of the rows of triples, as the method of the shipped calibration has them."""
    from claimgraph.evaluation.data.labelled_files import read_labelled
    from claimgraph.evaluation.detection.cases import Preparer

    settings = load_settings()
    path = settings.cache_folder.parent / "triples.jsonl"
    cases = [made.case for made in Preparer(wiring.extractor(settings)).prepare(list(read_labelled(path)))]
    found = wiring.detector(settings, method).detect(cases)
    return [
        next(s.value or 0.0 for s in one.signals if (s.method, s.name) == (method, "hallucination")) for [one] in found
    ], [n % 2 for n in range(10)]


def test_kea_and_factalign(folder: Path) -> None:
    """The thresholds are the exhaustive best of each method's scores; `eval --calibration` and the methods' own
    presets take them, and a second method is added to the first.
    """
    calibrate(folder, "triples.jsonl", "--method", "kea", "--objective", "f1")
    (folder / "b.json").write_text((folder / "c.json").read_text())
    calibrate(folder, "triples.jsonl", "--method", "factalign", "--base", "b.json")
    found = load(folder / "c.json").thresholds
    for method, value, objective in (
        ("kea", found["kea"]["hallucination"], Objective.F1),
        ("factalign", 1 - found["factalign"]["alignment"], Objective.BALANCED_ACCURACY),
    ):
        scores, labels = hallucination(method)
        assert pytest.approx(best_threshold(labels, scores, objective), abs=1e-5) == value
        report = judged(folder, method, "--calibration", "c.json")
        assert ({"kea": "directed", "factalign": "ours"}[method], 1.0) == (report["preset"], report["f1"])
    settings = {
        method: json.loads(wiring.detector(load_settings(), method, calibration=folder / "c.json").config)["settings"]
        for method in ("kea", "factalign")
    }
    assert pytest.approx(1 - found["kea"]["hallucination"]) == settings["kea"]["threshold"]
    assert found["factalign"]["alignment"] == settings["factalign"]["alignment"]
    assert [] == list((folder / "cache" / "evaluations").iterdir())


def test_other_presets_keep_their_thresholds(folder: Path) -> None:
    """A paper's preset is that of the paper, whatever the calibration says."""
    calibration = {"format": 3, "profiles": {}, "thresholds": {"kea": {"hallucination": 0.9}}}
    (folder / "c.json").write_text(json.dumps(calibration))
    settings = load_settings()
    thresholds = [
        json.loads(wiring.detector(settings, "kea", preset, folder / "c.json").config)["settings"]["threshold"]
        for preset in ("directed", "paper", "paper-qags")
    ]
    assert [pytest.approx(0.1), 0.5, 0.5] == thresholds


def test_edit_thresholds(tmp_path: Path) -> None:
    """Algorithm 1 has the calibration's thresholds under `explain`, and its defaults where there are none."""
    explain = {"entity": 0.8, "relation": 0.7}
    (tmp_path / "c.json").write_text(json.dumps({"format": 3, "profiles": {}, "thresholds": {"explain": explain}}))
    assert EditThresholds(0.8, 0.7) == wiring.edit_thresholds(tmp_path / "c.json")
    (tmp_path / "c.json").write_text(json.dumps({"format": 3, "profiles": {}, "thresholds": {}}))
    assert EditThresholds() == wiring.edit_thresholds(tmp_path / "c.json")


@pytest.mark.parametrize(("name", "profile"), [("triples", "triples"), ("texts", "text")])
def test_fused(folder: Path, name: str, profile: str) -> None:
    """Fusion gets a profile for the kind of evidence, which names its data and objective; the others stay."""
    calibrate(folder, f"{name}.jsonl", "--objective", "youden")
    shipped, found = load(), load(folder / "c.json")
    fitted = found.profiles[profile]
    assert ((name,), "youden") == (fitted.fitted_on, fitted.objective)
    assert 0 < fitted.threshold < 1
    rest = {key: value for key, value in found.profiles.items() if key != profile}
    assert {key: value for key, value in shipped.profiles.items() if key != profile} == rest
    assert shipped.thresholds == found.thresholds
    if name == "triples":
        report = judged(folder, "fused", "--calibration", "c.json")
        assert (1.0, 1.0) == (report["auc_roc"], report["balanced_accuracy"])


def test_trials(folder: Path) -> None:
    """The same seed writes the same file, within [0, 1]."""
    written = []
    for _ in range(2):
        calibrate(folder, "triples.jsonl", "--method", "factalign", "--trials", "4", "--tune-share", "0.5")
        written.append((folder / "c.json").read_text())
    assert written[0] == written[1]
    assert 0 <= load(folder / "c.json").thresholds["factalign"]["alignment"] <= 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("triples.jsonl", "--output", "c.json", "--trials", "5"), "--trials goes with --method"),
        (("triples.jsonl", "--output", "nowhere/c.json"), "no such folder"),
    ],
)
def test_mistakes(folder: Path, arguments: Sequence[str], said: str) -> None:
    """Trials for fusion and a folder that is not there are one clear line each."""
    result = run(folder, "eval", "calibrate", *arguments)
    assert isinstance(result.exception, UsageError)
    assert said in str(result.exception)
    assert "\n" not in str(result.exception)
    assert not (folder / "c.json").exists()

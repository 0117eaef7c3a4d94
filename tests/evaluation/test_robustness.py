"""Answers and verdicts over a graph that gets worse, with the real embedder and a small world."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from chat_server import Reply, serving
from typer.testing import CliRunner

from claimgraph.cli.app import app
from claimgraph.evaluation.answers.robustness import percents
from claimgraph.evaluation.answers.robustness_judge import JUDGED
from claimgraph.kgstore import identity, records
from claimgraph.kgstore.engines.embedded import open_embedded
from claimgraph.kgstore.engines.migrations import migrate
from claimgraph.kgstore.errors import InputError
from claimgraph.kgstore.model import Entity, Fact, Subgraph

CAPITALS = {"France": "Paris", "Italy": "Rome", "Spain": "Madrid", "Norway": "Oslo", "Japan": "Tokyo", "Peru": "Lima"}
RIVERS = {"France": "Seine", "Italy": "Tiber", "Spain": "Ebro", "Norway": "Glomma", "Japan": "Shinano", "Peru": "Rimac"}
PREDICATES = {"P36": "capital", "P47": "river"}


def _world() -> Subgraph:
    nodes, facts = {}, []
    for predicate, pairs in (("P36", CAPITALS), ("P47", RIVERS)):
        for subject, object in pairs.items():
            ends = [Entity(_id(name), name, graphs=("world",)) for name in (subject, object)]
            nodes |= {end.id: end for end in ends}
            key = identity.fact_id("world", ends[0].id, f"wd:{predicate}", ends[1].id)
            facts.append(Fact(key, "world", ends[0].id, f"wd:{predicate}", PREDICATES[predicate], ends[1].id))
    return Subgraph(nodes, tuple(facts))


def _id(name: str) -> str:
    return f"wd:Q{sum(ord(c) * 31**i for i, c in enumerate(name))}"


@pytest.fixture
def questions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store with the world, and a file that asks for each capital."""
    monkeypatch.setenv("CLAIMGRAPH_STORE", str(tmp_path / "store"))
    monkeypatch.setenv("CLAIMGRAPH_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("NEO4J_URI", raising=False)
    with open_embedded(tmp_path / "store") as opened:
        migrate(opened)
        opened.write(*records.subgraph_steps("world", "world", _world(), "1"))
        opened.settle()
    rows = [
        {
            "question": f"What is the capital of {s}?",
            "triple_qids": [_id(s)[3:], "P36", _id(o)[3:]],
            "answers": [_id(o)[3:]],
        }
        for s, o in CAPITALS.items()
    ]
    path = tmp_path / "questions.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return path


def test_answers_and_verdicts_get_worse_with_the_graph(questions: Path, tmp_path: Path) -> None:
    """Level 0 is right in all; without a single fact left nothing is found, verdicts flip, and the plot is drawn."""
    asked = ["eval", "robustness", str(questions), "--graph", "world", "--levels", "0,100", "--perturbations", "ed,er"]
    found = CliRunner().invoke(
        app, [*asked, "--modes", "triplet", "--seeds", "2", "--plot", str(tmp_path / "plot.svg"), "--json"]
    )
    assert 0 == found.exit_code, found.output
    report = json.loads(found.stdout)
    start, deleted, _, moved = report["levels"]
    assert {"perturbation": "ed", "level": 0, "n": 6, "claims": 6, "answer_recall": 1.0}.items() <= start.items()
    assert (1.0, 0.0) == (start["hits_at_1"], start["verdict_flips"])
    assert (0.0, 0.0, 1.0) == tuple(deleted[key] for key in ("answer_recall", "hits_at_1", "verdict_flips"))
    assert ([0, 1], None) == (report["seeds"], deleted["ats"])
    assert (1.0, 1.0, 1.0, [1.0, 1.0]) == (start["ats"], start["sc2d"], start["sd2"], start["ci95"]["hits_at_1"])
    assert moved["hits_at_1"] < 1
    low, high = moved["ci95"]["hits_at_1"]
    assert low <= moved["hits_at_1"] <= high
    assert 0 < moved["ats"] < 1
    assert moved["verdict_flips"] > 0
    assert {"answer_recall": 0.0, "hits_at_1": 0.0, **dict.fromkeys(JUDGED)} == report["no_kg"]
    assert all(0 == level["judged"] and level["factscore"] is None for level in report["levels"])
    assert (tmp_path / "plot.svg").read_text().startswith("<?xml")


def test_verdicts_alone_ask_no_question(questions: Path, tmp_path: Path) -> None:
    """Mode none measures flips and distances, which the plot shows, and no answers, with a graph or without."""
    asked = ["eval", "robustness", str(questions), "--graph", "world", "--levels", "100", "--perturbations", "er"]
    plot = tmp_path / "plot.svg"
    found = CliRunner().invoke(app, [*asked, "--modes", "none", "--seeds", "2", "--plot", str(plot), "--json"])
    assert 0 == found.exit_code, found.output
    report = json.loads(found.stdout)
    moved = report["levels"][1]
    assert (None, None, 6) == tuple(moved[key] for key in ("answer_recall", "hits_at_1", "claims"))
    assert moved["verdict_flips"] > 0 < moved["sd2"] < 1
    assert (None, None) == (moved["ci95"]["hits_at_1"], report["no_kg"]["hits_at_1"])
    assert "verdict flips" in plot.read_text()


def _model(prompt: str) -> Reply:
    """Answers with the first piece of evidence; calls true what the passages hold word for word; rates 4."""
    if "<evidence>" in prompt:
        piece = re.search(r"^\[1\] (\w+) (\w+) (\w+)$", prompt, re.MULTILINE)
        return f"The {piece[2]} of {piece[1]} is {piece[3]} [1]." if piece else (400, "no such luck", {})
    if "independent facts" in prompt:
        return f"- {prompt.rpartition('<sentence>')[2].removesuffix('</sentence>')}"
    if "True or False?" in prompt:
        object = prompt.rpartition("</statement>")[0].rstrip(".").split()[-1]
        return "True" if object in prompt.split("</passages>")[0] else "False"
    return "4"


def test_a_language_models_answers_are_judged(questions: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """FActScore and G-Eval of answers written from each graph; a question without an answer is not judged as wrong."""
    asked = ["eval", "robustness", str(questions), "--graph", "world", "--levels", "0,100", "--perturbations", "ed"]
    with serving(_model) as server:
        monkeypatch.setenv("CLAIMGRAPH_LLM_BASE_URL", server.url)
        monkeypatch.setenv("CLAIMGRAPH_LLM_MODEL", "scripted")
        found = CliRunner().invoke(app, [*asked, "--modes", "triplet", "--judged", "2", "--json"])
        estimate = CliRunner().invoke(app, [*asked, "--modes", "triplet", "--judged", "2", "--json", "--dry-run"])
    assert 0 == found.exit_code, found.output
    report = json.loads(found.stdout)
    start, deleted = report["levels"]
    assert (2, 0.75, 0.75) == (start["judged"], start["correctness"], start["empowerment"])
    assert 0 < start["factscore"] <= 1
    assert {"judged": 0, "factscore": None, "correctness": None}.items() <= deleted.items()
    assert len(server.asked) == report["usage"]["calls"]
    assert {"factscore", "correctness"} <= {fall["measure"] for fall in report["falls"]}
    assert ["usage"] == list(json.loads(estimate.stdout))


@pytest.mark.parametrize(
    "wrong", [["--levels", "0,101"], ["--levels", "x"], ["--perturbations", "xx"], ["--modes", "xx"]]
)
def test_what_cannot_be_asked_is_one_line(questions: Path, wrong: list[str]) -> None:
    """Unknown levels, perturbations and modes are input errors."""
    found = CliRunner().invoke(app, ["eval", "robustness", str(questions), "--graph", "world", *wrong])
    assert isinstance(found.exception, InputError)


def test_levels_are_percents() -> None:
    """Numbers with commas."""
    assert [0, 12.5, 100] == percents("0, 12.5,100")

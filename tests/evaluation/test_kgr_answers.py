"""benchmarks/kgr_answers.py: what a language model answers from memory, by chain of thought, and after retrofitting."""

from __future__ import annotations

import json
import re
import runpy
from pathlib import Path
from typing import Any

import pytest
from chat_server import serving
from films import settings

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "kgr_answers.py"
ASKED = {"who directed the silent river": ("Q1", "P57", "Q2"), "where was lena moe born": ("Q6", "P19", "Q5")}


def run(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], reply: Any, *options: str
) -> tuple[dict[str, Any], int]:
    """The JSON that the script prints for both questions, and how often the model was asked."""
    folder.mkdir(exist_ok=True)
    made = settings(folder)
    path = folder / "questions.jsonl"
    rows = [{"id": text, "question": text, "triple_qids": gold, "answers": [gold[2]]} for text, gold in ASKED.items()]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    monkeypatch.delenv("NEO4J_URI", raising=False)
    with serving(reply) as server:
        for name, value in (
            ("STORE", made.store),
            ("CACHE", made.cache),
            ("LLM_BASE_URL", server.url),
            ("LLM_MODEL", "test"),
        ):
            monkeypatch.setenv(f"CLAIMGRAPH_{name}", str(value))
        monkeypatch.setattr("sys.argv", [str(SCRIPT), str(path), "--graph", "films", *options])
        runpy.run_path(str(SCRIPT), run_name="__main__")
        return json.loads(capsys.readouterr().out), len(server.asked)


def test_an_answer_is_right_where_it_names_a_gold_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whole words in any case count; the model is asked once a question, without facts."""
    found, asked = run(
        tmp_path,
        monkeypatch,
        capsys,
        lambda prompt: "It was ANNA BERG." if "silent" in prompt else "She was born in Osloville.",
    )
    assert (0.5, 2, 0, "zero", False) == tuple(found[key] for key in ("right", "n", "failed", "prompt", "retrofit"))
    assert (2, [0.0, 1.0]) == (asked, found["ci95"])


def test_chain_of_thought_is_asked_once_and_self_consistency_five_times(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Only what stands after "Answer:" counts; the five samples of the second begin with the first's one."""
    reply = "Anna Berg and Oslo come to mind.\nAnswer: Nobody knows."
    for prompt, calls in (("cot", 2), ("cot-sc", 8)):
        found, asked = run(tmp_path, monkeypatch, capsys, lambda _: reply, "--prompt", prompt)
        assert (0.0, calls) == (found["right"], asked)


def stages(prompt: str) -> str:
    """A draft that names another director, and each stage of KGR by its prompt's first words."""
    claim = {"subject": "The Silent River", "predicate": "was directed by", "object": "Lena Moe"}
    facts = re.findall(r"<facts>\s*(.*?)\s*</facts>", prompt, re.DOTALL)
    near = [at for at, fact in enumerate(facts[-1].splitlines() if facts else [], 1) if "director" in fact]
    answers: dict[str, dict[str, Any]] = {
        "You read the draft": {"triples": [claim] if "Lena Moe" in prompt else []},
        "You name the entities": {"entities": ["The Silent River", "Lena Moe"]},
        "You choose": {"facts": near},
        "You judge a claim": {"reason": "Another.", "verdict": "refuted", "facts": [1], "suggestion": ""},
        "You put a draft right": {"text": "The Silent River was directed by Anna Berg."},
    }
    draft = "The Silent River was directed by Lena Moe." if "who directed" in prompt else "Nobody knows."
    return next((json.dumps(said) for begins, said in answers.items() if prompt.startswith(begins)), draft)


def test_retrofitting_puts_right_what_the_graph_refutes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before, the director is another; afterwards the graph's stands there."""
    before, _ = run(tmp_path / "a", monkeypatch, capsys, stages)
    after, asked = run(tmp_path / "b", monkeypatch, capsys, stages, "--retrofit")
    assert (0.0, 0.5) == (before["right"], after["right"])
    assert asked > 2 + 5

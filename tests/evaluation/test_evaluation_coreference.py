"""Coreference measured on marked texts: what counts, and what `claimgraph eval coref` prints."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from fake_ranker import FakeRanker
from typer.testing import CliRunner

from claimgraph.cli.app import app
from claimgraph.evaluation.coreference import evaluate
from claimgraph.evaluation.data.coreference_gold import read_gold
from claimgraph.kgstore.errors import InputError

TEXT = "Albert Einstein met Niels Bohr. He wrote a letter."


def _spans(text: str, *said: str) -> list[dict[str, int]]:
    return [{"start": text.index(one), "end": text.index(one) + len(one)} for one in said]


def _document(source: str = "gum", text: str = TEXT) -> dict[str, object]:
    mentions = _spans(text, "Albert Einstein", "Niels Bohr", "He")
    return {"id": "d", "source": source, "text": text, "mentions": mentions, "clusters": [[0], [1, 2]]}


def _row(right: str | None) -> dict[str, object]:
    [pronoun] = _spans(TEXT, "He")
    names = [one | {"coref": name == right} for name in ("Albert Einstein", "Niels Bohr") for one in _spans(TEXT, name)]
    return {
        "id": "r",
        "source": "gap",
        "text": TEXT,
        "pronoun": list(pronoun.values()),
        "candidates": names,
        "url": "u",
    }


def _file(folder: Path, *rows: dict[str, object]) -> Path:
    path = folder / "marked.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.mark.parametrize("row", [_document(), _row("Niels Bohr")])
def test_right_and_wrong(tmp_path: Path, row: dict[str, object]) -> None:
    """In both schemas an antecedent is right where people marked it; one that was not chosen costs recall alone."""
    path = _file(tmp_path, row)
    figures = [
        evaluate(path, model).by_source[str(row["source"])]["he, she"]
        for model in (FakeRanker({"He": "Niels Bohr"}), FakeRanker({"He": "Albert Einstein"}), FakeRanker({}))
    ]
    assert [(1.0, 1.0, 1.0), (0.0, 0.0, 1.0), (None, 0.0, 0.0)] == [
        (f.precision, f.recall, f.coverage) for f in figures
    ]


def test_a_name_right_after_its_noun(tmp_path: Path) -> None:
    """A marked phrase that ends with a name marks the name too: "the swimmer Ann Lee" and "Ann Lee" are one."""
    text = "The swimmer Ann Lee beat Eva Berg. She wept."
    row = _document(text=TEXT) | {"text": text, "clusters": [[0, 1]]}
    row["mentions"] = _spans(text, "The swimmer Ann Lee", "She")
    for name, right in (("Ann Lee", 1), ("Eva Berg", 0)):
        found = evaluate(_file(tmp_path, row), FakeRanker({"She": name})).by_source["gum"]["he, she"]
        assert (1, right) == (found.known, found.right)


def test_who_else_may_be_meant_does_not_count(tmp_path: Path) -> None:
    """Where neither name is right, a third that was chosen may be: only the two can be wrong."""
    text = f"Max Planck slept. {TEXT}"
    row = _row(None) | {"text": text}
    row["pronoun"] = [at + len("Max Planck slept. ") for at in (32, 34)]
    row["candidates"] = [one | {"coref": False} for one in _spans(text, "Albert Einstein", "Niels Bohr")]
    path = _file(tmp_path, row)
    assert {} == evaluate(path, FakeRanker({"He": "Max Planck"})).by_source.get("gap", {})
    wrong = evaluate(path, FakeRanker({"He": "Niels Bohr"})).by_source["gap"]["he, she"]
    assert (1, 0, 0) == (wrong.answered, wrong.right, wrong.known)


def test_what_nobody_marked(tmp_path: Path) -> None:
    """A pronoun in no cluster has no antecedent in a source that marks all, and is not judged in others."""
    row = _document()
    row["clusters"], row["mentions"] = [[0], [1]], _spans(TEXT, "Albert Einstein", "Niels Bohr")
    model = FakeRanker({"He": "Niels Bohr"})
    found = evaluate(_file(tmp_path, row), model).by_source["gum"]["he, she"]
    assert (1, 1, 0, 0) == (found.n, found.answered, found.right, found.known)
    assert {} == evaluate(_file(tmp_path, row | {"source": "litbank"}), model).by_source.get("litbank", {})


def test_other_files(tmp_path: Path) -> None:
    """A file of another kind is refused with the line and what a row needs; one without rows too."""
    with pytest.raises(InputError, match="line 1: a row has"):
        list(read_gold(_file(tmp_path, {"id": "x", "source": "gum"})))
    with pytest.raises(InputError, match="line 1: a row has"):
        list(read_gold(_file(tmp_path, {"pronoun": [0, 1], "source": "gap", "id": "x"})))


def test_command(tmp_path: Path) -> None:
    """The command prints a table, with --json an object; with --held-out only documents that were not trained on."""
    path = str(_file(tmp_path, _document(), _row("Niels Bohr")))
    table = CliRunner().invoke(app, ["eval", "coref", path, "--rules"])
    assert (0, True) == (table.exit_code, "he, she" in table.output)
    found = json.loads(CliRunner().invoke(app, ["eval", "coref", path, "--rules", "--json"]).output)
    assert (None, 2, {"gap", "gum"}) == (found["model"], found["texts"], set(found["by_source"]))
    held = CliRunner().invoke(app, ["eval", "coref", path, "--rules", "--held-out"])
    assert (any(gold.fold == 0 for gold in read_gold(Path(path)))) == (held.exit_code == 0)

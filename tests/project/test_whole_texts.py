"""benchmarks/whole_texts.py judges texts of known outcome and says how often it is right."""

import json
import runpy
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCE = "The tower is 330 metres tall. It was built in 1889."


def test_texts_and_drafts_are_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of three texts one is judged wrongly; a draft's error is found at its place."""
    said = "The tower is 300 metres tall."
    texts = [(said, "REFUTED"), ("The tower is 330 metres tall.", "SUPPORTED"), ("It was built in 1889.", "REFUTED")]
    _write(tmp_path, "contrast", [{"context": SOURCE, "text": text, "expected": outcome} for text, outcome in texts])
    error, claim = {"start": 13, "end": 23, "outcome": "REFUTED"}, {"start": 0, "end": len(said)}
    draft = {"text": f"{said} It was built in 1889.", "context": SOURCE, "errors": [error], "claims": [claim]}
    _write(tmp_path, "drafts", [draft])
    monkeypatch.setattr(sys, "argv", ["whole_texts.py", str(tmp_path)])
    runpy.run_path(str(ROOT / "benchmarks" / "whole_texts.py"), run_name="__main__")
    printed = capsys.readouterr().out
    assert "minimal pairs: 0.667 of 3 texts judged rightly" in printed
    assert "REFUTED: precision 1.000 of 1, recall 0.500 of 2" in printed
    assert "planted errors found: 1.000 of 1" in printed
    assert "refuted claims that are false: 1.000 of 1" in printed
    assert "right claims left open: 0.000 of 1" in printed


def _write(folder: Path, name: str, rows: list[dict[str, object]]) -> None:
    (folder / name).mkdir()
    (folder / name / f"{name}.jsonl").write_text("\n".join(map(json.dumps, rows)) + "\n", encoding="utf-8")

"""Pairs of what checking reads of a text."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from training import clauses
from training.pair import NOT_ENTAILMENT
from training.scene_pairs import scenes

SCENE = """
= The strike, the first for 20 years, began in Oslo at 5 and ended after 19 hours.
= Ines Faro led the pilots and Jon Berg negotiated.
= Nobody was hurt.
+ Work stopped for less than a day. @1
- Work stopped for a week. @1
? The pilots joined the strike.
"""


@pytest.fixture(autouse=True)
def every_twin(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each statement that can have a twin gets one."""
    monkeypatch.setattr(clauses, "TWINS", 1.0)


def test_statements_and_their_twins(tmp_path: Path) -> None:
    """A clause follows from its sentence; with another number of it, it is contradicted, with another name open."""
    path = tmp_path / "strikes.txt"
    path.write_text(SCENE.strip(), encoding="utf-8")
    [scene], errors = scenes([path])
    assert not errors
    made = list(clauses.pairs([scene], Random(0)))
    by_label: dict[str, set[str]] = {}
    for pair in made:
        assert pair.document == scene.text
        by_label.setdefault(pair.label, set()).add(pair.hypothesis)
    assert {
        "The strike, the first for 20 years, began in Oslo at 5.",
        "The strike ended after 19 hours.",
        "Ines Faro led the pilots.",
        "Jon Berg negotiated.",
    } == by_label["entailment"]
    assert "Ines Faro negotiated." in by_label[NOT_ENTAILMENT]
    assert by_label["contradiction"]
    assert not any(said in scene.text for said in by_label["contradiction"])
    texts = {pair.premise for pair in made if pair.hypothesis == "Jon Berg negotiated."}
    assert all("Jon Berg negotiated" in text for text in texts)

"""Pairs of closed sets: who is to blame, which window is read, and that no context stands on both sides of a fold."""

from __future__ import annotations

import gzip
import json
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path

import pytest

from training.documents import DOSES, FOLDS, SETS, main, said, windows
from training.pair import Pair, fold, read, write

NEAR = "Ann has sung in Oslo for years."
FAR = " ".join(f"Rain fell on day {number} of that month." for number in range(60))
TRUE, FALSE, OTHER = "Ann sings in Oslo.", "Ann sings in Rome.", "Bob paints in Oslo."


def made(folder: Path, monkeypatch: pytest.MonkeyPatch, rows: Mapping[str, Sequence[Mapping[str, object]]]) -> None:
    """Run the command over the rows of each set."""
    (folder / "closed").mkdir()
    (folder / "nli").mkdir()
    files = {f"closed/{name}": rows.get(name, []) for name in SETS} | {"nli/nli_train": rows.get("nli", [])}
    for name, some in files.items():
        with gzip.open(folder / f"{name}.jsonl.gz", "wt") as file:
            file.writelines(json.dumps({"source": name.removeprefix("closed/"), **row}) + "\n" for row in some)
    write(folder / "before.jsonl.gz", [Pair("Rain fell.", "It rained.", "entailment", "snli", "Rain fell.")])
    told = ["", "--data", str(folder), "--out", str(folder), "--replay", str(folder / "before.jsonl.gz")]
    monkeypatch.setattr(sys, "argv", told)
    main()


def written(folder: Path) -> set[Pair]:
    """The pairs of all folds."""
    return {pair for path in folder.glob("documents-?-?.jsonl.gz") for pair in read(path)}


def test_windows_are_whole_sentences_and_share_one() -> None:
    """No window has more words than told; a sentence longer than that is cut."""
    assert ["A b c. D e.", "D e. F g h."] == windows("A b c. D e. F g h.", 5)
    assert all(len(window.split()) <= 7 for window in windows(FAR, 7))
    assert ["It rose 3.5 points.", "Then it fell.", "Ann: yes"] == said("It rose 3.5 points. Then it fell.\nAnn: yes")


def test_the_sentence_that_an_edit_changed_is_to_blame(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a consistent output says follows from the window nearest to it; the one new sentence of an edit does not."""
    context = f"{FAR} {NEAR}"
    rows = [
        {"context": context, "output": f"{TRUE} {OTHER}", "label": 0},
        {"context": context, "output": f"{FALSE} {OTHER}", "label": 1},
    ]
    made(tmp_path, monkeypatch, {"summedits": rows})
    found = {pair for pair in written(tmp_path) if pair.source == "summedits"}
    assert {TRUE: "entailment", OTHER: "entailment", FALSE: "not_entailment"} == {p.hypothesis: p.label for p in found}
    assert all(pair.premise.endswith(NEAR) for pair in found)


def test_an_output_of_several_sentences_blames_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nobody said which sentence is wrong, the output is paired as a whole, if the context fits into a window."""
    row = {"output": f"{FALSE} {OTHER}", "label": 1}
    made(tmp_path, monkeypatch, {"summeval": [{**row, "context": NEAR}, {**row, "context": FAR * 2}]})
    found = [pair for pair in written(tmp_path) if pair.source == "summeval"]
    assert [(NEAR, f"{FALSE} {OTHER}", "not_entailment")] == [(p.premise, p.hypothesis, p.label) for p in found]


def test_a_fold_keeps_its_contexts_to_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each fold's file holds all other folds' pairs, the replay, and none of its own; labelled pairs of WiCE too."""
    rows = [{"context": f"Ann sang {number} songs.", "output": f"{number} songs.", "label": 0} for number in range(9)]
    nli = [{"premise": "Bob paints.", "hypothesis": OTHER, "label": "neutral", "source": "wice"}]
    made(tmp_path, monkeypatch, {"wice": rows, "nli": nli})
    everything = written(tmp_path)
    assert {"wice", "snli"} == {pair.source for pair in everything}
    assert 11 == len({pair.premise for pair in everything})
    for part, dose in product(range(FOLDS), range(len(DOSES))):
        listed = Counter(read(tmp_path / f"documents-{part}-{dose}.jsonl.gz"))
        assert {DOSES[dose][0]} == {count for pair, count in listed.items() if pair.source == "wice"}
        kept = set(listed)
        held = {pair for pair in everything if pair.source == "wice" and fold(pair.document, FOLDS) == part}
        assert kept | held >= {pair for pair in everything if pair.source == "wice"}
        assert not kept & held

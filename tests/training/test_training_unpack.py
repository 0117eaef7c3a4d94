"""What ships can be trained on."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from oracle_bert import WORDS, write_random_bert
from safetensors.numpy import load_file

from claimgraph.detect.models.entailment import OnnxEntailment
from claimgraph.detect.models.own_entailment import SMALL, base
from training import unpack
from training.pack import write
from training.pair import LABELS

PAIRS = [(" ".join(WORDS[4:9]), WORDS[5]), (WORDS[6], " ".join(WORDS[3:8])), (" ".join(WORDS), WORDS[-1])]


def unpacked(packed: Path, out: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(sys, "argv", ["", "--packed", str(packed), "--out", str(out)])
    unpack.main()
    return out


def test_weights_are_found_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All names and shapes; values within what rounding to 7 bits takes; what is packed again says the same."""
    trained = write_random_bert(tmp_path / "trained", LABELS)
    packed = write(trained, tmp_path / "packed", ("given", "1"), 1.0, tmp_path / "cache")
    start = unpacked(packed, tmp_path / "start", monkeypatch)
    before, after = (load_file(folder / "model.safetensors") for folder in (trained, start))
    assert {name: value.shape for name, value in before.items()} == {name: one.shape for name, one in after.items()}
    for name, value in before.items():
        assert np.abs(value - after[name]).max() <= np.abs(value).max() / 63
    again = write(start, tmp_path / "again", ("given", "1"), 1.0, tmp_path / "cache")
    said = [OnnxEntailment(folder, tmp_path / "cache").entail(PAIRS) for folder in (packed, again)]
    assert np.abs(said[0] - said[1]).max() < 1e-3


@pytest.mark.parametrize("folder", [SMALL, base()])
def test_what_ships_can_be_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """And says the same when it is packed again."""
    start = unpacked(folder, tmp_path / "start", monkeypatch)
    pairs = [("Ann sang in Oslo for years.", "Ann sang in Oslo."), ("Ann sang in Oslo.", "Bob paints.")]
    said = OnnxEntailment(start, tmp_path / "cache").entail(pairs).argmax(axis=1)
    assert list(OnnxEntailment(folder, tmp_path / "cache").entail(pairs).argmax(axis=1)) == list(said)

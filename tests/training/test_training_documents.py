"""Documents as training reads them: windows, long premises, and texts that the closed sets have as well."""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path

import pytest

from training import nli
from training.closed import Closed
from training.documents import Nearest, said, windows
from training.pair import Pair, read

NEAR = "Ann has sung in Oslo for years."
FAR = " ".join(f"Rain fell on day {number} of that month." for number in range(60))


def test_windows_are_whole_sentences_and_share_one() -> None:
    """No window has more words than told; a sentence longer than that is cut."""
    assert ["A b c. D e.", "D e. F g h."] == windows("A b c. D e. F g h.", 5)
    assert all(len(window.split()) <= 7 for window in windows(FAR, 7))
    assert ["It rose 3.5 points.", "Then it fell.", "Ann: yes"] == said("It rose 3.5 points. Then it fell.\nAnn: yes")


def test_the_nearest_window_shares_the_rarest_words() -> None:
    """And says how much of the claim it has."""
    nearest = Nearest(windows(f"{FAR} {NEAR} {FAR}", 20))
    window, share = nearest.to("Ann sings in Oslo.")
    assert NEAR in window
    assert 0.4 < share < 1
    assert nearest.to("Bob paints.")[1] == 0


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder with nli/ and closed/ of few rows."""
    (tmp_path / "closed").mkdir()
    (tmp_path / "nli").mkdir()
    closed = [{"context": FAR, "output": "Ann sang."}]
    train = [
        {"premise": f"Ann sang {n} songs.", "hypothesis": "Ann sang songs.", "label": "entailment"} for n in range(40)
    ]
    extra = [
        {"premise": f"{FAR} {NEAR}", "hypothesis": "Ann sings in Oslo for years.", "label": "entailment", "doc": "1"},
        {"premise": f"{NEAR} " * 30, "hypothesis": "Ann has sung in Oslo.", "label": "entailment", "doc": "2"},
        {"premise": f"{NEAR} " * 30, "hypothesis": "Bob paints.", "label": "neutral", "doc": "2"},
    ]
    apart = [{"premise": f"Bob saw {n} seas.", "hypothesis": "Bob saw a sea.", "label": "neutral"} for n in range(9)]
    files = {"closed/xsum": closed, "nli/nli_train": train, "nli/nli_extra": extra, "nli/lingnli": apart}
    for name, found in files.items():
        with gzip.open(tmp_path / f"{name}.jsonl.gz", "wt") as file:
            file.writelines(json.dumps({"source": "some", **row}) + "\n" for row in found)
    return tmp_path


def test_closed_texts_are_told_by_thirteen_words_or_whole(data: Path) -> None:
    """Twelve words in common are no copy; a short text is one where all of it stands there."""
    closed = Closed(data)
    thirteen = " ".join(FAR.replace(".", "").split()[:13])
    assert closed.has(f"So {thirteen.upper()}!")
    assert not closed.has(" ".join(thirteen.split()[:12]))
    assert closed.has("ann sang")
    assert not closed.has("Ann sang a song.")
    kept = Pair("Bob paints.", "Bob.", "neutral", "x", "1")
    assert [kept] == list(closed.without([kept, Pair("Ann sang.", "Ann.", "neutral", "x", "1")]))


def test_premises_are_cut_and_closed_texts_left_out(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A long premise becomes a window that has the claim's words; without such a window there is no pair."""
    monkeypatch.setattr(nli, "HELD", 3)
    monkeypatch.setattr(sys, "argv", ["", "--data", str(data), "--out", str(data)])
    nli.main()
    train, held = (
        {pair for name in names for pair in read(data / f"{name}.jsonl.gz")}
        for names in (("nli",), ("nli-held", "extra-held"))
    )
    assert len(train) > len(held) > 1
    assert not {pair.document for pair in train} & {pair.document for pair in held}
    [cut] = [pair for pair in train | held if len(pair.premise.split()) > 10]
    assert {pair.hypothesis for pair in read(data / "lingnli.jsonl.gz")} == {"Bob saw a sea."}
    assert cut.hypothesis == "Ann has sung in Oslo."
    assert len(cut.premise.split()) <= nli.NEAR

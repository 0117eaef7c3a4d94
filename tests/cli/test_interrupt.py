"""Ctrl-C ends a check in one line, and nothing is lost."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from command import Cli
from long_texts import HashedPairs

from claimgraph.detect.extraction import extraction_cache
from claimgraph.detect.extraction.extractor import RuleExtractor
from claimgraph.detect.models import row_cache
from claimgraph.wiring import Checker, models

SOURCE = "Ann was born in Oslo. Bob was born in Rome."


def test_an_interrupted_check_loses_nothing(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """Exit code 130 and one line; what was stored before is there, and the same command does the rest."""

    def stopped(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    def check(text: str) -> Any:
        return cli("check", text, "--context", "-", "--method", "rules", stdin=SOURCE, CLAIMGRAPH_ENTAILMENT="none")

    assert check("Ann was born in Paris.").returncode == 1
    before = cli("stats", "--json").stdout
    with monkeypatch.context() as patch:
        patch.setattr(Checker, "check", stopped)
        done = check("Bob was born in Paris.")
    assert (130, "", 1) == (done.returncode, done.stdout, len(done.stderr.strip().splitlines()))
    assert before == cli("stats", "--json").stdout
    assert check("Bob was born in Paris.").returncode == 1


class _Stopped(HashedPairs):
    """An entailment model during whose fourth block somebody types Ctrl-C."""

    def __init__(self) -> None:
        self.blocks: list[int] = []

    def entail(self, pairs: Any) -> Any:
        self.blocks.append(len(pairs))
        if len(self.blocks) == 4:
            raise KeyboardInterrupt
        return HashedPairs().entail(pairs)


def test_a_stopped_check_goes_on_where_it_was(cli: Cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The second run reads no text again and no pair: it does what is left, as one that was never stopped would."""
    names = [f"{first} {last}" for last in ("Adler", "Brandt", "Conrad", "Dorn") for first in ("Ada", "Bruno", "Clara")]
    (tmp_path / "text.txt").write_text("\n\n".join(f"{name} was born in Vienna." for name in names))
    (tmp_path / "one.txt").write_text("\n\n".join(f"{name} was born in 1950." for name in names[:6]))
    (tmp_path / "two.txt").write_text("\n\n".join(f"{name} was born in Oslo." for name in names[6:]))
    monkeypatch.setattr(row_cache, "_BLOCK", 2)
    monkeypatch.setattr(extraction_cache, "_TOGETHER", 300)
    model, read = _Stopped(), list[int]()
    monkeypatch.setattr(models, "_own_entailment", lambda *_: model)

    def extract(extractor: RuleExtractor, documents: Any) -> Any:
        read.append(len(documents))
        return extracted(extractor, documents)

    extracted = RuleExtractor.extract
    monkeypatch.setattr(RuleExtractor, "extract", extract)

    def check(**more: str) -> Any:
        paths = (str(tmp_path / f"{name}.txt") for name in ("text", "one", "two"))
        text, one, two = paths
        return cli("check", text, "--context", one, "--context", two, "--json", **more)

    assert 130 == check().returncode
    assert ([1, 1, 1], 4) == (read, len(model.blocks))
    kept = sum(model.blocks[:3])
    again = check()
    assert again.returncode in (0, 1), again.stderr
    assert [1, 1, 1] == read
    stopped, model.blocks[:] = model.blocks[4:], [0, 0, 0, 0]
    fresh = check(CLAIMGRAPH_CACHE=str(tmp_path / "other"), CLAIMGRAPH_STORE=str(tmp_path / "store"))
    assert fresh.returncode == again.returncode
    assert sum(model.blocks) == sum(stopped) + kept

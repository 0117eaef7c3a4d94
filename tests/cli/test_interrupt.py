"""Ctrl-C ends a check in one line, and nothing is lost."""

from __future__ import annotations

from typing import Any

import pytest
from command import Cli

from claimgraph.wiring import Checker

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

"""`claimgraph eval` says when it judges what the calibration was fitted on, and which sets share texts."""

from __future__ import annotations

from pathlib import Path

import pytest

from claimgraph.cli.measure.detection import MethodName, _Asked, _say_fitted
from claimgraph.cli.measure.options import say_leaks


@pytest.mark.parametrize(
    ("name", "method", "said"),
    [
        ("drafts.jsonl", MethodName.FUSED, True),
        ("drafts.jsonl", MethodName.ALL, True),
        ("drafts.jsonl", MethodName.KEA, False),
        ("mine.jsonl", MethodName.FUSED, False),
    ],
)
def test_files_that_were_fitted_on_are_named(
    name: str, method: MethodName, said: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file of a name that the calibration was fitted on is named, for the method that uses the calibration."""
    _say_fitted([Path("folder") / name], _Asked(method, None, None, None, ()))
    assert said == ("fitted on drafts" in capsys.readouterr().err)


@pytest.mark.parametrize(("name", "said"), [("qags_xsum.jsonl.gz", "13 of its XSum contexts"), ("mine.jsonl", "")])
def test_shared_texts_are_told(name: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Of a public set whose texts stand in others that is said; of other files nothing."""
    say_leaks(Path("folder") / name)
    told = capsys.readouterr().err
    assert (said in told) if said else not told

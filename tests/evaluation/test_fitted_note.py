"""`claimgraph eval detection` says when it judges what the calibration was fitted on."""

from __future__ import annotations

from pathlib import Path

import pytest

from claimgraph.cli.measure.detection import MethodName, _Asked, _say_fitted


@pytest.mark.parametrize(
    ("name", "method", "said"),
    [
        ("summeval.jsonl.gz", MethodName.FUSED, True),
        ("summeval.jsonl", MethodName.ALL, True),
        ("summeval.jsonl", MethodName.KEA, False),
        ("mine.jsonl", MethodName.FUSED, False),
    ],
)
def test_files_that_were_fitted_on_are_named(
    name: str, method: MethodName, said: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file of a name that the calibration was fitted on is named, for the method that uses the calibration."""
    _say_fitted([Path("folder") / name], _Asked(method, None, None, None, ()))
    assert said == ("fitted on summeval" in capsys.readouterr().err)

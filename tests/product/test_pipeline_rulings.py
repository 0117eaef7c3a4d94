"""What a check reports of claims that a person has ruled on."""

from __future__ import annotations

from pathlib import Path

import claimgraph
from claimgraph.kgstore.model import Outcome
from claimgraph.repair.ruling import rule

TEXT, CONTEXT = "Ada Reed was born in York.", "Ada Reed was born in Leeds in 1911."


def test_a_ruling_is_what_check_reports(tmp_path: Path) -> None:
    """After a ruling the same check reports it, with the person's note as the reason, and stores nothing else."""
    settings = claimgraph.Settings(store=tmp_path / "store", cache=tmp_path / "cache", entailment="none")
    [claim], [before] = (lambda found: (found.claims, found.verdicts))(
        claimgraph.check(TEXT, context=CONTEXT, settings=settings)
    )
    assert before.outcome is not Outcome.SUPPORTED
    with claimgraph.open_store(settings, read_only=False) as store:
        rule(store, claim.id, Outcome.SUPPORTED, "the parish register says York")
    [after] = claimgraph.check(TEXT, context=CONTEXT, settings=settings).verdicts
    assert (Outcome.SUPPORTED, "human", "the parish register says York") == (after.outcome, after.method, after.reason)

"""What a check reports of claims that a person has ruled on."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import engines
import pytest

import claimgraph
from claimgraph.kgstore import reads
from claimgraph.kgstore.model import Outcome
from claimgraph.rechecking import recheck_stale
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


@pytest.fixture(params=engines.ENGINES)
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> claimgraph.Settings:
    """Settings of a clean store on each engine found, without an entailment model."""
    engines.open_clean(request.param, tmp_path).close()
    embedded = request.param == "embedded"
    plain = claimgraph.load_settings({}) if embedded else claimgraph.load_settings()
    uri = None if embedded else os.environ[engines.NEO4J[request.param]]
    return replace(plain, neo4j_uri=uri, store=tmp_path / "store", cache=tmp_path / "cache", entailment="none")


def _agreed(settings: claimgraph.Settings, context: str) -> str:
    """What a check reports, which is what the store holds: by the claim, by its CURRENT verdict, and in lists."""
    report = claimgraph.check(TEXT, context=context, settings=settings)
    [reported] = report.verdicts
    with claimgraph.open_store(settings) as store:
        [loaded] = reads.load_verdicts(store, [reported.claim])
        found = store.query(
            "MATCH (c:Claim {id: $id})-[:CURRENT]->(v:Verdict) RETURN v.id AS id, v.outcome AS outcome",
            {"id": reported.claim},
        ).rows
    assert [(loaded.id, loaded.outcome.value)] == [tuple(row) for row in found]
    assert reported.outcome is loaded.outcome
    return reported.outcome.value


def test_what_is_shown_is_what_is_stored(settings: claimgraph.Settings) -> None:
    """Whatever happens to a claim, check and store agree: another context, the first one again, rulings, a recheck."""
    right = CONTEXT.replace("Leeds", "York")
    assert ["REFUTED", "SUPPORTED", "REFUTED"] == [_agreed(settings, one) for one in (CONTEXT, right, CONTEXT)]
    claim = claimgraph.check(TEXT, context=CONTEXT, settings=settings).claims[0].id
    with claimgraph.open_store(settings, read_only=False) as store:
        rule(store, claim, Outcome.SUPPORTED, "the parish register says York")
    assert ["SUPPORTED", "SUPPORTED"] == [_agreed(settings, one) for one in (CONTEXT, right)]
    assert () == recheck_stale(settings).flips
    assert "SUPPORTED" == _agreed(settings, CONTEXT)
    with claimgraph.open_store(settings, read_only=False) as store:
        rule(store, claim, Outcome.REFUTED, "a typing error")
    assert ["REFUTED", "REFUTED"] == [_agreed(settings, one) for one in (right, CONTEXT)]

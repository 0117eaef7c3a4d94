"""Claims known to be true or false against a stored graph: what is decided, and how the limits are chosen."""

from __future__ import annotations

import json
from pathlib import Path

import fact_world
import numpy as np
import pytest
from typer.testing import CliRunner

from claimgraph.cli.app import app
from claimgraph.evaluation.open_domain import JudgedClaim, report
from claimgraph.kgstore.ingest.flow import ingest
from claimgraph.kgstore.model import Outcome
from claimgraph.settings import Settings
from claimgraph.wiring import open_store
from training.open_domain import LEAST, limits

S, R, N = Outcome.SUPPORTED, Outcome.REFUTED, Outcome.NOT_ENOUGH_INFO


def test_the_command_counts_what_is_decided(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stated facts are supported, others of the same subject and relation refuted by absence; all ends are known."""
    facts = [fact for fact in fact_world.world() if fact[1] == "citizen_of"][:4]
    triples, asked = tmp_path / "w.tsv", tmp_path / "asked.tsv"
    triples.write_text("".join("\t".join(fact) + "\n" for fact in [("head", "relation", "tail"), *fact_world.world()]))
    wrong = [(s, p, f"country{(int(o[7:]) + 1) % fact_world.COUNTRIES}") for s, p, o in facts]
    rows = [*((fact, 1) for fact in facts), *((fact, 0) for fact in wrong)]
    lines = ["head\trelation\ttail\tsplit\tlabel", *("\t".join((*fact, "valid", str(label))) for fact, label in rows)]
    asked.write_text("\n".join(lines))
    monkeypatch.setenv("CLAIMGRAPH_STORE", str(tmp_path / "store"))
    monkeypatch.setenv("CLAIMGRAPH_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("NEO4J_URI", raising=False)
    with open_store(Settings(store=tmp_path / "store", cache=tmp_path / "cache")) as store:
        ingest(store, triples, "w")
    done = CliRunner().invoke(
        app, ["eval", "open-domain", str(asked), "--graph", "w", "--json"], catch_exceptions=False
    )
    found = json.loads(done.stdout)
    assert (8, 4, 8, 0) == tuple(found[key] for key in ("n", "true", "covered", "weighed"))
    assert found["before"] == found["after"]
    assert (4, 1.0) == (found["after"]["supported"]["n"], found["after"]["supported"]["precision"])
    assert found["after"]["refuted"]["precision"] in (None, 1.0)


def test_a_curve_counts_only_what_was_weighed() -> None:
    """A probability decides either way from its limit on; texts without one, and those not covered, are left out."""
    rows = [
        JudgedClaim("a", True, True, N, S, {"odds": 1.0}, 0.97),
        JudgedClaim("b", False, True, R, R, {"odds": -1.0}, 0.01),
        JudgedClaim("c", True, True, R, N, {"odds": 0.0}, 0.4),
        JudgedClaim("d", True, False, N, N),
    ]
    found = report(Path("x.tsv"), ["g"], rows)
    assert (4, 3, 3, 3) == (found.n, found.true, found.covered, found.weighed)
    assert (2, 0.5) == (found.before.refuted.n, found.before.refuted.precision)
    assert (2, 1.0) == (found.after.decided.n, found.after.decided.precision)
    assert (1, 1) == (found.curve["0.95"].supported.n, found.curve["0.95"].refuted.n)
    assert 3 == found.curve["0.5"].decided.n


def test_limits_give_nineteen_of_twenty() -> None:
    """A limit is the lowest from which on that share is right; with too few claims there is none."""
    chance = np.linspace(0.99, 0.01, 200)
    true = (np.arange(200) < 100).astype(int)
    support, refute = limits(chance, true)
    assert true[chance >= support].mean() >= 0.95 > true[chance >= support - 0.01].mean()
    assert (1 - true[chance <= refute]).mean() >= 0.95
    few = limits(chance[: LEAST - 1], true[: LEAST - 1])
    assert few[0] > 1 > 0 > few[1]

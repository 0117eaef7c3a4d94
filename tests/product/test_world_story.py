"""A story: fetch what a biography names, check it, let the world change, check again, and ask."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import engines
import offices
import pytest
from pyoxigraph import RdfFormat
from sparql_server import Fault, Server, serving

from claimgraph.exports.fever import evidence_sets
from claimgraph.kgstore import identity
from claimgraph.kgstore.model import Document, Outcome, Report, Status, Verdict
from claimgraph.kgstore.upkeep.flip_causes import Cause
from claimgraph.rechecking import recheck_stale
from claimgraph.settings import Settings
from claimgraph.wiring import Checker, open_store, world_cache
from claimgraph.wiring.asker import Asker

S, R, N = Outcome.SUPPORTED, Outcome.REFUTED, Outcome.NOT_ENOUGH_INFO
TEXT = (
    "Angela Merkel was born in Hamburg. In 1995 the head of government of Germany was Helmut Kohl. "
    "In 2010 the head of government of Germany was Helmut Kohl. Marie Curie was born in Poland. "
    "The capital of France is Versailles. Barack Obama was born in Warsaw. "
    "The head of government of Germany is Olaf Scholz."
)
WORLD = [(*row[:4], "", "", "", "") if row[2] == "Q621" else row for row in offices.STATEMENTS]
"""Versailles is a capital of France without dates, so that its rank alone decides."""


@pytest.fixture(params=engines.ENGINES)
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    """Settings of a clean store on each engine found, without an entailment model."""
    engines.open_clean(request.param, tmp_path).close()
    made = Settings(store=tmp_path / "store", cache=tmp_path / "cache", entailment="none", contact="me@example.org")
    made = replace(made, request_interval=0.0)
    if request.param == "embedded":
        return made
    names = ("neo4j_uri", "neo4j_username", "neo4j_password")
    return replace(made, **{name: os.environ.get(name.upper(), "") for name in names})


@pytest.fixture
def server() -> Iterator[Server]:
    """The world of offices, which gives but a part of what is asked about Barack Obama."""
    with serving(offices.turtle(WORLD)) as found:
        found.faults = [Fault("partial", times=99, when=lambda query: "Q76" in query and "DeprecatedRank" in query)]
        yield found


def test_a_biography(settings: Settings, server: Server) -> None:
    """Times, offices, places and absence are judged as they were fetched; what changes flips with its cause."""
    settings = replace(settings, wikidata_url=server.url, wikipedia_url=server.encyclopedia)
    document = Document(identity.document_id(TEXT), TEXT)
    with Checker(settings) as checker:
        fetched = checker.fetch(document, "wikidata", seconds=60, rows=100_000, progress=None)
        assert not fetched.complete
        report = checker.check(document, graphs=["wikidata"])
    assert [S, S, R, S, R, N, S] == [_of(report, part).outcome for part in _SENTENCES]
    assert Status.FETCH_INCOMPLETE is _of(report, "Barack Obama").status
    [path] = evidence_sets(_of(report, "Poland"))
    assert ["Marie Curie place of birth Warsaw", "Warsaw country Poland"] == [piece[-1] for piece in path]

    _change(server)
    with open_store(settings) as store:
        world_cache(settings, store).refresh()
    flips = {flip.text: flip for flip in recheck_stale(settings).flips}
    told = {name: next(f for text, f in flips.items() if name in text) for name in ("Hamburg", "Scholz", "Versailles")}
    assert (R, Cause.VALUE) == (told["Hamburg"].after, told["Hamburg"].cause)
    assert (R, Cause.VALIDITY) == (told["Scholz"].after, told["Scholz"].cause)
    assert (Cause.RANK, R, S) == (told["Versailles"].cause, told["Versailles"].before, told["Versailles"].after)
    with open_store(settings, read_only=True) as store:
        rows = store.query(
            "MATCH (:Verdict)-[s:SUPERSEDES]->(:Verdict) RETURN s.cause AS cause ORDER BY cause", {}
        ).rows
        assert {"rank", "validity", "value"} <= {row[0] for row in rows}
    with Asker(settings, ("wikidata",)) as asker:
        assert "Helmut Kohl" == asker.ask("Who is the head of government of Germany?").answers[0].name
        assert "Helmut Kohl" == asker.ask("Who is older, Angela Merkel or Helmut Kohl?").answers[0].name
        assert not asker.ask("Where was Olaf Scholz born?").answered


_SENTENCES = ("Hamburg", "In 1995", "In 2010", "Poland", "Versailles", "Barack Obama", "Scholz")


def _of(report: Report, part: str) -> Verdict:
    """The verdict on the last claim of the sentence that has these words."""
    pairs = zip(report.claims, report.verdicts, strict=True)
    return [verdict for claim, verdict in pairs if part in claim.sentence][-1]


def _change(server: Server) -> None:
    """Another birthplace, an office that ended, and another preferred capital; and nothing fails any more."""
    rows = [_changed(*row) for row in WORLD]
    rows.append(("Q183", "P6", "Q2518", "Preferred", "2025-05-06", "", "", ""))
    server.faults = []
    server.store.clear()
    server.store.load(offices.turtle(rows).encode(), RdfFormat.TURTLE)


def _changed(item: str, key: str, value: str, rank: str, *times: str) -> tuple[str, ...]:
    start, end, *rest = times
    if (item, key, value) == ("Q567", "P19", "Q2640"):
        value = "Q90"
    if value == "Q61053":
        rank, end = "Normal", "2025-05-06"
    if (item, key) == ("Q142", "P36"):
        rank = "Preferred" if rank == "Normal" else "Normal"
    return item, key, value, rank, start, end, *rest

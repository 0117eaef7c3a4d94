"""Claims are judged by what held at the time they speak of: facts as Wikidata's query service gives them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import engines
import offices
import pytest
from fetched_offices import fetched, world_cache
from pyoxigraph import RdfFormat
from sparql_server import serving

from claimgraph.detect.methods.open_domain.claim_times import Tense, TimePart, times
from claimgraph.kgstore import identity
from claimgraph.kgstore.model import Document, Outcome, Report
from claimgraph.kgstore.store import GraphStore
from claimgraph.rechecking import recheck_stale
from claimgraph.settings import Settings
from claimgraph.wiring import Checker, Models, extractor, open_store
from claimgraph.wiring.retrofitter import Retrofitter

S, R, N = Outcome.SUPPORTED, Outcome.REFUTED, Outcome.NOT_ENOUGH_INFO


class Check:
    """Checks texts against the world of offices in a store."""

    def __init__(self, store: GraphStore, settings: Settings) -> None:
        self.store, self._checker = store, Checker(settings, store=store, models=Models(settings, store))

    def __call__(self, text: str) -> Report:
        return self._checker.check(Document(identity.document_id(text), text), graphs=["wikidata"])


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """Settings without an entailment model: an open domain reads none."""
    return Settings(store=tmp_path_factory.mktemp("s"), cache=tmp_path_factory.mktemp("c"), entailment="none")


@pytest.fixture(scope="module", params=engines.ENGINES)
def check(
    request: pytest.FixtureRequest, settings: Settings, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Check]:
    """Check a text against the world of offices, on each engine."""
    folder = tmp_path_factory.mktemp(request.param)
    with engines.open_clean(request.param, folder) as store:
        fetched(store, offices.turtle(), folder)
        yield Check(store, settings)


CLAIMS = [
    ("In 1995 the head of government of Germany was Angela Merkel.", R, "from 2005-11-22 to 2021-12-08, not of 1995"),
    ("In 2010 the head of government of Germany was Angela Merkel.", S, "That held from 2005-11-22 to 2021-12-08"),
    ("The head of government of Germany was Angela Merkel.", S, "That held from 2005-11-22"),
    ("The head of government of Germany is Angela Merkel.", R, "not of now"),
    ("The head of government of Germany is Olaf Scholz.", S, "That held from 2021-12-08 on"),
    ("In 1995 the head of government of Germany was Helmut Kohl.", S, "1982-10-01"),
    ("The capital of France is Versailles.", R, "Paris"),
    ("The capital of France is Paris.", S, ""),
    ("The population of Oslo was 580,000 in 2010.", S, "value in 2010"),
    ("The population of Oslo was 697,010 in 2010.", R, "580000"),
    ("Oslo has a population of 697,010.", S, "2020"),
    ("The population of Oslo is 697,010.", S, "2020"),
    ("The population of Oslo is 580,000.", R, "697010"),
    ("Marie Curie was born in Poland.", S, "Marie Curie place of birth Warsaw; Warsaw country Poland"),
    ("Marie Curie was born in France.", R, "A place is taken to lie in one country"),
    ("Angela Merkel was born in Hamburg.", S, ""),
    ("Angela Merkel was born in Los Angeles.", R, "Hamburg"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "outcome", "reason"), CLAIMS)
def test_a_claim_at_a_time(check: Check, text: str, outcome: Outcome, reason: str) -> None:
    """Facts of another time refute it, facts of its time support it, and the reason names the time."""
    verdict = check(text).verdicts[-1]
    assert outcome is verdict.outcome, verdict.reason
    assert reason in verdict.reason


DATED = [
    ("Angela Merkel has been Chancellor of Germany since 2005.", S),
    ("Angela Merkel has been Chancellor of Germany since 2009.", R),
    ("Angela Merkel held the office of Chancellor of Germany until 2021.", S),
    ("Angela Merkel held the office of Chancellor of Germany until 2019.", R),
    ("Barack Obama became President of the United States in 2009.", S),
    ("Barack Obama became President of the United States in 2012.", R),
    ("Oslo had a population of 580,000 in 2010.", S),
    ("Oslo had a population of 697,010 in 2010.", R),
    ("Marie Curie was married to Pierre Curie until his death.", S),
    ("Marie Curie was married to Pierre Curie until 1900.", R),
]


@pytest.mark.parametrize(("text", "outcome"), DATED)
def test_starts_and_ends_are_facts(check: Check, text: str, outcome: Outcome) -> None:
    """The claim that dates another one is judged by the start, the end or the time of the fact that says the rest."""
    report = check(text)
    ends = ("since", "until", "in")
    [verdict] = [v for c, v in zip(report.claims, report.verdicts, strict=True) if c.predicate.endswith(ends)]
    assert outcome is verdict.outcome, verdict.reason
    assert verdict.citations


ORDERED = [
    ("Barack Obama was the 44th President of the United States.", S),
    ("Barack Obama was the first President of the United States.", R),
    ("Angela Merkel was the first head of government of Germany.", R),
]


@pytest.mark.parametrize(("text", "outcome"), ORDERED)
def test_a_place_in_an_order(check: Check, text: str, outcome: Outcome) -> None:
    """An ordinal is compared with the graph's, or with the order of the known starts."""
    verdict = check(text).verdicts[-1]
    assert outcome is verdict.outcome, verdict.reason


def test_check_and_retrofit_agree(check: Check, settings: Settings) -> None:
    """The first pass of a retrofit gives every claim that a check reads the same outcome."""
    text = " ".join([*(text for text, _, _ in CLAIMS[5:]), *(text for text, _ in DATED + ORDERED)])
    report = check(text)
    with Retrofitter(settings, ("wikidata",), store=check.store, mode="deterministic") as retrofitter:
        stages = retrofitter.stages()
        read = stages.extract(text)
        links = stages.detect(read)
        verdicts = stages.verify(read, links, stages.select(read, links))
    checked = {claim.id: v.outcome for claim, v in zip(report.claims, report.verdicts, strict=True)}
    assert len(checked) > 5
    assert checked == {v.claim: v.outcome for v in verdicts}


def test_a_world_that_changes_flips_verdicts(tmp_path: Path) -> None:
    """After a refresh a claim about now is checked again, and refuted by the successor."""
    made = Settings(store=tmp_path / "s", cache=tmp_path / "c", entailment="none")
    with serving(offices.turtle()) as server:
        with open_store(made) as store:
            world_cache(store, server.url, tmp_path).fetch(["Q183", "Q61053"], hops=1)
        text = "The head of government of Germany is Olaf Scholz."
        with Checker(made) as checker:
            [before] = checker.check(Document(identity.document_id(text), text), graphs=["wikidata"]).verdicts
        ended = [
            (*row[:3], "Normal", row[4], "2025-05-06", *row[6:]) if row[2] == "Q61053" else row
            for row in offices.STATEMENTS
        ]
        ended.append(("Q183", "P6", "Q2518", "Preferred", "2025-05-06", "", "", ""))
        server.store.clear()
        server.store.load(offices.turtle(ended).encode(), RdfFormat.TURTLE)
        with open_store(made) as store:
            world_cache(store, server.url, tmp_path).refresh()
    [flip] = recheck_stale(made).flips
    assert (S, S, R) == (before.outcome, flip.before, flip.after)
    assert "2025-05-06" in flip.why


def test_a_time_from_the_sentence_before(check: Check) -> None:
    """A state in the past has the time that the sentence before begins with; an event has none."""
    text = "In 1995, Helmut Kohl was in office. The head of government of Germany was Angela Merkel."
    last = check(text).verdicts[-1]
    assert (R, True) == (last.outcome, "(the time of the sentence before)" in last.reason)
    born = check("In 1995, Angela Merkel was in office. She was born in Hamburg.").verdicts[-1]
    assert S is born.outcome


@pytest.mark.parametrize(
    ("text", "tense", "date", "part"),
    [
        ("In 1995, Ann Lee was the mayor of Oslo.", Tense.PAST, "1995", TimePart.DURING),
        ("Ann Lee is the mayor of Oslo.", Tense.NOW, None, TimePart.DURING),
        ("Ann Lee was mayor of Oslo until 1995.", Tense.PAST, "1995", TimePart.END),
        ("Ann Lee became mayor of Oslo in 1995.", Tense.PAST, "1995", TimePart.START),
        ("Ann Lee was married to Bob Ray, who died in 1906.", Tense.PAST, None, TimePart.DURING),
        ("Ann Lee was born in Oslo.", Tense.PAST, None, TimePart.DURING),
    ],
)
def test_the_time_of_a_clause(settings: Settings, text: str, tense: Tense, date: str | None, part: TimePart) -> None:
    """A date counts that is joined to the claim's verb, or stands first or last in its clause; else the tense does."""
    [read] = extractor(settings).extract([Document(identity.document_id(text), text)])
    found = dict(zip([claim.object for claim in read.claims], times(read.claims, text, read.sentences), strict=True))
    time = next(time for object, time in found.items() if not object[0].isdigit())
    assert (tense, date, part) == (time.tense, time.date and time.date.value, time.part)

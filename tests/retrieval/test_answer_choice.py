"""Answers are of the kind asked for and of the question's time, or the graph is said to lack them."""

from __future__ import annotations

from collections.abc import Iterator

import engines
import offices
import pytest
from fetched_offices import fetched

from claimgraph.answering.answer_choice import Kind, Lack, kind_asked
from claimgraph.reports.answer_report import as_json
from claimgraph.settings import Settings
from claimgraph.wiring.asker import Asker


@pytest.fixture(scope="module", params=engines.ENGINES)
def asker(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asker]:
    """Questions to the world of offices, on each engine."""
    folder = tmp_path_factory.mktemp(request.param)
    with engines.open_clean(request.param, folder) as store:
        fetched(store, offices.turtle(), folder)
        yield Asker(Settings(store=folder / "s", cache=folder / "c", entailment="none"), ("wikidata",), store=store)


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Who is the head of government of Germany?", "Olaf Scholz"),
        ("Who was the head of government of Germany in 2010?", "Angela Merkel"),
        ("What is the capital of France?", "Paris"),
        ("What is the population of Oslo?", "697010"),
        ("When did Angela Merkel become Chancellor of Germany?", "2005-11-22"),
        ("When did Barack Obama stop being President of the United States?", "2017-01-20"),
        ("Where was Marie Curie born?", "Warsaw"),
    ],
)
def test_an_answer_holds_at_the_question_s_time(asker: Asker, question: str, name: str) -> None:
    """Former values are no answer in the present, a date chooses among them, and times of facts are answers."""
    report = asker.ask(question)
    assert (name, True) == (report.answers[0].name if report.answers else report.answer, report.answered)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Who is older, Angela Merkel or Helmut Kohl?", "Helmut Kohl"),
        ("Who is younger, Angela Merkel or Helmut Kohl?", "Angela Merkel"),
        ("Was Angela Merkel born before Helmut Kohl?", "no"),
        ("Is Angela Merkel younger than Helmut Kohl?", "yes"),
    ],
)
def test_two_things_are_compared_by_a_fact_of_each(asker: Asker, question: str, said: str) -> None:
    """The answer names the one that wins, or says yes or no, and rests on both facts."""
    report = asker.ask(question)
    assert (said, True) == (report.answers[0].name if report.answers else report.answer, report.answered)
    assert {"1954-07-17", "1930-04-03"} == {piece.triple.object for piece in report.evidence[:2] if piece.triple}


@pytest.mark.parametrize(
    ("question", "lack"),
    [
        ("What is the capital of Norway?", {Lack.RELATION, Lack.VALUE}),
        ("Which country is Marie Curie married to?", {Lack.RELATION, Lack.VALUE}),
        ("Who is xyzzy?", {Lack.ENTITY}),
        ("Which is older, Oslo or Hamburg?", {Lack.STEPS}),
        ("Who is taller, Angela Merkel or Helmut Kohl?", {Lack.STEPS}),
    ],
)
def test_what_the_graph_lacks_is_said(asker: Asker, question: str, lack: set[Lack]) -> None:
    """Nothing likely, of the kind, or of one fact: no answer, what is missing, and the nearest facts marked so."""
    report = asker.ask(question)
    found = as_json(report)
    assert (False, []) == (found["answered"], found["answers"])
    assert report.lacks in lack
    assert report.lacks in (Lack.ENTITY, Lack.STEPS) or "Nearest, but no answer: " in report.answer


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("When was he born?", Kind.DATE),
        ("How tall is it?", Kind.NUMBER),
        ("Which country has it?", Kind.COUNTRY),
        ("Who wrote it?", Kind.THING),
        ("What is it?", None),
    ],
)
def test_the_kind_that_a_question_asks_for(question: str, kind: Kind | None) -> None:
    """The question word tells it, or nothing does."""
    assert kind is kind_asked(question)

"""Adapters for other libraries, on the real ones."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import spacy

import claimgraph.integrations.spacy_component
from claimgraph.integrations.judgement import judge
from claimgraph.settings import Settings, load_settings

CONTEXT = "The Halden Bridge was opened in 1934. It is 214 metres long."
RIGHT, WRONG = "The Halden Bridge was opened in 1934.", "The Halden Bridge was opened in 1931."


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """An embedded store in the test's folder, for the environment too."""
    monkeypatch.setenv("CLAIMGRAPH_STORE", str(tmp_path / "store"))
    monkeypatch.setenv("CLAIMGRAPH_CACHE", str(tmp_path / "cache"))
    made = load_settings({}, Path("/nonexistent"))
    return replace(made, store=tmp_path / "store", cache=tmp_path / "cache")


def test_a_judgement(settings: Settings) -> None:
    """The score is the share of supported statements, and what does not pass says why."""
    found = judge(f"{WRONG} It is 214 metres long.", CONTEXT, settings, "rules")
    assert (0.5, False, True) == (found.score, found.passing, "1934" in found.reason)
    assert (1.0, True) == (lambda one: (one.score, one.passing))(judge(RIGHT, [CONTEXT], settings, "rules"))
    assert (None, True) == (lambda one: (one.score, one.passing))(judge("Thank you!", CONTEXT, settings, "rules"))


@pytest.mark.usefixtures("settings")
def test_a_component_of_spacy() -> None:
    """Documents have their report and spans by outcome; a context of their own goes before the component's."""
    nlp = spacy.blank("en")
    nlp.add_pipe("claimgraph", config={"context": CONTEXT, "method": "rules"})
    doc = nlp(WRONG)
    spans = doc.spans[claimgraph.integrations.spacy_component.KEY]
    assert [("REFUTED", WRONG.rstrip("."))] == [(span.label_, span.text.rstrip(".")) for span in spans]
    own = nlp.make_doc(WRONG)
    own._.claim_context = CONTEXT.replace("1934", "1931")
    found = list(nlp.pipe([own, nlp.make_doc(RIGHT)]))
    assert [["SUPPORTED"]] * 2 == [[span.label_ for span in doc.spans["claims"]] for doc in found]
    assert 1 == len(found[0]._.claim_report.to_dict()["claims"])


@pytest.mark.nightly
def test_an_evaluator_of_langchain(settings: Settings) -> None:
    """It is a runnable that takes a text with what it was made from."""
    from langchain_core.runnables import RunnableLambda

    from claimgraph.integrations.langchain import ClaimEvaluator

    chain = RunnableLambda(lambda text: {"prediction": text, "reference": CONTEXT}) | ClaimEvaluator(settings, "rules")
    assert [(1.0, "Y"), (0.0, "N")] == [(found["score"], found["value"]) for found in chain.batch([RIGHT, WRONG])]


@pytest.mark.nightly
def test_an_evaluator_of_llama_index(settings: Settings) -> None:
    """It evaluates a response by the contexts that were retrieved."""
    from claimgraph.integrations.llama_index import ClaimEvaluator

    evaluator = ClaimEvaluator(settings, "rules")
    assert evaluator.evaluate(response=RIGHT, contexts=[CONTEXT]).passing
    found = evaluator.evaluate(response=WRONG, contexts=[CONTEXT])
    assert (0.0, False, True) == (found.score, found.passing, "1934" in (found.feedback or ""))

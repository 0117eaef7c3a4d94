"""Check, correct, check again: from the public function and the command line, into the store."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from chat_server import serving
from command import Cli

import claimgraph
from claimgraph import wiring
from claimgraph.input_texts import document_from_text
from claimgraph.kgstore.errors import InputError, UsageError
from claimgraph.kgstore.model import Outcome
from claimgraph.kgstore.reads import load_corrections
from claimgraph.kgstore.upkeep.transfer import counts
from claimgraph.repair.ruling import rule

TEXT = "Marie Curie was born in Paris. She saw Naples. She liked cats.\n"
CONTEXT = "Marie Curie was born in Warsaw on 7 November 1867. Naples was never seen by Marie Curie."
RIGHT = TEXT.replace("Paris", "Warsaw")


@pytest.fixture
def settings(tmp_path: Path) -> claimgraph.Settings:
    """An embedded store of its own, neither a language model nor one of entailment."""
    plain = claimgraph.load_settings({}, Path("/nonexistent"))
    return replace(plain, store=tmp_path / "store", cache=tmp_path / "cache", entailment="none")


def test_a_correction_is_stored_with_its_cause(settings: claimgraph.Settings) -> None:
    """The corrected text is checked, and the store says what was changed because of which verdict; twice is once."""
    report = claimgraph.correct(TEXT, context=CONTEXT, settings=settings)
    assert (TEXT, RIGHT) == (report.corrected.original, report.corrected.text)
    refuted = [v for v in report.before.verdicts if v.outcome is Outcome.REFUTED]
    assert [Outcome.SUPPORTED, Outcome.REFUTED, Outcome.NOT_ENOUGH_INFO] == [v.outcome for v in report.after.verdicts]
    with claimgraph.open_store(settings) as store:
        [stored] = load_corrections(store, report.before.document.id)
        before = counts(store)
    assert ("Paris", "Warsaw", refuted[0].id) == (stored.before, stored.after, stored.verdict)
    assert (report.after.document.id, "deterministic") == (stored.result, stored.method)
    assert "Paris" == TEXT[stored.span.start : stored.span.end]
    claimgraph.correct(TEXT, context=CONTEXT, settings=settings)
    with claimgraph.open_store(settings) as store:
        assert before == counts(store)


def test_what_a_person_ruled_right_is_not_touched(settings: claimgraph.Settings) -> None:
    """A claim that the context refutes and a person upholds stays as it is."""
    report = claimgraph.correct(TEXT, context=CONTEXT, settings=settings)
    with wiring.open_store(settings) as store:
        rule(store, report.corrected.edits[0].claim, Outcome.SUPPORTED, "a better source says so")
    again = claimgraph.correct(TEXT, context=CONTEXT, settings=settings)
    assert TEXT == again.corrected.text
    assert again.after is again.before


def test_graphcorrect_over_a_server(settings: claimgraph.Settings) -> None:
    """With a language model the two prompts do the work, and the correction says which model and prompts."""
    with serving(lambda p: RIGHT if "<old_triple>" in p else '["Marie Curie", "was born in", "Warsaw"]') as server:
        with_model = replace(settings, llm_base_url=server.url, llm_model="scripted")
        report = claimgraph.correct(TEXT, context=CONTEXT, method="graphcorrect", settings=with_model)
    assert RIGHT == report.corrected.text
    with claimgraph.open_store(settings) as store:
        [stored] = load_corrections(store, report.before.document.id)
    config = json.loads(stored.config)
    assert ("graphcorrect", "scripted") == (stored.method, config["model"])
    assert {"graphcorrect_triple", "graphcorrect_apply"} == set(config["prompts"])


@pytest.mark.parametrize("method", ["graphcorrect", "direct"])
def test_without_a_language_model_its_methods_refuse(settings: claimgraph.Settings, method: str) -> None:
    """One line names the settings, and nothing was checked or stored before it."""
    with pytest.raises(UsageError, match="CLAIMGRAPH_LLM_BASE_URL and CLAIMGRAPH_LLM_MODEL"):
        claimgraph.correct(TEXT, context=CONTEXT, method=method, settings=settings)
    with claimgraph.open_store(settings) as store:
        assert {} == counts(store)
    with pytest.raises(InputError, match="deterministic, graphcorrect and direct"):
        claimgraph.correct(TEXT, context=CONTEXT, method="magic", settings=settings)


def test_a_right_text_stays(settings: claimgraph.Settings) -> None:
    """Where nothing is refuted, text and check are the same before and after."""
    with wiring.Checker(settings) as checker:
        document, context = (document_from_text(t, 1, "x") for t in ("Marie Curie was born in Warsaw.", CONTEXT))
        report = checker.correct(document, wiring.corrector(checker.models), context=context)
        assert report.after is report.before
        assert (document.text, ()) == (report.corrected.text, report.corrected.edits)
        assert [] == load_corrections(checker.store, document.id)


def test_the_command_prints_the_documented_object(cli: Cli, tmp_path: Path) -> None:
    """Text, original, method, edits and verdict counts; exit 1 while something is refuted; a diff for people."""
    none = {"CLAIMGRAPH_ENTAILMENT": "none"}
    (tmp_path / "context.txt").write_text(CONTEXT)
    done = cli("correct", TEXT, "--context", "context.txt", "--json", **none)
    assert (1, "") == (done.returncode, done.stderr)
    found = json.loads(done.stdout)
    assert ["text", "original", "method", "edits", "before", "after", "usage"] == list(found)
    assert (None, False, 0) == tuple(found["usage"][key] for key in ("model", "dry_run", "calls"))
    assert (RIGHT, TEXT, "deterministic") == (found["text"], found["original"], found["method"])
    assert ["start", "end", "before", "after", "claim", "verdict", "status", "reason"] == list(found["edits"][0])
    assert ["applied", "no replacement", "not enough info"] == [edit["status"] for edit in found["edits"]]
    assert {"SUPPORTED": 0, "REFUTED": 2, "NOT_ENOUGH_INFO": 1} == found["before"]
    assert {"SUPPORTED": 1, "REFUTED": 1, "NOT_ENOUGH_INFO": 1} == found["after"]
    shown = cli("correct", "Marie Curie was born in Paris.", "--context", "context.txt", **none)
    assert 0 == shown.returncode
    assert "born in [-Paris-]{+Warsaw+}." in shown.stdout
    refused = cli("correct", TEXT, "--context", "context.txt", "--method", "graphcorrect", **none)
    assert (2, "") == (refused.returncode, refused.stdout)
    assert "CLAIMGRAPH_LLM_BASE_URL" in refused.stderr

"""A text that was checked before is not checked again, as long as that could change nothing."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import fields, replace

import pytest

import claimgraph
from claimgraph.input_texts import document_from_text
from claimgraph.kgstore.model import HUMAN, Outcome, Report
from claimgraph.kgstore.upkeep.forget import forget
from claimgraph.kgstore.values.noun_json import as_values, from_values
from claimgraph.repair.ruling import rule
from claimgraph.wiring import Checker, kept_checks
from claimgraph.wiring.forgetting import forget_reading

CONTEXT = "The mine opened in 1881. The mine closed in 1903."
TEXT = "The mine opened in 1891. The mine closed in 1903. Does it have a name?"
SPAN = 1_000_000


@pytest.fixture
def settings(tmp_path):
    """A store and a cache of the test's own, without the entailment model."""
    return claimgraph.Settings(store=tmp_path / "store", cache=tmp_path / "cache", entailment="none")


@pytest.fixture
def checker(settings):
    """A checker that counts in `read` the texts that it did check."""
    with Checker(settings) as opened:
        opened.read, checked = [], opened._checked
        opened._checked = lambda document, *rest: (opened.read.append(document.id), checked(document, *rest))[1]
        yield opened


def check(checker, text=TEXT, context=CONTEXT, name=None, **options):
    known = replace(document_from_text(context, SPAN, "the context"), name=name)
    return checker.check(document_from_text(text, SPAN, "the text"), context=known, **options)


def test_it_is_the_same_report(checker):
    """The second report equals the first but for its seconds, and nothing is read for it."""
    first, again = check(checker), check(checker)
    assert replace(first, seconds=0.0) == replace(again, seconds=0.0)
    assert 1 == len(checker.read)
    assert 1 == len(first.silent)


def test_a_process_of_its_own_loads_no_model(settings):
    """A known text is checked without numpy, spaCy and onnxruntime."""
    code = f"""
import json, sys, pathlib, claimgraph
settings = claimgraph.Settings(store=pathlib.Path(sys.argv[1]), cache=pathlib.Path(sys.argv[2]), entailment="none")
report = claimgraph.check({TEXT!r}, context={CONTEXT!r}, settings=settings)
heavy = sorted({{"numpy", "spacy", "onnxruntime", "tokenizers"}} & set(sys.modules))
print(json.dumps([[verdict.reason for verdict in report.verdicts], heavy]))
"""
    command = [sys.executable, "-c", code, str(settings.store), str(settings.cache)]
    new, known = (json.loads(subprocess.check_output(command, text=True)) for _ in range(2))
    assert new[0] == known[0]
    assert "spacy" in new[1]
    assert [] == known[1]


@pytest.mark.parametrize("other", [{"text": f"{TEXT} It is deep."}, {"name": "mines.txt"}, {"method": "rules"}])
def test_another_check_is_made(checker, other):
    """Another text, a context by another name, and another method are checked."""
    check(checker)
    check(checker, **other)
    assert 2 == len(checker.read)


def test_altered_code_checks_again(checker, monkeypatch):
    """What another version of the package kept does not count."""
    check(checker)
    monkeypatch.setattr(kept_checks, "_code", lambda: "another")
    check(checker)
    assert 2 == len(checker.read)


def test_an_installed_package_counts_as_altered_code(tmp_path, monkeypatch):
    """A package put beside this one may bring other models."""
    installed = tmp_path / "site-packages"
    installed.mkdir()
    monkeypatch.syspath_prepend(installed)
    kept_checks._code.cache_clear()
    before = kept_checks._code()
    (installed / "another_model").mkdir()
    kept_checks._code.cache_clear()
    assert before != kept_checks._code()
    kept_checks._code.cache_clear()


def test_what_the_store_lost_is_stored_again(checker, settings):
    """A document or a context that was forgotten is checked and stored again."""
    report = check(checker)
    for times, document in enumerate((report.document.id, report.contexts[0].id), 2):
        forget(checker.store, document)
        assert report.verdicts == check(checker).verdicts
        assert times == len(checker.read)
    forget_reading(settings, report.document.id)
    assert [] == [path for path in (settings.cache / "checks").rglob("*") if path.is_file()]


def test_a_ruling_holds(checker):
    """A person's verdict stands in the known report, and is not kept with it."""
    report = check(checker)
    [refuted] = [verdict for verdict in report.verdicts if verdict.outcome == "REFUTED"]
    rule(checker.store, refuted.claim, Outcome.SUPPORTED, "seen")
    held = {verdict.claim: verdict for verdict in check(checker).verdicts}
    assert HUMAN == held[refuted.claim].method
    assert 1 == len(checker.read)


def test_a_damaged_file_is_no_report(checker, settings):
    """A file that was cut short is not read; the text is checked."""
    check(checker)
    [kept] = [path for path in (settings.cache / "checks").rglob("*") if path.is_file()]
    kept.write_bytes(kept.read_bytes()[:50])
    check(checker)
    assert 2 == len(checker.read)


def test_values_of_a_report_are_read_back(checker):
    """Every field of a report survives JSON."""
    report = check(checker)
    back = from_values(Report, json.loads(json.dumps(as_values(report))))
    for field in fields(Report):
        assert getattr(report, field.name) == getattr(back, field.name)

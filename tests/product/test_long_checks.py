"""The check of a long text is stored in portions, of which nobody takes one for the whole."""

from __future__ import annotations

import pytest

import claimgraph
from claimgraph.input_texts import document_from_text
from claimgraph.kgstore import stored_check
from claimgraph.kgstore.upkeep import transfer
from claimgraph.kgstore.upkeep.forget import forget
from claimgraph.reports.stored_document import stored_document
from claimgraph.wiring import Checker

SOURCE, SAID = "The mine opened in 1881. It closed in 1903.", "The mine opened in 1891. It closed in 1903. It was deep."
CONTEXT, TEXT = document_from_text(SOURCE, 1_000, "the context"), document_from_text(SAID, 1_000, "the text")


class Stopped(Exception):
    """The process ends here."""


@pytest.fixture
def checker(store, tmp_path, monkeypatch):
    """A checker that keeps no report, for which a text of one claim is long and a portion is one row."""
    monkeypatch.setattr(stored_check, "LONG", 0)
    monkeypatch.setattr(stored_check, "PORTION", 1)
    settings = claimgraph.Settings(store=tmp_path / "unused", cache=tmp_path / "cache", entailment="none")
    opened = Checker(settings, store=store)
    monkeypatch.setattr(opened, "_kept_check", lambda *_: None)
    return opened


@pytest.fixture
def seen(checker, monkeypatch):
    """After each write: verdicts that hold, graphs with their facts, claims on the text's page, verdicts written."""
    found, write = [], checker.store.write
    read = checker.store.read

    def watched(*steps):
        rows = write(*steps)
        graphs = {row["name"]: read("graph_size", graph=row["name"])[0]["facts"] for row in read("graphs")}
        holding = sum(row["verdicts"] for row in read("verdict_counts"))
        made = max(len(given) for name, given in (("", ()), *steps) if name in ("", "put_verdicts"))
        found.append((holding, graphs, len(stored_claims(checker)), made))
        return rows

    monkeypatch.setattr(checker.store, "write", watched)
    return found


def stored_claims(checker):
    """The claims that a page shows of the text, if it is there at all."""
    known = checker.store.read("document", id=TEXT.id)
    return stored_document(checker.store, TEXT.id).claims if known else ()


def test_verdicts_hold_with_the_last_portion(checker, seen):
    """Before it no verdict holds and no page shows a claim; with it all do, as where the check is one write."""
    report = checker.check(TEXT, context=CONTEXT)
    *before, last = seen
    assert 5 == len(before)
    assert [(0, 0, 0)] * 2 + [(0, 0, 1)] * 3 == [(holding, claims, made) for holding, _, claims, made in before]
    assert (len(report.claims), len(report.claims)) == (last[0], last[2])
    parts = transfer.counts(checker.store)
    forget(checker.store, TEXT.id)
    forget(checker.store, CONTEXT.id)
    stored_check.LONG = 2_000
    again = checker.check(TEXT, context=CONTEXT)
    assert (report.verdicts, parts) == (again.verdicts, transfer.counts(checker.store))


def test_a_graph_is_there_with_all_its_facts(checker, seen):
    """A context's graph appears after its facts: what finds its version need not write them again."""
    checker.check(TEXT, context=CONTEXT)
    sizes = {(name, facts) for _, graphs, *_ in seen for name, facts in graphs.items()}
    assert sizes == set(seen[-1][1].items())
    assert 2 == len(sizes)


def test_a_stopped_check_is_completed_or_forgotten(checker, monkeypatch):
    """Stopped before any of its writes, the same check ends as if it never was; forgetting leaves nothing."""
    write, left, empty = checker.store.write, 0, transfer.counts(checker.store)

    def stopping(*steps):
        nonlocal left
        left -= 1
        if left < 0:
            raise Stopped
        return write(*steps)

    monkeypatch.setattr(checker.store, "write", stopping)
    left = many = 10_000
    report = checker.check(TEXT, context=CONTEXT)
    writes, whole = many - left, transfer.counts(checker.store)
    for stop in range(writes):
        for document in (TEXT.id, CONTEXT.id):
            if checker.store.read("document", id=document):
                forget(checker.store, document)
        assert empty == transfer.counts(checker.store)
        left = stop
        with pytest.raises(Stopped):
            checker.check(TEXT, context=CONTEXT)
        left = many
        assert [] == checker.store.read("verdict_counts")
        if stop % 2:
            assert report.verdicts == checker.check(TEXT, context=CONTEXT).verdicts
            assert whole == transfer.counts(checker.store)

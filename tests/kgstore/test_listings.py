"""Lists for a person, on each engine."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from claimgraph.input_texts import document_from_text
from claimgraph.kgstore.errors import NotFound
from claimgraph.kgstore.listings import checked_documents, claim_history
from claimgraph.kgstore.model import Outcome
from claimgraph.kgstore.store import GraphStore
from claimgraph.repair.ruling import rule
from claimgraph.settings import NO_ENTAILMENT, load_settings
from claimgraph.wiring import Checker

CONTEXT = "Marie Curie was born in Warsaw. Pierre Curie was born in Paris."


def _checked(store: GraphStore, folder: Path, *texts: str) -> list[str]:
    """Ids of each text's first claim."""
    settings = replace(load_settings({}, folder), cache=folder / "cache", entailment=NO_ENTAILMENT)
    with Checker(settings, store=store) as checker:
        context = document_from_text(CONTEXT, 1, "the context")
        found = [checker.check(document_from_text(text, 1, "a text"), context=context) for text in texts]
    return [report.claims[0].id for report in found]


def test_documents_and_history(store: GraphStore, tmp_path: Path) -> None:
    """Documents come worst first with counts, can be searched and paged; a claim's history has the one that holds
    first, and an unknown claim is refused."""
    wrong, right = "Marie Curie was born in Paris.", "Pierre Curie was born in Paris."
    claim, _ = _checked(store, tmp_path, wrong, right)
    rows = checked_documents(store)
    assert [(0, 0, 1), (1, 0, 0)] == sorted((row["refuted"], row["open"], row["supported"]) for row in rows)
    assert 1 == rows[0]["refuted"]
    assert rows[1:] == checked_documents(store, skip=1, limit=1)
    assert [rows[1]["id"]] == [row["id"] for row in checked_documents(store, words="PIERRE")]
    assert [] == checked_documents(store, run="b1:none")
    rule(store, claim, Outcome.SUPPORTED, "the register says so")
    history = claim_history(store, claim)
    assert [("human", "SUPPORTED", True), ("fused", "REFUTED", False)] == [
        (row["method"], row["outcome"], row["holds"]) for row in history
    ]
    assert 1 == checked_documents(store, words="marie")[0]["supported"]
    with pytest.raises(NotFound):
        claim_history(store, "c1:none")

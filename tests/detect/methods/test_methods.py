"""Every method on the claims of one text: against a context and against a stored graph, from Python."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from contradiction_table import MODEL, Table
from curie import claim_of, curie_context

import claimgraph
from claimgraph import wiring
from claimgraph.detect.check_input import Case
from claimgraph.detect.methods.factalign.detector import FactAlignDetector, ours
from claimgraph.detect.methods.grapheval import GraphEvalDetector
from claimgraph.detect.reasons.contrasted import Contrasted
from claimgraph.input_texts import document_from_text
from claimgraph.kgstore.errors import InputError
from claimgraph.kgstore.model import Outcome
from claimgraph.reports.check_report import as_json

TEXT = "Marie Curie was born in Paris. She liked cats."
CONTEXT = "Marie Curie was born in Warsaw. She discovered polonium."


@pytest.fixture
def settings(tmp_path: Path) -> claimgraph.Settings:
    return claimgraph.Settings(store=tmp_path / "store", cache=tmp_path / "cache")


@pytest.mark.parametrize(
    ("method", "preset", "named"),
    [
        ("fused", None, "calibrated"),
        ("rules", None, None),
        ("grapheval", None, "grapheval"),
        ("factalign", None, "ours"),
        ("factalign", "factalign-paper", "factalign-paper"),
        ("kea", None, "directed"),
        ("kea", "paper-wikibio", "paper-wikibio"),
    ],
)
def test_a_method_checks_and_is_named(
    settings: claimgraph.Settings, method: str, preset: str | None, named: str | None
) -> None:
    """Each method gives every claim a verdict of its own, with a reason; the report names method and preset."""
    report = claimgraph.check(TEXT, context=CONTEXT, method=method, preset=preset, settings=settings)
    found = as_json(report)
    assert (method, named) == (found["method"], found["preset"])
    assert {method} == {claim["verdict"]["method"] for claim in found["claims"]}
    assert all(claim["verdict"]["reason"] for claim in found["claims"])
    assert (preset == "factalign-paper") == any("all-distilroberta-v1" in note for note in found["notes"])


def test_methods_share_models_and_store(settings: claimgraph.Settings) -> None:
    """One checker runs several methods; what each said is kept, the last one holds, and a mistake is refused."""
    text, context = (document_from_text(said, 1, "the text") for said in (TEXT, CONTEXT))
    with wiring.Checker(replace(settings, entailment="none")) as checker:
        for method in ("rules", "kea"):
            report = checker.check(text, context=context, method=method)
        asked = "MATCH (v:Verdict) RETURN v.method AS method, count(v) AS n ORDER BY method"
        assert (("kea", len(report.claims)), ("rules", len(report.claims))) == checker.store.query(asked, {}).rows
        for bad in ({"method": "magic"}, {"method": "kea", "preset": "magic"}, {"method": "rules", "preset": "x"}):
            with pytest.raises(InputError, match=r"magic|no presets"):
                checker.check(text, context=context, **bad)
        with pytest.raises(InputError, match="CLAIMGRAPH_ENTAILMENT"):
            checker.check(text, context=context, method="grapheval")


def _case(*triples: tuple[str, str, str]) -> Case:
    facts, passages = curie_context()
    return Case(tuple(claim_of("checked", triple) for triple in triples), facts, tuple(passages), True)


BORN, LIKED = ("Marie Curie", "was born in", "Paris"), ("Marie Curie", "liked", "cats")


class Refutes(Table):
    """A model to which everything is a contradiction."""

    def __init__(self) -> None:
        super().__init__({})

    def entail(self, pairs):  # type: ignore[no-untyped-def]
        return super().entail(pairs) * [0, 0, 0] + [0.01, 0.01, 0.98]


@pytest.mark.parametrize("method", ["grapheval", "factalign"])
def test_refuted_claims_are_explained_by_contrast(method: str) -> None:
    """The reason names both values where evidence differs in one element, and says so where none does; outcome,
    score and citations are the method's own, and a claim that is not refuted keeps its reason.
    """
    detector = GraphEvalDetector(Refutes()) if method == "grapheval" else FactAlignDetector(MODEL, Refutes(), ours())
    case = _case(BORN, LIKED)
    [own], [found] = detector.detect([case]), Contrasted(detector, MODEL).detect([case])
    assert [Outcome.REFUTED] * 2 == [finding.outcome for finding in found]
    assert found[0].reason.startswith("The text says Paris; the context says Warsaw (the object differs): “Marie")
    assert found[1].reason == f"{own[1].reason} Nothing in the evidence differs from it in one element only."
    assert [(f.outcome, f.citations, f.signals) for f in own] == [(f.outcome, f.citations, f.signals) for f in found]
    unread = FactAlignDetector(MODEL, None, ours())
    assert unread.detect([case]) == Contrasted(unread, MODEL).detect([case])
    assert json.loads(detector.config) == json.loads(Contrasted(detector, MODEL).config)

"""What a page shows of a stored document: marked text, excerpts of sources, and pictures."""

from __future__ import annotations

import itertools
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import pytest

from claimgraph.input_texts import document_from_text
from claimgraph.kgstore.errors import NotFound
from claimgraph.kgstore.model import Citation, Claim, Evidence, Outcome, Span, Stance, Status, Triple, Verdict
from claimgraph.kgstore.store import GraphStore
from claimgraph.reports.drawing import Edge, picture, svg
from claimgraph.reports.marked_text import parts
from claimgraph.reports.statements import StatementVerdict, statements
from claimgraph.reports.stored_document import evidence_triples, excerpt, stored_claim, stored_document
from claimgraph.settings import NO_ENTAILMENT, load_settings
from claimgraph.wiring import Checker, open_store

TEXT = "Marie Curie was born in Paris. She discovered polonium."
CONTEXT = "Marie Curie was a physicist. Marie Curie was born in Warsaw. Marie Curie discovered polonium."
SVG = "{http://www.w3.org/2000/svg}"


def _check(store: GraphStore, folder: Path) -> str:
    settings = replace(load_settings({}, folder), cache=folder / "cache", entailment=NO_ENTAILMENT)
    with Checker(settings, store=store) as checker:
        context = document_from_text(CONTEXT, 1, "the context")
        return checker.check(document_from_text(TEXT, 1, "the text"), context=context).document.id


def test_a_document_is_read_back_as_it_was_checked(store: GraphStore, tmp_path: Path) -> None:
    """Claims with the verdicts that hold and the cited sources; one claim alone too; unknown ids are refused."""
    found = stored_document(store, _check(store, tmp_path))
    assert TEXT == found.document.text
    assert [Outcome.REFUTED, Outcome.SUPPORTED] == [one.outcome for one in statements(found)]
    assert [CONTEXT] == [source.text for source in found.sources.values()]
    one = stored_claim(store, found.claims[0].id)
    assert (found.document, found.claims[:1], found.verdicts[:1]) == (one.document, one.claims, one.verdicts)
    for read in (stored_document, stored_claim):
        with pytest.raises(NotFound):
            read(store, "d1:none")
    cited = one.verdicts[0].citations[0]
    wide = excerpt(cited, one.sources)
    assert wide
    assert "Marie Curie was born in Warsaw" == wide.cited
    near = excerpt(cited, one.sources, 14)
    assert near
    assert ("… a physicist. ", ". Marie Curie …") == (near.before, near.after)
    assert ("Marie Curie", "Warsaw") in [(t.subject, t.object) for t in evidence_triples(store, cited)]
    assert "≠ was born in" in picture(store, one)
    assert "≠" not in picture(store, found)


def test_what_is_not_in_a_source_has_no_excerpt(tmp_path: Path) -> None:
    """A stored fact has no place in a text, and is its own triple."""
    triple = Triple("Ann", "born in", "Rome")
    cited = Citation(Evidence("e1:1", triple.text, "wikidata", "f1:1", triple), Stance.SUPPORTS, 1.0)
    assert excerpt(cited, {}) is None
    with open_store(replace(load_settings({}, tmp_path), store=tmp_path / "store")) as store:
        assert (triple,) == evidence_triples(store, cited)


def test_the_text_is_cut_at_its_statements() -> None:
    """Joined, the parts are the text; where statements overlap the worst marks it, then the shorter."""
    text = "a b c d e"
    found = [
        _statement(Span(0, 9), Outcome.SUPPORTED),
        _statement(Span(2, 7), Outcome.REFUTED),
        _statement(Span(4, 5), Outcome.REFUTED),
    ]
    made = parts(text, found)
    assert text == "".join(part.text for part in made)
    assert [("a ", 0), ("b ", 1), ("c", 2), (" d", 1), (" e", 0)] == [(part.text, part.statement) for part in made]
    assert [(text, None)] == [(part.text, part.statement) for part in parts(text, [])]


def test_a_picture_has_each_name_once_and_marks_what_contradicts() -> None:
    """One box a name, one path a triple, the claim dashed, markup escaped, and no style that a page would refuse."""
    claim = Triple("Marie Curie", "born in", "<Paris>")
    edges = [Edge(claim, Outcome.REFUTED), Edge(Triple("marie curie", "born in", "Warsaw"), stance=Stance.REFUTES)]
    drawn = ET.fromstring(svg(edges))
    assert 3 == len(drawn.findall(f".//{SVG}rect"))
    paths = drawn.findall(f"{SVG}path")
    assert ["6 4", None] == [path.get("stroke-dasharray") for path in paths]
    texts = [text.findtext(f"{SVG}title") and "".join(text.itertext()) for text in drawn.findall(f"{SVG}text")]
    assert [False, True] == ["≠" in (text or "") for text in texts]
    assert "<Paris>" in "".join(drawn.itertext())
    assert not drawn.findall(f".//{SVG}style")


def test_only_the_same_relation_contradicts(store: GraphStore, tmp_path: Path) -> None:
    """Of two facts of a cited sentence the one of the claim's relation is marked; articles part no names."""
    settings = replace(load_settings({}, tmp_path), cache=tmp_path / "cache", entailment=NO_ENTAILMENT)
    context = document_from_text("The bridge was planned in 1931 and was opened in 1934.", 1, "the context")
    with Checker(settings, store=store) as checker:
        report = checker.check(
            document_from_text("The bridge was opened in 1932.", 1, "it"), context=context, method="rules"
        )
    drawn = picture(store, stored_claim(store, report.claims[0].id))
    assert (1, True) == (drawn.count("≠"), "≠ was opened in" in drawn)
    assert 1 == drawn.count("<title>The bridge</title><rect")


def test_boxes_never_overlap() -> None:
    """Names that meet in the middle of others' rows move down."""
    triples = [Triple("a", "r", "x"), Triple("a", "r", "y"), Triple("b", "r", "x"), Triple("c", "r", "y")]
    drawn = ET.fromstring(svg([Edge(triple) for triple in triples]))
    boxes = [(float(box.get("x", 0)), float(box.get("y", 0))) for box in drawn.iter(f"{SVG}rect")]
    for x in {x for x, _ in boxes}:
        column = sorted(y for at, y in boxes if at == x)
        assert all(lower - upper >= 34 for upper, lower in itertools.pairwise(column))


def _statement(span: Span, outcome: Outcome) -> StatementVerdict:
    claim = Claim("c1:1", "d1:1", "a", "b", "c", "a b c", span)
    verdict = Verdict("v1:1", claim.id, outcome, Status.COMPLETE, "fused", "because")
    return StatementVerdict("a b c", span, claim, verdict, ((claim, verdict),))

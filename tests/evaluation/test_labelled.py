"""Labelled files: every schema as one noun, the label rules, and what is refused."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claimgraph.evaluation.data.label_rules import LabelRule
from claimgraph.evaluation.data.labelled import LabelledCase, Unit, statistics
from claimgraph.evaluation.data.labelled_files import read_labelled
from claimgraph.evaluation.data.labelled_spans import annotated, locate
from claimgraph.kgstore.errors import InputError
from claimgraph.kgstore.model import Hallucination, Span

DATA = Path(__file__).parents[3] / "shared" / "data"
TEXT = {"id": "a", "context": "Oslo is in Norway.", "output": "Oslo is here. It rains.", "label": 0, "source": "x"}
VOTED = TEXT | {
    "label": 1,
    "sentences": [{"text": "Oslo is here.", "label": 1, "score": 0.5}, {"text": "It rains.", "label": 0, "score": 1.0}],
}
KEA = {
    "id": "k",
    "dataset": "summeval",
    "kea_score": 0.25,
    "label_raw": 4.5,
    "label": 0,
    "claim_triples": [["a", "b", "c"], ["d", "e", "f"]],
    "evidence_triples": [["a", "b", "x"]],
    "text_id": "summeval-cnn-1-M11",
}
PASSAGE = {
    "id": "w",
    "reference_text": None,
    "generated_text": "He ran.\n\nHe ran. He  sat.",
    "sentences": [{"text": t, "label": 1, "label_raw": "major_inaccurate"} for t in ("He ran.", "He ran.", "He sat.")],
}
ANSWER = {
    "id": "set_gpt4_answers-7",
    "system": "gpt4",
    "output": "Yes.",
    "claim_triples": [
        {"triple": ["a", "b", "c"], "label": "Neutral"},
        {"triple": ["a", "b", "d"], "label": "Entailment"},
    ],
}


def read(tmp_path: Path, *rows: object, rule: LabelRule = LabelRule.FILE, name: str = "x.jsonl") -> list[LabelledCase]:
    path = tmp_path / name
    lines = "".join(json.dumps(row) + "\n" for row in rows).encode()
    path.write_bytes(gzip.compress(lines) if name.endswith(".gz") else lines)
    return list(read_labelled(path, rule))


def test_every_schema_is_known_by_its_keys(tmp_path: Path) -> None:
    """Rows of all four schemas in one file, of any name, become cases with their labels, groups and evidence."""
    text, kea, passage, answer = read(tmp_path, TEXT, KEA, PASSAGE, ANSWER, name="anything.jsonl.gz")
    assert ("anything", Unit.DOCUMENT, 0, "Oslo is in Norway.") == (text.dataset, text.unit, text.label, text.context)
    assert ("summeval-cnn-1", Unit.DOCUMENT, 0.25, "a b c. d e f.") == (kea.group, kea.unit, kea.published, kea.text)
    assert ["a b c.", "d e f."] == [kea.text[c.span.start : c.span.end] for c in kea.claims or ()]
    assert (Unit.SENTENCE, 1, False) == (passage.unit, passage.label, passage.closed)
    assert [Span(0, 7), Span(9, 16), Span(17, 25)] == [s.span for s in passage.sentences or ()]
    assert ("set_answers-7", Unit.CLAIM, [1, 0]) == (answer.group, answer.unit, [c.label for c in answer.claims or ()])
    assert [Hallucination.EXTRINSIC, None] == [c.kind for c in answer.claims or ()]


def test_minimal_sets_drafts_and_facts(tmp_path: Path) -> None:
    """An expected outcome and planted errors are labels; a claim is grouped by its entity; a true fact has label 0."""
    beside = {"text": "Oslo is in Peru.", "context": "Oslo is in Norway."}
    planted = [{"start": 11, "end": 15, "outcome": "REFUTED"}, {"start": 0, "end": 4, "outcome": "NOT_ENOUGH_INFO"}]
    creak = {"claim": "Oslo is a town.", "entity": "Oslo", "label": 0}
    found = read(
        tmp_path,
        beside | {"expected": "SUPPORTED"}, beside | {"expected": "NOT_ENOUGH_INFO"},
        beside | {"errors": planted}, beside | {"errors": []},
        creak, {"triple": ["Oslo", "capitalOf", "Norway"], "label": 1},
    )  # fmt: skip
    assert [0, 1, 1, 0, 0, 0] == [case.label for case in found]
    assert [True, True, True, True, False, False] == [case.closed for case in found]
    marks = found[2].annotations or ()
    assert [Hallucination.INTRINSIC, Hallucination.EXTRINSIC] == [mark.kind for mark in marks]
    assert ["Peru", "Oslo"] == [beside["text"][mark.span.start : mark.span.end] for mark in marks]
    assert ["Oslo", "Oslo"] == [case.group for case in found[4:]]
    assert (Unit.CLAIM, "Oslo capital of Norway.") == (found[5].unit, found[5].text)
    assert [0] == [claim.label for claim in found[5].claims or ()]


@pytest.mark.parametrize(
    ("row", "true", "kea"),
    [
        (TEXT | {"score": 5.0}, 0, 0),
        (TEXT | {"score": 4.5}, 1, 0),
        (TEXT | {"score": 3.9}, 1, 1),
        (VOTED, 1, 1),
        (TEXT | {"sentences": [{"text": "Oslo is here.", "label": 1, "score": 0.6}]}, 0, 0),
        (TEXT | {"sentences": [{"text": "Oslo is here.", "label": 1, "score": 0.55}]}, 0, 1),
        (KEA, 1, 0),
        (KEA | {"sent_idx": 0, "label_raw": 0.3333}, 1, 1),
    ],
)
def test_label_rules_of_the_papers(tmp_path: Path, row: object, true: int, kea: int) -> None:
    """Labels follow from ratings and votes by the rule of TRUE or of KEA; a text is what its worst sentence is."""
    assert [true, kea] == [read(tmp_path, row, rule=rule)[0].label for rule in (LabelRule.TRUE, LabelRule.KEA)]


@pytest.mark.parametrize(
    ("row", "says"),
    [
        (TEXT, "`score`"),
        (TEXT | {"score": "supported"}, "'supported'"),
        (TEXT | {"score": 0.5}, "no rating from 1 to 5"),
        (PASSAGE, "`score` of `sentences`"),
        (KEA | {"label_raw": "accurate"}, "`label_raw`"),
        (ANSWER, "`score` or `sentences`"),
    ],
)
def test_a_rule_without_its_field_says_which(tmp_path: Path, row: object, says: str) -> None:
    """Where a label cannot be recomputed, the error names file, line and the field that is missing."""
    with pytest.raises(InputError, match=rf"x\.jsonl, line 1: .*{says}"):
        read(tmp_path, row, rule=LabelRule.TRUE)


@pytest.mark.parametrize("row", [{}, [], {"text": "a"}, TEXT | {"label": 2}, KEA | {"claim_triples": [["a", "b"]]}])
def test_other_rows_are_refused(tmp_path: Path, row: object) -> None:
    """A row of no known schema, or with a value of the wrong kind, is one line that names file and line."""
    with pytest.raises(InputError, match=r"x\.jsonl, line 2: "):
        read(tmp_path, TEXT, row)


def test_a_limit_is_a_seeded_sample(tmp_path: Path) -> None:
    """The same seed takes the same rows, in the file's order; another seed takes others."""
    path = tmp_path / "x.jsonl"
    path.write_text("".join(json.dumps(TEXT | {"id": f"{n:03}"}) + "\n" for n in range(100)))
    first, again, other = ([c.id for c in read_labelled(path, limit=10, seed=seed)] for seed in (1, 1, 2))
    assert first == again == sorted(first)
    assert first != other
    assert 10 == len(first)


def test_annotations_are_found_where_they_stand(tmp_path: Path) -> None:
    """Marks count from 1, are a little off, or carry escapes; the nearest copy of their words is meant."""
    marks = [
        {"type": "intrinsic", "span": "Oslo", "start": "1", "end": "5"},
        {"type": "extrinsic", "span": "\\nIt", "start": "13"},
        {"type": "extrinsic", "span": "", "start": "0"},
    ]
    case = read(tmp_path, TEXT | {"spans": marks})[0]
    assert [Span(0, 4), Span(14, 16)] == [mark.span for mark in case.annotations or ()]
    assert Span(5, 6) == annotated("a b  a b", "a", 4)


@given(st.lists(st.sampled_from(["He ran.", "It was.", "No."]), max_size=6), st.sampled_from([" ", "\n\n", "  "]))
@settings(max_examples=50, deadline=None)
def test_sentences_are_found_in_order(sentences: list[str], glue: str) -> None:
    """Every sentence is found at its place, repeats included, whatever the white space between."""
    text = glue.join(sentences)
    assert sentences == [text[span.start : span.end] for span in locate(text, sentences)]


def test_a_sentence_that_is_not_there_takes_the_gap() -> None:
    """A sentence whose words differ stands between its neighbours."""
    assert [Span(0, 1), Span(1, 4), Span(4, 5)] == locate("A x B", ["A", "y", "B"])


def test_statistics_are_those_of_table_1(tmp_path: Path) -> None:
    """Texts, consistent to inconsistent, and mean words of outputs and contexts; no ratio without both."""
    found = statistics(read(tmp_path, TEXT, TEXT, TEXT | {"label": 1, "output": "Oslo."}))
    assert (3, 2.0, 11 / 3, 4.0) == (
        found.n, found.label_ratio, found.mean_output_words, found.mean_context_words
    )  # fmt: skip
    assert None is statistics(read(tmp_path, TEXT)).label_ratio


@pytest.mark.data(DATA)
@pytest.mark.parametrize(
    ("name", "rows", "wrong", "groups"),
    [
        ("closed/summeval", 688, 75, 43),
        ("closed/qags_xsum", 239, 123, 239),
        ("closed/xsum_faith", 135, 125, 27),
        ("kea/summeval", 688, 73, 48),
        ("open/refchecker", 1071, 478, 153),
        ("open/wikibio_gpt3", 124, 115, 124),
    ],
)
def test_public_sets_are_read_whole(name: str, rows: int, wrong: int, groups: int) -> None:
    """The public sets give as many cases as they have rows, in the groups their articles or questions make."""
    cases = list(read_labelled(DATA / f"{name}.jsonl.gz"))
    assert (rows, wrong, groups) == (len(cases), sum(c.label for c in cases), len({c.group for c in cases}))


def test_expected_outcomes_and_planted_errors(tmp_path: Path) -> None:
    """A text that is expected SUPPORTED is consistent; errors that the context contradicts are intrinsic."""
    errors = [{"start": 0, "end": 3, "outcome": "REFUTED"}, {"start": 4, "end": 7, "outcome": "NOT_ENOUGH_INFO"}]
    rows = [
        {"id": "a", "text": "Ada ran.", "context": "Ada ran.", "expected": "SUPPORTED"},
        {"id": "b", "text": "Ada sat.", "context": "Ada ran.", "expected": "NOT_ENOUGH_INFO"},
        {"id": "c", "text": "Ada sat.", "context": "Ada ran.", "errors": errors},
        {"id": "d", "text": "Ada ran.", "context": "Ada ran.", "errors": []},
    ]
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    cases = list(read_labelled(path))
    assert [0, 1, 1, 0] == [case.label for case in cases]
    assert [Hallucination.INTRINSIC, Hallucination.EXTRINSIC] == [one.kind for one in cases[2].annotations or ()]

"""What explanations are worth, on labelled texts and known edits."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import pytest

from claimgraph.detect.explanation.edit_script import EditOperation, Operation
from claimgraph.detect.explanation.llm import CRITERIA, explain_llm, rate
from claimgraph.detect.extraction.extractor import RuleExtractor
from claimgraph.detect.methods.rules import RuleDetector
from claimgraph.detect.models.embedder import MiniLMEmbedder
from claimgraph.evaluation.data.labelled_files import read_labelled
from claimgraph.evaluation.explanation import Explained, ExplanationFigures, evaluate
from claimgraph.evaluation.rating_sheet import COLUMNS, rated, write_sheet
from claimgraph.kgstore.errors import InputError, ServiceError
from claimgraph.kgstore.model import Message, Request, Triple

CONTEXT = "Marie Curie was born in Warsaw in 1867. Google bought YouTube. The fire killed 20 people in Leeds."
ROWS = [
    {"id": "a", "context": CONTEXT, "output": "Marie Curie was born in Warsaw. Google bought YouTube.", "label": 0,
     "score": 5.0},
    {"id": "b", "context": CONTEXT, "output": "Marie Curie was born in Paris. The queen saw a cow.", "label": 1,
     "score": 1.5},
    {"id": "c", "context": CONTEXT, "output": "=Sum. The fire killed 30 people.", "label": 1, "score": 3},
]  # fmt: skip


class Scripted:
    """A language model that answers what it is told to, and keeps what it was asked."""

    model = "scripted"

    def __init__(self, said: str | ServiceError) -> None:
        self.said = said
        self.asked: list[Sequence[Message]] = []

    def answer(self, requests: Sequence[Request]) -> list[str | ServiceError]:
        assert {(0.0, 1.0)} == {(request.temperature, request.top_p) for request in requests}
        self.asked += [request.messages for request in requests]
        return [self.said for _ in requests]


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> tuple[ExplanationFigures, list[Explained]]:
    """The evaluation of the rows."""
    path = tmp_path_factory.mktemp("labelled") / "three.jsonl"
    path.write_text("\n".join(map(json.dumps, ROWS)), encoding="utf-8")
    embedder = MiniLMEmbedder()
    told: list[tuple[int, int]] = []
    parts = {"extractor": RuleExtractor(), "detector": RuleDetector(embedder), "embedder": embedder}
    figures, texts = evaluate(list(read_labelled(path)), **parts, advance=lambda *done: told.append(done))
    assert told[-1][0] == told[-1][1]
    return figures, texts


def test_claims_with_a_pair_by_severity(found) -> None:
    """Claims not supported are counted by label and by rating, with the share that has a contradictory pair."""
    figures, _ = found
    assert ("three", "rules", 3) == (figures.dataset, figures.detector, figures.n)
    assert {"label 0", "label 1", "rated 1 to 2", "rated 2 to 3", "rated 4 to 5"} == set(figures.by_severity)
    assert (0, None) == tuple(asdict(figures.by_severity["label 0"]).values())
    assert (2, 0.5) == tuple(asdict(figures.by_severity["rated 1 to 2"]).values())
    assert figures.pairs.hallucinated == figures.by_severity["label 1"].hallucinated


def test_known_edits_are_named(found) -> None:
    """Edits of the right text are named by element and both values; "sold" for "bought" is too like it to be seen."""
    figures, _ = found
    assert {"entity", "negation", "relation"} == set(figures.known_edits_by_kind)
    assert 3 == figures.known_edits.n == sum(kind.n for kind in figures.known_edits_by_kind.values())
    kinds = figures.known_edits_by_kind
    assert (1.0, 1.0, 0.0) == (kinds["entity"].contrast, kinds["negation"].script, kinds["relation"].either)
    assert 1.0 == figures.known_edits_by_kind["negation"].refuted


def test_known_edits_by_algorithm_1(found) -> None:
    """The claim over the place is deleted and the old words are added, where embeddings tell the two apart: another
    name, not a denial.
    """
    kinds = found[0].known_edits_by_kind
    assert (1.0, 0.0) == (kinds["entity"].operations, kinds["negation"].operations)
    [wrong] = [text for text in found[1] if text.labelled.id == "b"]
    assert {Operation.DELETE, Operation.ADD} == {edit.operation for edit in wrong.operations}


def test_the_sheet_for_people(found, tmp_path: Path) -> None:
    """One explanation a row, criteria empty, nothing a spreadsheet would run; only texts labelled hallucinated."""
    path = tmp_path / "ratings.csv"
    assert 2 == write_sheet(path, found[1])
    with path.open(newline="", encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    assert list(COLUMNS) == header
    assert ["b", "c"] == [row[0] for row in rows]
    assert rows[0][5].startswith("The text says Paris; the context says Warsaw (the object differs): ")
    assert "'=Sum. The fire killed 30 people." == rows[1][4]
    assert all(["template", "", "", "", "", ""] == row[6:] for row in rows)
    with pytest.raises(InputError, match="cannot be written"):
        write_sheet(tmp_path, found[1])


def test_the_sheet_by_a_language_model(found, tmp_path: Path) -> None:
    """The model's explanation and its ratings fill the row, and what it does not rate stays empty."""
    path = tmp_path / "ratings.csv"
    write_sheet(path, found[1], Scripted("Level of Detail: 4\n**Trustworthiness**: 2/5\nAccuracy: 9"))
    with path.open(newline="", encoding="utf-8") as file:
        row = next(csv.DictReader(file))
    assert ["4", "", "", "2"] == [row[name] for name in CRITERIA]
    assert ("scripted", "scripted") == (row["explained_by"], row["rated_by"])
    assert [(4.0, 2), (None, 0), (None, 0), (2.0, 2)] == [(one["value"], one["n"]) for one in rated(path)]
    write_sheet(path, found[1], Scripted(ServiceError("no such luck")))
    with path.open(newline="", encoding="utf-8") as file:
        row = next(csv.DictReader(file))
    assert ("template (no such luck)", "") == (row["explained_by"], row["rated_by"])
    assert row["explanation"].startswith("The text says Paris; the context says Warsaw")


def test_the_papers_prompt() -> None:
    """Context, output and edit operations stand in the paper's places; the texts are filled in as they are."""
    chat = Scripted(" Because. ")
    edits = [EditOperation(Operation.DELETE, claim=0, triple=Triple("France", "capital", "Rome"))]
    assert ["Because."] == explain_llm([("The {summary} context", "Rome. ###Explanations###", edits)], chat)
    [[system, user]] = chat.asked
    assert "contrastive explanation" in system.content
    expected = "###Context###:\nThe {summary} context\n\n###LLM summary/output###:\nRome. ###Explanations###\n\n"
    assert f"{expected}###Explanations###:\nDELETE (France, capital, Rome)" == user.content
    assert [dict.fromkeys(CRITERIA)] == rate([("c", "o", "e")], Scripted("no idea"))


def test_nothing_to_explain_by() -> None:
    """Without a context there is nothing to compare with, which is said."""
    embedder = MiniLMEmbedder()
    with pytest.raises(InputError, match="context"):
        evaluate([], extractor=RuleExtractor(), detector=RuleDetector(embedder), embedder=embedder)

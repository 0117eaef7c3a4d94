"""Write the rating sheet of KEA Explain's table 4: one explanation a row, a column a criterion, cells for people to
fill.

CSV, since it opens in any spreadsheet. A cell that a spreadsheet would take for a formula gets an apostrophe in front:
the texts come from anywhere.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from claimgraph.detect.explanation.llm import CRITERIA, explain_llm, rate
from claimgraph.detect.prompting.structured import Failed
from claimgraph.evaluation.explanation import Explained
from claimgraph.evaluation.statistics.shares import mean
from claimgraph.kgstore.errors import InputError
from claimgraph.kgstore.model import ChatModel, Outcome

COLUMNS = ("id", "label", "rating", "context", "output", "explanation", "explained_by", "rated_by", *CRITERIA)


def write_sheet(
    path: Path,
    texts: Sequence[Explained],
    chat: ChatModel | None = None,
    advance: Callable[[int, int], None] | None = None,
) -> int:
    """Write the sheet of the texts labelled hallucinated that have an unsupported claim; returns the number of rows.

    Without a language model the explanation is the reasons of the refuted claims, else of all that are not supported,
    one a line, and the criteria are empty. With one it explains by the minimal edit script and rates what it wrote:
    a judge of its own work, so compare its ratings only with each other. A text that it does not explain has the
    template's explanation, which says so. Raises InputError where the file cannot be written, BudgetSpent.
    """
    rows = [text for text in texts if text.labelled.label and text.hallucinated]
    written = _written(rows, chat) if chat else [_Cells(reasons(text)) for text in rows]
    try:
        with path.open("w", newline="", encoding="utf-8") as file:
            sheet = csv.writer(file)
            sheet.writerow(COLUMNS)
            for number, (text, cells) in enumerate(zip(rows, written, strict=True), 1):
                sheet.writerow([_cell(value) for value in _row(text, cells)])
                if advance:
                    advance(number, len(rows))
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error}") from error
    return len(rows)


def rated(path: Path) -> list[dict[str, str | float | int | None]]:
    """Return `{criterion, value, n}` in the order of CRITERIA of a filled sheet: the mean of the ratings from 1 to 5,
    None of none, and their number.
    """
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    given = {name: [int(row[name]) for row in rows if row[name].strip()] for name in CRITERIA}
    return [{"criterion": name, "value": mean(ratings), "n": len(ratings)} for name, ratings in given.items()]


@dataclass(frozen=True, slots=True)
class _Cells:
    """The explanation of a text, its author, its ratings and their author."""

    explanation: str
    by: str = "template"
    ratings: Mapping[str, int | None] = field(default_factory=dict)
    rated_by: str | None = None


def _written(texts: Sequence[Explained], chat: ChatModel) -> list[_Cells]:
    """Return the model's explanations and ratings, all requested at once."""
    sources = [(text.labelled.context or "", text.labelled.text) for text in texts]
    said = explain_llm([(*source, text.script) for source, text in zip(sources, texts, strict=True)], chat)
    good = [row for row, one in enumerate(said) if isinstance(one, str)]
    rated = dict(zip(good, rate([(*sources[row], str(said[row])) for row in good], chat), strict=True))
    return [
        _cells(text, one, rated.get(row), chat.model) for row, (text, one) in enumerate(zip(texts, said, strict=True))
    ]


def _cells(text: Explained, said: str | Failed, rated: dict[str, int | None] | Failed | None, model: str) -> _Cells:
    if isinstance(said, Failed):
        return _Cells(reasons(text), f"template ({said.reason})")
    return _Cells(said, model) if rated is None or isinstance(rated, Failed) else _Cells(said, model, rated, model)


def _row(text: Explained, cells: _Cells) -> list[object]:
    labelled = text.labelled
    about = [labelled.id, labelled.label, labelled.rating, labelled.context or "", labelled.text]
    return [*about, cells.explanation, cells.by, cells.rated_by, *(cells.ratings.get(name) for name in CRITERIA)]


def reasons(text: Explained) -> str:
    """Return the template's explanation of a text: reasons of the refuted claims, else of all not supported, one a
    line.
    """
    refuted = [found.reason for found in text.findings if found.outcome is Outcome.REFUTED]
    return "\n".join(dict.fromkeys(refuted or [text.findings[row].reason for row in text.hallucinated]))


def _cell(value: object) -> object:
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r") else value

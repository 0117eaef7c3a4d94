"""The rating sheet of KEA Explain's table 4: one explanation a row, a column a criterion, cells for people to fill.

CSV, since it opens in any spreadsheet. A cell that a spreadsheet would take for a formula gets an apostrophe in front:
the texts come from anywhere.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from pathlib import Path

from claimgraph.evaluation.explanation import Explained
from detect.explain_llm import CRITERIA, explain_llm, rate
from kgstore.errors import InputError
from kgstore.model import ChatModel, Outcome

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
    a judge of its own work, so compare its ratings only with each other. Raises InputError where the file cannot be
    written, ServiceError where the model fails.
    """
    rows = [text for text in texts if text.labelled.label and text.hallucinated]
    try:
        with path.open("w", newline="", encoding="utf-8") as file:
            sheet = csv.writer(file)
            sheet.writerow(COLUMNS)
            for number, text in enumerate(rows, 1):
                sheet.writerow([_cell(value) for value in _row(text, chat)])
                if advance:
                    advance(number, len(rows))
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error}") from error
    return len(rows)


def _row(text: Explained, chat: ChatModel | None) -> list[object]:
    labelled, context = text.labelled, text.labelled.context or ""
    explanation = explain_llm(context, labelled.text, text.script, chat) if chat else reasons(text)
    ratings = rate(context, labelled.text, explanation, chat) if chat else dict.fromkeys(CRITERIA)
    who = (chat.model, chat.model) if chat else ("template", None)
    return [labelled.id, labelled.label, labelled.rating, context, labelled.text, explanation, *who, *ratings.values()]


def reasons(text: Explained) -> str:
    """The template's explanation of a text: reasons of the refuted claims, else of all not supported, one a line."""
    refuted = [found.reason for found in text.findings if found.outcome is Outcome.REFUTED]
    return "\n".join(dict.fromkeys(refuted or [text.findings[row].reason for row in text.hallucinated]))


def _cell(value: object) -> object:
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r") else value

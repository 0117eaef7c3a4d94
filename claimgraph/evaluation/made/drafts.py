"""Define drafts whose right and wrong facts are known one by one, to measure retrofitting.

A JSON object a line. `right` holds every object the graph has for the fact's subject and relation, so a repair by
another true object is no mistake; a fact is `wrong` where the words at `object_span` name none of them. False is thus
what the graph does not state, which holds for texts made from a graph and would not for other texts.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

from claimgraph.evaluation.data.rows import JsonRow, read_rows
from claimgraph.kgstore.model import Span

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Right:
    """A right object: its node's id, and its names, its own first."""

    id: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DraftFact:
    """One fact as a draft states it.

    `object_id` is the right object, `fact_id` the true fact. `span` is the sentence or clause, `subject_span` the words
    of the subject there (or its pronoun), `written` those at `object_span`. `wrong`: they name `written_id` (None for a
    literal), which is not right.
    """

    subject: str
    subject_id: str
    predicate: str
    predicate_id: str
    object: str
    object_id: str
    fact_id: str
    span: Span
    subject_span: Span
    written: str
    object_span: Span
    wrong: bool
    written_id: str | None
    right: tuple[Right, ...]


@dataclass(frozen=True, slots=True)
class MadeDraft:
    """A short text, the question it answers, and its facts in the order of the text; `graph` is the one they are true
    in.
    """

    id: str
    graph: str
    question: str
    text: str
    facts: tuple[DraftFact, ...]


def to_line(draft: MadeDraft) -> str:
    """Return the draft as its JSON line; spans are [start, end) in code points of the text."""
    row = asdict(draft)
    for fact in row["facts"]:
        for key in _SPANS:
            fact[key] = [fact[key]["start"], fact[key]["end"]]
    return json.dumps(row, ensure_ascii=False)


def read_drafts(path: Path, limit: int | None = None) -> Iterator[MadeDraft]:
    """Yield the drafts of a file (plain, .gz or .bz2) in order, at most `limit`; those of a generator are in random
    order.

    Raises InputError, with file and line, for a line that is no draft.
    """
    return (draft for _, draft in islice(read_rows(path, _draft), limit))


_SPANS = ("span", "subject_span", "object_span")
_WORDS = ("subject", "subject_id", "predicate", "predicate_id", "object", "object_id", "fact_id")


def _draft(row: JsonRow) -> MadeDraft:
    text = _value(row, "text", str)
    facts = tuple(_fact(item, text) for item in _value(row, "facts", list))
    return MadeDraft(_value(row, "id", str), _value(row, "graph", str), _value(row, "question", str), text, facts)


def _fact(row: Any, text: str) -> DraftFact:
    if not isinstance(row, dict):
        raise ValueError("an item of `facts` is no object")
    about, about_id, said, said_id, object, object_id, fact = (_value(row, key, str) for key in _WORDS)
    clause, subject, at = (_span(row, key, text) for key in _SPANS)
    written = _value(row, "written", str)
    if text[at.start : at.end] != written:
        raise ValueError(f"at `object_span` stands {text[at.start : at.end]!r:.60}, not {written!r:.60}")
    right = tuple(map(_right, _value(row, "right", list)))
    if not right:
        raise ValueError("`right` is empty: nothing would be a repair")
    named = None if row.get("written_id") is None else _value(row, "written_id", str)
    wrong = _value(row, "wrong", bool)
    return DraftFact(
        about, about_id, said, said_id, object, object_id, fact, clause, subject, written, at, wrong, named, right
    )


def _right(item: Any) -> Right:
    if not isinstance(item, dict):
        raise ValueError("an item of `right` is no object")
    names = _value(item, "names", list)
    if not names or not all(isinstance(name, str) for name in names):
        raise ValueError("`names` of an item of `right` are no strings")
    return Right(_value(item, "id", str), tuple(names))


def _span(row: JsonRow, key: str, text: str) -> Span:
    ends = _value(row, key, list)
    if len(ends) != 2 or not all(type(end) is int for end in ends) or not 0 <= ends[0] <= ends[1] <= len(text):
        raise ValueError(f"`{key}` is no [start, end] within the text: {ends!r:.60}")
    return Span(*ends)


def _value(row: JsonRow, key: str, kind: type[T]) -> T:
    found = row.get(key)
    if not isinstance(found, kind):
        raise ValueError(f"`{key}` is no {_KINDS[kind]}")
    return found


_KINDS: dict[type, str] = {str: "string", list: "list", bool: "true or false"}

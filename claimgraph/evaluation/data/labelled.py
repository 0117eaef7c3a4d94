"""Labelled texts of any of the documented schemas as one noun, and the statistics of a set of them.

Rows are told apart by their keys (labelled_rows.py), never by the file's name, so a file of a known schema works
wherever it comes from. Labels: 1 is hallucinated, 0 consistent.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from claimgraph.evaluation.data.label_rules import LabelRule
from claimgraph.kgstore.errors import InputError
from claimgraph.kgstore.ingest.lines import Broken, Source
from claimgraph.kgstore.model import Hallucination, Span, Triple


class Unit(StrEnum):
    """What a label, a score and a figure are about."""

    CLAIM = "claim"
    SENTENCE = "sentence"
    DOCUMENT = "document"


@dataclass(frozen=True, slots=True)
class LabelledSpan:
    """A sentence of the text with its label."""

    span: Span
    label: int


@dataclass(frozen=True, slots=True)
class LabelledTriple:
    """A claim that came as a triple, where it stands in the text, and its label, None where claims have none."""

    triple: Triple
    span: Span
    label: int | None = None
    kind: Hallucination | None = None


@dataclass(frozen=True, slots=True)
class Annotation:
    """One annotator's mark of a hallucination in the text, with its type."""

    span: Span
    kind: Hallucination


@dataclass(frozen=True, slots=True)
class LabelledCase:
    """A text with labels, beside what it is to be checked against.

    `group` is what rows share that must not be split between fitting and judging: the article, the context, the
    question. `unit` is what the row's own label is about. `context` is None where only `evidence` came, or nothing
    (an open domain). `claims` is None where they are to be extracted; `sentences` and `annotations` are None where
    nobody labelled those. `published` is a score in [0, 1] that came with the row, `line` the row's in its file,
    `rating` what its annotators said on their own scale, greater being better.
    """

    id: str
    group: str
    dataset: str
    unit: Unit
    text: str
    label: int
    context: str | None = None
    evidence: tuple[Triple, ...] | None = None
    claims: tuple[LabelledTriple, ...] | None = None
    sentences: tuple[LabelledSpan, ...] | None = None
    annotations: tuple[Annotation, ...] | None = None
    question: str | None = None
    published: float | None = None
    line: int = 0
    rating: float | str | None = None

    @property
    def closed(self) -> bool:
        """Whether the row itself says what the text is checked against."""
        return self.context is not None or self.evidence is not None


@dataclass(frozen=True, slots=True)
class SetStatistics:
    """GraphEval's table 1. `label_ratio` is consistent texts to one inconsistent, None without any inconsistent."""

    n: int
    label_ratio: float | None
    mean_output_words: float
    mean_context_words: float | None


def read_labelled(
    path: Path, rule: LabelRule = LabelRule.FILE, limit: int | None = None, seed: int = 0
) -> Iterator[LabelledCase]:
    """The cases of a JSON lines file (plain, .gz or .bz2), in order; with `limit` a random sample of so many rows.

    The sample is the same for the same file, limit and seed. Raises InputError, with file and line, for a row of no
    known schema and for a row that lacks what the label rule needs.
    """
    from claimgraph.evaluation.data.labelled_rows import case_of

    wanted = None if limit is None else _sample(path, limit, seed)
    dataset = dataset_name(path)
    for index, (number, text) in enumerate(_lines(path)):
        if wanted is None or index in wanted:
            try:
                yield replace(case_of(_object(text), dataset, rule), line=number)
            except ValueError as error:
                raise InputError(f"{path}, line {number}: {error}") from error


def dataset_name(path: Path) -> str:
    """The file's name without its endings."""
    return path.name.removesuffix(".gz").removesuffix(".bz2").removesuffix(".jsonl")


def statistics(cases: Sequence[LabelledCase]) -> SetStatistics:
    """Statistics over whole texts; the context's words only where every case has a context."""
    wrong = sum(case.label for case in cases)
    contexts = [len(case.context.split()) for case in cases if case.context is not None]
    return SetStatistics(
        n=len(cases),
        label_ratio=(len(cases) - wrong) / wrong if wrong else None,
        mean_output_words=sum(len(case.text.split()) for case in cases) / len(cases),
        mean_context_words=sum(contexts) / len(contexts) if len(contexts) == len(cases) else None,
    )


def _sample(path: Path, limit: int, seed: int) -> set[int]:
    total = sum(1 for _ in _lines(path))
    return set(random.Random(seed).sample(range(total), min(limit, total)))


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    with Source(path) as source:
        for line in source.numbered():
            if isinstance(line, Broken):
                raise InputError(f"{path}, line {line.line}: {line.reason}")
            yield line


def _object(text: str) -> dict[str, Any]:
    row = json.loads(text)
    if not isinstance(row, dict):
        raise ValueError("no JSON object")
    return row

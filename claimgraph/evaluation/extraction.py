"""Measure an extractor on labelled texts, for `claimgraph eval extraction`.

CaRB is scored by its own matching over n-ary tuples (detect/extraction/carb.py); every other set by entity pairs of the
claims (claimgraph/evaluation/statistics/entity_pairs.py). The rows decide which: only CaRB's have further arguments.
"""

from __future__ import annotations

import gzip
import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from claimgraph.detect.extraction import carb
from claimgraph.evaluation.statistics import entity_pairs
from claimgraph.kgstore.errors import InputError, UsageError
from claimgraph.kgstore.identity import document_id
from claimgraph.kgstore.model import Document, Extractor

_BATCH = 400


@runtime_checkable
class OpenExtractor(Extractor, Protocol):
    """An extractor that also returns n-ary tuples, as CaRB scores them."""

    def tuples(self, texts: Sequence[str]) -> list[list[carb.Tuple]]:
        """Return the tuples of each text, in order."""
        ...


@dataclass(frozen=True, slots=True)
class ExtractionReport:
    """Quality on one labelled file. `n` texts; `auc` only for CaRB; the speed is without loading the model."""

    dataset: str
    matching: str
    extractor: str
    n: int
    precision: float
    recall: float
    f1: float
    auc: float | None
    sentences_per_second: float


@dataclass(frozen=True, slots=True)
class _Case:
    """One labelled text; a row of WebNLG holds several texts for the same triples."""

    text: str
    row: dict[str, Any]


def evaluate(
    path: Path, extractor: Extractor, limit: int | None = None, advance: Callable[[int, int], None] | None = None
) -> ExtractionReport:
    """Run the extractor over the first `limit` rows of a JSONL file (plain or .gz) and score its claims.

    `advance` is called with (texts done, total) after each batch. Raises InputError for a file that does not hold
    labelled texts.
    """
    cases = [case for row in islice(_rows(path), limit) for case in _cases(path, row)]
    if not cases:
        raise InputError(f"{path}: no labelled texts in it")
    extractor.extract([_document("This sentence loads the model.")])
    tell = advance or _silent
    score = _carb if "extra_args" in cases[0].row else _pairs
    precision, recall, f1, auc, rate = score(cases, extractor, tell)
    return ExtractionReport(
        dataset=path.name.removesuffix(".gz").removesuffix(".jsonl"),
        matching="carb" if score is _carb else "entity pairs",
        extractor=extractor.name,
        n=len(cases),
        precision=round(precision, 4),
        recall=round(recall, 4),
        f1=round(f1, 4),
        auc=None if auc is None else round(auc, 4),
        sentences_per_second=round(rate, 1),
    )


def _silent(done: int, total: int) -> None:
    del done, total


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    open_text = gzip.open if path.suffix == ".gz" else open
    try:
        with open_text(path, "rt", encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                yield _row(path, number, line)
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read: {error}") from error


def _row(path: Path, number: int, line: str) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except ValueError as error:
        raise InputError(f"{path}, line {number}: not JSON: {error}") from error
    if not isinstance(row, dict) or "triples" not in row or not ("text" in row or "texts" in row):
        raise InputError(f"{path}, line {number}: needs `triples` and `text` or `texts`")
    return row


def _cases(path: Path, row: dict[str, Any]) -> list[_Case]:
    texts = row.get("texts") or [row.get("text")]
    if not all(isinstance(text, str) for text in texts):
        raise InputError(f"{path}: the text of {row.get('id')!r} is no string")
    return [_Case(text, row) for text in texts]


_Scored = tuple[float, float, float, float | None, float]
"""Precision, recall, F1, AUC and sentences a second."""


def _carb(cases: list[_Case], extractor: Extractor, tell: Callable[[int, int], None]) -> _Scored:
    if not isinstance(extractor, OpenExtractor):
        raise UsageError(f"the extractor {extractor.name!r} gives no n-ary tuples, which CaRB's matching needs")
    found: list[list[carb.Tuple]] = []
    begun = time.perf_counter()
    for start in range(0, len(cases), _BATCH):
        found.extend(extractor.tuples([case.text for case in cases[start : start + _BATCH]]))
        tell(len(found), len(cases))
    seconds = time.perf_counter() - begun
    score = carb.score(zip((_gold(case.row) for case in cases), found, strict=True))
    return score.precision, score.recall, score.f1, score.auc, len(cases) / seconds


def _gold(row: dict[str, Any]) -> list[carb.Tuple]:
    triples = zip(row["triples"], row["extra_args"], strict=True)
    return [carb.Tuple(relation, (subject, object, *extra)) for (subject, relation, object), extra in triples]


def _pairs(cases: list[_Case], extractor: Extractor, tell: Callable[[int, int], None]) -> _Scored:
    said: list[list[tuple[str, str]]] = []
    sentences = 0
    begun = time.perf_counter()
    for start in range(0, len(cases), _BATCH):
        for extraction in extractor.extract([_document(case.text) for case in cases[start : start + _BATCH]]):
            sentences += len(extraction.sentences)
            said.append([(claim.subject, claim.object) for claim in extraction.claims])
        tell(len(said), len(cases))
    seconds = time.perf_counter() - begun
    score = entity_pairs.score_pairs(zip((_annotated(case.row) for case in cases), said, strict=True))
    return score.precision, score.recall, score.f1, None, sentences / seconds


def _annotated(row: dict[str, Any]) -> entity_pairs.Annotated:
    """Return the annotated entities, listed with their names, by mention, or only in the triples."""
    listed = [entity.get("names") or [entity["text"]] for entity in row.get("entities", [])]
    ends = dict.fromkeys(end for subject, _, object in row["triples"] for end in (subject, object))
    return entity_pairs.annotate(listed or [[end] for end in ends], row["triples"])


def _document(text: str) -> Document:
    return Document(document_id(text), text)

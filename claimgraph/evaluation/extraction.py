"""Measure an extractor on labelled texts, for `claimgraph eval extraction`.

CaRB is scored by its own matching over n-ary tuples (detect/extraction/carb.py); every other set by entity pairs of the
claims (claimgraph/evaluation/statistics/entity_pairs.py). The rows decide which: only CaRB's have further arguments.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Protocol, runtime_checkable

from claimgraph.detect.extraction import carb
from claimgraph.evaluation.batches import Advance, batches, silent
from claimgraph.evaluation.data.rows import JsonRow, dataset_name, read_rows
from claimgraph.evaluation.statistics import entity_pairs
from claimgraph.evaluation.statistics.shares import rounded
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
    row: JsonRow


def evaluate(path: Path, extractor: Extractor, limit: int | None = None, advance: Advance = silent) -> ExtractionReport:
    """Run the extractor over the first `limit` rows of a JSONL file (plain or .gz) and score its claims.

    `advance` is called with (texts done, total) after each batch. Raises InputError for a file that does not hold
    labelled texts.
    """
    rows = islice(read_rows(path, _cases, "needs `triples` and `text` or `texts`, strings"), limit)
    cases = [case for _, some in rows for case in some]
    if not cases:
        raise InputError(f"{path}: no labelled texts in it")
    extractor.extract([_document("This sentence loads the model.")])
    score = _carb if "extra_args" in cases[0].row else _pairs
    precision, recall, f1, auc, rate = score(cases, extractor, advance)
    return ExtractionReport(
        dataset=dataset_name(path),
        matching="carb" if score is _carb else "entity pairs",
        extractor=extractor.name,
        n=len(cases),
        precision=round(precision, 4),
        recall=round(recall, 4),
        f1=round(f1, 4),
        auc=rounded(auc),
        sentences_per_second=round(rate, 1),
    )


def _cases(row: JsonRow) -> list[_Case]:
    texts = row.get("texts") or [row["text"]]
    if "triples" not in row or not all(isinstance(text, str) for text in texts):
        raise ValueError
    return [_Case(text, row) for text in texts]


_Scored = tuple[float, float, float, float | None, float]
"""Precision, recall, F1, AUC and sentences a second."""


def _carb(cases: list[_Case], extractor: Extractor, advance: Advance) -> _Scored:
    if not isinstance(extractor, OpenExtractor):
        raise UsageError(f"the extractor {extractor.name!r} gives no n-ary tuples, which CaRB's matching needs")
    found: list[list[carb.Tuple]] = []
    begun = time.perf_counter()
    for batch in batches(cases, _BATCH, advance):
        found.extend(extractor.tuples([case.text for case in batch]))
    seconds = time.perf_counter() - begun
    score = carb.score(zip((_gold(case.row) for case in cases), found, strict=True))
    return score.precision, score.recall, score.f1, score.auc, len(cases) / seconds


def _gold(row: JsonRow) -> list[carb.Tuple]:
    triples = zip(row["triples"], row["extra_args"], strict=True)
    return [carb.Tuple(relation, (subject, object, *extra)) for (subject, relation, object), extra in triples]


def _pairs(cases: list[_Case], extractor: Extractor, advance: Advance) -> _Scored:
    said: list[list[tuple[str, str]]] = []
    sentences = 0
    begun = time.perf_counter()
    for batch in batches(cases, _BATCH, advance):
        for extraction in extractor.extract([_document(case.text) for case in batch]):
            sentences += len(extraction.sentences)
            said.append([(claim.subject, claim.object) for claim in extraction.claims])
    seconds = time.perf_counter() - begun
    score = entity_pairs.score_pairs(zip((_annotated(case.row) for case in cases), said, strict=True))
    return score.precision, score.recall, score.f1, None, sentences / seconds


def _annotated(row: JsonRow) -> entity_pairs.Annotated:
    """Return the annotated entities, listed with their names, by mention, or only in the triples."""
    listed = [entity.get("names") or [entity["text"]] for entity in row.get("entities", [])]
    ends = dict.fromkeys(end for subject, _, object in row["triples"] for end in (subject, object))
    return entity_pairs.annotate(listed or [[end] for end in ends], row["triples"])


def _document(text: str) -> Document:
    return Document(document_id(text), text)

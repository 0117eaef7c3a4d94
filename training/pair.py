"""A training pair: what is read, what is claimed, and what the one says of the other."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

LABELS = ("entailment", "neutral", "contradiction")
"""The model's classes, in the order of its logits."""
NOT_ENTAILMENT = "not_entailment"
"""Neutral or contradiction, nobody said which: trained on as the sum of the two."""


@dataclass(frozen=True, slots=True)
class Pair:
    """`label`: one of LABELS, or NOT_ENTAILMENT. Pairs of one `document` never stand on both sides of a cut."""

    premise: str
    hypothesis: str
    label: str
    source: str
    document: str


def allowed(label: str) -> tuple[bool, ...]:
    """Which of LABELS a label leaves open."""
    return tuple(name != "entailment" if label == NOT_ENTAILMENT else name == label for name in LABELS)


def read(path: Path) -> list[Pair]:
    """The pairs of a file that `write` made."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [Pair(**json.loads(line)) for line in file]


def write(path: Path, pairs: Iterable[Pair]) -> int:
    """As gzipped JSON lines, the same bytes for the same pairs; returns how many."""
    lines = [json.dumps(asdict(pair), ensure_ascii=False).encode() + b"\n" for pair in pairs]
    with path.open("wb") as raw, gzip.GzipFile("", "wb", 6, raw, mtime=0) as file:
        file.writelines(lines)
    return len(lines)


def fold(document: str, folds: int) -> int:
    """In which of `folds` equal parts a document is: the same in every run and every file."""
    return int.from_bytes(hashlib.sha256(document.encode()).digest()[:8], "big") % folds


def rows(path: Path) -> Iterator[dict[str, str]]:
    """The objects of a gzipped file of JSON lines."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)

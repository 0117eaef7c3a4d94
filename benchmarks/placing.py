"""How many triples the placing of a language model's answers rejects that are right, and that are wrong.

    python benchmarks/placing.py FOLDER/webnlg17_dev.jsonl.gz FOLDER/redocred_dev.jsonl.gz

Stand-ins for a perfect model: the annotated triples of WebNLG, whose names and relations are a graph's and not the
text's, and what the rules read from Re-DocRED's texts. Wrong ones are made from them, seeded: the object of a triple of
another text (of the same category), its predicate (without a word in common), or the object of another triple of the
same text. Some of these happen to be said by the text all the same, so what is accepted of them is an upper bound.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from claimgraph.detect.extraction.extractor import RuleExtractor
from claimgraph.detect.extraction.llm.mention_finder import Anchors
from claimgraph.detect.extraction.llm.outline import outlines
from claimgraph.detect.extraction.llm.span_grounding import Placing
from claimgraph.kgstore.identity import document_id
from claimgraph.kgstore.model import Claim, Document

Row = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Text:
    """A text with the triples it says."""

    document: Document
    rows: tuple[Row, ...]
    kind: str


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("webnlg", type=Path)
    asked.add_argument("plain", type=Path, help="texts whose triples the rules read")
    asked.add_argument("--limit", type=int, default=1000, help="texts of the first file; a tenth of the second")
    asked.add_argument("--seed", type=int, default=0)
    given = asked.parse_args()
    rng = random.Random(given.seed)
    show("WebNLG", _webnlg(given.webnlg, given.limit, rng), rng)
    show("rules on plain texts", _ruled(given.plain, given.limit // 10, rng), rng)


def show(name: str, texts: Sequence[Text], rng: random.Random) -> None:
    """A line a kind of triples: how many, the share rejected, and by which reason."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    read = outlines([text.document.text for text in texts])
    for text, outline in zip(texts, read, strict=True):
        placing = Placing(text.document, Anchors(outline))
        for kind, row in _rows(text, texts, rng):
            placed = placing.place(row, outline.sentences)
            found[kind]["" if isinstance(placed, Claim) else re.sub(r"(['\"]).*\1", "...", placed.reason)] += 1
    for kind, counts in found.items():
        reasons = ", ".join(f"{reason} {n}" for reason, n in counts.most_common() if reason)
        print(f"{name}, {kind}: {counts.total()}, rejected {1 - counts[''] / counts.total():.3f} ({reasons})")


def _rows(text: Text, texts: Sequence[Text], rng: random.Random) -> Iterator[tuple[str, Row]]:
    """Each triple as it is, and its wrong versions."""
    others = [row for other in texts if other.kind == text.kind and other is not text for row in other.rows]
    for row in text.rows:
        yield "right", row
        subject, predicate, object = row
        here = [other[2] for other in text.rows if other[0] != subject and other[2] not in (subject, object)]
        if others:
            swapped = rng.choice(others)
            if swapped[2] not in text.document.text:
                yield "object of another text", (subject, predicate, swapped[2])
            if not set(swapped[1].split()) & set(predicate.split()):
                yield "predicate of another text", (subject, swapped[1], object)
        if here:
            yield "object of the same text", (subject, predicate, rng.choice(here))


def _webnlg(path: Path, limit: int, rng: random.Random) -> list[Text]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    chosen = rng.sample(rows, min(limit, len(rows)))
    return [
        Text(
            _document(row["texts"][0]),
            tuple((_name(s), _relation(p), _name(o)) for s, p, o in row["triples"]),
            row["category"],
        )
        for row in chosen
    ]


def _ruled(path: Path, limit: int, rng: random.Random) -> list[Text]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    documents = [_document(row["text"]) for row in rng.sample(rows, min(limit, len(rows)))]
    return [
        Text(found.document, tuple((c.subject, c.predicate, c.object) for c in found.claims), "")
        for found in RuleExtractor().extract(documents)
    ]


def _document(text: str) -> Document:
    return Document(document_id(text), text)


def _name(resource: str) -> str:
    return re.sub(r"\s*\([^)]*\)", "", resource.strip('"').replace("_", " ")).strip()


def _relation(predicate: str) -> str:
    return _name(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", predicate)).lower()


if __name__ == "__main__":
    main()

"""Extractions kept across runs: an encyclopedia summary is read once, however many claims are checked against it.

One small JSON file a text, named by extractor and the text's hash, written aside and renamed, so that processes may
share the folder. Reading the stored context graph back was rejected: it holds the facts of every extractor that ever
read the text, and no sentences.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from kgstore.model import Claim, Document, Extraction, Extractor, Span

VERSION = 1
"""Raise with any change to what an extractor reads."""
_SPANS = ("span", "subject_span", "predicate_span", "object_span")


class CachedExtractor:
    """Implements Extractor over another one, whose extractions are kept in `folder`."""

    def __init__(self, extractor: Extractor, folder: Path) -> None:
        self._extractor, self.name = extractor, extractor.name
        self._folder = folder / f"{extractor.name}-{VERSION}"

    def extract(self, documents: Sequence[Document]) -> list[Extraction]:
        """One Extraction a document, in order; what is not kept yet is read in one call. Raises what that raises."""
        found = {document.id: self._kept(document) for document in documents}
        new = [document for document in {d.id: d for d in documents}.values() if found[document.id] is None]
        for extraction in self._extractor.extract(new) if new else ():
            self._keep(extraction)
            found[extraction.document.id] = extraction
        return [one for document in documents if (one := found[document.id])]

    def _path(self, document: str) -> Path:
        key = document.rpartition(":")[2]
        return self._folder / key[:2] / f"{key[2:]}.json"

    def _kept(self, document: Document) -> Extraction | None:
        try:
            row = json.loads(self._path(document.id).read_bytes())
        except (OSError, ValueError):
            return None
        claims = tuple(_claim(item, document.id) for item in row["claims"])
        return Extraction(document, tuple(Span(*ends) for ends in row["sentences"]), claims)

    def _keep(self, extraction: Extraction) -> None:
        path = self._path(extraction.document.id)
        path.parent.mkdir(parents=True, exist_ok=True)
        aside = path.with_suffix(f".{os.getpid()}")
        sentences = [_ends(span) for span in extraction.sentences]
        claims = [_row(claim) for claim in extraction.claims]
        aside.write_text(json.dumps({"sentences": sentences, "claims": claims}), encoding="utf-8")
        aside.replace(path)


def _row(claim: Claim) -> dict[str, Any]:
    words = {name: getattr(claim, name) for name in ("id", "subject", "predicate", "object", "text")}
    return words | {name: _ends(getattr(claim, name)) for name in _SPANS}


def _claim(row: dict[str, Any], document: str) -> Claim:
    spans = {name: Span(*row[name]) if row[name] else None for name in _SPANS}
    return Claim(document=document, **(row | spans))


def _ends(span: Span | None) -> list[int] | None:
    return [span.start, span.end] if span else None

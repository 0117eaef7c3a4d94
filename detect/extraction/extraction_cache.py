"""Record how a text was read: extractions kept across runs, an extractor's key, and what was rejected.

An encyclopedia summary is read once, however many claims are checked against it.

One small JSON file a text, named by extractor, its configuration and the text's hash, written aside and renamed, so
that processes may share the folder. Reading the stored context graph back was rejected: it holds the facts of every
extractor that ever read the text, and no sentences.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from claimgraph.kgstore import metric_hooks
from claimgraph.kgstore.model import Claim, Document, Extraction, Extractor, Rejection, Silence, Silent, Span

VERSION = 31
"""Raise with any change to what an extractor reads."""
_TOGETHER = 100_000
"""Characters of texts that are read in one call: what is lost where that is stopped."""
_SPANS = ("span", "subject_span", "predicate_span", "object_span")


def key_of(extractor: Extractor) -> str:
    """What tells extractors that read differently apart: the name, and a hash of the configuration if there is one."""
    config = config_of(extractor)
    return f"{extractor.name}-{hashlib.sha256(config.encode()).hexdigest()[:12]}" if config else extractor.name


def config_of(extractor: Extractor) -> str:
    """How an extractor is set, as JSON; "" for those whose name says all."""
    return str(getattr(extractor, "config", ""))


def described(extractor: Extractor) -> dict[str, object]:
    """What a run's configuration records of the extractor: `extractor` its name, `extraction` how it is set."""
    config = config_of(extractor)
    return {"extractor": extractor.name} | ({"extraction": json.loads(config)} if config else {})


class CachedExtractor:
    """Implements Extractor over another one, whose extractions are kept in `folder`.

    What could not be read in full is not kept: the next time it may be.
    """

    def __init__(self, extractor: Extractor, folder: Path) -> None:
        self._extractor, self.name, self.config = extractor, extractor.name, config_of(extractor)
        self._folder = folder / f"{key_of(extractor)}-{VERSION}"

    def extract(self, documents: Sequence[Document]) -> list[Extraction]:
        """One Extraction a document, in order; what is not kept yet is read, and kept after each 100,000 characters or
        one text. Raises what the extractor raises.
        """
        found = {document.id: self._kept(document) for document in documents}
        new = [document for document in {d.id: d for d in documents}.values() if found[document.id] is None]
        metric_hooks.looked_up("extractions", len(found) - len(new), len(new))
        for extraction in (one for part in _parts(new) for one in self._extractor.extract(part)):
            if all(rejection.triple for rejection in extraction.rejected):
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
        rejected = tuple(
            Rejection(tuple(one["triple"]), one["reason"], Span(*one["span"])) for one in row.get("rejected", ())
        )
        silent = tuple(Silent(Span(*ends), Silence(why)) for *ends, why in row["silent"])
        return Extraction(document, tuple(Span(*ends) for ends in row["sentences"]), claims, rejected, silent)

    def _keep(self, extraction: Extraction) -> None:
        path = self._path(extraction.document.id)
        path.parent.mkdir(parents=True, exist_ok=True)
        aside = path.with_suffix(f".{os.getpid()}")
        sentences = [_ends(span) for span in extraction.sentences]
        claims = [_row(claim) for claim in extraction.claims]
        rejected = [{"triple": r.triple, "reason": r.reason, "span": _ends(r.span)} for r in extraction.rejected]
        silent = [[one.span.start, one.span.end, one.why.value] for one in extraction.silent]
        row = {"sentences": sentences, "claims": claims, "rejected": rejected, "silent": silent}
        aside.write_text(json.dumps(row), encoding="utf-8")
        aside.replace(path)


def _parts(documents: Sequence[Document]) -> Iterator[list[Document]]:
    part: list[Document] = []
    for document in documents:
        if part and sum(len(one.text) for one in (*part, document)) > _TOGETHER:
            yield part
            part = []
        part.append(document)
    if part:
        yield part


def forget(folder: Path, document: str) -> None:
    """Drop what is kept in `folder` of the document of that id, whichever extractor read it, half-written files too."""
    key = document.rpartition(":")[2]
    for kept in folder.glob(f"*/{key[:2]}/{key[2:]}.*"):
        kept.unlink(missing_ok=True)


class Read:
    """Implements Extractor with what an extractor has read already, by document."""

    def __init__(self, extractor: Extractor, *extractions: Extraction) -> None:
        self.name, self.config = extractor.name, config_of(extractor)
        self._found = {extraction.document.id: extraction for extraction in extractions}

    def extract(self, documents: Sequence[Document]) -> list[Extraction]:
        """The extractions, in order. Raises KeyError for a document that was not read."""
        return [self._found[document.id] for document in documents]


def _row(claim: Claim) -> dict[str, Any]:
    words = {name: getattr(claim, name) for name in ("id", "subject", "predicate", "object", "text", "statement")}
    return words | {name: _ends(getattr(claim, name)) for name in _SPANS}


def _claim(row: dict[str, Any], document: str) -> Claim:
    spans = {name: Span(*row[name]) if row[name] else None for name in _SPANS}
    return Claim(document=document, **(row | spans))


def _ends(span: Span | None) -> list[int] | None:
    return [span.start, span.end] if span else None


_SHOWN = 3
"""Rejections that a note quotes."""


def rejection_notes(extraction: Extraction) -> tuple[str, ...]:
    """One line about the rejected triples, one about the parts of the text that could not be read; none for none."""
    triples = [one for one in extraction.rejected if one.triple]
    unread = [one for one in extraction.rejected if not one.triple]
    said: list[str] = []
    if triples:
        quoted = "; ".join(line(one) for one in triples[:_SHOWN]) + ("; ..." if len(triples) > _SHOWN else "")
        said.append(f"{_count(triples, 'triple')} of the language model rejected: {quoted}")
    if unread:
        quoted = "; ".join(line(one) for one in unread[:_SHOWN]) + ("; ..." if len(unread) > _SHOWN else "")
        said.append(f"{_count(unread, 'part')} of the text could not be read by the language model: {quoted}")
    return tuple(said)


def line(rejection: Rejection) -> str:
    """One rejection in one line: the triple and the reason, or the place and the reason."""
    place = f"characters {rejection.span.start} to {rejection.span.end}"
    what = f"({' | '.join(rejection.triple)})" if rejection.triple else place
    return f"{what}: {rejection.reason}"


def rejections_json(rejected: Sequence[Rejection]) -> list[dict[str, Any]]:
    """`[{triple, reason, start, end}]`; `triple` is empty where a part of the text could not be read."""
    return [
        {"triple": list(one.triple), "reason": one.reason, "start": one.span.start, "end": one.span.end}
        for one in rejected
    ]


def _count(found: Sequence[Rejection], noun: str) -> str:
    return f"{len(found)} {noun}{'s' * (len(found) != 1)}"

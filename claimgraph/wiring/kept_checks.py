"""Keep reports of closed-domain checks: a text that is checked again with nothing changed loads no model at all.

A report counts as long as the package and what is installed beside it are the same, and the store still holds its
verdicts and texts; else the text is checked. A check is one zlib-compressed file, of a line of JSON for the report, for
each claim and for each verdict (all values of a long text's report at once take more memory than itself), written aside
and renamed, so that processes may share the folder. To take the verdicts from the store alone was rejected: it has
neither sentences nor the order of signals.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import time
import zlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from claimgraph.kgstore import reads
from claimgraph.kgstore.model import HUMAN, Claim, Document, Report, Verdict
from claimgraph.kgstore.store import GraphStore
from claimgraph.kgstore.values.noun_json import as_values, from_values
from claimgraph.settings import (
    BASE_ENTAILMENT,
    NO_COREFERENCE,
    NO_ENTAILMENT,
    SHIPPED_COREFERENCE,
    SHIPPED_EMBEDDER,
    SHIPPED_ENTAILMENT,
    SMALL_ENTAILMENT,
    Settings,
)
from claimgraph.wiring.models import own_entailment

_PURE = ("rules", "rules-named")
"""Extractors that read a text the same way whenever they are asked."""
_FOLDER = "checks"


@dataclass(frozen=True, slots=True)
class KeptCheck:
    """The place of one check's report."""

    path: Path
    document: Document
    contexts: tuple[Document, ...]

    def load(self, store: GraphStore) -> Report | None:
        """Return the report, with the rulings of people; None where there is none, or the store has not all of it."""
        from claimgraph.pipeline import ruled

        started = time.perf_counter()
        try:
            found = _report(zlib.decompress(self.path.read_bytes()).splitlines())
        except (OSError, ValueError, TypeError, zlib.error):
            return None
        if not self._stored(store, found):
            return None
        document = replace(self.document, language=found.document.language)
        verdicts = ruled(store, found.verdicts)
        seconds = time.perf_counter() - started
        return replace(found, document=document, contexts=self.contexts, verdicts=verdicts, seconds=seconds)

    def keep(self, report: Report) -> None:
        """Keep a report, without its texts, unless a person's ruling is part of it."""
        if any(verdict.method == HUMAN for verdict in report.verdicts):
            return
        without = replace(report, document=replace(report.document, text=""), contexts=(), claims=(), verdicts=())
        self.path.parent.mkdir(parents=True, exist_ok=True)
        aside = self.path.with_suffix(f".{os.getpid()}")
        packer = zlib.compressobj()
        with aside.open("wb") as file:
            for part in (without, *report.claims, *report.verdicts):
                file.write(packer.compress(json.dumps(as_values(part)).encode() + b"\n"))
            file.write(packer.flush())
        aside.replace(self.path)

    def _stored(self, store: GraphStore, report: Report) -> bool:
        held = reads.holding(store, [one.id for one in report.claims])
        current = [(held.get(verdict.claim), verdict) for verdict in report.verdicts]
        if not all(now and (now[0] == verdict.id or now[1] == HUMAN) for now, verdict in current):
            return False
        texts = {self.document.id, *(one.id for one in self.contexts)}
        return bool(report.verdicts) and set(reads.load_documents(store, texts)) == texts


def _report(lines: list[bytes]) -> Report:
    """Return the report of these lines. Raises ValueError or TypeError for others."""
    first, *rest = lines
    claims, verdicts = rest[: len(rest) // 2], rest[len(rest) // 2 :]
    found: Report = from_values(Report, json.loads(first))
    return replace(
        found,
        claims=tuple(from_values(Claim, json.loads(line)) for line in claims),
        verdicts=tuple(from_values(Verdict, json.loads(line)) for line in verdicts),
    )


def kept_check(
    settings: Settings,
    document: Document,
    contexts: Sequence[Document],
    extractor: str,
    method: str,
    preset: str | None,
    calibration: Path | None,
) -> KeptCheck | None:
    """Return where the report of that check is kept; None for one whose models may give other answers next time."""
    shipped = (
        settings.entailment in (SHIPPED_ENTAILMENT, BASE_ENTAILMENT, SMALL_ENTAILMENT, NO_ENTAILMENT)
        and settings.embedder == SHIPPED_EMBEDDER
        and settings.coreference in (SHIPPED_COREFERENCE, NO_COREFERENCE)
    )
    if not (shipped and contexts and extractor in _PURE):
        return None
    entailment = settings.entails and (own_entailment(settings.entailment) / "config.json").read_text(encoding="utf-8")
    models = (entailment, settings.embedder, settings.coreference)
    fitted = calibration and hashlib.sha256(calibration.read_bytes()).hexdigest()
    texts = [(one.id, one.name, one.source) for one in (document, *contexts)]
    parts = [_code(), extractor, *models, settings.kernel_backend, method, preset, fitted, texts]
    name = hashlib.sha256(json.dumps(parts).encode()).hexdigest()
    path = settings.cache_folder / _FOLDER / name[:2] / f"{name[2:34]}.z"
    return KeptCheck(path, document, tuple(contexts))


def forget_checks(settings: Settings) -> None:
    """Drop all kept reports: their names do not tell whose they are."""
    with suppress(OSError):
        for kept in (settings.cache_folder / _FOLDER).glob("*/*"):
            kept.unlink(missing_ok=True)


def _files(folder: str) -> Iterator[os.DirEntry[str]]:
    """Yield all files in a folder, also behind links, but bytecode; os.walk takes twice as long."""
    for entry in os.scandir(folder):
        if entry.is_dir():
            if entry.name != "__pycache__":
                yield from _files(entry.path)
        elif entry.is_file():
            yield entry


@cache
def _code() -> str:
    """Return a hash that changes whenever a file of the package does, or a package is installed: name, size, time."""
    package = str(Path(__file__).parents[1])
    found = [
        (file.path.removeprefix(package), (known := file.stat()).st_size, known.st_mtime_ns) for file in _files(package)
    ]
    installed = [folder for folder in map(Path, sys.path) if folder.name in ("site-packages", "dist-packages")]
    times = [folder.stat().st_mtime_ns for folder in installed if folder.is_dir()]
    return hashlib.sha256(json.dumps([sorted(found), times]).encode()).hexdigest()

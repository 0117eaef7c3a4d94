"""Open a store and load models once for many checks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Self

from claimgraph.kgstore.model import Document
from claimgraph.settings import Settings
from claimgraph.wiring.methods import detector, refuse_unknown
from claimgraph.wiring.models import Models, extractor
from claimgraph.wiring.stores import open_store, open_unwritten

if TYPE_CHECKING:
    from claimgraph.detect.check_input import Detector
    from claimgraph.detect.repair.correction import Corrector
    from claimgraph.evidence.graphs import StoredGraphs
    from claimgraph.kgstore.model import Extractor, Report
    from claimgraph.kgstore.store import GraphStore
    from claimgraph.kgstore.world.cache import FetchReport
    from claimgraph.pipeline import CheckInput
    from claimgraph.repair.correction import CorrectionReport
    from claimgraph.wiring.kept_checks import KeptCheck


class Checker:
    """An opened store with loaded models, for many checks. A context manager; leaving it closes the store.

    Models are loaded when first used. With `dry_run` nothing is stored and no language model asked: `models.spending`
    is the estimate. `store` and `models` are shared with others: a store that was given stays open. Not for use after a
    fork: make one in each process.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        extractor_name: str | None = None,
        dry_run: bool = False,
        store: GraphStore | None = None,
        models: Models | None = None,
    ) -> None:
        self._settings, self._extractor_name, self._given = settings, extractor_name, store is not None
        self._detectors: dict[tuple[str, str | None, Path | None, tuple[str, ...] | None], Detector] = {}
        self.store = store or (open_unwritten if dry_run else open_store)(settings)
        self.models = models or Models(settings, self.store, dry_run=dry_run)

    @cached_property
    def extractor(self) -> Extractor:
        """The extractor of claims."""
        return extractor(self._settings, self._extractor_name, self.models)

    def detector(
        self,
        method: str,
        preset: str | None = None,
        calibration: Path | None = None,
        *,
        graphs: Sequence[str] | None = None,
    ) -> Detector:
        """Return the method of that name with its reasons; `graphs` are those of an open domain, None in a closed one.

        There `fused` also judges by what these graphs say of relations, absence and time, and every method leaves
        undecided what has no evidence.
        """
        from claimgraph.detect.methods.abstention import Abstaining
        from claimgraph.detect.reasons.contrasted import Contrasted
        from claimgraph.wiring.open_domain import open_domain

        asked = (method, preset, calibration, None if graphs is None else tuple(graphs))
        if asked in self._detectors:
            return self._detectors[asked]
        found = detector(self._settings, method, preset, calibration, self.models)
        if method not in ("fused", "rules"):
            found = Contrasted(found, self.models.embedder)
        if graphs is not None and method == "fused":
            models = self.models
            found = open_domain(
                found,
                graphs,
                store=self.store,
                embedder=models.embedder,
                entailment=models.entailment,
                settings=self._settings,
            )
        elif graphs is not None:
            found = Abstaining(found)
        self._detectors[asked] = found
        return found

    def fetch(
        self, document: Document, graph: str, *, seconds: float, rows: int, progress: Callable[[int, int], None] | None
    ) -> FetchReport:
        """Fetch what the claims of a document name into a world graph, wikidata or dbpedia: see WorldCache.fetch.

        `seconds` and `rows` of answers are the budget; `progress` is called with parts done and in all.
        """
        from claimgraph.evidence.mentioned_entities import mentioned
        from claimgraph.wiring.stores import world_cache

        [read] = self.extractor.extract([document])
        world = world_cache(self._settings, self.store, graph, seconds=seconds, rows=rows, progress=progress)
        return world.fetch(mentioned(read.claims))

    def check(
        self,
        document: Document,
        *,
        context: Document | Sequence[Document] | None = None,
        graphs: Sequence[str] = (),
        method: str = "fused",
        preset: str | None = None,
        calibration: Path | None = None,
        store: GraphStore | None = None,
    ) -> Report:
        """Check one document against contexts, stored graphs, or both, and store the verdicts, in `store` if given.

        Several contexts are read one by one and are one closed world; equal ones count once.

        `method`, `preset` and `calibration` as for detector(); a calibration is read once. A text that is not English
        is checked all the same, and every verdict says so. What was checked the same way before, and is still in the
        store, is not checked again: see kept_checks.py. Raises UsageError where there is nothing to check against,
        InputError for another method or preset, NotFound for an unknown graph.
        """
        contexts, into = distinct(context), store or self.store
        kept = None if graphs else self._kept_check(document, contexts, method, preset, calibration)
        if kept and (known := kept.load(into)):
            return known
        report = self._checked(document, contexts, graphs, method, preset, calibration, into)
        if kept:
            kept.keep(report)
        return report

    def _checked(
        self,
        document: Document,
        contexts: Sequence[Document],
        graphs: Sequence[str],
        method: str,
        preset: str | None,
        calibration: Path | None,
        store: GraphStore,
    ) -> Report:
        from claimgraph.detect.text.language import caveat, language_of
        from claimgraph.pipeline import check

        document = replace(document, language=language_of(document.text))
        reader = self.kept(self.reader(document, contexts, graphs))
        return check(
            document,
            extractor=reader,
            detector=self.detector(method, preset, calibration, graphs=None if contexts else graphs),
            store=store,
            contexts=contexts,
            reader=reader,
            graphs=self.known(graphs) if graphs else None,
            caveat=caveat(document.language),
        )

    def _kept_check(
        self,
        document: Document,
        contexts: Sequence[Document],
        method: str,
        preset: str | None,
        calibration: Path | None,
    ) -> KeptCheck | None:
        """Return where the report of a check is kept; None for a dry run, which keeps nothing. Raises InputError."""
        from claimgraph.wiring.kept_checks import kept_check

        if self.models.dry_run:
            return None
        refuse_unknown(self._settings, method, preset)
        extractor = self._extractor_name or self._settings.extractor
        return kept_check(self._settings, document, contexts, extractor, method, preset, calibration)

    def prepare(
        self, document: Document, *, context: Document | Sequence[Document] | None = None, graphs: Sequence[str] = ()
    ) -> CheckInput:
        """Read one document and gather its evidence, for judges; nothing is stored. Raises as check does."""
        from claimgraph.pipeline import prepare

        contexts = distinct(context)
        reader = self.reader(document, contexts, graphs)
        return prepare(
            document,
            extractor=reader,
            contexts=contexts,
            reader=self.kept(reader),
            graphs=self.known(graphs) if graphs else None,
        )

    def correct(
        self, document: Document, corrector: Corrector, *, context: Document | Sequence[Document]
    ) -> CorrectionReport:
        """Check a document against contexts, correct it, check it again, and store verdicts and corrections."""
        from claimgraph.repair import correction

        check = partial(self.check, context=context)
        return correction.correct(document, distinct(context), check=check, corrector=corrector, store=self.store)

    def reader(self, document: Document, contexts: Sequence[Document], graphs: Sequence[str] = ()) -> Extractor:
        """Return the extractor; for one that reads a text and its one context together, one that has read both.

        Against graphs alone, sentences that are nothing but names and phrases of relations are read by what the graphs
        know, as `retrofit` reads them.
        """
        if graphs and not contexts:
            from claimgraph.detect.extraction.phrase_claims import SurfaceExtractor

            return SurfaceExtractor(self.kept(self.extractor), self.known(graphs).knows)
        if len(contexts) != 1 or not self.extractor.name.startswith("llm"):
            return self.extractor
        from claimgraph.detect.extraction.extraction_cache import Read
        from claimgraph.detect.extraction.llm.extractor import LLMExtractor

        assert isinstance(self.extractor, LLMExtractor)
        [both] = self.extractor.extract_together([(document, contexts[0])])
        return Read(self.extractor, *both)

    def kept(self, reader: Extractor) -> Extractor:
        """Return an extractor that keeps its results: a text that is checked again, or a context that many share, is
        read once. One that read a text and its context together is returned as it is.
        """
        return self.models.reading(reader) if reader is self.extractor else reader

    def known(self, graphs: Sequence[str]) -> StoredGraphs:
        """Return the facts of stored graphs: see StoredGraphs. Raises NotFound for an unknown graph."""
        from claimgraph.evidence.graphs import StoredGraphs

        kept = self.models.reading(self.extractor)
        return StoredGraphs(self.store, graphs, self.models.embedder, kept)

    def close(self) -> None:
        """Close the store that was opened here. Calling it twice is fine."""
        if not self._given:
            self.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def distinct(context: Document | Sequence[Document] | None) -> tuple[Document, ...]:
    """Return contexts given as none, one or several, each text once."""
    given = () if context is None else (context,) if isinstance(context, Document) else context
    return tuple({one.id: one for one in given}.values())

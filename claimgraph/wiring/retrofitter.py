"""Open a store and load models once for retrofitting many drafts: the stages that repair/retrofitting.py works with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

from claimgraph.kgstore.errors import InputError, UsageError
from claimgraph.settings import Settings
from claimgraph.wiring.methods import detector
from claimgraph.wiring.models import Models, extractor
from claimgraph.wiring.open_domain import ASSUMED
from claimgraph.wiring.stores import open_store, open_unwritten

if TYPE_CHECKING:
    from claimgraph.detect.repair.kgr.llm_stages import LLMStages
    from claimgraph.detect.repair.kgr.protocol import Mode, Stages
    from claimgraph.evidence.graphs import StoredGraphs
    from claimgraph.kgstore.model import Document, Extraction, Extractor
    from claimgraph.kgstore.store import GraphStore
    from claimgraph.repair.retrofit_stages import Choice, RuleStages
    from claimgraph.repair.retrofitting import RetrofitReport

NO_MODEL = "no language model configured: deterministic"


class Retrofitter:
    """An opened store with loaded models, for drafts checked against some graphs: all world graphs where none is named.

    `mode` None is llm where the settings name a language model, else deterministic; `preset` is one of
    claimgraph.detect.repair.kgr.llm_stages for mode llm, None ours; `assume` is one of
    claimgraph.detect.methods.open_domain.local_completeness for the other mode: the meaning of a missing fact.
    `read_only` stores nothing. With `dry_run` nothing is stored either, and a language model is not asked, only the
    cost is estimated. `store` and `models` are shared with others. A context manager; leaving it closes the store, but
    not one that was given. Raises NotFound for an unknown graph, InputError where there is none, UsageError for mode
    llm without a language model.
    """

    def __init__(
        self,
        settings: Settings,
        graphs: Sequence[str] = (),
        *,
        mode: str | None = None,
        preset: str | None = None,
        assume: str = ASSUMED,
        read_only: bool = False,
        dry_run: bool = False,
        store: GraphStore | None = None,
        models: Models | None = None,
    ) -> None:
        from claimgraph.evidence.topics import world_graphs

        self.settings, self._preset, self._assume = settings, preset, assume
        self._given = store is not None
        self.store = store or (open_unwritten if read_only or dry_run else open_store)(settings)
        try:
            self.models = models or Models(settings, self.store, dry_run=dry_run)
            self.mode = _mode(mode, self.models)
            if preset and self.mode == "deterministic":
                raise UsageError("a preset is one of mode llm")
            self.notes = (NO_MODEL,) if mode is None and self.models.chat is None else ()
            self.graphs = world_graphs(self.store, graphs)
            if not self.graphs:
                raise InputError("the store has no graph to hold a draft against: claimgraph ingest FILE --graph NAME")
        except BaseException:
            self.close()
            raise

    @cached_property
    def extractor(self) -> Extractor:
        """The extractor of drafts."""
        return extractor(self.settings, models=self.models)

    @cached_property
    def known(self) -> StoredGraphs:
        """The facts of the graphs."""
        from claimgraph.evidence.graphs import StoredGraphs

        return StoredGraphs(self.store, self.graphs, self.models.embedder, self.models.reading(self.extractor))

    def stages(self, question: str | None = None) -> Stages:
        """Return the stages of the mode; `question` is what the draft answers."""
        return self.by_model(question) if self.mode == "llm" else self.rules()

    def over(self, known: StoredGraphs, choice: Choice | None, question: str) -> Stages:
        """Return the stages of the mode over other facts, with a choice of facts: for evaluation."""
        if self.mode == "deterministic":
            return self.rules(choice, known)
        options = {"chunk": choice.chunk, "facts": choice.facts} if choice else {}
        return self.by_model(question, known, **options)

    def by_model(self, question: str | None = None, known: StoredGraphs | None = None, **options: Any) -> LLMStages:
        """Return the stages by the language model, the claims with KGR's own prompt; options as LLMStages has them."""
        from claimgraph.detect.repair.kgr.llm_stages import LLMStages
        from claimgraph.evidence.named_graphs import NamedGraphs

        reads = extractor(self.settings, "llm-kgr", self.models)
        if self.models.dry_run:
            reads = _Rehearsed(reads, extractor(self.settings, "rules"))
        chat, embedder = self.models.chat_for("mode llm"), self.models.embedder
        if self._preset:
            options = {"preset": self._preset, **options}
        return LLMStages(chat, reads, NamedGraphs(known or self.known), embedder, question=question, **options)

    def rules(self, choice: Choice | None = None, known: StoredGraphs | None = None) -> RuleStages:
        """Return the stages without a language model; judged as `check` judges.

        By default a graph that knows some values of a relation for a subject is taken to know all: a draft is checked
        against it.
        """
        from claimgraph.detect.extraction.phrase_claims import SurfaceExtractor
        from claimgraph.repair.retrofit_stages import RuleStages
        from claimgraph.wiring.open_domain import open_domain

        embedder, found = self.models.embedder, detector(self.settings, models=self.models)
        judge = open_domain(
            found,
            self.graphs,
            store=self.store,
            embedder=embedder,
            entailment=self.models.entailment,
            settings=self.settings,
            assume=self._assume,
        )
        reads = SurfaceExtractor(self.extractor, self.known.knows)
        return RuleStages(reads, known or self.known, judge, embedder, choice)

    def retrofit(
        self, document: Document, question: str | None = None, limit: int | None = None, stages: Stages | None = None
    ) -> RetrofitReport:
        """Retrofit one draft and store passes and edits: see retrofitting.retrofit; `stages` None are the mode's."""
        from claimgraph.detect.text.language import caveat, language_of
        from claimgraph.repair.retrofitting import LIMIT, retrofit

        language = language_of(document.text)
        return retrofit(
            replace(document, language=language),
            stages=stages or self.stages(question),
            store=self.store,
            limit=LIMIT if limit is None else limit,
            caveat=caveat(language),
            notes=self.notes,
        )

    def close(self) -> None:
        """Close the store that was opened here. Calling it twice is fine."""
        if not self._given:
            self.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _Rehearsed:
    """An extractor that sends the requests of one extractor, for the count, and returns the claims of another."""

    def __init__(self, asked: Extractor, instead: Extractor) -> None:
        self.name, self._asked, self._instead = asked.name, asked, instead

    def extract(self, documents: Sequence[Document]) -> list[Extraction]:
        """Return the other extractor's claims."""
        self._asked.extract(documents)
        return self._instead.extract(documents)


def _mode(asked: str | None, models: Models) -> Mode:
    """Return the given mode, or that of the settings."""
    from claimgraph.detect.repair.kgr.protocol import Mode

    if asked is None:
        return Mode.LLM if models.chat else Mode.DETERMINISTIC
    if asked not in tuple(Mode):
        raise InputError(f"no mode {asked!r}; there are {', '.join(Mode)}")
    if asked == Mode.LLM:
        models.chat_for("mode llm")
    return Mode(asked)

"""Open a store and load models once for many questions: the parts that answering/flow.py works with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Self

from claimgraph.answering.answer import AskReport, Write
from claimgraph.answering.flow import PROMPTS, SEEDS, Parts, ask, choose
from claimgraph.answering.question_preset import question_preset
from claimgraph.kgstore.errors import InputError
from claimgraph.kgstore.identity import scope_version
from claimgraph.settings import Settings
from claimgraph.wiring.exported_graphs import Exported
from claimgraph.wiring.methods import detector
from claimgraph.wiring.models import Models, extractor
from claimgraph.wiring.stores import open_store, open_unwritten

if TYPE_CHECKING:
    from claimgraph.answering.answer_texts import About
    from claimgraph.answering.retrieval_result import RetrievalResult
    from claimgraph.detect.check_input import Detector
    from claimgraph.kgstore.arrays.graph import GraphArrays
    from claimgraph.kgstore.model import ChatModel, Document, Evidence, Report, Subgraph
    from claimgraph.kgstore.store import GraphStore
    from claimgraph.retrieval.graph_source import StoreWorld
    from claimgraph.retrieval.subgraph.question_subgraph import QuestionSubgraph

LINKED = 8
"""Most entities that a question may name, each with its own facts."""


class Asker:
    """An opened store with loaded models, for many questions about some graphs: all world graphs where none is named.

    A context manager; leaving it closes the store, but not one that was given. `read_only` measures and stores nothing.
    With `dry_run` nothing is stored and no language model asked: `models.spending` is the estimate. The graphs are held
    as arrays, exported once a version, on the embedded store and where `exported`; else facts are fetched from Neo4j
    during the walk. `preset` is one of answering.question_preset. `store` and `models` are shared with others. Raises
    NotFound for an unknown graph, InputError for an unknown preset.
    """

    def __init__(
        self,
        settings: Settings,
        graphs: Sequence[str] = (),
        *,
        read_only: bool = False,
        dry_run: bool = False,
        exported: bool = False,
        preset: str = "ours",
        store: GraphStore | None = None,
        models: Models | None = None,
    ) -> None:
        from claimgraph.evidence.topics import world_graphs

        self.settings, self._given = settings, store is not None
        self.preset = question_preset(preset)
        self._held = exported or not settings.neo4j_uri or self.preset.published
        self.store = store or (open_unwritten(settings) if dry_run else open_store(settings, read_only=read_only))
        self.models = models or Models(settings, self.store, dry_run=dry_run)
        try:
            self.graphs = world_graphs(self.store, graphs)
        except BaseException:
            self.close()
            raise
        self._exported = Exported(settings, self.store, self.graphs, self.models)

    @property
    def arrays(self) -> GraphArrays:
        """The graphs as one, as arrays."""
        return self._exported.arrays

    @cached_property
    def chat(self) -> ChatModel | None:
        """The language model of the settings."""
        return self.models.chat

    @cached_property
    def parts(self) -> Parts:
        """Return the parts of flow.find. Raises InputError where the store has no world graph."""
        from claimgraph.answering.answer_texts import texts_around
        from claimgraph.kgstore.reads import load_facts
        from claimgraph.kgstore.views import StoreView
        from claimgraph.retrieval.linking.mentions import question_entities
        from claimgraph.retrieval.subgraph.elements import EmbeddedElements

        if not self.graphs:
            raise InputError("the store has no graph to answer from: claimgraph ingest FILE --graph NAME")
        embedder, view = self.models.embedder, StoreView(self.store, self.graphs)
        return Parts(
            link=partial(question_entities, index=view, embedder=embedder, limit=LINKED),
            around=partial(self._exported.around, preset=self.preset) if self._held else self._fetched,
            subgraph=partial(load_facts, self.store),
            passages=partial(texts_around, self.store, view),
            choose=self._choose,
            embedder=embedder,
            elements=self._exported if self._held else EmbeddedElements(embedder),
            preset=self.preset,
        )

    def ask(
        self,
        question: str,
        *,
        mode: str = "subgraph",
        prompt: str = "zero",
        retrofit: bool = False,
        store: GraphStore | None = None,
    ) -> AskReport:
        """Answer one question and store the answer, in `store` if given; a language model writes it where the settings
        have one.

        With `retrofit` its draft is corrected by the graphs, and no sentence is left out.
        """
        store = store or self.store
        parts, write = self._parts(mode), self._writer(prompt, store, retrofit=retrofit)
        prompted = prompt if write else None
        report = ask(question, mode=mode, parts=parts, write=write, prompt=prompted, store=store)
        if retrofit and write is None:
            from claimgraph.answering.retrofitted_answers import NOTHING_TO_RETROFIT

            return replace(report, notes=(*report.notes, NOTHING_TO_RETROFIT))
        return report

    def choose(self, question: str, mode: str) -> RetrievalResult:
        """Choose the evidence to answer from: see flow.choose."""
        return choose(question, mode, self._parts(mode))

    def _parts(self, mode: str) -> Parts | None:
        return None if mode == "none" else self.parts

    def _writer(self, prompt: str, store: GraphStore, *, retrofit: bool) -> Write | None:
        """Return the writer, its check and passes stored in `store`. Raises InputError for another prompt."""
        if prompt not in PROMPTS:
            raise InputError(f"no prompt {prompt!r}; there are {', '.join(PROMPTS)}")
        if self.chat is None:
            return None
        from claimgraph.answering.generation import Writer

        writer = Writer(self.chat, prompt, self.models.embedder, partial(self.check_answer, store=store))
        if not retrofit:
            return writer
        from claimgraph.answering.retrofitted_answers import RetrofittingWriter
        from claimgraph.wiring.retrofitter import Retrofitter

        shared = Retrofitter(self.settings, self.graphs, store=store, models=self.models)
        return RetrofittingWriter(writer, shared.retrofit)

    def _fetched(self, entities: Sequence[str]) -> QuestionSubgraph:
        return self._world.surroundings(entities, SEEDS)

    @cached_property
    def _world(self) -> StoreWorld:
        from claimgraph.retrieval.graph_source import StoreWorld

        return StoreWorld(self.store, self.graphs)

    def _choose(self, question: str, texts: Sequence[About]) -> Sequence[About]:
        from claimgraph.answering.answer_texts import nearest
        from claimgraph.answering.generation import interleaved

        if self.chat:
            return interleaved(question, texts, self.models.embedder, self.chat)
        return nearest(question, texts, self.models.embedder)

    def check_answer(
        self, document: Document, facts: Subgraph, evidence: Sequence[Evidence], store: GraphStore | None = None
    ) -> Report:
        """Check an answer by the pipeline against the retrieved evidence, and the graphs where there are any."""
        from claimgraph.evidence.evidence_set import retrieved
        from claimgraph.evidence.graphs import StoredGraphs
        from claimgraph.pipeline import check

        reads = extractor(self.settings, models=self.models)
        graphs = None
        if self.graphs:
            graphs = StoredGraphs(self.store, self.graphs, self.models.embedder, self.models.reading(reads))
        return check(
            document,
            extractor=reads,
            detector=self._judge(),
            store=store or self.store,
            graphs=graphs,
            known=retrieved(facts, evidence, scope_version([piece.id for piece in evidence])),
        )

    def _judge(self) -> Detector:
        """Return the judge of answers; without graphs one that leaves undecided what has no evidence."""
        from claimgraph.detect.methods.abstention import Abstaining
        from claimgraph.wiring.open_domain import open_domain

        found, models = detector(self.settings, models=self.models), self.models
        if not self.graphs:
            return Abstaining(found)
        return open_domain(
            found,
            self.graphs,
            store=self.store,
            embedder=models.embedder,
            entailment=models.entailment,
            settings=self.settings,
        )

    def close(self) -> None:
        """Close the store that was opened here. Calling it twice is fine."""
        if not self._given:
            self.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

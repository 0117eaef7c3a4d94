"""Build models from settings: embedder, entailment, extractors, language model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import cache, cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from claimgraph.kgstore.errors import InputError, ModelError, StoreError, UsageError
from claimgraph.settings import (
    BASE_ENTAILMENT,
    NO_COREFERENCE,
    SHIPPED_COREFERENCE,
    SHIPPED_EMBEDDER,
    SHIPPED_ENTAILMENT,
    SMALL_ENTAILMENT,
    Settings,
)
from claimgraph.wiring.stores import open_store, turns

if TYPE_CHECKING:
    from claimgraph.detect.models.coreference import CoreferenceModel
    from claimgraph.detect.models.embedder_onnx import OnnxEmbedder
    from claimgraph.detect.models.embedder_torch import TorchEmbedder
    from claimgraph.kgstore.arrays.graph import GraphArrays
    from claimgraph.kgstore.model import ChatModel, Embedder, EntailmentModel, Extractor
    from claimgraph.kgstore.store import GraphStore
    from claimgraph.llm import Spending
    from claimgraph.llm.embeddings import ServerEmbedder
    from claimgraph.retrieval.subgraph.elements import ElementCosines

EXTRACTORS = (
    "rules", "rules-named", "corenlp", "factalign", "factalign-unfiltered",
    "llm", "llm-grapheval", "llm-kea", "llm-kgr",
)  # fmt: skip


def embedder(settings: Settings) -> Embedder:
    """Return the configured embedding model, with its vectors cached in the cache folder; MiniLM where none is named.

    An address is asked, a folder with a graph is run on onnxruntime, any other name is a model of
    sentence-transformers. Raises InputError, ModelError, MissingExtra, and ServiceError for a server.
    """
    from claimgraph.detect.models.embedder import CachedEmbedder
    from claimgraph.detect.models.row_cache import VectorCache

    if settings.embedder == SHIPPED_EMBEDDER:
        return _kept_embedder(settings.cache_folder / "vectors", settings.model_threads)
    model = _embedding(settings)
    return CachedEmbedder(model, VectorCache(settings.cache_folder / "vectors", model.model, model.dimension))


@cache
def _kept_embedder(folder: Path, threads: int | None) -> Embedder:
    """Return MiniLM with the vectors in `folder`, one a process: reading the names of many vectors takes time."""
    from claimgraph.detect.models.embedder import CachedEmbedder, MiniLMEmbedder
    from claimgraph.detect.models.row_cache import VectorCache

    model = MiniLMEmbedder(threads=threads)
    return CachedEmbedder(model, VectorCache(folder, model.model, model.dimension))


def _embedding(settings: Settings) -> OnnxEmbedder | TorchEmbedder | ServerEmbedder:
    from claimgraph.detect.models.embedder_onnx import OnnxEmbedder

    name, threads = settings.embedder, settings.model_threads
    if name.startswith(("http://", "https://")):
        from claimgraph.llm.embeddings import ServerEmbedder

        return ServerEmbedder(name, _key_for(settings, name), turns(settings, None, 0.0), settings.llm_timeout)
    folder = Path(name).expanduser()
    if any((folder / file).is_file() for file in ("model.onnx", "onnx/model.onnx")):
        return OnnxEmbedder(folder, threads)
    if folder.is_absolute() and not folder.is_dir():
        raise ModelError(f"no embedding model {name}: there is no such folder")
    from claimgraph.detect.models.embedder_torch import TorchEmbedder

    return TorchEmbedder(name, threads)


def _key_for(settings: Settings, address: str) -> str | None:
    """Return the language model's key for an address of its host; another host is not told it."""
    hosts = {urlsplit(one).netloc for one in (address, settings.llm_base_url or "")}
    return settings.llm_api_key if len(hosts) == 1 else None


def element_vectors(
    settings: Settings, graphs: Sequence[str], arrays: GraphArrays, embedder: Embedder
) -> ElementCosines:
    """Return vectors of the elements of graphs exported as those arrays, beside the export in the cache folder."""
    from claimgraph.detect.models.graph_vectors import GraphVectors
    from claimgraph.kgstore.arrays.export import arrays_folder

    folder = arrays_folder(settings.cache_folder, graphs, arrays.version)
    return GraphVectors(arrays, embedder, folder / f"{embedder.model}.f32")


def entailment(settings: Settings) -> EntailmentModel | None:
    """Return the configured entailment model, with its scores cached in the cache folder; None where the settings want
    none.

    One of ours, or a folder, is read on the CPU without torch, any other name as a model id of a hub. Raises
    ModelError.
    """
    if not settings.entails:
        return None
    from claimgraph.detect.models.row_cache import CachedEntailment, ScoreCache

    scores, name = settings.cache_folder / "scores", settings.entailment
    if name in (SHIPPED_ENTAILMENT, BASE_ENTAILMENT, SMALL_ENTAILMENT):
        return _kept_entailment(own_entailment(name), scores, settings.model_threads)
    model = _entailing(settings)
    return CachedEntailment(model, ScoreCache(scores, model.model))


def _entailing(settings: Settings) -> EntailmentModel:
    from claimgraph.detect.models.entailment import OnnxEntailment

    name = settings.entailment
    folder = Path(name).expanduser()
    if folder.is_dir() or folder.is_absolute() or name.startswith("."):
        return OnnxEntailment(folder, settings.cache_folder / "models", threads=settings.model_threads)
    from claimgraph.detect.models.entailment_torch import load

    return load(name, settings.model_threads)


def own_entailment(name: str) -> Path:
    """Return the folder of the entailment model that "shipped", "base" or "small" means here.

    Raises ModelError for one that is not installed.
    """
    from claimgraph.detect.models.own_entailment import SMALL, base

    larger = None if name == SMALL_ENTAILMENT else base()
    if name == BASE_ENTAILMENT and larger is None:
        raise ModelError("the entailment model 'base' is not installed: pip install ./packages/entailment-base")
    return larger or SMALL


@cache
def _kept_entailment(folder: Path, scores: Path, threads: int | None) -> EntailmentModel:
    """Return the model in `folder` with its scores in another, one a process."""
    from claimgraph.detect.models.row_cache import CachedEntailment, ScoreCache

    model = _own_entailment(folder, threads)
    return CachedEntailment(model, ScoreCache(scores, model.model))


@cache
def _own_entailment(folder: Path, threads: int | None) -> EntailmentModel:
    """Return the model in `folder`, one a process. It holds its graph, so nothing is put into a cache."""
    from claimgraph.detect.models.entailment import OnnxEntailment

    return OnnxEntailment(folder, folder, threads=threads)


@cache
def _ranker(folder: Path | None, threads: int | None) -> CoreferenceModel:
    from claimgraph.detect.models.coreference import SHIPPED, OnnxCoreference

    return OnnxCoreference(folder or SHIPPED, threads=threads)


def coreference(settings: Settings) -> CoreferenceModel | None:
    """Return the configured mention ranker, one a process; None where the settings want the rules alone. Raises
    ModelError.
    """
    name = settings.coreference
    if name == NO_COREFERENCE:
        return None
    folder = None if name == SHIPPED_COREFERENCE else Path(name).expanduser()
    return _ranker(folder, settings.model_threads)


def extractor(settings: Settings, name: str | None = None, models: Models | None = None) -> Extractor:
    """Return the extractor of that name, or the configured one: one of EXTRACTORS; `models` are shared.

    Raises InputError for another, UsageError where it needs a language model and there is none.
    """
    name = name or settings.extractor
    if name == "rules":
        from claimgraph.detect.extraction.extractor import RuleExtractor

        return RuleExtractor(coreference(settings))
    if name == "rules-named":
        from claimgraph.detect.extraction.named_entity_filter import NamedRuleExtractor

        return NamedRuleExtractor(coreference(settings))
    if name == "corenlp":
        from claimgraph.detect.extraction.corenlp.openie import CoreNLPExtractor

        return CoreNLPExtractor(settings.corenlp_url)
    if name in ("factalign", "factalign-unfiltered"):
        from claimgraph.detect.extraction.corenlp.factalign_extractor import FactAlignExtractor

        return FactAlignExtractor(settings.corenlp_url, filtered=name == "factalign")
    if name in EXTRACTORS:
        from claimgraph.detect.extraction.llm.extractor import LLMExtractor
        from claimgraph.detect.extraction.llm.outline import outlines

        chat = (models or Models(settings)).chat_for(f"the extractor {name!r}")
        return LLMExtractor(chat, name, sentences=partial(outlines, coreference=coreference(settings)))
    raise InputError(f"no extractor {name!r}; there are {', '.join(EXTRACTORS)}")


def readings(settings: Settings) -> Path:
    """Return the folder of what reading() keeps."""
    return settings.cache_folder / "extractions"


def reading(settings: Settings, extractor: Extractor) -> Extractor:
    """Return the extractor with a cache, for texts that are read repeatedly, as encyclopedia summaries are."""
    from claimgraph.detect.extraction.extraction_cache import CachedExtractor

    return CachedExtractor(extractor, readings(settings))


class Models:
    """The models of the settings, each loaded on first use and then kept: one of each for a piece of work.

    Answers of a language model are stored in `store`. With `dry_run` none is asked: the requests are counted in
    `spending`, and nothing is stored.
    """

    def __init__(
        self,
        settings: Settings,
        store: GraphStore | None = None,
        *,
        dry_run: bool = False,
    ) -> None:
        self.settings, self._store, self.dry_run = settings, store, dry_run

    @cached_property
    def embedder(self) -> Embedder:
        """See embedder()."""
        return embedder(self.settings)

    @cached_property
    def entailment(self) -> EntailmentModel | None:
        """See entailment()."""
        return entailment(self.settings)

    @cached_property
    def spending(self) -> Spending:
        """Account of the requests to the language model and their cost."""
        from claimgraph.llm import Spending

        asked = self.settings
        return Spending(limit=asked.llm_budget, price_in=asked.llm_price_in, price_out=asked.llm_price_out)

    @cached_property
    def chat(self) -> ChatModel | None:
        """The language model of the settings; None where address or model is not set. Raises InputError."""
        asked = self.settings
        if not asked.llm_base_url or not asked.llm_model:
            return None
        from claimgraph.kgstore.engines.dry_run_store import DryRunStore
        from claimgraph.llm import OpenAIChat
        from claimgraph.llm.caching import TOGETHER, CachedChat
        from claimgraph.llm.rehearsal import Rehearsal

        model: ChatModel = OpenAIChat(
            asked.llm_base_url,
            asked.llm_model,
            asked.llm_api_key,
            timeout=asked.llm_timeout,
            max_concurrency=asked.llm_max_concurrency,
            limiter=turns(asked, self._store, 0.0),
            spending=self.spending,
        )
        if self.dry_run:
            model = Rehearsal(asked.llm_model, self.spending)
        if self._store is None:
            return model
        store = DryRunStore(self._store) if self.dry_run else self._store
        together = 1 if asked.llm_max_concurrency == 1 else TOGETHER
        return CachedChat(model, store, self.spending, together=together)

    def chat_for(self, what: str) -> ChatModel:
        """Return the language model for a purpose that requires one. Raises UsageError where there is none."""
        if self.chat is None:
            raise UsageError(f"{what} needs a language model: set CLAIMGRAPH_LLM_BASE_URL and CLAIMGRAPH_LLM_MODEL")
        return self.chat

    def reading(self, extractor: Extractor) -> Extractor:
        """See reading(); a dry run keeps nothing."""
        return extractor if self.dry_run else reading(self.settings, extractor)


@contextmanager
def opened_models(settings: Settings, *, dry_run: bool = False) -> Iterator[Models]:
    """Yield models for work that needs no store, with the settings' store to cache a language model's answers.

    A store that another process writes is read, and an unavailable one is ignored.
    """
    with ExitStack() as stack:
        store = stack.enter_context(found) if (found := _cache(settings, dry_run=dry_run)) else None
        yield Models(settings, store, dry_run=dry_run)


def _cache(settings: Settings, *, dry_run: bool) -> GraphStore | None:
    if settings.llm_base_url and settings.llm_model:
        for read_only in (True,) if dry_run else (False, True):
            with suppress(StoreError):
                return open_store(settings, read_only=read_only)
    return None

"""Settings to models: what embeds, entails, extracts and writes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from claimgraph.settings import Settings
from kgstore.errors import InputError, UsageError

if TYPE_CHECKING:
    from kgstore.arrays import GraphArrays
    from kgstore.model import ChatModel, Embedder, EntailmentModel, Extractor
    from kgstore.store import GraphStore
    from retrieval.elements import ElementCosines

EXTRACTORS = (
    "rules", "rules-named", "corenlp", "factalign", "factalign-unfiltered", "llm", "llm-grapheval", "llm-kea",
)  # fmt: skip


def embedder(settings: Settings) -> Embedder:
    """MiniLM on the CPU, with its vectors kept in the cache folder."""
    from detect.embed import CachedEmbedder, MiniLMEmbedder
    from detect.vectors import VectorCache

    model = MiniLMEmbedder()
    return CachedEmbedder(model, VectorCache(settings.cache_folder / "vectors", model.model))


def element_vectors(
    settings: Settings, graphs: Sequence[str], arrays: GraphArrays, embedder: Embedder
) -> ElementCosines:
    """Vectors of the elements of graphs exported as those arrays, beside the export in the cache folder."""
    from detect.graph_vectors import GraphVectors
    from kgstore.export import arrays_folder

    folder = arrays_folder(settings.cache_folder, graphs, arrays.version)
    return GraphVectors(arrays, embedder, folder / f"{embedder.model}.f32")


def entailment(settings: Settings) -> EntailmentModel | None:
    """The configured entailment model, with its scores kept in the cache folder; None where none is configured.

    A folder is read on the CPU without torch, any other name as a model id of a hub. Raises ModelError.
    """
    if settings.entailment is None:
        return None
    from detect.entail import OnnxEntailment
    from detect.scores import CachedEntailment, ScoreCache

    folder = Path(settings.entailment).expanduser()
    if folder.is_dir() or folder.is_absolute() or settings.entailment.startswith("."):
        model: EntailmentModel = OnnxEntailment(folder, settings.cache_folder / "models")
    else:
        from detect.entail_torch import load

        model = load(settings.entailment)
    return CachedEntailment(model, ScoreCache(settings.cache_folder / "scores", model.model))


def extractor(settings: Settings, name: str | None = None, models: Models | None = None) -> Extractor:
    """The extractor of that name, or the configured one: one of EXTRACTORS; `models` are those to share.

    Raises InputError for another, UsageError where it needs a language model and there is none.
    """
    name = name or settings.extractor
    if name == "rules":
        from detect.extract import RuleExtractor

        return RuleExtractor()
    if name == "rules-named":
        from detect.named import NamedRuleExtractor

        return NamedRuleExtractor()
    if name == "corenlp":
        from detect.corenlp import CoreNLPExtractor

        return CoreNLPExtractor(settings.corenlp_url)
    if name in ("factalign", "factalign-unfiltered"):
        from detect.extract_factalign import FactAlignExtractor

        return FactAlignExtractor(settings.corenlp_url, filtered=name == "factalign")
    if name in EXTRACTORS:
        from detect.extract_llm import LLMExtractor

        chat = (models or Models(settings)).chat
        if chat is None:
            raise UsageError(
                f"the extractor {name!r} needs a language model: set CLAIMGRAPH_LLM_BASE_URL and CLAIMGRAPH_LLM_MODEL"
            )
        return LLMExtractor(chat, name)
    raise InputError(f"no extractor {name!r}; there are {', '.join(EXTRACTORS)}")


def reading(settings: Settings, extractor: Extractor) -> Extractor:
    """The extractor for texts that are read again and again, as encyclopedia summaries are: it keeps what it read."""
    from detect.extractions import CachedExtractor

    return CachedExtractor(extractor, settings.cache_folder / "extractions")


def chat(settings: Settings) -> ChatModel | None:
    """The language model of the settings; None where address or model is not set."""
    if not settings.llm_base_url or not settings.llm_model:
        return None
    from claimgraph.llm import OpenAIChat

    return OpenAIChat(settings.llm_base_url, settings.llm_model, settings.llm_api_key, timeout=settings.llm_timeout)


class Models:
    """The models of the settings, each loaded when first asked for and then kept."""

    def __init__(self, settings: Settings, store: GraphStore | None = None, *, dry_run: bool = False) -> None:
        """`store` keeps what a language model answers; with `dry_run` it is not asked, only counted."""
        self._settings, self._store, self._dry_run = settings, store, dry_run

    @cached_property
    def embedder(self) -> Embedder:
        """See embedder()."""
        return embedder(self._settings)

    @cached_property
    def entailment(self) -> EntailmentModel | None:
        """See entailment()."""
        return entailment(self._settings)

    @cached_property
    def chat(self) -> ChatModel | None:
        """The language model of the settings; None where address or model is not set."""
        return chat(self._settings)

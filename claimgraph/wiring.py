"""The composition root: Settings to opened store, models and detector. The only place that picks implementations."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Self, TypeVar

from claimgraph.settings import Settings
from kgstore.errors import InputError, UsageError
from kgstore.store import GraphStore

if TYPE_CHECKING:
    from claimgraph.correction import CorrectionReport
    from claimgraph.evaluation_open_qa import OpenJudges
    from claimgraph.grounds import Ground
    from claimgraph.perturbing import PerturbReport
    from claimgraph.question_making import MadeQuestion
    from claimgraph.topics import Topics
    from detect.case import Detector
    from detect.correct import Corrector
    from detect.edits import EditThresholds
    from detect.judges import FactJudge
    from detect.safe import Agent, Search
    from kgstore.arrays import GraphArrays
    from kgstore.model import ChatModel, Document, Embedder, EntailmentModel, Extractor, Report
    from kgstore.worldcache import WorldCache
    from retrieval.elements import ElementCosines

_Preset = TypeVar("_Preset")

NOTHING_TO_CHECK_AGAINST = "nothing to check against: give a context (--context FILE), a graph (--graph NAME), or both"


METHODS = ("fused", "rules", "grapheval", "factalign", "kea")
EXTRACTORS = ("rules", "rules-named", "corenlp", "factalign", "factalign-unfiltered")


def open_store(settings: Settings, *, read_only: bool = False) -> GraphStore:
    """The store that the settings name, migrated; a context manager.

    `read_only` on the embedded engine reads a snapshot, so it works while another process writes.
    """
    from kgstore.migrate import migrate

    store = open_unmigrated(settings, read_only=read_only)
    try:
        if not read_only or settings.neo4j_uri:
            migrate(store)
    except BaseException:
        store.close()
        raise
    return store


def open_unmigrated(settings: Settings, *, read_only: bool = False) -> GraphStore:
    """The store as it is; what `claimgraph migrate` and `claimgraph doctor` look at."""
    if settings.neo4j_uri:
        from kgstore.bolt import connect

        return connect(
            settings.neo4j_uri,
            settings.neo4j_username,
            settings.neo4j_password or "",
            settings.neo4j_database,
            retry_seconds=settings.neo4j_retry,
        )
    from kgstore.embedded import open_embedded

    return open_embedded(settings.store_folder, read_only=read_only)


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


def extractor(settings: Settings, name: str | None = None) -> Extractor:
    """The extractor of that name, or the configured one: one of EXTRACTORS. Raises InputError for another."""
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
    raise InputError(f"no extractor {name!r}; there are {', '.join(EXTRACTORS)}")


def reading(settings: Settings, extractor: Extractor) -> Extractor:
    """The extractor for texts that are read again and again, as encyclopedia summaries are: it keeps what it read."""
    from detect.extractions import CachedExtractor

    return CachedExtractor(extractor, settings.cache_folder / "extractions")


class Models:
    """The models of the settings, each loaded when first asked for and then kept."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    @cached_property
    def embedder(self) -> Embedder:
        """See embedder()."""
        return embedder(self._settings)

    @cached_property
    def entailment(self) -> EntailmentModel | None:
        """See entailment()."""
        return entailment(self._settings)


def detector(
    settings: Settings,
    name: str = "fused",
    preset: str | None = None,
    calibration: Path | None = None,
    models: Models | None = None,
) -> Detector:
    """The detection method of that name, one of METHODS; preset None is its default, calibration None the shipped one.

    `models` are those to share with other methods. Raises InputError for another method or preset.
    """
    from detect.calibration import load

    fitted, models = load(calibration), models or Models(settings)
    if name == "kea":
        from detect import kea_detector as kea

        chosen = _preset(name, kea.PRESETS, preset or "directed")
        if chosen.name == "directed" and name in fitted.thresholds:
            chosen = replace(chosen, threshold=1 - fitted.thresholds[name]["hallucination"])
        return kea.KeaDetector(models.embedder, chosen, kernel_backend=_kernel(settings))
    if name == "factalign":
        from detect import factalign_detector as factalign

        limits = _preset(name, factalign.PRESETS, preset or "ours")
        if limits.name == "ours" and name in fitted.thresholds:
            limits = factalign.ours(**fitted.thresholds[name])
        return factalign.FactAlignDetector(models.embedder, models.entailment, limits)
    if name == "grapheval":
        from detect import grapheval

        if models.entailment is None:
            raise InputError("the method 'grapheval' needs an entailment model: set CLAIMGRAPH_ENTAILMENT")
        return grapheval.GraphEvalDetector(models.entailment, _preset(name, grapheval.PRESETS, preset or "grapheval"))
    if name == "fused":
        from detect import fused

        _preset(name, {fused.PRESET: fused}, preset or fused.PRESET)
        return fused.FusedDetector(models.embedder, models.entailment, fitted)
    if preset is not None:
        raise InputError(f"the method {name!r} has no presets")
    if name == "rules":
        from detect.rules import RuleDetector

        return RuleDetector(models.embedder)
    raise InputError(f"no method {name!r}; there are {', '.join(METHODS)}")


def edit_thresholds(calibration: Path | None = None) -> EditThresholds:
    """Those of KEA's Algorithm 1: the calibration's under `explain`, else its defaults. Raises InputError."""
    from detect.calibration import load
    from detect.edits import EditThresholds

    return EditThresholds(**load(calibration).thresholds.get("explain", {}))


def _preset(method: str, presets: Mapping[str, _Preset], name: str) -> _Preset:
    if name not in presets:
        raise InputError(f"the method {method!r} has no preset {name!r}; there are {', '.join(presets)}")
    return presets[name]


def _kernel(settings: Settings) -> Literal["own", "grakel"]:
    if settings.kernel_backend == "grakel":
        return "grakel"
    if settings.kernel_backend != "own":
        raise InputError(f"no graph kernel {settings.kernel_backend!r}; there are own and grakel")
    return "own"


def chat(settings: Settings) -> ChatModel | None:
    """The language model of the settings; None where address or model is not set."""
    if not settings.llm_base_url or not settings.llm_model:
        return None
    from claimgraph.llm import OpenAIChat

    return OpenAIChat(settings.llm_base_url, settings.llm_model, settings.llm_api_key, settings.llm_timeout)


def corrector(settings: Settings, name: str = "deterministic") -> Corrector:
    """The way to correct of that name. Raises InputError for another, UsageError where it needs an LLM and has none."""
    from detect.correct import Deterministic
    from detect.graphcorrect import DirectPrompt, GraphCorrect

    if name == "deterministic":
        return Deterministic()
    ways: dict[str, Callable[[ChatModel], Corrector]] = {"graphcorrect": GraphCorrect, "direct": DirectPrompt}
    if name not in ways:
        raise InputError(f"no way to correct {name!r}; there are deterministic, graphcorrect and direct")
    model = chat(settings)
    if model is None:
        raise UsageError(f"{name} needs a language model: set CLAIMGRAPH_LLM_BASE_URL and CLAIMGRAPH_LLM_MODEL")
    return ways[name](model)


def fact_judges(settings: Settings, models: Models) -> list[FactJudge]:
    """The judges of atomic facts whose models are there: rules and fused always, then entailment, then llm."""
    from detect import judges

    reads = extractor(settings)
    found: list[FactJudge] = [
        judges.DetectorJudge(detector(settings, name, models=models), reads) for name in ("rules", "fused")
    ]
    if models.entailment:
        found.append(judges.EntailmentJudge(models.entailment))
    if model := chat(settings):
        found.append(judges.LLMJudge(model))
    return found


def made_questions(
    settings: Settings, graphs: Sequence[str], types: Sequence[str], n: int, seed: int
) -> list[MadeQuestion]:
    """Questions about some graphs of the store: see claimgraph.question_making. Raises NotFound, InputError."""
    from claimgraph.question_making import make_questions
    from kgstore.export import export_arrays

    with open_store(settings, read_only=True) as store:
        arrays = export_arrays(store, graphs, settings.cache_folder)
        return make_questions(arrays, store, types, n, seed, chat(settings))


def perturbed_graph(
    settings: Settings, *, graph: str, mode: str, ratio: float, seed: int, out: str | None
) -> PerturbReport:
    """A graph of the store perturbed: see claimgraph.perturbing. Raises NotFound, InputError, UsageError."""
    from claimgraph.perturbing import perturb_graph
    from kgstore.export import export_arrays

    with open_store(settings, read_only=out is None) as store:
        arrays = export_arrays(store, [graph], settings.cache_folder)
        models = embedder(settings)
        return perturb_graph(store, arrays, models, graph=graph, mode=mode, ratio=ratio, seed=seed, out=out)


@contextmanager
def topic_sources(
    settings: Settings, models: Models, folder: Path | None, graphs: Sequence[str], *, facts: bool = False
) -> Iterator[tuple[Topics, Search]]:
    """What is known by topic and what searches find: in a folder of texts, else in graphs of the store (() is all).

    `facts` as in topics.from_store. Raises InputError for a folder without texts, NotFound for an unknown graph.
    """
    from claimgraph import searching, topics

    if folder:
        yield topics.from_folder(folder), searching.folder_search(folder)
        return
    with open_store(settings, read_only=True) as store:
        known = topics.world_graphs(store, graphs)
        yield topics.from_store(store, known, facts=facts), searching.StoreSearch(store, known, models.embedder)


def safe_agents(settings: Settings, judges: Sequence[FactJudge]) -> list[Agent]:
    """What can decide in SAFE's steps: rules with each judge, and the language model where there is one."""
    from detect.safe import LLMAgent, RuleAgent

    model, reads = chat(settings), extractor(settings)
    agents: list[Agent] = [RuleAgent(reads, judge) for judge in judges if judge.name != "llm"]
    return [*agents, *([LLMAgent(model)] if model else [])]


def world_cache(
    settings: Settings,
    store: GraphStore,
    graph: str = "wikidata",
    *,
    endpoint: str | None = None,
    seconds: float = 60.0,
    rows: int = 50_000,
    progress: Callable[[int, int], None] | None = None,
) -> WorldCache:
    """A fetch into a graph of the store: wikidata, dbpedia, or another, of which `endpoint` is the SPARQL address.

    `seconds` and `rows` of answers are its budget. Raises UsageError for another graph without an endpoint.
    """
    from kgstore.dbpedia import Triples
    from kgstore.found import World
    from kgstore.naming import graph_name
    from kgstore.polite import Budget, Polite
    from kgstore.ratelimit import Limiter
    from kgstore.sparql import Endpoint
    from kgstore.summaries import Encyclopedia
    from kgstore.wikidata import Wikidata
    from kgstore.worldcache import WorldCache

    known = {"wikidata": settings.wikidata_url, "dbpedia": settings.dbpedia_url}
    if (endpoint is None) != (graph in known):
        raise UsageError(
            f"{graph} needs --endpoint with the address to fetch it from"
            if endpoint is None
            else f"{graph} has its own endpoint: set CLAIMGRAPH_{graph.upper()}_URL for a mirror"
        )
    limiter = Limiter(settings.cache_folder / "turns", settings.request_interval)
    polite = Polite(limiter, settings.contact, Budget(seconds, rows), offline=settings.offline)
    asked, language = Endpoint(endpoint or known[graph], polite), settings.language
    encyclopedia = Encyclopedia(settings.wikipedia_url, polite, language) if graph == "wikidata" else None
    world: World = Triples(asked, language, graph_name(graph), dbpedia=graph == "dbpedia")
    if graph == "wikidata":
        world = Wikidata(asked, language)
    return WorldCache(store, world, polite, encyclopedia, progress)


def open_judges(settings: Settings, models: Models, search: Search) -> OpenJudges:
    """What judges open-ended answers: the language model, else the entailment model, else the rules."""
    from claimgraph.evaluation_open_qa import OpenJudges
    from detect.atomic import LLMAtomiser, RuleAtomiser

    judges, reads, model = fact_judges(settings, models), extractor(settings), chat(settings)
    judge = judges[-1] if len(judges) > 2 else judges[0]
    agent = safe_agents(settings, [judge])[-1]
    return OpenJudges(LLMAtomiser(model, reads) if model else RuleAtomiser(reads), judge, agent, search, model)


class Checker:
    """An opened store with loaded models, for many checks. A context manager; leaving it closes the store.

    Models are loaded when first used. Not for use after a fork: make one in each process.
    """

    def __init__(self, settings: Settings, *, extractor_name: str | None = None) -> None:
        self._settings = settings
        self._extractor = extractor(settings, extractor_name)
        self._models = Models(settings)
        self._detectors: dict[tuple[str, str | None, Path | None, bool], Detector] = {}
        self.store = open_store(settings)

    def _detector(self, method: str, preset: str | None, calibration: Path | None, *, abstain: bool) -> Detector:
        from detect.abstain import Abstaining
        from detect.contrasted import Contrasted

        asked = (method, preset, calibration, abstain)
        if asked not in self._detectors:
            found = detector(self._settings, method, preset, calibration, self._models)
            if method not in ("fused", "rules"):
                found = Contrasted(found, self._models.embedder)
            self._detectors[asked] = Abstaining(found) if abstain else found
        return self._detectors[asked]

    def check(
        self,
        document: Document,
        *,
        context: Document | None = None,
        graphs: Sequence[str] = (),
        method: str = "fused",
        preset: str | None = None,
        calibration: Path | None = None,
    ) -> Report:
        """Check one document against a context, stored graphs, or both, and store the verdicts.

        `method`, `preset` and `calibration` as for detector(); a calibration is read once. A text that is not English
        is checked all the same, and every verdict says so. Raises UsageError where there is nothing to check against,
        InputError for another method or preset, NotFound for an unknown graph.
        """
        from claimgraph.pipeline import check
        from detect.language import language_of

        language = language_of(document.text)
        return check(
            replace(document, language=language),
            extractor=self._extractor,
            ground=self._ground(context, graphs),
            detector=self._detector(method, preset, calibration, abstain=context is None),
            store=self.store,
            caveat=None if language in (None, "en") else f"the text seems to be in {language!r}; models read English",
        )

    def correct(self, document: Document, corrector: Corrector, *, context: Document) -> CorrectionReport:
        """Check a document against a context, correct it, check it again, and store verdicts and corrections."""
        from claimgraph import correction

        check = partial(self.check, context=context)
        return correction.correct(document, context, check=check, corrector=corrector, store=self.store)

    def _ground(self, context: Document | None, graphs: Sequence[str]) -> Ground:
        from claimgraph.grounds import from_context, together
        from claimgraph.open_grounds import from_graphs

        parts: list[Ground] = []
        if context:
            parts.append(from_context(context, self._extractor))
        if graphs:
            reader = reading(self._settings, self._extractor)
            parts.append(from_graphs(self.store, graphs, self._models.embedder, reader))
        if not parts:
            raise UsageError(NOTHING_TO_CHECK_AGAINST)
        return parts[0] if len(parts) == 1 else together(*parts)

    def close(self) -> None:
        """Close the store. Calling it twice is fine."""
        self.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

"""Compose the judge of an open domain: one for `check`, `retrofit` and whoever else judges by stored graphs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from claimgraph.settings import Settings

if TYPE_CHECKING:
    from claimgraph.detect.check_input import Detector
    from claimgraph.detect.methods.open_domain.graph_judged import GraphEvidenceSource
    from claimgraph.kgstore.model import Embedder, EntailmentModel
    from claimgraph.kgstore.store import GraphStore

ASSUMED = "likely"
"""The meaning of a fact missing in a graph: one of local_completeness.PRESETS."""
LEAST, MOST = 5_000, 1_000_000
"""Facts of the graphs from which on, and up to which, there is enough to learn from, and little enough."""
CELLS = 300_000_000
"""Most nodes times relations: a byte each is held while a judge works."""


def open_domain(
    detector: Detector,
    graphs: Sequence[str],
    *,
    store: GraphStore,
    embedder: Embedder,
    entailment: EntailmentModel | None,
    settings: Settings,
    assume: str = ASSUMED,
    whole: bool = True,
) -> Detector:
    """Return the detector with what stored graphs say beyond it: their relations, absence from them, time, and what
    the rest of them says of a fact that they lack.

    `entailment` maps claims whose words are no known phrase to relations; None: these decide nothing. Without `whole`
    the rest of the graphs is not asked. What has no evidence is left undecided.
    """
    from claimgraph.detect.methods.abstention import Abstaining
    from claimgraph.detect.methods.open_domain.calibration import load
    from claimgraph.detect.methods.open_domain.confirmed_facts import FactsConfirmed
    from claimgraph.detect.methods.open_domain.entailed_relations import RelationEntailment
    from claimgraph.detect.methods.open_domain.graph_judged import GraphJudged
    from claimgraph.detect.methods.open_domain.in_time import InTime
    from claimgraph.detect.methods.open_domain.local_completeness import PRESETS, LocallyComplete
    from claimgraph.kgstore.arrays.functionality import functionality

    names = tuple(graphs)
    measured = lambda: functionality(store, names, settings.cache_folder)  # noqa: E731
    entails = RelationEntailment(entailment) if entailment else None
    judged: Detector = LocallyComplete(detector, embedder, measured, PRESETS[assume], entails)
    judged = InTime(FactsConfirmed(judged, entailment) if entailment else judged)
    if whole:
        judges = WholeGraphs(store, names, settings)
        judged = GraphJudged(judged, embedder, judges, load(), doubts=PRESETS[assume].doubts, entails=entails)
    return Abstaining(judged)


class WholeGraphs:
    """The judge by all facts of some graphs, in their current version, loaded once a version."""

    def __init__(self, store: GraphStore, graphs: Sequence[str], settings: Settings) -> None:
        self._store, self._graphs, self._settings = store, graphs, settings
        self._loaded: tuple[str, GraphEvidenceSource | None] | None = None

    def __call__(self) -> GraphEvidenceSource | None:
        """Return the judge; None for too few facts or too many. What it learns is kept beside the graphs' arrays."""
        from claimgraph.kgstore.arrays.export import graphs_version

        version = graphs_version(self._store, self._graphs)
        if self._loaded is None or self._loaded[0] != version:
            self._loaded = version, self._load(version)
        return self._loaded[1]

    def _load(self, version: str) -> GraphEvidenceSource | None:
        from claimgraph.detect.methods.graph_evidence.judge import GraphEvidence
        from claimgraph.detect.methods.open_domain.graph_judged import GraphEvidenceSource
        from claimgraph.kgstore.arrays.export import arrays_folder, export_arrays
        from claimgraph.kgstore.reads import load_facts

        size = sum(self._store.read("graph_size", graph=graph)[0]["facts"] for graph in self._graphs)
        if not LEAST <= size <= MOST:
            return None
        cache = self._settings.cache_folder
        arrays = export_arrays(self._store, self._graphs, cache)
        if 2 * len(arrays.nodes) * len(arrays.predicates) > CELLS:
            return None
        judge = GraphEvidence(arrays, folder=arrays_folder(cache, self._graphs, version))
        return GraphEvidenceSource(judge, partial(load_facts, self._store))

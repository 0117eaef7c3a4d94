"""Hold graphs of a store as arrays, with vectors of their elements: exported by Cypher for each new version.

One question costs a walk over numbers instead of a query a round. A long-lived process asks for the version each time,
which is one small read; the cache folder is shared by all processes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from claimgraph.answering.flow import SEEDS
from claimgraph.answering.question_preset import OURS, QuestionPreset
from claimgraph.settings import Settings
from claimgraph.wiring.models import Models, element_vectors

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from claimgraph.kgstore.arrays.graph import GraphArrays
    from claimgraph.kgstore.store import GraphStore
    from claimgraph.retrieval.subgraph.elements import ElementCosines
    from claimgraph.retrieval.subgraph.question_subgraph import QuestionSubgraph


class Exported:
    """Exports graphs to arrays. Implements retrieval's ElementCosines. Not for several threads."""

    def __init__(self, settings: Settings, store: GraphStore, graphs: Sequence[str], models: Models) -> None:
        self._settings, self._store, self._graphs, self._models = settings, store, graphs, models
        self._arrays: GraphArrays | None = None
        self._elements: ElementCosines | None = None

    @property
    def arrays(self) -> GraphArrays:
        """The graphs as one, in their current version. Raises NotFound where one is gone."""
        from claimgraph.kgstore.arrays.export import export_arrays, graphs_version

        if self._arrays is None or self._arrays.version != graphs_version(self._store, self._graphs):
            self._arrays = export_arrays(self._store, self._graphs, self._settings.cache_folder)
            self._elements = None
        return self._arrays

    def around(self, entities: Sequence[str], preset: QuestionPreset = OURS) -> QuestionSubgraph:
        """Return the part around the first of the entities, with the facts of all of them; the pruned part alone where
        the preset is published.
        """
        from claimgraph.retrieval.subgraph.prune import prune
        from claimgraph.retrieval.subgraph.question_subgraph import QuestionSubgraph, surroundings

        arrays = self.arrays
        pruned = prune(arrays, entities[:SEEDS], preset.pruning)
        return QuestionSubgraph(pruned, None) if preset.published else surroundings(arrays, pruned, entities)

    def cosines(self, question: str, graph: GraphArrays) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """See ElementCosines; vectors are computed on demand."""
        if self._elements is None:
            self._elements = element_vectors(self._settings, self._graphs, self.arrays, self._models.embedder)
        return self._elements.cosines(question, graph)

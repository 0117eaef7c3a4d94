"""Make questions and perturbed copies from a whole graph of the store."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from claimgraph.settings import Settings
from claimgraph.wiring.models import Models, embedder
from claimgraph.wiring.stores import open_store

if TYPE_CHECKING:
    from claimgraph.evaluation.made.perturbing import PerturbReport
    from claimgraph.evaluation.made.question_making import MadeQuestion


def made_questions(
    settings: Settings, models: Models, graphs: Sequence[str], types: Sequence[str], n: int, seed: int
) -> list[MadeQuestion]:
    """Return questions about some graphs of the store: see claimgraph.evaluation.made.question_making. Raises NotFound,
    InputError.
    """
    from claimgraph.evaluation.made.question_making import make_questions
    from claimgraph.kgstore.arrays.export import export_arrays

    with open_store(settings, read_only=True) as store:
        arrays = export_arrays(store, graphs, settings.cache_folder)
        return make_questions(arrays, store, types, n, seed, models.chat)


def perturbed_graph(
    settings: Settings, *, graph: str, mode: str, ratio: float, seed: int, out: str | None
) -> PerturbReport:
    """Perturb a graph of the store: see claimgraph.evaluation.made.perturbing. Raises NotFound, InputError,
    UsageError.
    """
    from claimgraph.evaluation.made.perturbing import perturb_graph
    from claimgraph.kgstore.arrays.export import export_arrays

    with open_store(settings, read_only=out is None) as store:
        arrays = export_arrays(store, [graph], settings.cache_folder)
        return perturb_graph(store, arrays, embedder(settings), graph=graph, mode=mode, ratio=ratio, seed=seed, out=out)

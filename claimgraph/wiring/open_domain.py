"""Compose the judge of an open domain: one for `check`, `retrofit` and whoever else judges by stored graphs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from claimgraph.settings import Settings

if TYPE_CHECKING:
    from claimgraph.detect.check_input import Detector
    from claimgraph.kgstore.model import Embedder
    from claimgraph.kgstore.store import GraphStore

ASSUMED = "complete"
"""The meaning of a fact missing in a graph: one of local_completeness.PRESETS."""


def open_domain(
    detector: Detector,
    graphs: Sequence[str],
    *,
    store: GraphStore,
    embedder: Embedder,
    settings: Settings,
    assume: str = ASSUMED,
) -> Detector:
    """Return the detector with what stored graphs say beyond it: their relations, absence from them, and time.

    What has no evidence is left undecided.
    """
    from claimgraph.detect.methods.abstention import Abstaining
    from claimgraph.detect.methods.open_domain.in_time import InTime
    from claimgraph.detect.methods.open_domain.local_completeness import PRESETS, LocallyComplete
    from claimgraph.kgstore.arrays.functionality import functionality

    names = tuple(graphs)
    measured = lambda: functionality(store, names, settings.cache_folder)  # noqa: E731
    return Abstaining(InTime(LocallyComplete(detector, embedder, measured, PRESETS[assume])))

"""The composition root: Settings to opened stores, models and methods. The only place that picks implementations.

Nothing heavy is imported before it is needed, so `claimgraph --help` answers at once.
"""

from claimgraph.wiring.checker import Checker
from claimgraph.wiring.methods import METHODS, corrector, detector, edit_thresholds
from claimgraph.wiring.models import (
    EXTRACTORS,
    Models,
    coreference,
    element_vectors,
    embedder,
    entailment,
    extractor,
    opened_models,
    reading,
)
from claimgraph.wiring.stores import moment_of, open_store, open_unmigrated, open_unwritten, turns, world_cache

__all__ = [
    "EXTRACTORS",
    "METHODS",
    "Checker",
    "Models",
    "coreference",
    "corrector",
    "detector",
    "edit_thresholds",
    "element_vectors",
    "embedder",
    "entailment",
    "extractor",
    "moment_of",
    "open_store",
    "open_unmigrated",
    "open_unwritten",
    "opened_models",
    "reading",
    "turns",
    "world_cache",
]

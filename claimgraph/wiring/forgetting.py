"""Drop what the cache folder keeps of a text that is forgotten."""

from __future__ import annotations

from claimgraph.detect.extraction.extraction_cache import forget
from claimgraph.kgstore.engines.snapshot import remove_left_copies
from claimgraph.settings import Settings
from claimgraph.wiring.kept_checks import forget_checks
from claimgraph.wiring.models import readings


def forget_reading(settings: Settings, document: str) -> None:
    """Drop the cached results of reading() for the document of that id, all kept reports of checks, and copies of the
    store that killed processes left.
    """
    forget(readings(settings), document)
    forget_checks(settings)
    remove_left_copies()

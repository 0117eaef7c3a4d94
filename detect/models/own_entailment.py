"""Where our entailment models lie: the small one in this package, the larger one in a package of its own.

`python -m training.pack` writes both folders; packages/entailment-base is what installs the larger one, which weighs as
much as all other models and parsers together.
"""

from __future__ import annotations

from pathlib import Path

SMALL = Path(__file__).parents[1] / "data" / "entailment"


def base() -> Path | None:
    """Return the folder of the larger model; None where its package, claimgraph-entailment-base, is not installed."""
    try:
        from claimgraph_entailment_base import FOLDER
    except ImportError:
        return None
    return Path(FOLDER)

"""Complete ids, graphs and runs in a shell; silent where the store cannot be read.

Ids are completed without their kind, since a shell parts words at the colon; every command takes them so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from claimgraph.kgstore.store import GraphStore

_MOST = 50
_DIGITS = 12


def ids(*kinds: str) -> Callable[[str], list[str]]:
    """Return a completion of ids of these kinds: claim, document, check, run."""

    def complete(incomplete: str) -> list[str]:
        from claimgraph.kgstore.id_search import ids_like

        found = _read(lambda store: ids_like(store, incomplete, kinds, _MOST))
        return [one if ":" in incomplete else one.partition(":")[2][:_DIGITS] for one in found]

    return complete


def graphs(incomplete: str) -> list[str]:
    """Complete the name of a world graph."""
    rows = _read(lambda store: [str(row["name"]) for row in store.read("graphs") if row["kind"] == "world"])
    return [name for name in rows if name.startswith(incomplete)]


def _read(ask: Callable[[GraphStore], Sequence[str]]) -> Sequence[str]:
    from claimgraph.kgstore.errors import ClaimgraphError
    from claimgraph.settings import load_settings
    from claimgraph.wiring import open_store

    with suppress(ClaimgraphError), open_store(load_settings(), read_only=True) as store:
        return ask(store)
    return ()

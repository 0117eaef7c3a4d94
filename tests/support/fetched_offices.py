"""What several tests share of in time."""

from __future__ import annotations

from pathlib import Path

import offices
from sparql_server import serving

from claimgraph.kgstore.net.file_rate_limit import Limiter
from claimgraph.kgstore.net.http_budget import FetchBudget, Polite
from claimgraph.kgstore.net.sparql import Endpoint
from claimgraph.kgstore.store import GraphStore
from claimgraph.kgstore.world.cache import WorldCache
from claimgraph.kgstore.world.wikidata import Wikidata


def fetched(store: GraphStore, turtle: str, folder: Path) -> None:
    """Fetch everything that the little world has, as `cache fetch` does."""
    with serving(turtle) as server:
        world_cache(store, server.url, folder).fetch(list(offices.NAMES), hops=1)
    store.settle()


def world_cache(store: GraphStore, url: str, folder: Path) -> WorldCache:
    """A fetch from the server without pauses."""
    polite = Polite(Limiter(folder, 0.0), "me@example.org", FetchBudget(60.0, 100_000), pause=0.01)
    return WorldCache(store, Wikidata(Endpoint(url, polite, 5000), "en"), polite)

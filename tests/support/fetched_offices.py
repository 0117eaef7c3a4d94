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
        polite = Polite(Limiter(folder, 0.0), "me@example.org", FetchBudget(60.0, 100_000), pause=0.01)
        WorldCache(store, Wikidata(Endpoint(server.url, polite, 5000), "en"), polite).fetch(list(offices.NAMES), hops=1)
    store.settle()

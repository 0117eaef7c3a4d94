"""Open stores from settings, and what fetches a world into one."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from claimgraph.kgstore.errors import UsageError
from claimgraph.kgstore.store import GraphStore
from claimgraph.settings import Settings

if TYPE_CHECKING:
    from claimgraph.kgstore.net.retries import Turns
    from claimgraph.kgstore.world.cache import WorldCache


def open_store(settings: Settings, *, read_only: bool = False, unfinished: bool = False) -> GraphStore:
    """Return the store that the settings name, migrated; a context manager.

    One that holds half of a restore or a copy is a StoreError, but with `unfinished`.

    The embedded store may be open in several processes: the first holds it and the others go through that one;
    `read_only` reads a snapshot of it, after an older version's store was brought along.
    """
    from claimgraph.kgstore.engines.migrations import is_older, migrate
    from claimgraph.kgstore.engines.unfinished import refuse_unfinished

    store = open_unmigrated(settings, read_only=read_only)
    try:
        if not read_only or settings.neo4j_uri:
            migrate(store)
        elif is_older(store):
            store.close()
            open_store(settings, unfinished=True).close()
            store = open_unmigrated(settings, read_only=True)
        if not unfinished:
            refuse_unfinished(store)
    except BaseException:
        store.close()
        raise
    return store


def moment_of(store: GraphStore) -> Callable[[], object]:
    """Return what tells whether a store opened for reading was written since: a snapshot never was."""
    from claimgraph.kgstore.engines.bolt import BoltStore

    return store.moment if isinstance(store, BoltStore) else lambda: None


def open_unwritten(settings: Settings) -> GraphStore:
    """Return the store that the settings name, for reading; writes to it are dropped, as a dry run needs it."""
    from claimgraph.kgstore.engines.dry_run_store import DryRunStore

    return DryRunStore(open_store(settings, read_only=True))


def open_unmigrated(settings: Settings, *, read_only: bool = False) -> GraphStore:
    """Return the store without migrating it, for `claimgraph migrate` and `claimgraph doctor`."""
    if settings.neo4j_uri:
        from claimgraph.kgstore.engines.bolt import connect

        return connect(
            settings.neo4j_uri,
            settings.neo4j_username,
            settings.neo4j_password or "",
            settings.neo4j_database,
            reader=_reader(settings),
            retry_seconds=settings.neo4j_retry,
        )
    if read_only:
        from claimgraph.kgstore.engines.embedded import open_embedded

        return open_embedded(settings.store_folder, read_only=True)
    from claimgraph.kgstore.engines.shared import SharedStore

    return SharedStore(settings.store_folder)


def _reader(settings: Settings) -> tuple[str, str] | None:
    if settings.neo4j_query_username is None:
        return None
    return settings.neo4j_query_username, settings.neo4j_query_password or ""


def turns(settings: Settings, store: GraphStore | None, interval: float) -> Turns:
    """Return a rate limit for servers, at most one request every `interval` seconds, shared by all who use the Neo4j of
    the settings, else by all processes that use the cache folder.
    """
    from claimgraph.kgstore.net.file_rate_limit import Limiter
    from claimgraph.kgstore.net.rate_limit import StoreTurns

    if settings.neo4j_uri and store is not None:
        return StoreTurns(store, interval)
    return Limiter(settings.cache_folder / "turns", interval)


def world_cache(
    settings: Settings,
    store: GraphStore,
    graph: str = "wikidata",
    *,
    endpoint: str | None = None,
    seconds: float = 60.0,
    rows: int = 50_000,
    progress: Callable[[int, int], None] | None = None,
) -> WorldCache:
    """Return a fetch into a graph of the store: wikidata, dbpedia, or another, of which `endpoint` is the SPARQL
    address.

    `seconds` and `rows` of answers are its budget. Raises UsageError for another graph without an endpoint.
    """
    from claimgraph.kgstore.naming import graph_name
    from claimgraph.kgstore.net.http_budget import FetchBudget, Polite
    from claimgraph.kgstore.net.sparql import Endpoint
    from claimgraph.kgstore.world.cache import WorldCache
    from claimgraph.kgstore.world.dbpedia import TripleEndpoint
    from claimgraph.kgstore.world.fetch_result import World
    from claimgraph.kgstore.world.wikidata import Wikidata
    from claimgraph.kgstore.world.wikipedia import Encyclopedia

    known = {"wikidata": settings.wikidata_url, "dbpedia": settings.dbpedia_url}
    if (endpoint is None) != (graph in known):
        raise UsageError(
            f"{graph} needs --endpoint with the address to fetch it from"
            if endpoint is None
            else f"{graph} has its own endpoint: set CLAIMGRAPH_{graph.upper()}_URL for a mirror"
        )
    shared = turns(settings, store, settings.request_interval)
    polite = Polite(shared, settings.contact, FetchBudget(seconds, rows), offline=settings.offline)
    asked, language = Endpoint(endpoint or known[graph], polite), settings.language
    encyclopedia = Encyclopedia(settings.wikipedia_url, polite, language) if graph == "wikidata" else None
    world: World = TripleEndpoint(asked, language, graph_name(graph), dbpedia=graph == "dbpedia")
    if graph == "wikidata":
        world = Wikidata(asked, language)
    return WorldCache(store, world, polite, encyclopedia, progress)

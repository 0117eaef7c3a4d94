"""Resolve what a user asks to fetch to entity ids: ids, IRIs and exact names, online and offline."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from claimgraph.kgstore.errors import InputError, Offline
from claimgraph.kgstore.ingest.ledger import INCOMPLETE
from claimgraph.kgstore.naming import display_name, same_name
from claimgraph.kgstore.net.retries import Unanswered
from claimgraph.kgstore.net.sparql import chunks
from claimgraph.kgstore.reads import load_entities
from claimgraph.kgstore.store import GraphStore
from claimgraph.kgstore.views import StoreView
from claimgraph.kgstore.world.fetch_result import World
from claimgraph.kgstore.world.fetches import Fetched, fetched

_CANDIDATES = 50


@dataclass(frozen=True, slots=True)
class Targets:
    """Ids in the order they were asked for, the names nothing is called, and why the world could not be asked where
    its entities are now (None where it could): then ids may be of entities that were merged into others.
    """

    ids: list[str]
    unknown: list[str]
    problem: str | None = None


def resolve(store: GraphStore, world: World, wanted: Iterable[str], *, offline: bool) -> Targets:
    """Return the requested entities under their current ids.

    Offline a name is looked for among the entities of the graph. Raises InputError where nothing is known, Offline
    naming what is not in the graph, Unanswered where names could not be looked up.
    """
    known = {text: world.identity(text) for text in dict.fromkeys(text.strip() for text in wanted) if text}
    names = [text for text, identity in known.items() if identity is None]
    called = _stored(store, world.graph, names) if offline else _searched(world, names)
    unknown = [name for name in names if not called.get(name)]
    ids = [i for text, identity in known.items() for i in ([identity] if identity else called.get(text, []))]
    if offline and unknown:
        raise Offline(f"offline, and not in the graph {world.graph!r}: {', '.join(unknown)}")
    if not ids:
        raise InputError(f"nothing in {world.graph} is called {', '.join(unknown) or 'so: name an entity'}")
    if offline:
        return Targets(list(dict.fromkeys(ids)), unknown)
    try:
        return Targets(list(dict.fromkeys(_followed(store, world, ids))), unknown)
    except Unanswered as error:
        return Targets(list(dict.fromkeys(ids)), unknown, str(error))


def refuse_missing(store: GraphStore, graph: str, entities: Sequence[str], have: Iterable[Fetched]) -> None:
    """Raise Offline with id and name of the entities of which nothing was fetched, if there are any."""
    held = {one.entity for one in have if one.status != INCOMPLETE or one.rows}
    missing = [identity for identity in entities if identity not in held]
    if missing:
        names = {identity: entity.name for identity, entity in load_entities(store, missing).items()}
        said = ", ".join(
            f"{i} ({names[i]})" if names.get(i, display_name(i)) != display_name(i) else i for i in missing
        )
        raise Offline(f"offline, and never fetched into {graph!r}: {said}")


def _searched(world: World, names: list[str]) -> dict[str, list[str]]:
    return {name: ids for chunk in chunks(names) for name, ids in world.search(chunk).items()}


def _stored(store: GraphStore, graph: str, names: list[str]) -> dict[str, list[str]]:
    view = StoreView(store, (graph,))
    return {
        name: [
            entity.id
            for entity in view.candidates(name, _CANDIDATES)
            if same_name(name) in map(same_name, (entity.name, *entity.aliases))
        ]
        for name in names
    }


def _followed(store: GraphStore, world: World, ids: list[str]) -> list[str]:
    """Return the ids with those that were merged replaced; entities fetched before are not looked up."""
    before = {one.entity for one in fetched(store, world.graph, ids)}
    moved: dict[str, str] = {}
    for chunk in chunks([identity for identity in dict.fromkeys(ids) if identity not in before]):
        moved |= world.moved(chunk)
    return [moved.get(identity, identity) for identity in ids]

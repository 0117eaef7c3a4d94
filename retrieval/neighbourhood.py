"""The facts around and between linked entities: the first retrieval, which ranking and pruning build on."""

from __future__ import annotations

from collections.abc import Iterable

from kgstore.model import Link, Subgraph
from kgstore.store import Neighbours


def neighbourhood(links: Iterable[Link], view: Neighbours, limit: int) -> Subgraph:
    """Facts with a linked entity as subject or object, at most `limit` an entity and direction, ordered by id.

    The cap keeps hubs (a country has a million facts) from drowning the rest. Empty where nothing is linked.
    """
    entities = sorted({link.entity.id for link in links if link.entity})
    return view.facts_around(entities, limit) if entities else Subgraph({}, ())

"""Define the one interface to a graph database.

Everything above uses a store through named queries of the `cypher` package, so both engines run the same files.
records.py converts model objects to rows and reads.py back; a store never sees one. An abstract repository with a
method per type was rejected: every new question would widen the interface and be written once per engine.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Protocol, Self

from claimgraph.kgstore.model import Entity, Fact, Subgraph

Row = dict[str, Any]
"""Column or property name to None, bool, int, float, str, aware datetime, or a list of one of these."""

Step = tuple[str, Sequence[Row]]
"""A write: the name of a query that takes `$rows`, and the rows. Every row that merges by id has an `id`."""


@dataclass(frozen=True, slots=True)
class QueryLimits:
    """Limits of a user's query: wall seconds, rows returned, and MiB of memory."""

    seconds: float = 30.0
    rows: int = 10_000
    memory_mib: int = 512


DEFAULT_LIMITS = QueryLimits()


@dataclass(frozen=True, slots=True)
class Table:
    """Result of a user's query. `truncated` says that the row limit cut it."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    truncated: bool


@dataclass(frozen=True, slots=True)
class StoreInfo:
    """Engine ("neo4j" or "embedded"), its version, and the address or folder; `alone` says that this process holds it
    and no other one's work is under way.
    """

    engine: str
    version: str
    address: str
    alone: bool = False


class GraphStore(Protocol):
    """A graph database holding claims, evidence and verdicts.

    A context manager: leaving it closes it. Not for use after a fork; open one per process. Errors are those of
    claimgraph.kgstore.errors, whatever the engine.
    """

    def info(self) -> StoreInfo:
        """Return engine, version and address. Raises StoreUnreachable or StoreDenied where nothing answers."""
        ...

    def read(self, name: str, /, **params: Any) -> list[Row]:
        """Return rows of the named read query, in the query's order."""
        ...

    def write(self, *steps: Step) -> list[Row]:
        """Run the steps in order, all or nothing, and return the rows of the last one.

        Idempotent queries only: the engine may repeat the whole call after a conflict. Rows are sent in batches,
        sorted by their "id" where they have one, so that concurrent writers do not deadlock. Empty steps are fine.
        Durable when it returns.
        """
        ...

    def schema(self, statement: str) -> None:
        """Run one schema statement (IF NOT EXISTS) outside any data transaction."""
        ...

    def settle(self) -> None:
        """Wait after bulk writes until the full-text index contains them."""
        ...

    def query(self, text: str, params: Mapping[str, Any], limits: QueryLimits = DEFAULT_LIMITS) -> Table:
        """Run a user's Cypher that the guard has let through, read-only and within limits.

        Raises QueryRefused or QueryLimit.
        """
        ...

    def close(self) -> None:
        """Close the store. Calling it twice is fine."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


class EntityIndex(Protocol):
    """The entities by name, as entity linking reads them."""

    def candidates(self, mention: str, limit: int) -> list[Entity]:
        """Return at most `limit` entities whose name or alias shares words with the mention, best full-text match
        first.

        Ties by id. Empty for a mention without letters or digits.
        """
        ...

    def degrees(self, entities: Sequence[str]) -> dict[str, int]:
        """Return the number of facts, of any graph, of each entity of these ids."""
        ...

    def relations(self, entities: Sequence[str], *, away: bool) -> Sequence[Relation]:
        """Return the relations of these entities in one direction (`away` is out of an entity), by entity and
        predicate.

        Cost grows with the facts of that direction, so hubs should not be queried as objects.
        """
        ...


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation of an entity: its predicate, its name, and the number of the entity's facts with it."""

    entity: str
    predicate: str
    name: str
    facts: int


class NeighbourIndex(Protocol):
    """The relations of entities, and facts by relation, as the open domain reads them. `away` is out of an entity."""

    def degrees(self, entities: Sequence[str]) -> dict[str, int]:
        """Return the number of facts, of any graph, of each entity of these ids."""
        ...

    def relations(self, entities: Sequence[str], *, away: bool) -> list[Relation]:
        """Return the relations of these entities in one direction, by entity and predicate."""
        ...

    def facts_along(self, wanted: Sequence[tuple[str, Sequence[str]]], *, away: bool, limit: int) -> list[Fact]:
        """Return facts of entities with some predicates in one direction: at most `limit` for each of `wanted`,
        by id.
        """
        ...

    def facts_joining(self, entities: Sequence[str], others: Sequence[str]) -> list[Fact]:
        """Return facts out of one of `entities` into one of `others`, by id."""
        ...

    def subgraph(self, facts: Iterable[Fact]) -> Subgraph:
        """Return the facts, each once and by id, with their nodes."""
        ...


BATCH = 10_000


def batches(rows: Sequence[Row]) -> Iterator[list[Row]]:
    """Yield at most BATCH rows at a time, by their "id"; rows without one, and equal ids, keep their order."""
    ordered = sorted(rows, key=lambda row: str(row.get("id") or ""))
    for start in range(0, len(ordered), BATCH):
        yield ordered[start : start + BATCH]

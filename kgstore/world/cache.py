"""The cached world: neighbourhoods of entities, fetched from a knowledge graph on the network into a graph of a store.

What was fetched completely is not fetched again, so a fetch that was stopped or killed goes on where it was: every
write holds facts, their records and the graph's new version together. Where a server answers in part or not at all,
a question about many entities is asked again by halves; what stays open is recorded as incomplete. Several may fetch
into a graph at once: each reads the records once, and looks at the end whether its version is that of everybody's.
Fetching while checking was rejected: a verdict's evidence must not depend on a server's mood.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from time import monotonic

from claimgraph.kgstore.ingest.ledger import COMPLETE, INCOMPLETE, version_step
from claimgraph.kgstore.model import Predicate
from claimgraph.kgstore.naming import display_name
from claimgraph.kgstore.net.http_budget import Polite
from claimgraph.kgstore.net.retries import Unanswered
from claimgraph.kgstore.net.sparql import MOST_IDS, chunks
from claimgraph.kgstore.reads import load_entities
from claimgraph.kgstore.store import GraphStore, Row, Step
from claimgraph.kgstore.upkeep.stale import mark_stale
from claimgraph.kgstore.world.fetch_result import FetchResult, World
from claimgraph.kgstore.world.fetches import (
    CAPPED,
    INTRODUCTION,
    OBJECT,
    SUBJECT,
    all_fetched,
    completeness,
    fetched,
    record,
)
from claimgraph.kgstore.world.targets import refuse_missing, resolve
from claimgraph.kgstore.world.wikipedia import MOST_ARTICLES, Encyclopedia

Progress = Callable[[int, int], None]
"""Called with the number of finished parts of entities, and of all."""

_SPENT = "the time or row budget is spent"
_ALL = 1_000_000


@dataclass(frozen=True, slots=True)
class Entry:
    """One entity that was asked for, with the status of its parts by name (fetches.py)."""

    id: str
    name: str
    parts: Mapping[str, str]


@dataclass(slots=True)
class FetchReport:
    """The result of a fetch.

    `facts` were fetched; `new`, `gone` and `changed` are ids: of facts that were not there before, of facts that the
    world no longer has and that were removed, and of those of the gone ones that have another value or other qualifiers
    now. `cached` parts of entities were there and not fetched again, `unknown` are names without an entity, `problems`
    say why something is incomplete, one line a reason. `stale` verdicts cite facts that changed; None where that was
    not examined.
    """

    graph: str
    entities: list[Entry] = field(default_factory=list)
    facts: int = 0
    new: list[str] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    cached: int = 0
    unknown: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    stale: int | None = None
    requests: int = 0
    seconds: float = 0.0

    @property
    def complete(self) -> bool:
        """Whether budget and servers allowed the whole fetch; a hub fetched up to its cap counts as complete."""
        return not any(status == INCOMPLETE for entry in self.entities for status in entry.parts.values())


class WorldCache:
    """One fetch from a world into its graph of the store, within the budget of `polite`."""

    def __init__(
        self,
        store: GraphStore,
        world: World,
        polite: Polite,
        encyclopedia: Encyclopedia | None = None,
        progress: Progress | None = None,
    ) -> None:
        self._store, self._world, self._polite, self._encyclopedia = store, world, polite, encyclopedia
        self._progress = progress or _silent
        self._report = FetchReport(world.graph)
        self._predicates: dict[str, Predicate] = {}
        self._articles: dict[str, str] = {}
        self._done = self._total = 0
        self._lost: str | None = None
        self._seen: set[str] = set()
        self._problems: dict[str, list[str]] = {}
        self._records: dict[str, Row] | None = None
        self._started = monotonic()

    def fetch(self, wanted: Sequence[str], *, hops: int = 1) -> FetchReport:
        """Fetch entities given by id, IRI or exact name: the facts about them and, up to a cap, those naming them.

        With `hops` 2 also the facts about what these facts lead to. Raises Offline with what is missing where the
        network is refused, UsageError without an operator's contact, and InputError where no name is known.
        """
        targets = resolve(self._store, self._world, wanted, offline=self._polite.offline)
        ids, self._report.unknown, self._lost = targets.ids, targets.unknown, targets.problem
        parts = (SUBJECT, OBJECT, INTRODUCTION) if self._encyclopedia else (SUBJECT, OBJECT)
        self._hop(ids, parts)
        if hops > 1:
            around = {row["object"] for row in self._stored("facts_from", ids)}
            self._hop(sorted(load_entities(self._store, sorted(around.difference(ids)))), (SUBJECT,))
        return self._finished(ids)

    def refresh(self, before: float | None = None) -> FetchReport:
        """Fetch again every part fetched before that POSIX time (None: all), the oldest first.

        Facts the world no longer has are removed from the graph, and verdicts that rested on them are marked stale.
        What cannot be fetched stays as it is.
        """
        old = [
            one
            for one in all_fetched(self._store, self._world.graph)
            if before is None or one.retrieved_at.timestamp() < before
        ]
        old.sort(key=lambda one: (one.retrieved_at, one.id))
        self._fetch({part: [one.entity for one in old if one.part == part] for part in (SUBJECT, OBJECT, INTRODUCTION)})
        report = self._finished(sorted({one.entity for one in old}))
        report.stale = mark_stale(self._store)
        return report

    def establish(self) -> None:
        """Create the graph, empty if nothing was ever fetched into it."""
        self._store.write(self._version())
        self._agree()

    def _hop(self, ids: list[str], parts: Sequence[str]) -> None:
        have = fetched(self._store, self._world.graph, ids, parts)
        if self._polite.offline:
            refuse_missing(self._store, self._world.graph, ids, have)
            self._report.cached += len(have)
            return
        done = {(one.entity, one.part) for one in have if one.status != INCOMPLETE}
        self._report.cached += len(done)
        self._fetch({part: [identity for identity in ids if (identity, part) not in done] for part in parts})

    def _fetch(self, todo: Mapping[str, list[str]]) -> None:
        self._total += sum(map(len, todo.values()))
        for chunk in chunks(todo.get(SUBJECT, []), MOST_IDS):
            for ids, found in self._divided(chunk):
                self._articles |= found.articles
                self._keep(SUBJECT, ids, found)
        for entity in todo.get(OBJECT, []):
            self._keep(OBJECT, [entity], self._found(lambda one=entity: self._world.as_object(one)))  # type: ignore[misc]
        for chunk in chunks(todo.get(INTRODUCTION, []), MOST_ARTICLES):
            self._keep(INTRODUCTION, chunk, self._found(lambda ids=chunk: self._introductions(ids)))  # type: ignore[misc]

    def _divided(self, ids: list[str]) -> Iterator[tuple[list[str], FetchResult]]:
        """Yield the answer about the ids, or, where it is incomplete, the answers about each half of them."""
        found = self._found(lambda: self._world.as_subject(ids))
        if not found.problem or not found.divisible or len(ids) == 1 or self._polite.budget.spent:
            yield ids, found
            return
        for half in chunks(ids, (len(ids) + 1) // 2):
            yield from self._divided(half)

    def _found(self, ask: Callable[[], FetchResult]) -> FetchResult:
        """Return the answer, with the definitions of its relations; a failing server is a problem of the answer.

        After a server that does not answer even small questions nothing more is asked.
        """
        if self._polite.budget.spent or self._lost:
            return FetchResult(problem=self._lost or _SPENT)
        found = FetchResult()
        try:
            found = ask()
            self._define(found)
        except Unanswered as error:
            found.problem, found.divisible = found.problem or str(error), error.heavy
            self._lost = None if error.heavy else str(error)
        return found

    def _define(self, found: FetchResult) -> None:
        used = {fact.predicate for fact in found.facts.values()}
        unknown = sorted(used.difference(self._predicates))
        known = self._store.read("described_predicates", ids=unknown)
        self._predicates |= {row["id"]: Predicate(row["id"], row["name"]) for row in known}
        for chunk in chunks(sorted(used.difference(self._predicates))):
            self._predicates |= {one.id: one for one in self._world.predicates(chunk)}
        for key, fact in found.facts.items():
            if fact.predicate in self._predicates:
                found.facts[key] = replace(fact, name=self._predicates[fact.predicate].name)

    def _introductions(self, ids: list[str]) -> FetchResult:
        assert self._encyclopedia is not None
        unread = [identity for identity in ids if identity not in self._articles]
        articles = self._articles | (self._world.articles(unread) if unread else {})
        wanted = {identity: articles[identity] for identity in ids if identity in articles}
        return FetchResult(summaries=self._encyclopedia.introductions(wanted))

    def _keep(self, part: str, ids: list[str], found: FetchResult) -> None:
        """Store an answer with the records of its entities, and remove facts the world no longer has."""
        status = COMPLETE if not found.problem else CAPPED if found.capped else INCOMPLETE
        before = {one.entity: one for one in fetched(self._store, self._world.graph, ids, [part])}
        members: dict[str, list[str]] = {identity: [] for identity in ids}
        for fact in found.facts.values():
            members.setdefault(fact.subject if part == SUBJECT else ids[0], []).append(fact.id)
        for entity, document in found.summaries:
            members.setdefault(entity, []).append(document.id)
        records = [
            record(self._world.graph, identity, part, status, members[identity])
            for identity in ids
            if status != INCOMPLETE or before.get(identity) is None or before[identity].status == INCOMPLETE
        ]
        steps = [*self._gone(part, ids, found, status), *self._outdated(found)]
        version = self._version(records)
        self._store.write(version, *found.steps(self._world.graph, self._used(found)), *steps, ("put_fetched", records))
        self._told(ids, found)

    def _gone(self, part: str, ids: list[str], found: FetchResult, status: str) -> list[Step]:
        """Compare with the previous fetch, update the report, and return the steps that remove vanished facts."""
        if part == INTRODUCTION:
            return []
        rows = self._stored("facts_from" if part == SUBJECT else "facts_into", ids)
        old = {row["id"]: row for row in rows}
        self._seen.update(found.facts)
        self._report.new += sorted(found.facts.keys() - old.keys())
        if status != COMPLETE:
            return []
        gone = [row for key, row in sorted(old.items()) if key not in found.facts and row["retrievedAt"]]
        now = {(fact.subject, fact.predicate) for fact in found.facts.values() if fact.id not in old}
        self._report.gone += [row["id"] for row in gone]
        self._report.changed += [row["id"] for row in gone if (row["subject"], row["predicate"]) in now]
        literals = sorted({row["object"] for row in gone})
        return [
            ("delete_facts", [{"id": row["id"]} for row in gone]),
            ("delete_unused_literals", [{"id": key} for key in literals]),
        ]

    def _outdated(self, found: FetchResult) -> list[Step]:
        rows = [{"id": e, "source": text.source, "document": text.id} for e, text in found.summaries]
        return [("delete_outdated_summaries", rows)]

    def _used(self, found: FetchResult) -> list[Predicate]:
        used = sorted({fact.predicate: fact.name for fact in found.facts.values()}.items())
        return [self._predicates.get(key, Predicate(key, name)) for key, name in used]

    def _version(self, records: Sequence[Row] = ()) -> Step:
        """Return the version the graph has with these records."""
        self._records = (self._all() if self._records is None else self._records) | _by_id(records)
        return version_step(self._world.graph, self._records.values())

    def _agree(self) -> None:
        """Write the graph's version again while others' records have been added beside ours: theirs do not include
        ours.
        """
        while self._records is not None and _told_alike(now := self._all()) != _told_alike(self._records):
            self._records = now
            self._store.write(self._version())

    def _all(self) -> dict[str, Row]:
        return _by_id(self._store.read("fetches_into", target=self._world.graph))

    def _stored(self, query: str, ids: Sequence[str]) -> list[Row]:
        return self._store.read(query, ids=list(ids), graphs=[self._world.graph], limit=_ALL)

    def _told(self, ids: list[str], found: FetchResult) -> None:
        self._done += len(ids)
        self._progress(self._done, self._total)
        if found.problem:
            self._problems.setdefault(found.problem, []).extend(ids)

    def _finished(self, ids: list[str]) -> FetchReport:
        self._agree()
        if not self._polite.offline:
            self._store.settle()
        report = self._report
        parts = completeness(self._store, self._world.graph, ids)
        named = load_entities(self._store, ids)
        report.entities = [Entry(i, named[i].name if i in named else display_name(i), parts.get(i, {})) for i in ids]
        report.problems = [f"{_few(about)}: {problem}" for problem, about in self._problems.items()]
        report.facts, report.requests = len(self._seen), self._polite.requests
        report.seconds = round(monotonic() - self._started, 3)
        return report


def _silent(done: int, total: int) -> None: ...


def _few(ids: Sequence[str]) -> str:
    """Return the first three, and how many more."""
    distinct = list(dict.fromkeys(ids))
    return ", ".join(distinct[:3]) + (f" and {len(distinct) - 3} more" if len(distinct) > 3 else "")


def _by_id(rows: Sequence[Row]) -> dict[str, Row]:
    return {row["id"]: row for row in rows}


def _told_alike(records: Mapping[str, Row]) -> dict[str, tuple[object, ...]]:
    """Return the fields of records that determine the version of a graph."""
    return {key: (row["status"], row["rows"], row["content"]) for key, row in records.items()}

"""Load a triple file with its label files into a graph of the store.

Everything is streamed: memory holds two batches of 10,000 facts (one is written while the next is read), the names of
relations, the last 250,000 node keys, and the second ids of a label file. Every id is a hash of its content, so an
interrupted load is simply run again: existing rows are overwritten with the same values, and nothing is doubled.
Resuming by skipping lines was rejected: it saves little, since the store takes the time, and is wrong as soon as the
file or its labels change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from time import monotonic
from typing import TypeVar

from claimgraph.kgstore.errors import InputError
from claimgraph.kgstore.ingest.labels import LabelRow, labels, predicate, same_ids
from claimgraph.kgstore.ingest.ledger import COMPLETE, RUNNING, Ledger
from claimgraph.kgstore.ingest.lines import Broken, SourceFile
from claimgraph.kgstore.ingest.loading import Load, Treatment, text_row
from claimgraph.kgstore.ingest.readers import FileTriple, format_of, statements
from claimgraph.kgstore.ingest.rejects import Rejects
from claimgraph.kgstore.ingest.write_behind import WriteBehind
from claimgraph.kgstore.model import Predicate
from claimgraph.kgstore.naming import default_graph, display_name, graph_name, relation_name
from claimgraph.kgstore.records import predicate_row, summary_steps
from claimgraph.kgstore.store import GraphStore

Item = TypeVar("Item", FileTriple, LabelRow)

BATCH = 10_000

FileProgress = Callable[[Path, int, int], None]
"""Called with the file, the bytes read of it, and its size."""


@dataclass(slots=True)
class IngestReport:
    """The result of a load. Counts are of this load, but `entities`, which counts those in the graph after it.

    `facts` were read and are stored; `new` of them were not there before; `texts` are statements that name or describe
    an entity, and `skipped` ones hold nothing that a graph keeps (labels in other languages). `labelled` entities got
    texts from the label file, `summaries` of them an introduction. `rejected` lines of all files stand in
    `rejected_file`, the first of them in words in `first_rejected`.
    """

    graph: str
    facts: int = 0
    new: int = 0
    texts: int = 0
    entities: int = 0
    labelled: int = 0
    summaries: int = 0
    skipped: int = 0
    rejected: int = 0
    first_rejected: str | None = None
    rejected_file: str | None = None
    seconds: float = 0.0


def ingest(
    store: GraphStore,
    path: Path,
    graph: str | None = None,
    *,
    entities: Path | None = None,
    relations: Path | None = None,
    rejected: Path | None = None,
    progress: FileProgress | None = None,
) -> IngestReport:
    """Load the triples of `path` into the world graph `graph` (default: named after the file).

    `entities` and `relations` are label files; entities in them that the graph does not mention are left out. Lines
    that cannot be used are written to `rejected` (default: the file's name with .rejected.tsv, in the working
    folder), which is made only when there is one. Safe to repeat after any interruption. Raises InputError where a
    file cannot be read or nothing in it can be used; what was read before that stays stored.
    """
    started = monotonic()
    name = graph_name(graph) if graph is not None else default_graph(path)
    format_of(path)
    files = [file for file in (path, entities, relations) if file]
    with Rejects(rejected or Path(f"{path.name}.rejected.tsv"), files) as rejects:
        report = _Flow(store, name, Ledger(store, name, files), rejects, progress or _silent).run(
            path, entities, relations
        )
    report.rejected, report.first_rejected = rejects.count, rejects.first
    report.rejected_file = str(rejects.path) if rejects.count else None
    report.seconds = round(monotonic() - started, 3)
    return report


def _silent(path: Path, done: int, size: int) -> None: ...


class _Flow:
    """One load: its store, its ledger, and its report so far."""

    def __init__(self, store: GraphStore, graph: str, ledger: Ledger, rejects: Rejects, progress: FileProgress) -> None:
        self._store, self._graph, self._ledger = store, graph, ledger
        self._rejects, self._progress = rejects, progress
        self._report = IngestReport(graph)
        self._empty = False

    def run(self, path: Path, entities: Path | None, relations: Path | None) -> IngestReport:
        report = self._report
        same = same_ids(entities, self._graph) if entities else {}
        given = self._relations(relations) if relations else {}
        before = self._size()
        self._empty = before == 0
        self._facts(path, Load(self._graph, path.name, self._ledger.id(path), same, given))
        self._name_predicates()
        rows = {path: report.facts}
        if relations:
            rows[relations] = len(given)
        if entities:
            rows[entities] = report.labelled = self._label(entities)
        self._store.write(*self._ledger.steps(COMPLETE, rows))
        self._store.settle()
        report.new = self._size() - before
        report.entities = int(self._store.read("graph_entities", graph=self._graph)[0]["entities"])
        return report

    def _facts(self, path: Path, load: Load) -> None:
        line = 0
        with SourceFile(path) as source, WriteBehind(self._store) as writer:
            try:
                for item in self._usable(source, statements(source, format_of(path))):
                    line = item.line
                    self._count(load.add(item))
                    if len(load) >= BATCH:
                        self._flush(load, path, writer)
                        self._progress(path, source.position, source.size)
            except InputError as error:
                self._flush(load, path, writer)
                writer.wait()
                raise InputError(f"{error}; {self._report.facts} facts up to line {line} are stored") from error
            self._flush(load, path, writer)
            writer.wait()
            self._progress(path, source.size, source.size)
        if not (self._report.facts or self._report.texts or self._report.skipped):
            raise InputError(f"no line of {path} can be used: {self._rejects.first or 'it holds a header only'}")

    def _flush(self, load: Load, path: Path, writer: WriteBehind) -> None:
        if not len(load):
            return
        writer.wait()
        unnamed = load.unnamed()
        known = {str(row["id"]): str(row["name"]) for row in self._store.read("predicate_names", ids=unnamed)}
        load.names.update({identity: known.get(identity) or relation_name(identity) for identity in unnamed})
        running, facts, nodes = self._ledger.steps(RUNNING, {path: self._report.facts}), load.facts(), load.nodes()
        stored = self._stored(facts, nodes, trusting=self._empty and not writer.conflicts)
        writer.put([*running, *load.steps(facts, stored)])
        load.clear()

    def _stored(self, facts: Iterable[str], nodes: Sequence[str], *, trusting: bool) -> set[str]:
        """Return those of the facts and entities that are stored; `trusting` takes no fact to be."""
        asked = [("known_entities", nodes), *([] if trusting else [("known_facts", list(facts))])]
        return {str(row["id"]) for name, ids in asked for row in self._store.read(name, ids=ids)}

    def _label(self, path: Path) -> int:
        """Give the entities of the graph their texts; return their number."""
        count = 0
        with SourceFile(path) as source:
            items = self._usable(source, labels(source, self._graph))
            while batch := {known: item for item in islice(items, BATCH) for known in (item.id, *item.also)}:
                found = self._store.read("entity_names", ids=list(batch), graph=self._graph)
                rows = [text_row(row["id"], batch[row["id"]].texts, self._graph, row["name"]) for row in found]
                told = [(row["id"], text) for row in found if (text := batch[row["id"]].summary)]
                count += len(rows)
                self._report.summaries += len(told)
                running = self._ledger.steps(RUNNING, {path: count})
                self._store.write(("put_entities", rows), *summary_steps(told), *running)
                self._progress(path, source.position, source.size)
        return count

    def _name_predicates(self) -> None:
        """Store the names that the file gives its predicates, on the predicates and their facts."""
        for row in self._store.read("renamed_predicates", graph=self._graph):
            named = Predicate(str(row["id"]), str(row["name"]))
            if named.name == display_name(named.id):
                continue
            self._store.write(("put_predicates", [predicate_row(named)]))
            wanted = {"graph": self._graph, "predicate": named.id, "name": named.name, "limit": BATCH}
            while misnamed := self._store.read("misnamed_facts", **wanted):
                self._store.write(("put_fact_names", misnamed))

    def _relations(self, path: Path) -> dict[str, Predicate]:
        with SourceFile(path) as source:
            return {item.id: predicate(item) for item in self._usable(source, labels(source, self._graph))}

    def _usable(self, source: SourceFile, items: Iterator[Item | Broken]) -> Iterator[Item]:
        for item in items:
            if isinstance(item, Broken):
                self._rejects.add(source.path, item)
            else:
                yield item

    def _count(self, kept: Treatment) -> None:
        if kept is Treatment.FACT:
            self._report.facts += 1
        elif kept is Treatment.TEXT:
            self._report.texts += 1
        else:
            self._report.skipped += 1

    def _size(self) -> int:
        return int(self._store.read("graph_size", graph=self._graph)[0]["facts"])

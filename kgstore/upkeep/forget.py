"""Taking things out of a store: a document or a run with all that rests on it, and a whole graph.

What goes is looked up first, so that a person can be asked about it, and then deleted by ids in one transaction.
Deleting along paths in one query was rejected: it could not say beforehand what it would delete.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import chain

from claimgraph.kgstore import identity
from claimgraph.kgstore.arrays.export import fact_columns
from claimgraph.kgstore.errors import NotFound, UsageError
from claimgraph.kgstore.reads import graph_facts
from claimgraph.kgstore.store import GraphStore, Row, Step

_PAGE = 20_000


@dataclass(frozen=True, slots=True)
class Plan:
    """Ids of what is to go, by kind; `entities` and `literals` stay where something else uses them."""

    verdicts: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()
    claims: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    runs: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    literals: tuple[str, ...] = ()
    graphs: tuple[str, ...] = ()
    jobs: tuple[str, ...] = ()
    batches: tuple[str, ...] = ()
    """Batches of the jobs: they stay where another job is left of them."""
    bereft: tuple[str, ...] = ()
    """Claims that stay, whose current verdict may go."""

    @property
    def counts(self) -> dict[str, int]:
        """What a person is asked about: how many of each go for certain."""
        kinds = {"documents": self.documents, "claims": self.claims, "verdicts": self.verdicts, "facts": self.facts}
        kinds |= {"evidence": self.evidence, "runs": self.runs, "jobs": self.jobs}
        return {kind: len(ids) for kind, ids in kinds.items() if ids}


def plan(store: GraphStore, key: str) -> Plan:
    """Return what forgetting a document or run would delete.

    With a document go its claims with verdicts, corrections and links, its claim graph, and what was found with it as
    context: the context graph and the verdicts resting on it; and the jobs of workers on either. With a run go its
    verdicts. Raises NotFound.
    """
    if store.read("document", id=key):
        return _plan_document(store, key)
    if store.read("run", id=key):
        verdicts = _ids(store.read("verdicts_of_run", id=key))
        return _with_grounds(store, Plan(verdicts=verdicts, runs=(key,)))
    raise NotFound("document or run", key)


def forget(store: GraphStore, key: str) -> dict[str, int]:
    """Delete a document or run with all that rests on it, all or nothing, and return how many of each kind went.

    A claim whose current verdict goes falls back to the best left: a person's first, then the latest, then by id.
    """
    found = plan(store, key)
    store.write(*_steps(found))
    return found.counts


def graph_counts(store: GraphStore, name: str) -> dict[str, int]:
    """Return how many facts and entities a graph holds. Raises NotFound, and UsageError for the graph of a text."""
    kinds = {row["name"]: row["kind"] for row in store.read("graphs")}
    if name not in kinds:
        raise NotFound("graph", name)
    if kinds[name] != "world":
        document = "d1:" + name.partition(":")[2]
        raise UsageError(f"{name} belongs to a text; to delete both: claimgraph forget {document}")
    return store.read("graph_size", graph=name)[0] | store.read("graph_entities", graph=name)[0]


def drop_graph(store: GraphStore, name: str) -> dict[str, int]:
    """Delete a world graph: its facts, and the entities, texts about them and literals that then nothing uses.

    In batches, the graph's own record last, so that a drop that was stopped can be done again. Verdicts stay, with
    their frozen evidence. Raises what graph_counts raises.
    """
    counts = graph_counts(store, name)
    for row in chain.from_iterable(fact_columns(store, name)):
        for start in range(0, len(row["facts"]), _PAGE):
            facts, objects = (row[key][start : start + _PAGE] for key in ("facts", "objects"))
            store.write(("delete_facts", _rows(facts)), ("delete_unused_literals", _rows(sorted(set(objects)))))
    while entities := store.read("entities_of_graph", graph=name, after="", limit=_PAGE):
        store.write(*_leaving((row["id"] for row in entities), [name]))
    fetches = _rows(_ids(store.read("fetches_into", target=name)))
    store.write(("delete_fetches", fetches), ("delete_graphs", _rows([name])))
    return counts


def _plan_document(store: GraphStore, document: str) -> Plan:
    graphs = (identity.claim_graph(document), identity.context_graph(document))
    on_claims = _ids(store.read("verdicts_on_document", id=document))
    citing = _ids(store.read("verdicts_citing_document", id=document))
    facts = [fact for graph in graphs for page in graph_facts(store, graph) for fact in page]
    entities = [entity["id"] for graph in graphs for entity in _all(store, "entities_of_graph", graph)]
    jobs = _ids(store.read("jobs_of_document", id=document))
    return _with_grounds(
        store,
        Plan(
            verdicts=tuple(dict.fromkeys((*on_claims, *citing))),
            claims=_ids(store.read("claims_of_document", document=document)),
            documents=(document,),
            facts=tuple(fact["id"] for fact in facts),
            entities=tuple(dict.fromkeys(entities)),
            literals=tuple(sorted({fact["object"] for fact in facts})),
            graphs=graphs,
            jobs=jobs,
            batches=_ids(store.read("batches_of_jobs", ids=list(jobs))),
        ),
    )


def _with_grounds(store: GraphStore, found: Plan) -> Plan:
    """Return the plan with what its verdicts alone rest on, the runs left without one, and the claims that lose one."""
    evidence_set = store.read("grounds_of_verdicts", ids=list(found.verdicts))
    doomed = set(found.verdicts)
    runs = {row["run"] for row in evidence_set}
    left = {run for run in runs if not doomed.issuperset(_ids(store.read("verdicts_of_run", id=run)))}
    cited = sorted({row["evidence"] for row in evidence_set if row["evidence"]})
    users = store.read("users_of_evidence", ids=cited)
    kept = {row["evidence"] for row in users if row["user"] not in doomed}
    return replace(
        found,
        evidence=tuple(piece for piece in cited if piece not in kept),
        runs=tuple(sorted({*found.runs, *runs} - left)),
        bereft=tuple(sorted({row["claim"] for row in evidence_set} - set(found.claims))),
    )


def _steps(found: Plan) -> list[Step]:
    return [
        ("bridge_verdicts", _rows(found.verdicts)),
        ("delete_verdicts", _rows(found.verdicts)),
        ("put_newest", _rows(found.bereft)),
        ("delete_unused_evidence", _rows(found.evidence)),
        ("delete_unused_runs", _rows(found.runs)),
        ("delete_claims", _rows(found.claims)),
        ("delete_facts", _rows(found.facts)),
        *_leaving(found.entities, list(found.graphs)),
        ("delete_unused_literals", _rows(found.literals)),
        ("delete_graphs", _rows(found.graphs)),
        ("delete_jobs", _rows(found.jobs)),
        ("delete_unused_batches", _rows(found.batches)),
        ("delete_documents", _rows(found.documents)),
    ]


def _leaving(entities: Iterable[str], graphs: list[str]) -> list[Step]:
    rows = _rows(entities)
    left = [{**row, "graphs": graphs} for row in rows]
    return [("leave_graphs", left), ("delete_unused_summaries", rows), ("delete_unused_entities", rows)]


def _all(store: GraphStore, query: str, graph: str) -> list[Row]:
    """Return all pages of a query over a graph."""
    found: list[Row] = []
    while page := store.read(query, graph=graph, after=found[-1]["id"] if found else "", limit=_PAGE):
        found += page
    return found


def _ids(rows: Iterable[Row]) -> tuple[str, ...]:
    return tuple(row["id"] for row in rows)


def _rows(ids: Iterable[str]) -> list[Row]:
    return [{"id": key} for key in ids]

"""A small store with one of each: two checked texts, a correction, a context, a fetched graph, four runs, a ruling."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from claimgraph.kgstore import identity, records
from claimgraph.kgstore.ingest.ledger import COMPLETE
from claimgraph.kgstore.model import (
    Answer,
    Citation,
    Claim,
    Correction,
    Document,
    Entity,
    Evidence,
    Extraction,
    Fact,
    Hallucination,
    Link,
    Literal,
    Outcome,
    Predicate,
    Run,
    Signal,
    Span,
    Stance,
    Status,
    Subgraph,
    Triple,
    Verdict,
)
from claimgraph.kgstore.runs.board import Board
from claimgraph.kgstore.runs.jobs import Batch, Budget, Job, Spent, Task
from claimgraph.kgstore.store import GraphStore
from claimgraph.kgstore.world.fetches import SUBJECT, record

NOON = datetime(2026, 1, 31, 12, 0, 0, 123456, tzinfo=UTC)
ODD = "quote ' \" ` \\u0027 // \u2028 \U0001f600 \n} {"

FIRST = Document(
    identity.document_id(f"Ann knows Bob. Ann was born in 1989. {ODD}"), f"Ann knows Bob. Ann was born in 1989. {ODD}"
)
SECOND = Document(
    identity.document_id("Ann knows Bob."), "Ann knows Bob.", name="second", language="en", created_at=NOON
)
CONTEXT = Document(identity.document_id("Ann met Bob."), "Ann met Bob.", source="context.txt", created_at=NOON)
WORLD = "people"
YEAR = Literal(identity.literal_id("1989", "date", None, "year"), "1989", "date", None, "year")
ANN, BOB, ODDS = (
    Entity(identity.graph_entity_id(WORLD, key), ODD if key > "z" else key, ("b", "a"), graphs=(WORLD,))
    for key in ("Ann", "Bob", "\U00010000")
)
"""People of the world graph; the third sorts apart in UTF-16 and by code point."""


def claim(document: Document, subject: str, predicate: str, object: str, at: int) -> Claim:
    """A claim of a document at a place."""
    key = identity.claim_id(document.id, at, at + 5, subject, predicate, object)
    return Claim(key, document.id, subject, predicate, object, ODD, Span(at, at + 5), Span(at, at + 3))


KNOWS, BORN = claim(FIRST, "Ann", "knows", "Bob", 0), claim(FIRST, "Ann", "was born in", "1989", 15)
AGAIN = claim(SECOND, "Ann", "knows", "Bob", 0)


def text_graph(document: Document, name: str, *claims: Claim) -> Subgraph:
    """The KG of a text: its own entities, and the year where the object is one."""
    nodes: dict[str, Entity | Literal] = {YEAR.id: YEAR}
    facts = []
    for item in claims:
        ends = []
        for word in (item.subject, item.object):
            node = (
                YEAR if word == YEAR.value else Entity(identity.text_entity_id(document.id, word), word, graphs=(name,))
            )
            nodes[node.id] = node
            ends.append(node.id)
        predicate = identity.predicate_id(name, item.predicate)
        key = identity.fact_id(name, ends[0], predicate, ends[1])
        facts.append(Fact(key, name, ends[0], predicate, item.predicate, ends[1], document=document.id, span=item.span))
    used = {end for fact in facts for end in (fact.subject, fact.object)}
    return Subgraph({key: node for key, node in nodes.items() if key in used}, tuple(facts))


def world() -> Subgraph:
    """Ann knows all three, and was born in 1989."""
    facts = []
    for other in (ANN, BOB, ODDS):
        key = identity.fact_id(WORLD, ANN.id, "people:knows", other.id)
        fact = Fact(key, WORLD, ANN.id, "people:knows", "knows", other.id, valid_from="1989-11", retrieved_at=NOON)
        facts.append(replace(fact, qualifiers='{"a":1}'))
    born = identity.fact_id(WORLD, ANN.id, "people:born", YEAR.id)
    facts.append(Fact(born, WORLD, ANN.id, "people:born", "born", YEAR.id))
    return Subgraph({node.id: node for node in (ANN, BOB, ODDS, YEAR)}, tuple(facts))


LIVE = Evidence(
    identity.evidence_id(WORLD, world().facts[1].id, "Ann knows Bob", None, None), "Ann knows Bob", WORLD,
    world().facts[1].id, Triple("Ann", "knows", "Bob"),
)  # fmt: skip
SENTENCE = Evidence(
    identity.evidence_id(CONTEXT.id, None, CONTEXT.text, 0, 12), CONTEXT.text, CONTEXT.id, document=CONTEXT.id,
    span=Span(0, 12),
)  # fmt: skip


def run(name: str, hours: int, method: str = "alignment", config: str = "{}") -> Run:
    """A run that began some hours after noon."""
    return Run(
        identity.run_id("check", method, config, name, name),
        method,
        config,
        NOON + timedelta(hours=hours),
        status="complete",
    )


AGAINST = json.dumps({"against": {"context": CONTEXT.id, "graphs": {WORLD: "7", "gone": "1"}}})
OLD, NEW, RULING = run("old", 0), run("new", 1), run("ruling", 1, "human")
CLOSED = run("closed", 2, config=AGAINST)


def verdict(item: Claim, by: Run, outcome: Outcome, *evidence: Evidence) -> Verdict:
    """A verdict by a run on a claim, given when the run began."""
    refuted = outcome is Outcome.REFUTED
    stance = Stance.REFUTES if refuted else Stance.SUPPORTS
    known = Signal(by.method, "similarity", 0.5), Signal("fused", "hallucination", 0.25)
    return Verdict(
        identity.verdict_id(item.id, by.method, by.config, by.id), item.id, outcome, Status.COMPLETE, by.method, ODD,
        confidence=1.0, hallucination=Hallucination.INTRINSIC if refuted else None,
        citations=tuple(Citation(piece, stance, 0.25) for piece in evidence),
        signals=(*sorted(known, key=lambda one: one.method), Signal("kea", "unknown", None)), created_at=by.started_at,
    )  # fmt: skip


VERDICTS = {
    OLD: [
        verdict(KNOWS, OLD, Outcome.SUPPORTED, LIVE),
        verdict(BORN, OLD, Outcome.NOT_ENOUGH_INFO),
        verdict(AGAIN, OLD, Outcome.SUPPORTED),
    ],
    RULING: [verdict(BORN, RULING, Outcome.REFUTED)],
    NEW: [verdict(KNOWS, NEW, Outcome.REFUTED, LIVE), verdict(BORN, NEW, Outcome.SUPPORTED)],
    CLOSED: [verdict(AGAIN, CLOSED, Outcome.REFUTED, SENTENCE)],
}
"""What each run found, in the order they were stored."""


MET = VERDICTS[CLOSED][0]
CORRECTION = Correction(
    identity.correction_id(AGAIN.id, "Bob", ODD, MET.id), AGAIN.id, MET.id, FIRST.id, Span(10, 13), "Bob", ODD,
    "by hand", "{}", NOON,
)  # fmt: skip
"""The second text put right because of the verdict by the context; for brevity the first is what came of it."""


GROUND = Evidence(identity.evidence_id(WORLD, "f1:0", ODD, None, None), ODD, WORLD, "f1:0", Triple("Ann", ODD, "Bob"))
ANSWER = Answer(
    identity.answer_id("Whom does Ann know?", "triplet", ODD), "Whom does Ann know?", "triplet", ODD, (GROUND,),
    created_at=NOON,
)  # fmt: skip
"""An answer to a question."""


JOBS = [
    Job(identity.job_id("check", document.id, CONTEXT.id, "{}"), "check", document.id, CONTEXT.id)
    for document in (FIRST, SECOND)
]
BATCH = Batch(
    identity.batch_id("check", [job.id for job in JOBS]), "check", "{}", Budget(100.0, 10, 1000), created_at=NOON
)


def submit(store: GraphStore) -> Board:
    """A board with a batch of two texts on it: one is done, the other tried in vain."""
    tasks = [Task(job.id, "check", "cpu") for job in JOBS]
    board = Board(store, attempts=1)
    board.submit(BATCH, JOBS, tasks)
    done, failed = (board.claim(task.job, "me") for task in tasks)
    assert done
    assert failed
    board.finish(done, notes={"said": ODD}, spent=Spent(1.5, 2, 3))
    board.fail(failed, ODD)
    return board


def fill(store: GraphStore) -> None:
    """Put all of it into a store, as the pipeline would."""
    store.write(*records.subgraph_steps(WORLD, "world", world(), "7"))
    relations = {fact.predicate: Predicate(fact.predicate, fact.name) for fact in world().facts}
    rows = [records.predicate_row(relation, graph=WORLD) for relation in relations.values()]
    store.write(("put_predicates", rows), ("put_fetched", [record(WORLD, ANN.id, SUBJECT, COMPLETE, ["f1:0"])]))
    name = identity.context_graph(CONTEXT.id)
    store.write(*records.context_steps(CONTEXT, text_graph(CONTEXT, name, claim(CONTEXT, "Ann", "met", "Bob", 0))))
    for document, claims in ((FIRST, (KNOWS, BORN)), (SECOND, (AGAIN,))):
        graph = text_graph(document, identity.claim_graph(document.id), *claims)
        extraction = Extraction(document, (Span(0, len(document.text)),), claims)
        store.write(*records.extraction_steps(extraction, graph))
    links = [Link(KNOWS.id, "subject", "Ann", ANN, 0.75, 0.5), Link(KNOWS.id, "object", "Bob", ANN, 0.5, 0.0)]
    store.write(*records.link_steps([*links, Link(BORN.id, "subject", "Ann", None, 0.0, 0.0)]))
    for by, found in VERDICTS.items():
        store.write(*records.verdict_steps(by, found))
    store.write(*records.correction_steps([CORRECTION]))
    store.settle()

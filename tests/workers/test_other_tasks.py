"""Tasks of questions, corrections, retrofitting and stale verdicts: what they leave in the graph is what the same work
in one process leaves, however often they are done; and where they take their graphs from."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import films
import pytest
from chat_server import serving
from engines import open_clean

from claimgraph import rechecking, wiring
from claimgraph.input_texts import document_from_text
from claimgraph.kgstore import identity, reads, records
from claimgraph.kgstore.engines.bolt import BoltStore
from claimgraph.kgstore.engines.dry_run_store import DryRunStore
from claimgraph.kgstore.engines.write_buffer import WriteBuffer
from claimgraph.kgstore.errors import NotFound
from claimgraph.kgstore.model import Document, Entity, Fact, Subgraph
from claimgraph.kgstore.runs.jobs import Job, Task, TaskLease
from claimgraph.kgstore.store import GraphStore, Row, Step
from claimgraph.kgstore.upkeep import transfer
from claimgraph.kgstore.upkeep.stale import mark_stale
from claimgraph.settings import Settings
from claimgraph.wiring.asker import Asker
from claimgraph.wiring.retrofitter import Retrofitter
from claimgraph.workers.messaging import broker
from claimgraph.workers.messaging.app import make_app, sender
from claimgraph.workers.tasks import graph_tasks, task_table
from claimgraph.workers.tasks.worker_context import WorkerContext

ANN, ROME, OSLO = (Entity(f"people:{name}", name, graphs=("people",)) for name in ("Ann Miller", "Rome", "Oslo"))
DRAFT = "Ann Miller was born in Oslo."
TEXT = "Marie Curie was born in Paris. She saw Naples. She liked cats.\n"
CONTEXT = "Marie Curie was born in Warsaw on 7 November 1867. Naples was never seen by Marie Curie."
TIMES = {"createdAt", "startedAt", "finishedAt", "updatedAt", "retrievedAt"}
RIVER = "who directed the silent river?"


class Recorded(DryRunStore):
    """A store that notes the named queries read, with what they are given, and refuses what a task may not do: user
    queries, and writes other than of what a language model answered."""

    def __init__(self, store: GraphStore) -> None:
        super().__init__(store)
        self.asked: list[tuple[str, dict[str, Any]]] = []

    def read(self, name: str, /, **params: Any) -> list[Row]:
        self.asked.append((name, params))
        return super().read(name, **params)

    def write(self, *steps: Step) -> list[Row]:
        assert {"put_completions"} == {name for name, _ in steps}
        return self._store.write(*steps)

    def query(self, *_: object) -> Any:
        raise AssertionError("a task reads by named queries")

    @property
    def names(self) -> set[str]:
        """The queries read."""
        return {name for name, _ in self.asked}


def contents(store: GraphStore) -> list[object]:
    """All nodes and relationships, without times and without what a language model answered."""
    found: list[object] = []
    for record in transfer.records(store):
        bare = {key: value for key, value in record.properties.items() if key not in TIMES}
        if not (isinstance(record, transfer.NodeRecord) and record.label == "Completion"):
            found.append(replace(record, properties=bare))
    return found


def document(text: str) -> Document:
    return document_from_text(text, 1, "a test")


def job(kind: str, text: Document | None, context: Document | None = None, **options: Any) -> Job:
    """A job as submission makes it."""
    said = json.dumps({"graphs": {}, **options}, sort_keys=True)
    ends = text.id if text else None, context.id if context else None
    return Job(identity.job_id(kind, *ends, said), kind, *ends, said)


def run(job: Job, store: GraphStore, tools: WorkerContext) -> Job:
    """The job after its task, which was killed once before anything of it was stored."""
    taken = TaskLease(task_table.first_task(job, bulk=False), job, ("b1:a",), "a test", 1)
    task_table.work(taken, tools).run()
    done = task_table.work(taken, tools).run()
    store.write(*done.steps)
    return replace(job, notes=json.dumps(done.notes))


def performed(jobs: Sequence[Job], store: GraphStore, settings: Settings) -> list[dict[str, Any]]:
    """What is noted of the jobs after their task, which is done again afterwards, which changes nothing."""
    with WorkerContext(settings, Recorded(store)) as tools:
        done = [run(job, store, tools) for job in jobs]
        before = contents(store)
        for job in done:
            run(job, store, tools)
    assert before == contents(store)
    return [json.loads(job.notes) for job in done]


@contextmanager
def oracle(folder: Path, fill: Callable[[GraphStore], object]) -> Iterator[GraphStore]:
    """Another store with the same in it, for the same work in one process."""
    folder.mkdir()
    with open_clean("embedded", folder) as store:
        fill(store)
        yield store


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(cache=tmp_path / "cache")


def born(town: Entity) -> Fact:
    key = identity.fact_id("people", ANN.id, "people:born", town.id)
    return Fact(key, "people", ANN.id, "people:born", "place of birth", town.id)


def world(store: GraphStore, version: str, *facts: Fact) -> None:
    """The graph of people with these facts and no others."""
    old = [fact.id for fact in reads.load_graph(store, "people").facts]
    store.write(("delete_facts", [{"id": key} for key in old]))
    nodes = {node.id: node for node in (ANN, ROME, OSLO)}
    store.write(*records.subgraph_steps("people", "world", Subgraph(nodes, facts), version))
    store.settle()


def question(text: str, store: GraphStore, mode: str = "subgraph", prompt: str = "zero") -> Job:
    versions = {row["name"]: row["version"] for row in store.read("graphs") if row["kind"] == "world"}
    return job("ask", None, graphs=versions, question=text, mode=mode, prompt=prompt)


QUESTIONS = [
    (RIVER, "subgraph"),
    ("who was born in oslo?", "subgraph"),
    ("who wrote the silent river", "triplet"),
    ("When was The Silent River published?", "path"),
    ("where was lena moe born", "random"),
    ("who is anna berg?", "text"),
    ("where was lena moe born", "none"),
    ("xyzzy?", "subgraph"),
]


def test_questions_are_answered_as_by_ask(store: GraphStore, settings: Settings, tmp_path: Path) -> None:
    """Answers, evidence and their ids are those of Asker.ask, whatever is retrieved."""
    films.fill(store, tmp_path)
    with oracle(tmp_path / "oracle", lambda other: films.fill(other, tmp_path)) as other:
        one = Asker(settings, store=other)
        reports = [one.ask(asked, mode=mode) for asked, mode in QUESTIONS]
        notes = performed([question(asked, store, mode) for asked, mode in QUESTIONS], store, settings)
        assert contents(other) == contents(store)
    assert [report.id for report in reports] == [found["answer"] for found in notes]


@pytest.mark.parametrize(("mode", "prompt"), [("subgraph", "zero"), ("text", "4-shot")])
def test_a_model_writes_what_it_writes_for_ask(
    embedded: GraphStore, settings: Settings, tmp_path: Path, mode: str, prompt: str
) -> None:
    """A written answer is checked, and the answer, the text that was checked and its verdicts are stored as by ask."""
    said = "Lena Moe was born in Oslo [1]. Lena Moe was not born in Oslo [2]."
    films.fill(embedded, tmp_path)
    with (
        serving(lambda _: said) as server,
        oracle(tmp_path / "oracle", lambda other: films.fill(other, tmp_path)) as other,
    ):
        written = replace(settings, llm_base_url=server.url, llm_model="test")
        report = Asker(written, store=other).ask("where was lena moe born?", mode=mode, prompt=prompt)
        [notes] = performed([question("where was lena moe born?", embedded, mode, prompt)], embedded, written)
        assert report.id == notes["answer"]
        assert contents(other) == contents(embedded)


def test_a_draft_is_retrofitted_as_by_retrofit(embedded: GraphStore, settings: Settings, tmp_path: Path) -> None:
    """Passes, edits and the last text are those of one process, and its id is left."""
    draft = document(DRAFT)
    plain = job("retrofit", draft, graphs={"people": "1"}, assume="complete", limit=3)
    with oracle(tmp_path / "oracle", lambda other: world(other, "1", born(ROME))) as other:
        report = Retrofitter(settings, ["people"], store=other, assume="complete").retrofit(draft, limit=3)
        world(embedded, "1", born(ROME))
        embedded.write(*records.document_steps([draft]))
        [notes] = performed([plain], embedded, settings)
        assert contents(other) == contents(embedded)
    assert identity.document_id(report.text) == notes["retrofitted"]
    assert "Ann Miller was born in Rome." == report.text


def test_documents_are_corrected_as_by_correct(embedded: GraphStore, settings: Settings, tmp_path: Path) -> None:
    """Corrections, the corrected document and its verdicts are those of Checker.correct; a right text stays."""
    given, context = [document(TEXT), document("Marie Curie was born in Warsaw.")], document(CONTEXT)
    embedded.write(*records.document_steps([*given, context]))
    options = {"methods": ["fused"], "correct": "deterministic", "extractor": "rules"}
    with oracle(tmp_path / "oracle", lambda _: None) as other:
        checker = wiring.Checker(settings, store=other)
        way = wiring.corrector(checker.models)
        reports = [checker.correct(text, way, context=context) for text in given]
        notes = performed([job("check", text, context, **options) for text in given], embedded, settings)
        assert contents(other) == contents(embedded)
    assert [report.after.document.id for report in reports] == [found["corrected"] for found in notes]
    assert [False, True] == [report.after is report.before for report in reports]


def test_a_run_is_explained_in_the_graph(store: GraphStore, settings: Settings) -> None:
    """The edits that lead from the claims to the evidence stand on the run of every method, and with a language model
    its words; a check done again leaves them."""
    given, context = document(TEXT), document(CONTEXT)
    store.write(*records.document_steps([given, context]))
    methods = ["rules", "fused"]
    asked = job("check", given, context, methods=methods, explain=True, extractor="rules")
    with serving(lambda _: "It was Warsaw.") as server:
        written = replace(settings, llm_base_url=server.url, llm_model="test")
        performed([asked], store, written)
    text = "MATCH (r:Run) RETURN r.method AS method, r.edits AS edits, r.explanation AS said ORDER BY method"
    rows = store.query(text, {}).rows
    assert [("fused", "It was Warsaw."), ("rules", "It was Warsaw.")] == [(row[0], row[2]) for row in rows]
    assert [rows[0][1]] * 2 == [row[1] for row in rows]
    assert any("Paris -> " in edit and "Warsaw" in edit for edit in rows[0][1])


def checked(store: GraphStore, settings: Settings) -> None:
    """A text judged by the graph of people in its first version, and the next version."""
    world(store, "1", born(ROME))
    wiring.Checker(settings, store=store).check(document(DRAFT), graphs=["people"], method="rules")
    world(store, "2", born(OSLO))


def rejudged(store: GraphStore, settings: Settings) -> list[dict[str, Any]]:
    """All stale verdicts given again."""
    found = rechecking.stale_jobs(store)
    texts = [(reads.load_document(store, one.document), one.state) for one in found]
    return performed([job("recheck", text, state=state) for text, state in texts], store, settings)


def test_stale_verdicts_are_given_again_as_by_recheck(store: GraphStore, settings: Settings, tmp_path: Path) -> None:
    """What a changed fact refuted and now supports is judged again; the graph is what recheck_stale leaves."""
    alone = replace(settings, store=tmp_path / "oracle" / "store")
    with oracle(tmp_path / "oracle", lambda other: checked(other, settings)):
        pass
    found = rechecking.recheck_stale(alone)
    checked(store, settings)
    [notes] = rejudged(store, settings)
    assert [flip.claim for flip in found.flips] == notes["flipped"]
    assert [("REFUTED", "SUPPORTED")] == [(flip.before, flip.after) for flip in found.flips]
    with open_clean("embedded", tmp_path / "oracle") as other:
        assert contents(other) == contents(store)
    assert ([], 0) == (rechecking.stale_jobs(store), mark_stale(store))


def test_the_same_verdicts_stale_once_more_are_new_work(embedded: GraphStore, settings: Settings) -> None:
    """A graph that goes back and forth makes the same verdicts stale again: each time another job."""
    checked(embedded, settings)
    states = set()
    for version, town in (("1", ROME), ("2", OSLO), ("1", ROME)):
        first, second = rechecking.stale_jobs(embedded), rechecking.stale_jobs(embedded)
        assert first == second
        states.add(first[0].state)
        rejudged(embedded, settings)
        world(embedded, version, born(town))
    assert 3 == len(states)


def test_what_cannot_be_judged_again_is_left_with_the_reason(embedded: GraphStore, settings: Settings) -> None:
    """A graph that is gone fails the job in one line, and the verdict stays stale; an unknown graph is refused."""
    from claimgraph.kgstore.upkeep.forget import drop_graph

    checked(embedded, settings)
    drop_graph(embedded, "people")
    [stale] = rechecking.stale_jobs(embedded)
    asked = job("recheck", reads.load_document(embedded, stale.document))
    with WorkerContext(settings, Recorded(embedded)) as tools:
        done = task_table.work(TaskLease(Task(asked.id, "recheck", "cpu"), asked, (), "a test", 1), tools).run()
    assert ([], "people" in (done.failed or "")) == (list(done.steps), True)
    with pytest.raises(NotFound):
        rechecking.stale_jobs(embedded, ["nowhere"])


def test_questions_take_their_graph_from_the_export(neo4j_store: BoltStore, settings: Settings, tmp_path: Path) -> None:
    """PageRank and Steiner trees run on what the export queries gave, once a version. A fact changed in the graph, with
    its version, changes the answer."""
    films.fill(neo4j_store, tmp_path)
    store = Recorded(neo4j_store)
    with WorkerContext(settings, store) as tools:
        for reads_it in (EXPORT, {"graphs_by_name"}):
            store.asked.clear()
            found = graph_tasks.retrieve(tools, RIVER, ["films"])
            assert reads_it == store.names - LINKING
        assert ("wd:Q2", "Anna Berg") == (found["answers"][0]["id"], found["answers"][0]["name"])
        assert "Anna Berg" in answered(run(question(RIVER, neo4j_store), neo4j_store, tools), neo4j_store)
        directed(neo4j_store, "wd:Q3")
        assert "Tom Hale" in answered(run(question(RIVER, neo4j_store), neo4j_store, tools), neo4j_store)


def answered(asked: Job, store: GraphStore) -> str:
    """The answer of a job."""
    found = store.query("MATCH (a:Answer {id: $id}) RETURN a.text", {"id": json.loads(asked.notes)["answer"]})
    return str(found.rows[0][0])


EXPORT = {"graphs_by_name", "graph_size", "export_facts", "export_entities", "export_literals", "predicate_names"}
LINKING = {"graphs", "entity_candidates", "entity_degrees"}
AROUND = {"facts_from_by_relation", "facts_into_by_relation", "facts_joining", "fact_counts"}


def directed(store: GraphStore, director: str) -> None:
    """The silent river has another director, in another version of the graph."""
    [old] = [f for f in reads.load_graph(store, "films").facts if (f.subject, f.name) == ("wd:Q1", "director")]
    new = replace(old, id=identity.fact_id("films", "wd:Q1", old.predicate, director), object=director)
    store.write(("delete_facts", [{"id": old.id}]))
    store.write(*records.subgraph_steps("films", "world", Subgraph({}, (new,)), "another"))
    store.settle()


def test_drafts_take_their_facts_by_id(neo4j_store: BoltStore, settings: Settings) -> None:
    """Retrofitting reads facts around the entities it linked, by their ids; a fact changed in the graph changes the
    text."""
    draft = document(DRAFT)
    neo4j_store.write(*records.document_steps([draft]))
    asked = job("retrofit", draft, graphs={"people": "1"})
    store, corrected = Recorded(neo4j_store), []
    with WorkerContext(settings, store) as tools:
        for version, town in (("1", ROME), ("2", OSLO)):
            world(neo4j_store, version, born(town))
            taken = TaskLease(Task(asked.id, "retrofit", "cpu"), asked, (), "a test", 1)
            corrected.append(task_table.work(taken, tools).run().notes["retrofitted"])
    assert {name for name in store.names if "fact" in name} <= AROUND
    wanted = [params["wanted"] for name, params in store.asked if name == "facts_from_by_relation"]
    assert ANN.id in {end["id"] for ends in wanted for end in ends}
    assert [identity.document_id(text) for text in ("Ann Miller was born in Rome.", DRAFT)] == corrected


def test_a_message_holds_a_job_id() -> None:
    """What a broker carries of any kind of work is its job's id: no text, no graph."""
    app = make_app(Settings(neo4j_uri="bolt://127.0.0.1:1", broker_url="memory://"))
    for kind in ("check", "ask", "retrofit", "recheck"):
        task = task_table.first_task(job(kind, document(DRAFT)), bulk=False)
        sender(app)([task])
        queue = next(one for one in broker.queues() if one.name == broker.wire(task.queue))
        with app.connection_for_read() as connection, closing(connection.SimpleQueue(queue)) as waiting:
            arguments, named, _ = waiting.get(timeout=60).payload
        assert ([task.job], {}) == (arguments, named)


def test_a_question_prunes_graphs(embedded: GraphStore, settings: Settings, tmp_path: Path) -> None:
    """Called by name, pruning gives the linked entities, the nodes with their PageRank, and the facts between them."""
    films.fill(embedded, tmp_path)
    with WorkerContext(settings, embedded) as tools:
        found = graph_tasks.prune(tools, RIVER)
        with pytest.raises(NotFound):
            graph_tasks.prune(tools, RIVER, ["nowhere"])
    ranks = dict(found["nodes"])
    assert "wd:Q1" == found["linked"][0]["id"]
    assert ranks["wd:Q1"] == max(ranks.values()) > 0
    ends = {end for fact in reads.load_facts(embedded, found["facts"]).facts for end in (fact.subject, fact.object)}
    assert ends == ranks.keys()
    assert found == json.loads(json.dumps(found))


def test_stored_graphs_are_compared(store: GraphStore, settings: Settings) -> None:
    """The kernel takes the claims of a document and its context from the store by the export queries, and where a
    stored graph has changed, so has what it says."""
    text, context = document("Marie Curie was born in Paris."), document("Marie Curie was born in Warsaw.")
    with WorkerContext(settings, store) as tools:
        tools.checker().check(text, context=context, method="rules")
        ours, theirs = identity.claim_graph(text.id), identity.context_graph(context.id)
        assert 1.0 == graph_tasks.compare(tools, ours, ours)["similarity"]
        found = graph_tasks.compare(tools, ours, theirs)
        assert found["similarity"] < 1
        assert [fact.id for fact in reads.load_graph(store, ours).facts] == [key for key, _ in found["facts"]]
        [born] = {fact.object for fact in reads.load_graph(store, theirs).facts}
        store.write(("put_entities", [records.entity_row(Entity(born, "Paris"))]))
        assert 1.0 == graph_tasks.compare(tools, ours, theirs)["similarity"]
        with pytest.raises(NotFound):
            graph_tasks.compare(tools, ours, "nowhere")


def test_collected_writes_are_kept_aside(embedded: GraphStore) -> None:
    """What is written to it stands in its steps, in order, and not in the store, which stays open."""
    with WriteBuffer(embedded) as aside:
        aside.write(*records.document_steps([document("One.")]), ("put_claims", []))
        aside.write(*records.document_steps([document("Two.")]))
    assert {} == transfer.counts(embedded)
    embedded.write(*aside.steps)
    assert (2, {"Document": 2}) == (len(aside.steps), transfer.counts(embedded))

"""A check by a worker stores what Checker stores, in one write, and what it has found where it ends early."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest
from chat_server import serving
from oracle_bert import write_random_bert

from claimgraph.detect.check_input import Case, Detector
from claimgraph.input_texts import document_from_text
from claimgraph.kgstore import identity, reads, records
from claimgraph.kgstore.engines.embedded import open_embedded
from claimgraph.kgstore.engines.migrations import migrate
from claimgraph.kgstore.model import Document, Entity, Fact, Finding, Signal, Status, Subgraph, Verdict
from claimgraph.kgstore.runs.jobs import Job, TaskLease
from claimgraph.kgstore.store import GraphStore, Step
from claimgraph.kgstore.world.fetches import SUBJECT, record
from claimgraph.settings import Settings
from claimgraph.wiring import Checker
from claimgraph.wiring.forgetting import forget_reading
from claimgraph.workers.execution.store_retry import Overdue
from claimgraph.workers.tasks import task_table
from claimgraph.workers.tasks.checking import Check
from claimgraph.workers.tasks.worker_context import WorkerContext

CONTEXT = (
    "Marie Curie was born in Warsaw on 7 November 1867. She moved to Paris in 1891 and studied at the Sorbonne. "
    "Her husband was Pierre Curie. In 1903 she won the Nobel Prize in Physics. Marie Curie was born in Warsaw."
)
TEXTS = {
    "repeated": ("Marie Curie was born in Warsaw. Marie Curie was born in Warsaw. Marie Curie was Born in Warsaw.", 3),
    "unicode": ("Zoë Straße 🜂 was born in İstanbul. Marie Curie wurde — “born” in Łódź\u2028in 1867.", 2),
    "no claims": ("Oh! Indeed?", 0),
}
OPEN = "Marie Curie was born in Paris. Marie Curie married Pierre Curie. Grzegorz Brzęczyszczykiewicz lives in Paris."
METHODS = ("kea", "factalign", "rules", "grapheval", "fused")


def _document(text: str, name: str | None = None) -> Document:
    return replace(document_from_text(text, 1, "a test"), name=name)


ARTICLE = _document(CONTEXT, "article")


def _entity(name: str, description: str | None = None) -> Entity:
    return Entity(f"world:{name}", name, (), description, f"http://world/{name}", ("world",))


def _world() -> list[Step]:
    """A small graph with descriptions, a text about an entity, and an entity not all of whose facts were fetched."""
    curie, pierre = _entity("Marie Curie", "Polish physicist who was born in Warsaw"), _entity("Pierre Curie")
    warsaw, paris = _entity("Warsaw", "capital of Poland"), _entity("Paris", "capital of France")
    triples = [(curie, "place of birth", warsaw), (curie, "spouse", pierre), (curie, "residence", paris)]
    facts = [
        Fact(identity.fact_id("world", s.id, f"world:{p}", o.id), "world", s.id, f"world:{p}", p, o.id)
        for s, p, o in triples
    ]
    world = Subgraph({one.id: one for one in (curie, pierre, warsaw, paris)}, tuple(facts))
    about = _document("Marie Curie was a physicist. She was born in Warsaw in 1867.", "Marie Curie")
    return [
        *records.subgraph_steps("world", "world", world, "1"),
        *records.summary_steps([(curie.id, about)]),
        ("put_fetched", [record("world", paris.id, SUBJECT, "incomplete", [])]),
    ]


def _fill(store: GraphStore) -> None:
    store.write(*_world())
    store.settle()


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    folder = tmp_path_factory.mktemp("checked")
    return Settings(store=folder / "store", cache=folder / "cache")


@pytest.fixture(scope="module")
def entailing(made: Settings, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """With a small entailment model that says something of every pair."""
    folder = write_random_bert(tmp_path_factory.mktemp("bert"), labels=("contradiction", "entailment", "neutral"))
    return replace(made, entailment=str(folder))


@pytest.fixture(scope="module")
def oracle(made: Settings) -> Iterator[GraphStore]:
    """The store of the checks in one go."""
    with open_embedded(made.store_folder) as store:
        migrate(store)
        _fill(store)
        yield store


def _job(document: Document, *contexts: Document, **options: Any) -> Job:
    """A job as submission makes it."""
    asked = json.dumps({"graphs": {}, "extractor": "rules"} | options, sort_keys=True)
    against = " ".join(one.id for one in contexts) or None
    return Job(identity.job_id("check", document.id, against, asked), "check", document.id, against, asked)


def _work(job: Job, tools: WorkerContext) -> Check:
    return Check(TaskLease(task_table.first_task(job, bulk=False), job, ("b1:a",), "a test", 1), tools)


def _submit(store: GraphStore, *documents: Document | None) -> None:
    store.write(*records.document_steps([document for document in documents if document]))


def _perform(job: Job, tools: WorkerContext) -> None:
    """Perform the job, and store what it found."""
    tools.store.write(*_work(job, tools).run().steps)


def _stored(store: GraphStore, claims: Sequence[str]) -> list[Verdict]:
    """The verdicts that hold for claims, as the store has them."""
    found = {verdict.claim: replace(verdict, created_at=None) for verdict in reads.load_verdicts(store, claims)}
    return [found[claim] for claim in claims]


def _in_order(verdicts: Iterable[Verdict]) -> list[Verdict]:
    """Verdicts with the signals that a store keeps, in its order."""
    return [
        replace(one, signals=tuple(sorted((s for s in one.signals if s.value is not None), key=_property)))
        for one in verdicts
    ]


def _property(signal: Signal) -> str:
    return f"{signal.method}_{signal.name}"


def _same(job: Job, tools: WorkerContext, oracle: GraphStore) -> int:
    """That a job of one method gives the verdicts of Checker; how many."""
    asked = json.loads(job.options)
    texts = reads.load_documents(tools.store, [str(job.document), *job.contexts])
    contexts = [texts[key] for key in job.contexts]
    _perform(job, tools)
    with Checker(tools.settings, extractor_name=asked["extractor"], store=oracle, models=tools.models) as checker:
        [method] = asked["methods"]
        report = checker.check(
            texts[str(job.document)], context=contexts, graphs=sorted(asked["graphs"]), method=method
        )
    assert _in_order(report.verdicts) == _stored(tools.store, [claim.id for claim in report.claims])
    assert _run(oracle, report.run.id) == _run(tools.store, report.run.id)
    return len(report.claims)


def _run(store: GraphStore, key: str) -> dict[str, Any]:
    """A run as it is stored, but for its times."""
    [found] = [row for row in store.read("dump_runs", after=key[:-1], limit=1000) if row["id"] == key]
    return {name: value for name, value in found.items() if name not in ("startedAt", "finishedAt")}


def test_against_a_context(store: GraphStore, oracle: GraphStore, entailing: Settings) -> None:
    """Each method's claims, verdicts and run on a text against a context are those of a check in one go."""
    document = _document("Marie Curie was born in Paris on 7 November 1867. She won the Nobel Prize in 1903.")
    _submit(store, document, ARTICLE)
    with WorkerContext(entailing, store) as tools:
        for method in METHODS:
            assert 4 == _same(_job(document, ARTICLE, methods=[method]), tools, oracle)


@pytest.mark.parametrize(("text", "claims"), TEXTS.values(), ids=TEXTS)
def test_odd_texts(embedded: GraphStore, oracle: GraphStore, entailing: Settings, text: str, claims: int) -> None:
    """The same where a text repeats itself, has any letters, or has no claims."""
    document = _document(text)
    _submit(embedded, document, ARTICLE)
    with WorkerContext(entailing, embedded) as tools:
        for method in ("kea", "fused"):
            assert claims == _same(_job(document, ARTICLE, methods=[method]), tools, oracle)


def test_several_contexts_are_one_world(store: GraphStore, oracle: GraphStore, made: Settings) -> None:
    """A job with two contexts gives the verdicts of a check against both, and is another job than one with either."""
    document = _document("Marie Curie was born in Paris. She discovered polonium.")
    other = _document("Polonium was discovered by Marie Curie.")
    _submit(store, document, ARTICLE, other)
    both = _job(document, ARTICLE, other, methods=["rules"])
    with WorkerContext(made, store) as tools:
        assert 2 == _same(both, tools, oracle)
    assert 3 == len({both.id, *(_job(document, one, methods=["rules"]).id for one in (ARTICLE, other))})
    assert (ARTICLE.id, other.id) == both.contexts


def test_a_language_model_is_asked_once(embedded: GraphStore, oracle: GraphStore, made: Settings) -> None:
    """Claims that a language model reads, with the context beside them, are asked for once, for all methods and
    attempts; what it made up is on record all the same."""

    def answer(prompt: str) -> str:
        found = re.findall(r"(Marie Curie) (was born in) (\w+)", prompt.rpartition("<text>")[2])
        return json.dumps({"triples": [*map(list, found), ["Marie Curie", "was born in", "Oslo"]]})

    document = _document("Marie Curie was born in Paris.")
    _submit(embedded, document, ARTICLE)
    with serving(answer) as server:
        settings = replace(made, llm_base_url=server.url, llm_model="inventive")
        with WorkerContext(settings, embedded) as tools:
            job = _job(document, ARTICLE, methods=["kea", "rules"], extractor="llm")
            _perform(job, tools)
            asked = len(server.asked)
            _perform(job, tools)
            assert asked == len(server.asked)
            assert 1 == _same(_job(document, ARTICLE, methods=["rules"], extractor="llm"), tools, oracle)
            config = json.loads(embedded.query("MATCH (r:Run {method: 'rules'}) RETURN r.config", {}).rows[0][0])
            assert ["Oslo"] == [one["triple"][2] for one in config["rejected"]]


def test_against_graphs(store: GraphStore, oracle: GraphStore, entailing: Settings) -> None:
    """Each method's verdicts on a text against stored graphs and texts about entities are those of a check in one go,
    with what is linked to nothing and what was not wholly fetched."""
    document = _document(OPEN)
    _fill(store)
    _submit(store, document)
    with WorkerContext(entailing, store) as tools:
        for method in METHODS:
            assert 3 == _same(_job(document, methods=[method], graphs={"world": "1"}), tools, oracle)
    statuses = {row["status"] for row in reads.current_verdicts(store)}
    assert {"complete", "unlinked"} <= statuses


def test_against_both(embedded: GraphStore, oracle: GraphStore, made: Settings) -> None:
    """A context and graphs together are the same evidence."""
    document = _document(OPEN)
    _fill(embedded)
    _submit(embedded, document, ARTICLE)
    with WorkerContext(made, embedded) as tools:
        for method in ("kea", "fused"):
            assert 3 == _same(_job(document, ARTICLE, methods=[method], graphs={"world": "1"}), tools, oracle)


def test_all_methods_in_one_job(store: GraphStore, oracle: GraphStore, entailing: Settings) -> None:
    """A job of all methods leaves exactly one verdict a claim and method, each that of a check in one go, however often
    it is killed and done again, and the fused one holds."""
    document = _document(OPEN)
    _fill(store)
    _submit(store, document, ARTICLE)
    job = _job(document, ARTICLE, methods=METHODS, graphs={"world": "1"})
    with WorkerContext(entailing, store) as tools:
        _work(job, tools).run()
        _perform(job, tools)
        counts = store.read("label_counts")
        _perform(job, tools)
        assert counts == store.read("label_counts")
        with Checker(entailing, extractor_name="rules", store=oracle, models=tools.models) as checker:
            checks = [checker.check(document, context=ARTICLE, graphs=["world"], method=name) for name in METHODS]
    expected = sorted(verdict.id for report in checks for verdict in report.verdicts)
    assert expected == [row["id"] for row in store.read("verdicts_on_document", id=document.id)]
    assert _in_order(checks[-1].verdicts) == _stored(store, [claim.id for claim in checks[-1].claims])


def test_a_context_is_stored_once(embedded: GraphStore, made: Settings) -> None:
    """The second text against a context finds its graph in the store, and writes it no more."""
    texts = _document("Marie Curie was born in Paris."), _document("Marie Curie was born in Warsaw.")
    _submit(embedded, *texts, ARTICLE)
    written = []
    with WorkerContext(made, embedded) as tools:
        for text in texts:
            done = _work(_job(text, ARTICLE, methods=["rules"]), tools).run()
            embedded.write(*done.steps)
            written.append([row["kind"] for name, rows in done.steps if name == "put_graphs" for row in rows])
    assert [["context", "claim"], ["claim"]] == written


def test_a_context_that_is_forgotten_is_kept_nowhere(embedded: GraphStore, made: Settings) -> None:
    """What was read of a context is kept for the next text against it, and goes from the cache when it is forgotten."""
    document = _document("Marie Curie was born in Paris.")
    _submit(embedded, document, ARTICLE)
    with WorkerContext(made, embedded) as tools:
        _work(_job(document, ARTICLE, methods=["rules"]), tools).run()
    kept = [path for path in made.cache_folder.rglob("*.json") if ARTICLE.id.endswith(path.stem)]
    assert 1 == len(kept)
    forget_reading(made, ARTICLE.id)
    assert not kept[0].exists()


class _Slow:
    """A detector that takes too long."""

    def __init__(self, detector: Detector) -> None:
        self.name, self.config = detector.name, detector.config

    def detect(self, _: Sequence[Case]) -> list[list[Finding]]:
        raise Overdue(300)


def test_what_was_judged_in_time_is_kept(embedded: GraphStore, made: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a method takes too long the verdicts of those before it are stored, and of it and those after it each claim
    has one that says why there is none."""
    document = _document("Marie Curie was born in Paris.")
    _submit(embedded, document, ARTICLE)
    usual = Checker.detector

    def slow(self: Checker, method: str, *args: Any, **given: Any) -> Detector:
        found = usual(self, method, *args, **given)
        return _Slow(found) if method == "kea" else found

    monkeypatch.setattr(Checker, "detector", slow)
    with WorkerContext(made, embedded) as tools:
        work = _work(_job(document, ARTICLE, methods=["rules", "kea", "factalign"]), tools)
        with pytest.raises(Overdue):
            work.run()
        left = work.give_up(Status.TIMEOUT, "took longer than 300 seconds")
        assert left
        embedded.write(*left.steps)
    asked = "MATCH (v:Verdict) RETURN v.method, v.outcome, v.status, v.reason ORDER BY v.method"
    said = [tuple(row) for row in embedded.query(asked, {}).rows]
    late = ("NOT_ENOUGH_INFO", "timeout", "took longer than 300 seconds")
    assert [("factalign", *late), ("kea", *late)] == said[:2]
    assert [("rules", "REFUTED", "complete")] == [row[:3] for row in said[2:]]
    assert "took longer than 300 seconds" == left.failed


def test_before_a_text_is_read_nothing_is_known(embedded: GraphStore, made: Settings) -> None:
    """A document that takes too long to read leaves no verdict: the attempt has failed."""
    document = _document("Marie Curie was born in Paris.")
    _submit(embedded, document, ARTICLE)
    with WorkerContext(made, embedded) as tools:
        work = _work(_job(document, ARTICLE, methods=["rules"]), tools)
        assert None is work.give_up(Status.TIMEOUT, "took longer than 300 seconds")


def test_a_long_text_may_take_longer(embedded: GraphStore, made: Settings) -> None:
    """The limit is for 20,000 characters, and grows with the text."""
    short, long = _document("Short."), _document("Long. " * 10_000)
    _submit(embedded, short, long)
    with WorkerContext(replace(made, task_seconds=10.0), embedded) as tools:
        seconds = [_work(_job(document, methods=["rules"]), tools).seconds for document in (short, long)]
    assert [10.0, 30.0] == seconds

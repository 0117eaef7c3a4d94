"""A check stage by stage, with the graph in between, gives the verdicts that it gives in one go."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

import pytest
from chat_server import serving
from oracle_bert import write_random_bert

from claimgraph.detect.extraction.extractor import RuleExtractor
from claimgraph.detect.models.row_cache import CachedEntailment
from claimgraph.input_texts import document_from_text
from claimgraph.kgstore import identity, reads, records
from claimgraph.kgstore.engines.embedded import open_embedded
from claimgraph.kgstore.engines.migrations import migrate
from claimgraph.kgstore.model import Document, Entity, Fact, Signal, Subgraph, Verdict
from claimgraph.kgstore.runs.jobs import Job, TaskLease
from claimgraph.kgstore.store import GraphStore, Step
from claimgraph.kgstore.world.fetches import SUBJECT, record
from claimgraph.settings import Settings
from claimgraph.wiring import Checker, forget_reading
from claimgraph.workers.stages import checking, stage_table
from claimgraph.workers.stages.worker_context import WorkerContext

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


def _job(document: Document, context: Document | None = None, **options: Any) -> Job:
    """A job as submission makes it."""
    methods, graphs = options["methods"], options.get("graphs", {})
    weighed = set(methods) - set(checking.COMPARED)
    parts = {
        "extract": True,
        "link": graphs,
        "retrieve": graphs,
        "compare": set(methods) - weighed,
        "entail": weighed,
        "fuse": weighed,
    }
    plan = [stage for stage, wanted in parts.items() if wanted]
    asked = json.dumps({"graphs": graphs, "extractor": "rules", "stages": plan} | options, sort_keys=True)
    against = context.id if context else None
    return Job(identity.job_id("check", document.id, against, asked), "check", document.id, against, asked)


def _claimed(job: Job, stage: str, part: int = 0) -> TaskLease:
    return TaskLease(stage_table.task(job, stage, part, bulk=False), job, ("b1:a",), "a test", 1)


def _submit(store: GraphStore, *documents: Document | None) -> None:
    store.write(*records.document_steps([document for document in documents if document]))


def _perform(job: Job, tools: WorkerContext, *, until: str | None = None, again: bool = False) -> Job:
    """The job after its stages, in order, or those before `until`. `again`: each is killed once before its results are
    written and done once more after they were."""
    parts = 1
    for stage in stage_table.plan(job):
        if stage == until:
            break
        notes: dict[str, Any] = {}
        for part in range(parts):
            for written in (False, True, True) if again else (True,):
                done = stage_table.STAGES[stage].run(_claimed(job, stage, part), tools)
                if written:
                    tools.store.write(*done.steps)
            notes |= json.loads(json.dumps(done.notes))
        job, parts = replace(job, notes=json.dumps(json.loads(job.notes) | notes)), done.parts
    return job


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


def _same(job: Job, tools: WorkerContext, oracle: GraphStore, done: Job | None = None) -> int:
    """That a job of one method gives the verdicts of a check in one go; how many. `done`: with first stages done."""
    asked = json.loads(job.options)
    document, context = (reads.load_document(tools.store, key) if key else None for key in (job.document, job.context))
    job = _perform(done or job, tools)
    with Checker(tools.settings, extractor_name=asked["extractor"], store=oracle, models=tools.models) as checker:
        [method] = asked["methods"]
        assert document
        report = checker.check(document, context=context, graphs=sorted(asked["graphs"]), method=method)
    assert report.claims == checking.claims_of(_claimed(job, "fuse"), tools)
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


def test_a_language_model_is_asked_once(embedded: GraphStore, oracle: GraphStore, made: Settings) -> None:
    """Claims that a language model reads, with the context beside them, are asked for in one stage; what it made up is
    on record all the same."""

    def answer(prompt: str) -> str:
        found = re.findall(r"(Marie Curie) (was born in) (\w+)", prompt.rpartition("<text>")[2])
        return json.dumps({"triples": [*map(list, found), ["Marie Curie", "was born in", "Oslo"]]})

    document = _document("Marie Curie was born in Paris.")
    _submit(embedded, document, ARTICLE)
    with serving(answer) as server:
        settings = replace(made, llm_base_url=server.url, llm_model="inventive")
        with WorkerContext(settings, embedded) as tools:
            job = _job(document, ARTICLE, methods=["rules"], extractor="llm")
            read = _perform(job, tools, until="compare")
            asked = len(server.asked)
            checking.compare(_claimed(read, "compare"), tools)
            assert asked == len(server.asked)
            assert 1 == _same(job, tools, oracle)
            assert ["Oslo"] == [one.triple[2] for one in checking.extraction_of(_claimed(read, "fuse"), tools).rejected]


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


def test_many_claims_are_scored_in_parts(embedded: GraphStore, oracle: GraphStore, entailing: Settings) -> None:
    """A document of more than 50 claims is scored in parts; all that is asked is known when they are fused, and the
    verdicts are the same."""
    document = _document("".join(f"Marie Curie was born in {a}{b}ille. " for a in "ABCDEFGHIJKL" for b in "aeiou"))
    _submit(embedded, document, ARTICLE)
    job = _job(document, ARTICLE, methods=["fused"])
    with WorkerContext(entailing, embedded) as tools:
        assert 2 == checking.extract(_claimed(job, "extract"), tools).parts
        scored = _perform(job, tools, until="fuse")
        model = tools.models.entailment
        assert isinstance(model, CachedEntailment)
        model._entailment = None  # type: ignore[assignment]
        assert 60 == _same(job, tools, oracle, done=scored)


def test_all_methods_in_one_job(store: GraphStore, oracle: GraphStore, entailing: Settings) -> None:
    """A job of all methods leaves exactly one verdict a claim and method, each that of a check in one go, however often
    its stages are killed and done again, and the fused one holds."""
    document = _document(OPEN)
    _fill(store)
    _submit(store, document, ARTICLE)
    job = _job(document, ARTICLE, methods=METHODS, graphs={"world": "1"})
    with WorkerContext(entailing, store) as tools:
        job = _perform(job, tools, again=True)
        counts = store.read("label_counts")
        _perform(job, tools, again=True)
        assert counts == store.read("label_counts")
        with Checker(entailing, extractor_name="rules", store=oracle, models=tools.models) as checker:
            checks = [checker.check(document, context=ARTICLE, graphs=["world"], method=name) for name in METHODS]
    expected = sorted(verdict.id for report in checks for verdict in report.verdicts)
    assert expected == [row["id"] for row in store.read("verdicts_on_document", id=document.id)]
    assert _in_order(checks[-1].verdicts) == _stored(store, json.loads(job.notes)["claims"])


def test_a_context_is_stored_once(embedded: GraphStore, made: Settings) -> None:
    """The second text against a context finds its graph in the store, and writes it no more."""
    texts = _document("Marie Curie was born in Paris."), _document("Marie Curie was born in Warsaw.")
    _submit(embedded, *texts, ARTICLE)
    written = []
    with WorkerContext(made, embedded) as tools:
        for text in texts:
            done = checking.extract(_claimed(_job(text, ARTICLE, methods=["rules"]), "extract"), tools)
            embedded.write(*done.steps)
            written.append([row["kind"] for name, rows in done.steps if name == "put_graphs" for row in rows])
    assert [["claim", "context"], ["claim"]] == written


def test_a_context_that_is_forgotten_is_kept_nowhere(embedded: GraphStore, made: Settings) -> None:
    """What was read of a context is kept for the next text against it, and goes from the cache when it is forgotten."""
    document = _document("Marie Curie was born in Paris.")
    _submit(embedded, document, ARTICLE)
    with WorkerContext(made, embedded) as tools:
        checking.extract(_claimed(_job(document, ARTICLE, methods=["rules"]), "extract"), tools)
    kept = [path for path in made.cache_folder.rglob("*.json") if ARTICLE.id.endswith(path.stem)]
    assert 1 == len(kept)
    forget_reading(made, ARTICLE.id)
    assert not kept[0].exists()


def test_notes_are_ids_and_places(embedded: GraphStore, made: Settings) -> None:
    """What one stage leaves for the next, beside the graph, has no words of the texts in it."""
    document = _document(OPEN)
    _fill(embedded)
    _submit(embedded, document, ARTICLE)
    with WorkerContext(made, embedded) as tools:
        job = _perform(_job(document, ARTICLE, methods=["kea"], graphs={"world": "1"}), tools)
    said = {text for text in _texts(json.loads(job.notes)) if ":" not in text}
    assert {"subject", "object", "1"} == said


class Recording:
    """A store that notes what is read of it."""

    def __init__(self, store: GraphStore) -> None:
        self._store, self.asked = store, dict[str, Any]()

    def read(self, name: str, /, **params: Any) -> Any:
        self.asked[name] = params
        return self._store.read(name, **params)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)


def test_the_kernel_compares_what_is_stored(store: GraphStore, made: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """KEA's graph kernel takes claim KG and context KG from the export queries by id and nothing else: no text is read
    again, and where a stored graph has changed, so has what the kernel says."""
    document = _document("Marie Curie was born in Paris.")
    _submit(store, document, ARTICLE)
    recording = Recording(store)
    with WorkerContext(made, recording) as tools:  # type: ignore[arg-type]
        job = _perform(_job(document, ARTICLE, methods=["kea"]), tools, until="compare")
        monkeypatch.setattr(RuleExtractor, "extract", None)
        recording.asked.clear()
        assert ["REFUTED"] == _compared(job, tools)
        queries = {"documents_by_id", "claims_by_id", "facts_by_id", "entities_by_id", "literals_by_id"}
        assert queries == recording.asked.keys()
        assert all(list(params) == ["ids"] for params in recording.asked.values())
        for said, text in (("Paris", CONTEXT), ("Warsaw", document.text), ("Paris", document.text)):
            _rename(store, text, said)
            expected = "SUPPORTED" if said == "Paris" else "REFUTED"
            assert [expected] == _compared(job, tools)


def _rename(store: GraphStore, text: str, name: str) -> None:
    """Call the place of birth in the KG of a text something else."""
    [born] = {row["object"] for row in _graph(store, text) if row["name"] == "was born in"}
    store.write(("put_entities", [records.entity_row(Entity(born, name))]))


def _graph(store: GraphStore, text: str) -> list[Any]:
    key = identity.document_id(text)
    graphs = (identity.claim_graph(key), identity.context_graph(key))
    return [row for graph in graphs for page in reads.graph_facts(store, graph) for row in page]


def _compared(job: Job, tools: WorkerContext) -> list[str]:
    done = checking.compare(_claimed(job, "compare"), tools)
    return [row["outcome"] for row in dict(done.steps)["put_verdicts"]]


def _texts(notes: Any) -> Iterator[str]:
    """All strings in a note."""
    if isinstance(notes, str):
        yield notes
    elif isinstance(notes, (dict, list)):
        yield from chain.from_iterable(map(_texts, notes.values() if isinstance(notes, dict) else notes))

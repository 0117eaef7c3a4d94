"""Many documents as one run: what is planned, what is refused, and that the same again does no work."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from claimgraph.input_texts import document_from_text
from claimgraph.kgstore import identity, reads, records
from claimgraph.kgstore.engines.embedded import EmbeddedStore
from claimgraph.kgstore.errors import InputError, NotFound, QueueUnreachable, UsageError
from claimgraph.kgstore.model import Document, Entity, Fact, Subgraph
from claimgraph.kgstore.runs.board import Board
from claimgraph.kgstore.runs.jobs import Budget, Task
from claimgraph.kgstore.store import GraphStore
from claimgraph.settings import Settings
from claimgraph.wiring import Checker
from claimgraph.workers.execution import local
from claimgraph.workers.submission.planning import Planner
from claimgraph.workers.submission.submit import Asked, Item, Submitted, stale_items, submit
from claimgraph.workers.tasks import task_table

CONTEXT = "Marie Curie was born in Warsaw on 7 November 1867. In 1903 she won the Nobel Prize in Physics."
MODEL = {"llm_base_url": "http://127.0.0.1:1/v1", "llm_model": "a-model"}


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Without an entailment model."""
    return Settings(store=tmp_path / "store", cache=tmp_path / "cache", entailment="none")


def _document(text: str) -> Document:
    return document_from_text(text, 1, "a test")


def _world(store: GraphStore) -> None:
    """A graph of one fact."""
    curie, warsaw = (Entity(f"world:{name}", name, graphs=("world",)) for name in ("Marie Curie", "Warsaw"))
    key = identity.fact_id("world", curie.id, "world:born", warsaw.id)
    fact = Fact(key, "world", curie.id, "world:born", "place of birth", warsaw.id)
    graph = Subgraph({one.id: one for one in (curie, warsaw)}, (fact,))
    store.write(*records.subgraph_steps("world", "world", graph, "v7"))
    store.settle()


def _planned(store: GraphStore, settings: Settings, *, context: bool = True, **asked: Any) -> dict[str, Any]:
    """The options of a job of a document, or of a question."""
    given, planner = Asked(**asked), Planner(settings, store, Asked(**asked))
    question = "Where was Marie Curie born?" if given.kind == "ask" else None
    found: dict[str, Any] = json.loads(planner.options((), question, {}, context=context, document=question is None))
    return found


def _submitted(store: GraphStore, settings: Settings, *items: Item, **asked: Any) -> tuple[Submitted, list[Task]]:
    sent: list[Task] = []
    return submit(settings, store, items, Asked(**asked), sent.extend), sent


@pytest.mark.parametrize(
    ("asked", "tasks"),
    [
        ({}, [("check", "cpu")]),
        ({"graphs": ("world",), "fetch": ("wikidata",)}, [("fetch", "net"), ("check", "cpu")]),
        ({"kind": "recheck"}, [("recheck", "cpu")]),
        ({"kind": "retrofit"}, [("retrofit", "cpu")]),
    ],
)
def test_tasks(
    embedded: EmbeddedStore, settings: Settings, asked: dict[str, Any], tasks: list[tuple[str, str]]
) -> None:
    """A job is one task, after that which fetches where something is to be fetched; bulk work has its own queue."""
    _world(embedded)
    for bulk in (False, True):
        given = asked | {"graphs": ("world",), "bulk": bulk}
        _, [task] = _submitted(embedded, settings, Item(_document("Ada.")), **given)
        found, board = list[Task](), Board(embedded)
        following: Task | None = task
        while following:
            found.append(following)
            taken = board.claim(following.job, "a test")
            assert taken
            following = board.finish(taken, then=task_table.after(taken))
        queues = {"cpu": "bulk"} if bulk else {}
        assert [(name, queues.get(queue, queue)) for name, queue in tasks] == [(one.name, one.queue) for one in found]
        embedded.schema("MATCH (n) WHERE n:Job OR n:Batch DETACH DELETE n")


def test_options_hold_what_decides_the_result(embedded: EmbeddedStore, settings: Settings) -> None:
    """Versions of graphs and of claimgraph and the models' names are options, where models are is not."""
    _world(embedded)
    settings = replace(settings, entailment="/somewhere/on/a/disk/nli-model", **MODEL)
    found = _planned(embedded, settings, graphs=("world",), extractor="llm", preset="calibrated")
    assert ({"world": "v7"}, "nli-model", "a-model", "llm") == tuple(
        found[key] for key in ("graphs", "entailment", "model", "extractor")
    )
    assert found["version"]
    assert "model" not in _planned(embedded, settings, graphs=("world",))
    assert {"wikidata": None} == _planned(embedded, settings, fetch=("wikidata",))["graphs"]


@pytest.mark.parametrize(
    ("asked", "error", "says"),
    [
        ({"kind": "dance"}, InputError, "dance"),
        ({"methods": ("magic",)}, InputError, "no method 'magic'"),
        ({"methods": ("grapheval",)}, InputError, "CLAIMGRAPH_ENTAILMENT"),
        ({"methods": ("kea",), "preset": "magic"}, InputError, "no preset 'magic'"),
        ({"methods": ("rules",), "preset": "magic"}, InputError, "no presets"),
        ({"methods": ("kea", "rules"), "preset": "paper"}, UsageError, "one method's"),
        ({"extractor": "magic"}, InputError, "no extractor 'magic'"),
        ({"extractor": "llm"}, UsageError, "CLAIMGRAPH_LLM_BASE_URL"),
        ({"graphs": ("nowhere",)}, NotFound, "nowhere"),
        ({"correct": "magic"}, InputError, "no way to correct 'magic'"),
        ({"correct": "graphcorrect"}, UsageError, "CLAIMGRAPH_LLM_BASE_URL"),
        ({"kind": "retrofit"}, InputError, "no graph"),
        ({"kind": "ask"}, InputError, "no graph"),
        ({"kind": "ask", "mode": "magic"}, InputError, "no mode 'magic'"),
        ({"kind": "ask", "mode": "none", "prompt": "magic"}, InputError, "no prompt 'magic'"),
    ],
)
def test_what_cannot_be_is_refused_at_once(
    embedded: EmbeddedStore, settings: Settings, asked: dict[str, Any], error: type[Exception], says: str
) -> None:
    """What no worker could do is one line at submission, and leaves nothing behind."""
    item = Item(_document("Marie Curie was born in Paris."), _document(CONTEXT), question="Where?")
    before = embedded.read("label_counts")
    with pytest.raises(error, match=says):
        _submitted(embedded, settings, item, **asked)
    assert before == embedded.read("label_counts")


@pytest.mark.parametrize(
    ("item", "asked", "error", "says"),
    [
        (Item(_document("Ada is a poet.")), {}, UsageError, "nothing to check against"),
        (Item(_document("Ada is a poet."), graphs=("world",)), {"correct": "deterministic"}, UsageError, "context"),
        (Item(_document("Ada is a poet."), graphs=("nowhere",)), {}, NotFound, "nowhere"),
        (Item(None, question="Who is Ada?"), {}, InputError, "no text"),
        (Item(None, question="  "), {"kind": "ask"}, InputError, "the question is empty"),
    ],
)
def test_an_item_without_what_it_needs(
    embedded: EmbeddedStore, settings: Settings, item: Item, asked: dict[str, Any], error: type[Exception], says: str
) -> None:
    """One item among many that cannot be done refuses the submission."""
    _world(embedded)
    good = Item(_document("Bob is a poet."), _document("Bob is a painter."), ("world",), "Who is Bob?")
    with pytest.raises(error, match=says):
        _submitted(embedded, settings, good, item, **asked)
    assert [] == Board(embedded).batches()


def test_nothing_to_submit(embedded: EmbeddedStore, settings: Settings) -> None:
    """No items are no run."""
    with pytest.raises(InputError, match="nothing to submit"):
        _submitted(embedded, settings)


def test_equal_items_are_one_job_and_again_no_work(embedded: EmbeddedStore, settings: Settings) -> None:
    """The same document against the same context is one job however often it is given, and the order is no matter."""
    context = _document(CONTEXT)
    items = [Item(_document(f"Ada {n} is a poet."), context) for n in range(3)]
    first, sent = _submitted(embedded, settings, *items, items[0])
    again, resent = _submitted(embedded, settings, *reversed(items))
    other, _ = _submitted(embedded, settings, *items, methods=("rules",))
    assert (3, 3, 3) == (first.total, first.new, len(sent))
    assert (first.run, 3, 0, sent) == (again.run, again.total, again.new, resent)
    assert other.run != first.run
    assert {"check"} == {task.name for task in sent}


def test_texts_are_in_the_language_they_seem_to_be_in(embedded: EmbeddedStore, settings: Settings) -> None:
    """A checked text is stored with its language, as a check stores it; many are written some at a time."""
    german = _document("Die Katze sitzt auf der Matte und der Hund schläft unter dem Tisch, weil es draußen regnet.")
    items = [Item(_document(f"The cat {n} sat on the mat with the dog."), german) for n in range(250)]
    found, _ = _submitted(embedded, settings, Item(german, items[0].document), *iter(items))
    stored = reads.load_documents(embedded, [german.id, items[-1].document.id if items[-1].document else ""])
    assert (251, ["de", "en"]) == (found.total, sorted(str(one.language) for one in stored.values()))


def test_a_broker_that_is_away_is_told(embedded: EmbeddedStore, settings: Settings) -> None:
    """What could not be sent is in the store all the same, and the submission says how much it is."""

    def send(tasks: Sequence[Task]) -> None:
        raise QueueUnreachable("127.0.0.1:1", len(tasks))

    items = [Item(_document(f"Ada {n} is a poet."), _document(CONTEXT)) for n in range(3)]
    found = submit(settings, embedded, items, Asked(), send)
    assert (3, 3) == (found.unsent, len(Board(embedded).unfinished()))


def test_budget_and_bulk(embedded: EmbeddedStore, settings: Settings) -> None:
    """A run has the budget asked for, of tokens the settings' where none is; one in bulk waits in the queue of that."""
    settings = replace(settings, llm_budget=500)
    item = Item(_document("Ada is a poet."), _document(CONTEXT))
    found, sent = _submitted(embedded, settings, item, bulk=True, budget=Budget(seconds=9.0))
    assert Budget(9.0, None, 500) == Board(embedded).progress(found.run).budget
    assert ["bulk"] == [task.queue for task in sent]


def _found(store: GraphStore, documents: Sequence[Document]) -> tuple[list[str], list[Any]]:
    """The ids of all verdicts on documents, and those that hold."""
    ids = [row["id"] for one in documents for row in store.read("verdicts_on_document", id=one.id)]
    claims = [claim.id for one in documents for claim in reads.load_claims(store, one.id)]
    return ids, [replace(one, created_at=None) for one in reads.load_verdicts(store, claims)]


def test_a_run_is_many_checks(tmp_path: Path, embedded: EmbeddedStore, settings: Settings) -> None:
    """Submitted and performed, documents have the verdicts that checks in one go give; submitted again, no work."""
    context, methods = _document(CONTEXT), ("kea", "rules", "fused")
    texts = [
        _document(text)
        for text in (
            "Marie Curie was born in Paris. In 1903 she won the Nobel Prize.",
            "Marie Curie was born in Warsaw.",
            "Marie Curie was born in Berlin in 1867.",
        )
    ]
    items = [Item(texts[0], context), Item(texts[1], None, ("world",)), Item(texts[2], context, ("world",))]
    _world(embedded)
    run, sent = _submitted(embedded, settings, *items, methods=methods)
    local.run(embedded, settings, sent)
    now = Board(embedded).progress(run.run)
    assert ("complete", 3, 0) == (now.status, now.done, now.failed)
    again, resent = _submitted(embedded, settings, *items, methods=methods)
    assert (run.run, 0, []) == (again.run, again.new, resent)
    with Checker(replace(settings, store=tmp_path / "oracle")) as checker:
        _world(checker.store)
        for item, text in zip(items, texts, strict=True):
            for method in methods:
                checker.check(text, context=item.context, graphs=item.graphs, method=method)
        assert _found(checker.store, texts) == _found(embedded, texts)


def test_what_is_stale_is_rechecked(embedded: EmbeddedStore, settings: Settings) -> None:
    """Documents whose evidence has changed are the items of a recheck, and none is left after it."""
    _world(embedded)
    item = Item(_document("Marie Curie was born in Warsaw."), None, ("world",))
    local.run(embedded, settings, _submitted(embedded, settings, item)[1])
    facts = [{"id": row["id"]} for page in reads.graph_facts(embedded, "world") for row in page]
    changed = records.graph_row("world", "world", "v8", datetime.now(UTC))
    embedded.write(("delete_facts", facts), ("put_graphs", [changed]))
    found = list(stale_items(embedded))
    assert [item.document and item.document.id] == [one.document and one.document.id for one in found]
    run, sent = _submitted(embedded, settings, *found, kind="recheck")
    local.run(embedded, settings, sent)
    assert "complete" == Board(embedded).progress(run.run).status
    assert [] == list(stale_items(embedded))

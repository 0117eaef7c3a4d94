"""The task that fetches what claims name, before they are checked: with a real SPARQL server on loopback."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sparql_server import Fault, Server, serving

from claimgraph.input_texts import document_from_text
from claimgraph.kgstore import records
from claimgraph.kgstore.engines.bolt import BoltStore
from claimgraph.kgstore.engines.embedded import EmbeddedStore
from claimgraph.kgstore.ingest.ledger import version_step
from claimgraph.kgstore.reads import current_verdicts, load_graph
from claimgraph.kgstore.runs.jobs import Job, Task, TaskLease
from claimgraph.kgstore.store import GraphStore
from claimgraph.kgstore.upkeep.stale import graph_versions, graphs_of
from claimgraph.kgstore.world.fetches import all_fetched, completeness
from claimgraph.settings import Settings
from claimgraph.wiring import world_cache
from claimgraph.workers.execution import local
from claimgraph.workers.submission.submit import Asked, Item, Submitted, submit
from claimgraph.workers.tasks.fetching import Fetch
from claimgraph.workers.tasks.task_table import Done, first_task
from claimgraph.workers.tasks.worker_context import WorkerContext

HERE = Path(__file__).parents[1]
TEXT = "Marie Curie was born in Warsaw."


@pytest.fixture
def server() -> Iterator[Server]:
    """A little of Wikidata, with an encyclopedia."""
    with serving((HERE / "recorded" / "world_wikidata.ttl").read_text(encoding="utf-8")) as opened:
        opened.articles["Marie Curie"] = "Marie Curie was a physicist."
        yield opened


@pytest.fixture
def settings(server: Server, tmp_path: Path) -> Settings:
    """Settings under which that server is Wikidata."""
    return Settings(
        cache=tmp_path / "cache",
        wikidata_url=server.url,
        wikipedia_url=server.encyclopedia,
        request_interval=0.0,
        contact="operator@example.org",
    )


Fetching = Callable[..., Done]


@pytest.fixture
def fetched(embedded: EmbeddedStore, settings: Settings) -> Fetching:
    """Perform the task for a text, over the embedded store."""
    return lambda text=TEXT, **changed: perform(embedded, replace(settings, **changed), text)


def perform(store: GraphStore, settings: Settings, text: str) -> Done:
    """Fetch, as a worker does."""
    document = document_from_text(text, 1, "the text")
    store.write(*records.document_steps([document]))
    options = json.dumps({"graphs": {"wikidata": None}, "fetch": ["wikidata"], "methods": ["rules"]})
    job = Job("j1:1", "check", document.id, None, options)
    with WorkerContext(settings, store) as tools:
        return Fetch(TaskLease(first_task(job, bulk=False), job, ("b1:1",), "somebody", 1), tools).run()


def version(store: GraphStore) -> str | None:
    return graph_versions(store).get("wikidata")


def agreed(store: GraphStore) -> str:
    """The version that follows from all records of the graph."""
    [row] = version_step("wikidata", store.read("fetches_into", target="wikidata"))[1]
    return str(row["version"])


def test_what_claims_name_is_fetched(fetched: Fetching, embedded: EmbeddedStore) -> None:
    """The things that claims have as subject or object are in the graph afterwards, completely and with their facts."""
    assert {"fetch": {"wikidata": []}} == fetched().notes
    whole = {"as subject": "complete", "as object": "complete", "introduction": "complete"}
    assert {"wd:Q7186": whole, "wd:Q270": whole} == completeness(embedded, "wikidata", ["wd:Q7186", "wd:Q270"])
    assert "place of birth" in {fact.name for fact in load_graph(embedded, "wikidata").facts}


def test_what_is_there_is_not_fetched_again(fetched: Fetching, embedded: EmbeddedStore, server: Server) -> None:
    """Performed twice, as by a second worker, the task asks for names only and leaves the graph's version."""
    first = fetched()
    asked, before = len(server.asked), version(embedded)
    assert first == fetched()
    assert (before, True) == (version(embedded), len(server.asked) - asked <= 1)


@pytest.mark.parametrize(
    ("changed", "says"),
    [({"offline": True}, "offline"), ({"contact": None}, "CLAIMGRAPH_CONTACT")],
)
def test_without_network_or_operator_the_job_goes_on(
    changed: dict[str, Any], says: str, fetched: Fetching, embedded: EmbeddedStore
) -> None:
    """The reason is noted, and the graph is there, empty, so that the check finds nothing in it rather than fail."""
    [line] = fetched(**changed).notes["fetch"]["wikidata"]
    assert says in line
    assert (agreed(embedded), []) == (version(embedded), all_fetched(embedded, "wikidata"))


def test_names_that_nothing_has_end_no_job(fetched: Fetching) -> None:
    """A text about what the world does not know is checked all the same."""
    [line] = fetched("Zorblax Quendlebury was born in Wexholme.").notes["fetch"]["wikidata"]
    assert "is called" in line


def test_a_text_without_claims_asks_nobody(fetched: Fetching, server: Server) -> None:
    """Nothing named, nothing asked."""
    assert {"fetch": {"wikidata": []}} == fetched("...").notes
    assert [] == server.asked


@pytest.mark.parametrize("fault", [Fault("status", 99, 403), Fault("reset", 99), Fault("html", 99)])
def test_a_server_that_fails_is_noted(fault: Fault, fetched: Fetching, server: Server) -> None:
    """Whatever a server answers is a note, never an error of the task."""
    server.faults = [fault]
    assert fetched(task_seconds=1.0).notes["fetch"]["wikidata"]


def test_what_stays_incomplete_is_told_by_the_verdict(
    embedded: EmbeddedStore, settings: Settings, server: Server
) -> None:
    """A claim that the part of a fetch that failed leaves undecided is recorded as fetch_incomplete."""
    server.faults = [Fault("status", 99, when=lambda query: "VALUES ?object" in query)]
    text = "Marie Curie liked Warsaw."
    done = perform(embedded, replace(settings, task_seconds=4.0), text)
    assert done.notes["fetch"]["wikidata"]
    with WorkerContext(settings, embedded) as tools:
        report = tools.checker().check(document_from_text(text, 1, "the text"), graphs=["wikidata"], method="rules")
    assert ["fetch_incomplete"] == [verdict.status for verdict in report.verdicts]


def test_a_fetch_gives_the_graph_the_version_that_verdicts_are_of(
    fetched: Fetching, embedded: EmbeddedStore, settings: Settings
) -> None:
    """The version before the fetch is nobody's: what is linked and looked up after it has the graph's new version."""
    world_cache(settings, embedded).establish()
    before = version(embedded)
    fetched()
    with WorkerContext(settings, embedded) as tools:
        report = tools.checker().check(document_from_text(TEXT, 1, "the text"), graphs=["wikidata"], method="rules")
    given = json.loads(report.run.config)["against"]["graphs"]["wikidata"]
    assert (True, version(embedded)) == (before != given, given)


def test_fetches_at_once_end_in_the_version_of_all(neo4j_store: BoltStore, settings: Settings) -> None:
    """Workers that fetch different things into a graph at the same time queue in the store for the server, and leave
    one version: that of all records."""
    shared = replace(settings, neo4j_uri="bolt://the-given-store")
    things = [["Q7186"], ["Q90"], ["Q935"], ["Q142"]]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda wanted: world_cache(shared, neo4j_store).fetch(wanted), things))
    assert agreed(neo4j_store) == version(neo4j_store)
    assert 1 == len(neo4j_store.query("MATCH (t:Turn) RETURN t.id", {}).rows)
    assert {"wd:Q7186", "wd:Q90", "wd:Q935", "wd:Q142"} == {one.entity for one in all_fetched(neo4j_store, "wikidata")}


def test_a_fetch_knows_what_another_wrote_meanwhile(embedded: EmbeddedStore, settings: Settings) -> None:
    """Who read the records before another wrote its own writes the version once more, with both."""
    late = world_cache(settings, embedded)
    late.establish()
    world_cache(settings, embedded).fetch(["Q90"])
    late.fetch(["Q7186"])
    assert agreed(embedded) == version(embedded)


def test_a_run_that_fetches_first(embedded: EmbeddedStore, settings: Settings, server: Server) -> None:
    """A run of two texts fetches what they name and checks them against it; submitted again it does nothing anew,
    although the fetch has given the graph another version."""
    texts = [document_from_text(text, 1, "a text") for text in (TEXT, "Marie Curie was born in Paris.")]
    asked = Asked("check", ["rules"], fetch=["wikidata"])

    def run() -> Submitted:
        tasks: list[Task] = []
        done = submit(settings, embedded, [Item(text) for text in texts], asked, tasks.extend)
        local.run(embedded, settings, tasks)
        return done

    first, asked_of_server = run(), len(server.asked)
    assert ["REFUTED", "SUPPORTED"] == sorted(row["outcome"] for row in current_verdicts(embedded))
    again = run()
    assert (first.run, 2, 0, asked_of_server) == (again.run, first.new, again.new, len(server.asked))
    held = embedded.read("holding_verdicts", first="", before="~")
    assert version(embedded) in {graphs_of(row["config"])["wikidata"] for row in held}

"""The cached world: what of Wikidata, DBpedia and other endpoints comes into a store, and how completely."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from time import sleep, time
from typing import Any

import pytest
from sparql_server import Fault, Server, serving
from typer.testing import CliRunner

from claimgraph.cli.app import app
from claimgraph.detect.compare.fact_match import compare_values
from claimgraph.kgstore.engines.embedded import EmbeddedStore
from claimgraph.kgstore.errors import InputError, Offline, UsageError
from claimgraph.kgstore.model import Literal
from claimgraph.kgstore.net.file_rate_limit import Limiter
from claimgraph.kgstore.net.http_budget import FetchBudget, Polite
from claimgraph.kgstore.net.sparql import Endpoint
from claimgraph.kgstore.reads import load_entities, load_graph, load_summaries
from claimgraph.kgstore.store import GraphStore
from claimgraph.kgstore.values.literals import Comparison
from claimgraph.kgstore.values.wikidata_values import NONE, SOME, nothing
from claimgraph.kgstore.world.cache import FetchReport, WorldCache
from claimgraph.kgstore.world.dbpedia import TripleEndpoint
from claimgraph.kgstore.world.fetch_result import World
from claimgraph.kgstore.world.fetches import completeness, summary
from claimgraph.kgstore.world.wikidata import Wikidata
from claimgraph.kgstore.world.wikipedia import Encyclopedia

HERE = Path(__file__).parents[2]
WHOLE = {"as subject": "complete", "as object": "complete", "introduction": "complete"}


@pytest.fixture
def server() -> Iterator[Server]:
    """A little of Wikidata, with an encyclopedia."""
    with serving((HERE / "recorded" / "world_wikidata.ttl").read_text(encoding="utf-8")) as opened:
        opened.articles["Marie Curie"] = "Marie Curie was a physicist."
        yield opened


@pytest.fixture
def dbpedia() -> Iterator[Server]:
    """A little of DBpedia."""
    with serving((HERE / "recorded" / "world_dbpedia.ttl").read_text(encoding="utf-8")) as opened:
        yield opened


def cache(
    store: GraphStore,
    server: Server,
    *,
    world: str = "wikidata",
    language: str = "en",
    seconds: float = 30.0,
    rows: int = 100_000,
    page: int = 5_000,
    contact: str | None = "operator@example.org",
    offline: bool = False,
    folder: Path = Path("/nonexistent"),
) -> WorldCache:
    """A fetch from the server, of short pauses."""
    polite = Polite(Limiter(folder, 0.0), contact, FetchBudget(seconds, rows), offline=offline, pause=0.01)
    endpoint = Endpoint(server.url, polite, page)
    if world == "wikidata":
        encyclopedia = Encyclopedia(server.encyclopedia, polite, language)
        return WorldCache(store, Wikidata(endpoint, language), polite, encyclopedia)
    found: World = TripleEndpoint(endpoint, language, world, dbpedia=world == "dbpedia")
    return WorldCache(store, found, polite)


@pytest.fixture
def fetch(embedded: EmbeddedStore, server: Server, tmp_path: Path) -> Callable[..., FetchReport]:
    """Fetch into the embedded store."""

    def run(*wanted: str, hops: int = 1, **changed: Any) -> FetchReport:
        return cache(embedded, server, folder=tmp_path / "turns", **changed).fetch(wanted, hops=hops)

    return run


def told(store: GraphStore, graph: str = "wikidata") -> set[str]:
    found = load_graph(store, graph)
    return {found.triple(fact).text for fact in found.facts}


def parts(report: FetchReport) -> dict[str, dict[str, str]]:
    return {entry.id: dict(entry.parts) for entry in report.entities}


def version(store: GraphStore, graph: str = "wikidata") -> str:
    return next(str(row["version"]) for row in store.read("graphs") if row["name"] == graph)


def of(store: GraphStore, name: str) -> tuple[Any, Any]:
    """The only fact of that relation, and its object."""
    graph = load_graph(store, "wikidata")
    [fact] = [fact for fact in graph.facts if fact.name == name]
    return fact, graph.nodes[fact.object]


def update(server: Server, text: str) -> None:
    """Change what the server says."""
    prefixes = (HERE / "recorded" / "world_wikidata.ttl").read_text(encoding="utf-8")
    declared = re.findall(r"@prefix (\S+ \S+) \.", prefixes)
    server.store.update("\n".join(f"PREFIX {prefix}" for prefix in declared) + "\n" + text)


def test_what_is_kept_of_wikidata(store: GraphStore, server: Server, tmp_path: Path) -> None:
    """Statements with their values in words, both directions; no identifiers, nothing deprecated."""
    report = cache(store, server, folder=tmp_path).fetch(["Marie Curie", "Q90"])
    assert {"wd:Q7186": WHOLE, "wd:Q90": WHOLE} == parts(report)
    assert {
        "Marie Curie place of birth Warsaw",
        "Marie Curie spouse Pierre Curie",
        "Marie Curie date of birth 1867-11-07",
        "Marie Curie child Irène Joliot-Curie",
        "Marie Curie father unknown value",
        "Paris area 105400000 m²",
        "Paris coordinate location 48.8569, 2.35139",
        "Paris native label Paris",
        "Irène Joliot-Curie place of birth Paris",
        "France capital Paris",
    } == told(store)
    assert (10, 10, []) == (report.facts, len(report.new), report.problems)


def test_texts_of_an_entity(fetch: Callable[..., FetchReport], embedded: EmbeddedStore) -> None:
    """Name, aliases, description and the encyclopedia's introduction; a name of no language where there is no other."""
    fetch("Q7186", "Q935")
    found = load_entities(embedded, ["wd:Q7186", "wd:Q935", "wd:Q270"])
    curie = found["wd:Q7186"]
    assert ("Marie Curie", {"Maria Skłodowska", "Madame Curie"}) == (curie.name, set(curie.aliases))
    assert ("Polish-French physicist", "http://www.wikidata.org/entity/Q7186") == (curie.description, curie.source)
    assert ("Isaac Newton", "Warsaw") == (found["wd:Q935"].name, found["wd:Q270"].name)
    [(entity, text)] = load_summaries(embedded, found)
    assert ("wd:Q7186", "Marie Curie was a physicist.") == (entity, text.text)
    assert ("https://en.wikipedia.org/wiki/Marie_Curie", "en") == (text.source, text.language)


def test_another_language(fetch: Callable[..., FetchReport], embedded: EmbeddedStore) -> None:
    """Names in the language that is set; what has none there keeps its id or language-independent name."""
    fetch("Q7186", language="de")
    assert "Marie Curie" == load_entities(embedded, ["wd:Q7186"])["wd:Q7186"].name
    assert "Ehepartner" == of(embedded, "Ehepartner")[0].name


def test_qualifiers_references_and_ranks(fetch: Callable[..., FetchReport], embedded: EmbeddedStore) -> None:
    """Start and end are the fact's, a place its qualifier; the source a reference's address, else the statement's."""
    fetch("Q7186")
    spouse, birth, born = (of(embedded, name)[0] for name in ("spouse", "place of birth", "date of birth"))
    assert ("1895-07-26", "1906", '{"location":"Sceaux"}') == (spouse.valid_from, spouse.valid_to, spouse.qualifiers)
    assert ("normal", "preferred") == (spouse.rank, born.rank)
    assert "https://example.org/curie" == birth.source
    assert "https://www.wikidata.org/wiki/Q7186#P569" == born.source


def test_what_constraints_say_of_a_relation(fetch: Callable[..., FetchReport], embedded: EmbeddedStore) -> None:
    """A single-value constraint makes functional; type constraints are domain and range; unsaid is unknown."""
    fetch("Q7186")
    query = "MATCH (p:Predicate) RETURN p.id AS id, p.name AS n, p.functional AS f, p.domain AS d, p.range AS r"
    found = {row[0]: row[1:] for row in embedded.query(query, {}).rows}
    assert ("place of birth", True, "wd:Q5", "wd:Q2221906") == found["wd:P19"]
    assert ("spouse", None, None, None) == found["wd:P26"]


def test_unknown_and_no_value_are_no_values(fetch: Callable[..., FetchReport], embedded: EmbeddedStore) -> None:
    """They are kept as such, tie nothing together, and compare with no value; that there is none contradicts any."""
    fetch("Q7186", "Q935")
    unknown, absent = (
        of(embedded, "father")[1],
        next(
            node
            for node in load_graph(embedded, "wikidata").nodes.values()
            if isinstance(node, Literal) and node.datatype == NONE
        ),
    )
    assert (SOME, NONE) == (unknown.datatype, absent.datatype)
    assert nothing(SOME, "wd:Q1", "wd:P22").id != unknown.id
    assert (Comparison.INCOMPARABLE, Comparison.DIFFERENT) == (
        compare_values("1990", unknown),
        compare_values("Anne", absent),
    )


def test_dates_of_the_julian_calendar(fetch: Callable[..., FetchReport], embedded: EmbeddedStore) -> None:
    """A day is written as people of its time did, and the fact says which calendar that is."""
    fetch("Q935")
    fact, value = of(embedded, "date of birth")
    assert ("1642-12-25", "day", '{"calendar":"Julian"}') == (value.value, value.precision, fact.qualifiers)


def test_bounds_are_a_tolerance(fetch: Callable[..., FetchReport], embedded: EmbeddedStore) -> None:
    """105.4 ± 0.5 km² is kept in the base unit."""
    fetch("Q90")
    area = of(embedded, "area")[1]
    assert ("105400000", "m²", "±500000") == (area.value, area.unit, area.precision)


def test_what_is_complete_is_not_fetched_again(
    fetch: Callable[..., FetchReport], embedded: EmbeddedStore, server: Server
) -> None:
    """A second fetch asks nothing, by id or offline by name, and changes nothing."""
    fetch("Q7186")
    asked, before = len(server.asked), version(embedded)
    again = fetch("wd:Q7186")
    offline = fetch("marie curie", "http://www.wikidata.org/entity/Q7186", offline=True, contact=None)
    assert (asked, before) == (len(server.asked), version(embedded))
    assert (3, 3) == (again.cached, offline.cached)
    assert parts(again) == parts(offline) == {"wd:Q7186": WHOLE}


def test_offline_says_what_is_missing(fetch: Callable[..., FetchReport]) -> None:
    """By id and, where the store knows it, by name; names that the store does not know are said too."""
    fetch("Q7186")
    with pytest.raises(Offline, match=r"wd:Q270 \(Warsaw\), wd:Q1$"):
        fetch("Q7186", "Q270", "Q1", offline=True)
    with pytest.raises(Offline, match="Nobody"):
        fetch("Nobody", offline=True)


def test_without_an_operator_the_setting_is_named(fetch: Callable[..., FetchReport]) -> None:
    """As soon as the network is needed."""
    with pytest.raises(UsageError, match="CLAIMGRAPH_CONTACT"):
        fetch("Q7186", contact=None)


def test_names_lead_to_the_best_known(fetch: Callable[..., FetchReport]) -> None:
    """Exact labels and aliases, those with the most articles first; what nothing is called is said."""
    report = fetch("Paris", "Madame Curie", "Atlantis")
    assert ["wd:Q90", "wd:Q830149", "wd:Q7186"] == [entry.id for entry in report.entities]
    assert ["Atlantis"] == report.unknown
    with pytest.raises(InputError, match="Atlantis"):
        fetch("Atlantis")


def test_merged_items_are_followed(fetch: Callable[..., FetchReport]) -> None:
    """An id that was merged into another is fetched as that."""
    assert ["wd:Q7186"] == [entry.id for entry in fetch("Q999999").entities]


def test_two_hops(fetch: Callable[..., FetchReport], embedded: EmbeddedStore) -> None:
    """What the facts lead to is fetched as subject too."""
    fetch("Q7186", hops=2)
    assert "Irène Joliot-Curie place of birth Paris" in told(embedded)
    assert {"wd:Q7504": {"as subject": "complete"}} == completeness(embedded, "wikidata", ["wd:Q7504"])


def test_at_most_fifty_ids_a_call(fetch: Callable[..., FetchReport], server: Server) -> None:
    """However many entities are asked for."""
    fetch(*(f"Q{number}" for number in range(1_000_000, 1_000_051)))
    most = max(len(re.findall(r"entity/Q1\d{6}>", query)) for query in server.queries)
    assert 50 == most


@pytest.mark.parametrize("page", [1, 2, 3, 7])
def test_pages_do_not_cut_statements(fetch: Callable[..., FetchReport], embedded: EmbeddedStore, page: int) -> None:
    """The facts are the same whatever the size of a page."""
    fetch("Q7186", "Q90", "Q935")
    before, facts = version(embedded), told(embedded)
    cache_of = fetch("Q7186", "Q90", "Q935", page=page)
    assert (before, facts, []) == (version(embedded), told(embedded), cache_of.problems)


def test_a_partial_answer_is_asked_for_by_halves(
    fetch: Callable[..., FetchReport], embedded: EmbeddedStore, server: Server
) -> None:
    """Where a server answers about many only in part, it is asked about fewer until the answer is whole."""

    def about_both(query: str) -> bool:
        return "wikibase:rank" in query and "Q7186>" in query and "Q90>" in query

    server.faults = [Fault("partial", times=99, when=about_both)]
    report = fetch("Q7186", "Q90")
    assert {"wd:Q7186": WHOLE, "wd:Q90": WHOLE} == parts(report)
    assert {"Marie Curie place of birth Warsaw", "Paris area 105400000 m²"} <= told(embedded)


@pytest.mark.parametrize("kind", ["partial", "html", "cut", "status"])
def test_what_stays_partial_is_recorded_and_fetched_later(
    fetch: Callable[..., FetchReport], embedded: EmbeddedStore, server: Server, kind: str
) -> None:
    """The part is incomplete, says why, and gives the graph another version than the whole has."""
    server.faults = [Fault(kind, times=99, when=lambda query: "DeprecatedRank" in query and "?object" not in query)]
    report = fetch("Q7186")
    assert "incomplete" == parts(report)["wd:Q7186"]["as subject"]
    assert (False, True) == (report.complete, bool(report.problems))
    partly = version(embedded)
    server.faults = []
    assert {"wd:Q7186": WHOLE} == parts(fetch("Q7186"))
    assert partly != version(embedded)


@pytest.mark.parametrize("budget", [{"rows": 12}, {"seconds": 0.0}])
def test_a_budget_stops_with_what_it_has(
    fetch: Callable[..., FetchReport], embedded: EmbeddedStore, budget: dict[str, float]
) -> None:
    """What was not reached is recorded as incomplete; the same call without the budget finishes the work."""
    report = fetch("Q7186", **budget)
    assert "incomplete" in parts(report)["wd:Q7186"].values()
    assert {"wd:Q7186": WHOLE} == parts(fetch("Q7186"))
    assert {"complete": 1} == summary(embedded)[0]["parts"]["as subject"]


def test_a_server_that_is_gone_is_not_asked_on(fetch: Callable[..., FetchReport], server: Server) -> None:
    """After one question without any answer the rest is recorded as incomplete."""
    fetch("Q7186")
    server.faults = [Fault("reset", times=999)]
    report = fetch("Q7186", "Q90", "Q270", "Q142")
    assert {"incomplete"} == set(parts(report)["wd:Q90"].values())
    assert WHOLE == parts(report)["wd:Q7186"]


def test_hubs_are_capped(embedded: EmbeddedStore, tmp_path: Path) -> None:
    """Of the many statements that name a hub some are fetched, the record says so, and it is not tried again."""
    people = "".join(
        f"wd:Q{n} p:P19 wds:s{n} . wds:s{n} ps:P19 wd:Q1 ; wikibase:rank wikibase:NormalRank ; a wikibase:BestRank .\n"
        for n in range(10_000, 10_600)
    )
    with serving((HERE / "recorded" / "world_wikidata.ttl").read_text(encoding="utf-8") + people) as server:
        report = cache(embedded, server, folder=tmp_path).fetch(["Q1"])
        assert ("capped", 500) == (parts(report)["wd:Q1"]["as object"], report.facts)
        asked = len(server.asked)
        cache(embedded, server, folder=tmp_path).fetch(["Q1"])
        assert asked == len(server.asked)


_FETCHER = """
import sys
from pathlib import Path
from claimgraph.kgstore.engines.embedded import open_embedded
from claimgraph.kgstore.net.http_budget import FetchBudget, Polite
from claimgraph.kgstore.net.file_rate_limit import Limiter
from claimgraph.kgstore.net.sparql import Endpoint
from claimgraph.kgstore.world.wikidata import Wikidata
from claimgraph.kgstore.world.cache import WorldCache
folder = Path(sys.argv[1])
polite = Polite(Limiter(folder / "turns", 0.0), "operator@example.org", FetchBudget(30, 100_000))
with open_embedded(folder / "store") as store:
    WorldCache(store, Wikidata(Endpoint(sys.argv[2], polite), "en"), polite).fetch(["Q7186", "Q90"])
"""


def test_a_killed_fetch_goes_on(server: Server, tmp_path: Path) -> None:
    """After a kill -9 in the middle what was written counts, and the end is that of a fetch never stopped."""
    from engines import open_clean

    for name in ("killed", "whole"):
        open_clean("embedded", tmp_path / name).close()
    server.faults = [Fault("slow", when=lambda query: "?object" in query)]
    command = [sys.executable, "-c", _FETCHER]
    killed = subprocess.Popen([*command, str(tmp_path / "killed"), server.url])
    until = time() + 120
    while server.faults and time() < until:
        sleep(0.02)
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    asked = len(server.asked)
    for name in ("killed", "whole"):
        subprocess.run([*command, str(tmp_path / name), server.url], check=True, timeout=120)
    assert not any("$ids" in query or "wikidata_texts" in query for query in server.queries)
    resumed = [query for query in server.queries[asked:] if "skos:altLabel" in query]
    assert 1 == len(resumed)
    with open_clean("embedded", tmp_path / "killed") as one, open_clean("embedded", tmp_path / "whole") as other:
        assert (version(other), told(other)) == (version(one), told(one))


def test_refresh_finds_what_changed(
    fetch: Callable[..., FetchReport], embedded: EmbeddedStore, server: Server, tmp_path: Path
) -> None:
    """Facts gone are removed, those with another value are named as changed, new ones come in; the version follows."""
    fetch("Q7186")
    before = version(embedded)
    same = cache(embedded, server, folder=tmp_path).refresh()
    assert ([], [], [], before) == (same.new, same.gone, same.changed, version(embedded))
    update(server, "DELETE DATA { wds:m-birth ps:P19 wd:Q270 } ; INSERT DATA { wds:m-birth ps:P19 wd:Q90 }")
    update(server, "DELETE DATA { wd:Q7186 p:P40 wds:m-child }")
    gone = {of(embedded, "child")[0].id, of(embedded, "place of birth")[0].id}
    changed = {of(embedded, "place of birth")[0].id}
    report = cache(embedded, server, folder=tmp_path).refresh()
    assert (gone, changed, 1) == (set(report.gone), set(report.changed), len(report.new))
    assert "Marie Curie place of birth Paris" in told(embedded)
    assert not {"Marie Curie place of birth Warsaw", "Marie Curie child Irène Joliot-Curie"} & told(embedded)
    assert (True, 0) == (before != version(embedded), report.stale)


def test_refresh_takes_only_what_is_old(
    fetch: Callable[..., FetchReport], embedded: EmbeddedStore, server: Server, tmp_path: Path
) -> None:
    """What was fetched after the given time is left alone."""
    fetch("Q7186")
    asked = len(server.asked)
    assert [] == cache(embedded, server, folder=tmp_path).refresh(time() - 3600).entities
    assert asked == len(server.asked)


def test_a_refresh_that_fails_takes_nothing_away(
    fetch: Callable[..., FetchReport], embedded: EmbeddedStore, server: Server, tmp_path: Path
) -> None:
    """Facts and records stay as they were when a server answers in part or not at all."""
    fetch("Q7186")
    facts, before = told(embedded), version(embedded)
    server.faults = [Fault("partial", times=2, when=lambda q: "DeprecatedRank" in q), Fault("html", times=99)]
    report = cache(embedded, server, folder=tmp_path).refresh()
    assert (facts, before, []) == (told(embedded), version(embedded), report.gone)
    assert report.problems


def test_an_introduction_that_changed_replaces_the_old(
    fetch: Callable[..., FetchReport], embedded: EmbeddedStore, server: Server, tmp_path: Path
) -> None:
    """One text an article is kept."""
    fetch("Q7186")
    server.articles["Marie Curie"] = "Marie Curie was a physicist and chemist."
    cache(embedded, server, folder=tmp_path).refresh()
    assert ["Marie Curie was a physicist and chemist."] == [t.text for _, t in load_summaries(embedded, ["wd:Q7186"])]


def test_what_is_kept_of_dbpedia(store: GraphStore, dbpedia: Server, tmp_path: Path) -> None:
    """Facts of the ontology, types, links to Wikidata; abstracts as documents; redirects followed and as aliases."""
    report = cache(store, dbpedia, world="dbpedia", folder=tmp_path).fetch(["dbr:Madame_Curie", "dbr:Oder"])
    assert ["dbr:Marie_Curie", "dbr:Oder"] == [entry.id for entry in report.entities]
    assert {
        "Marie Curie birth date 1867-11-07",
        "Marie Curie birth place Warsaw",
        "Marie Curie type Scientist",
        "Marie Curie same as Q7186",
        "Oder length 854000 m",
    } == told(store, "dbpedia")
    found = load_entities(store, ["dbr:Marie_Curie"])["dbr:Marie_Curie"]
    assert (("Madame Curie",), "Marie Curie was a physicist.") == (found.aliases, found.description)
    assert ["Marie Curie was a physicist who discovered radium."] == [
        text.text for _, text in load_summaries(store, ["dbr:Marie_Curie"])
    ]


def test_titles_of_dbpedia_in_all_scripts(embedded: EmbeddedStore, dbpedia: Server, tmp_path: Path) -> None:
    """Ids hold titles as people write them and find the thing again, by id, IRI or name."""
    for wanted in ("dbr:Who_Am_I?", "http://dbpedia.org/resource/Who_Am_I%3F", "Who Am I?"):
        worlds = cache(embedded, dbpedia, world="dbpedia", folder=tmp_path)
        assert ["dbr:Who_Am_I?"] == [entry.id for entry in worlds.fetch([wanted]).entities]
    worlds = cache(embedded, dbpedia, world="dbpedia", folder=tmp_path)
    assert 1 == worlds.fetch(["dbr:Zürich"]).facts
    assert {"Who Am I? birth place Zürich"} == told(embedded, "dbpedia")


def test_any_other_endpoint(embedded: EmbeddedStore, dbpedia: Server, tmp_path: Path) -> None:
    """Of an endpoint that nothing is known about, all triples around an IRI are facts."""
    worlds = cache(embedded, dbpedia, world="mine", folder=tmp_path)
    worlds.fetch(["http://dbpedia.org/resource/Marie_Curie"])
    facts = told(embedded, "mine")
    assert {
        "Marie Curie name Marie",
        "Marie Curie birth place Warsaw",
        "Madame Curie wiki page redirects Marie Curie",
    } <= (facts)
    assert not [text for text in facts if "label" in text]
    assert ["mine"] == [row["graph"] for row in summary(embedded)]


def test_the_command_line(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """fetch, status, text, refresh and starter; a verdict that rested on a fact that is gone is stale."""
    environ = {
        "CLAIMGRAPH_STORE": str(tmp_path / "store"),
        "CLAIMGRAPH_CACHE": str(tmp_path / "cache"),
        "CLAIMGRAPH_WIKIDATA_URL": server.url,
        "CLAIMGRAPH_WIKIPEDIA_URL": server.encyclopedia,
        "CLAIMGRAPH_REQUEST_INTERVAL": "0",
        "CLAIMGRAPH_CONTACT": "operator@example.org",
    }
    for key, value in environ.items():
        monkeypatch.setenv(key, value)
    monkeypatch.delenv("NEO4J_URI", raising=False)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "text.txt").write_text("Marie Curie was born in Warsaw.")

    def run(*arguments: str) -> Any:
        done = CliRunner().invoke(app, ["cache", *arguments])
        assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
        return json.loads(done.stdout) if "--json" in arguments else (done.exit_code, done.stdout)

    assert ["wd:Q7186"] == [entry["id"] for entry in run("fetch", "Q7186", "--json")["entities"]]
    assert [1] == [graph["entities"] for graph in run("status", "--json")]
    assert "wikidata" in run("status")[1]
    said = run("text", "text.txt", "--json")
    assert (["wd:Q7186", "wd:Q270"], 3) == ([entry["id"] for entry in said["entities"]], said["cached"])
    again = run("refresh", "--json")
    assert (0, [], []) == (again["stale"], again["new"], again["gone"])
    checked = CliRunner().invoke(app, ["check", "text.txt", "--graph", "wikidata", "--method", "rules", "--json"])
    assert ["SUPPORTED"] == [claim["verdict"]["outcome"] for claim in json.loads(checked.stdout)["claims"]]
    update(server, "DELETE DATA { wds:m-birth ps:P19 wd:Q270 } ; INSERT DATA { wds:m-birth ps:P19 wd:Q90 }")
    again = run("refresh", "--json")
    assert (1, 1, again["gone"]) == (again["stale"], len(again["gone"]), again["changed"])
    fetched = CliRunner().invoke(app, ["check", "text.txt", "--fetch", "wikidata", "--method", "rules", "--json"])
    assert ["REFUTED"] == [claim["verdict"]["outcome"] for claim in json.loads(fetched.stdout)["claims"]]
    assert "facts fetched into 'wikidata'" in fetched.stderr
    assert run("starter", "--sample", "--graph", "sample", "--json")["facts"] > 100
    assert 3 == run("fetch", "Q142", "--rows", "2")[0]
    monkeypatch.setenv("CLAIMGRAPH_CONTACT", "")
    assert "CLAIMGRAPH_CONTACT" in run("starter")[1]
    with pytest.raises(Offline, match=r"wd:Q36 \(Poland\)$"):
        CliRunner().invoke(app, ["cache", "fetch", "Q36", "--offline"], catch_exceptions=False)
    with pytest.raises(UsageError, match="--endpoint"):
        CliRunner().invoke(app, ["cache", "fetch", "Q1", "--graph", "mine"], catch_exceptions=False)

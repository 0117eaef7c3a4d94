"""`claimgraph cache`: manage the world graphs of the store, fetched from Wikidata, DBpedia or any SPARQL endpoint."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from claimgraph.kgstore.ingest.flow import IngestReport
    from claimgraph.kgstore.world.cache import FetchReport, WorldCache
    from claimgraph.settings import Settings

cache = typer.Typer(
    help="World graphs in the store: fetch them from Wikidata, DBpedia or any SPARQL endpoint, and keep them fresh.",
    no_args_is_help=True,
)

Graph = Annotated[str, typer.Option(help="Graph to fetch into: wikidata, dbpedia, or another with --endpoint.")]
EndpointOption = Annotated[str | None, typer.Option("--endpoint", help="SPARQL endpoint of another graph.")]
Seconds = Annotated[float, typer.Option(help="Time budget; what is then not there is recorded as incomplete.", min=1)]
Rows = Annotated[int, typer.Option(help="Budget of rows that servers answer.", min=1)]
Offline = Annotated[bool, typer.Option("--offline", help="Refuse the network and say what was never fetched.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the documented JSON object.")]


@cache.command("fetch", epilog="Example: claimgraph cache fetch Q7186 'Marie Curie'")
def fetch(
    entities: Annotated[list[str], typer.Argument(help="Ids (Q90, dbr:Paris), IRIs, or exact names.")],
    graph: Graph = "wikidata",
    endpoint: EndpointOption = None,
    hops: Annotated[int, typer.Option(help="2 fetches also what the entities' facts lead to.", min=1, max=2)] = 1,
    seconds: Seconds = 60.0,
    rows: Rows = 50_000,
    offline: Offline = False,
    json: AsJson = False,
) -> None:
    """Fetch entities with the facts around them; what was fetched completely is not fetched again."""
    settings = _settings(offline)
    _fetched(settings, lambda c: c.fetch(entities, hops=hops), graph, endpoint, seconds, rows, json)


@cache.command("text", epilog="Example: claimgraph cache text draft.txt")
def text(
    file: Annotated[Path, typer.Argument(help="Text file.", exists=True, dir_okay=False)],
    graph: Graph = "wikidata",
    endpoint: EndpointOption = None,
    seconds: Seconds = 60.0,
    rows: Rows = 50_000,
    offline: Offline = False,
    json: AsJson = False,
) -> None:
    """Fetch the things that the claims of a text name."""
    settings = _settings(offline)
    names = _mentioned(settings, file)
    _fetched(settings, lambda c: c.fetch(names), graph, endpoint, seconds, rows, json)


@cache.command("refresh", epilog="Example: claimgraph cache refresh --older-than 30")
def refresh(
    graph: Graph = "wikidata",
    endpoint: EndpointOption = None,
    older_than: Annotated[float | None, typer.Option(help="Only what was fetched that many days ago.", min=0)] = None,
    seconds: Seconds = 600.0,
    rows: Rows = 1_000_000,
    json: AsJson = False,
) -> None:
    """Fetch again, take out facts the world no longer has, and mark verdicts that rested on them stale."""
    before = None if older_than is None else (datetime.now(UTC) - timedelta(days=older_than)).timestamp()
    _fetched(_settings(False), lambda c: c.refresh(before), graph, endpoint, seconds, rows, json)


@cache.command("status", epilog="Example: claimgraph cache status")
def status(json: AsJson = False) -> None:
    """Show for each world graph its size, its completeness, and when it was fetched."""
    from claimgraph.cli.common.printing import print_json, print_table
    from claimgraph.kgstore.world.fetches import summary
    from claimgraph.wiring import open_store

    with open_store(_settings(False), read_only=True) as store:
        graphs = summary(store)
    if json:
        print_json(graphs)
        return
    columns = ("graph", "facts", "entities", "parts", "oldest", "newest")
    print_table(columns, ([_shown(graph[column]) for column in columns] for graph in graphs))


@cache.command("starter", epilog="Example: claimgraph cache starter --sample")
def starter(
    topic: Annotated[list[str] | None, typer.Option(help="Name or id to fetch with two hops; repeatable.")] = None,
    text: Annotated[Path | None, typer.Option(help="Text whose names are fetched.", exists=True)] = None,
    dump: Annotated[Path | None, typer.Option(help="Dump or other triple file to load.", exists=True)] = None,
    sample: Annotated[bool, typer.Option("--sample", help="Load the sample that comes with claimgraph.")] = False,
    graph: Annotated[str, typer.Option(help="Graph to fill.")] = "wikidata",
    seconds: Seconds = 120.0,
    rows: Rows = 100_000,
    json: AsJson = False,
) -> None:
    """Make a first world graph, or, without options, say how one is made and what is missing for it."""
    from claimgraph.cli.common.printing import print_json, typer_echo
    from claimgraph.kgstore.errors import UsageError
    from claimgraph.wiring.starter_graph import first_steps

    settings, names = _settings(False), list(topic or ())
    if sum(map(bool, (names, text, dump, sample))) > 1:
        raise UsageError("give one of --topic, --text, --dump and --sample")
    if sample or dump:
        _loaded(settings, dump, graph, json)
    elif names or text:
        names, hops = (names, 2) if text is None else (_mentioned(settings, text), 1)
        _fetched(settings, lambda c: c.fetch(names, hops=hops), graph, None, seconds, rows, json)
    else:
        steps = first_steps(settings)
        print_json(steps) if json else typer_echo("\n".join(f"{step['do']}\n    {step['why']}" for step in steps))


def _settings(offline: bool) -> Settings:
    from dataclasses import replace

    from claimgraph.settings import load_settings

    settings = load_settings()
    return replace(settings, offline=settings.offline or offline)


def _mentioned(settings: Settings, file: Path) -> list[str]:
    from claimgraph.evidence.mentioned_entities import mentioned
    from claimgraph.input_texts import read_file
    from claimgraph.wiring import extractor

    [extraction] = extractor(settings).extract([read_file(file, settings.max_text)])
    return mentioned(extraction.claims)


def _fetched(
    settings: Settings,
    work: Callable[[WorldCache], FetchReport],
    graph: str,
    endpoint: str | None,
    seconds: float,
    rows: int,
    json: bool,
) -> None:
    """Do the work and print its report; exit with 3 where something stayed incomplete."""
    from dataclasses import asdict

    from claimgraph.cli.common.fetching import with_contact
    from claimgraph.cli.common.printing import print_json, typer_echo
    from claimgraph.cli.common.progress import bar
    from claimgraph.wiring import open_store, world_cache

    settings = with_contact(settings)
    try:
        with open_store(settings) as store, bar("parts") as told:
            worlds = world_cache(settings, store, graph, endpoint=endpoint, seconds=seconds, rows=rows, progress=told)
            report = work(worlds)
    except KeyboardInterrupt:
        typer.echo("claimgraph: stopped; what was fetched is kept, and the same command continues", err=True)
        raise typer.Exit(130) from None
    if json:
        print_json(asdict(report))
    else:
        typer_echo(_in_words(report))
    if not report.complete:
        raise typer.Exit(3)


def _loaded(settings: Settings, file: Path | None, graph: str, json: bool) -> None:
    from dataclasses import asdict

    from claimgraph.cli.common.printing import print_json, typer_echo
    from claimgraph.cli.store.ingest import in_words
    from claimgraph.kgstore.ingest.flow import ingest
    from claimgraph.wiring import open_store
    from claimgraph.wiring.starter_graph import load_sample

    with open_store(settings) as store:
        report: IngestReport = ingest(store, file, graph) if file else load_sample(store, graph)
    print_json(asdict(report)) if json else typer_echo(in_words(report))


def _in_words(report: FetchReport) -> str:
    lines = [
        f"{report.facts:,} facts fetched into {report.graph!r}: {len(report.new):,} new, {len(report.gone):,} gone"
        f" ({len(report.changed):,} of them changed); {report.requests} requests, {report.seconds:.1f} s"
    ]
    lines += [f"{entry.id} {entry.name}: {_shown(entry.parts)}" for entry in report.entities]
    if report.cached:
        lines.append(f"{report.cached:,} parts were there")
    if report.unknown:
        lines.append(f"nothing is called {', '.join(report.unknown)}")
    lines += [f"not complete: {problem}" for problem in report.problems]
    if report.stale is not None:
        lines.append(f"{report.stale:,} verdicts are stale; claimgraph recheck --stale judges them again")
    return "\n".join(lines)


def _shown(value: Any) -> str:
    """Return a cell or a part of a line: counts without braces, times to the minute."""
    if isinstance(value, datetime):
        return value.strftime("%Y-%m-%d %H:%M")
    if not isinstance(value, dict):
        return "" if value is None else str(value)
    pairs = ((key, ": " if isinstance(inner, dict) else " ", _shown(inner)) for key, inner in value.items())
    return ", ".join("".join(pair) for pair in pairs)

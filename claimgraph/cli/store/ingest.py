"""`claimgraph ingest`: load triple files into a graph of the store."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from claimgraph.kgstore.ingest.flow import IngestReport


def ingest(
    path: Annotated[Path, typer.Argument(help=".tsv, .csv, .jsonl, .nt or .ttl, plain or with .gz or .bz2.")],
    graph: Annotated[str | None, typer.Option(help="Name of the graph; default: the file's name.")] = None,
    entities: Annotated[Path | None, typer.Option(help="JSON lines with labels of entities.")] = None,
    relations: Annotated[Path | None, typer.Option(help="JSON lines with labels of relations.")] = None,
    rejected: Annotated[Path | None, typer.Option(help="Where rejected lines go; default: NAME.rejected.tsv.")] = None,
    bulk: Annotated[Path | None, typer.Option(help="Write files for neo4j-admin to a new folder; no store.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the report as one JSON object.")] = False,
) -> None:
    """Load a file of triples into a graph; running it again continues or changes nothing."""
    from dataclasses import asdict

    from claimgraph.cli.common.printing import print_json, typer_echo
    from claimgraph.kgstore.ingest.flow import ingest as load
    from claimgraph.settings import load_settings
    from claimgraph.wiring import open_store

    if bulk:
        _write_bulk(bulk, path, graph, json, entities=entities, relations=relations, rejected=rejected)
        return
    try:
        with open_store(load_settings()) as store, _bar() as progress:
            report = load(
                store, path, graph, entities=entities, relations=relations, rejected=rejected, progress=progress
            )
    except KeyboardInterrupt:
        typer.echo("claimgraph: stopped; what was loaded is kept, and the same command continues", err=True)
        raise typer.Exit(130) from None
    if json:
        print_json(asdict(report))
    else:
        typer_echo(in_words(report))


def _write_bulk(folder: Path, path: Path, graph: str | None, json: bool, **files: Path | None) -> None:
    from dataclasses import asdict

    from claimgraph.cli.common.printing import print_json, typer_echo
    from claimgraph.kgstore.ingest.bulk import EMPTY_LISTS, import_command, write_bulk

    with _bar() as progress:
        report = write_bulk(folder, path, graph, progress=progress, **files)
    if json:
        print_json(asdict(report) | {"command": import_command(folder), "then": EMPTY_LISTS})
        return
    typer_echo(in_words(report))
    typer_echo(f"Stop Neo4j, and run (it replaces the database neo4j):\n{import_command(folder)}")
    typer_echo(f"Then start Neo4j and run in cypher-shell (the import leaves out empty lists):\n{EMPTY_LISTS}")
    typer_echo("claimgraph makes constraints and indexes when it first opens the database.")


@contextmanager
def _bar() -> Iterator[Callable[[Path, int, int], None]]:
    """Show a bar a file on standard error, by bytes of the file on disk; nothing where that is no terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, disable=not console.is_terminal) as bar:
        tasks: dict[Path, TaskID] = {}

        def progress(path: Path, done: int, size: int) -> None:
            if path not in tasks:
                tasks[path] = bar.add_task(path.name, total=size)
            bar.update(tasks[path], completed=done)

        yield progress


def in_words(report: IngestReport) -> str:
    """Return the report of a load, for people."""
    lines = [
        f"{report.facts:,} facts in graph {report.graph!r} ({report.new:,} new), {report.entities:,} entities,"
        f" {report.seconds:.1f} s"
    ]
    if report.texts or report.labelled:
        lines.append(f"{report.texts:,} names and descriptions in the file, {report.labelled:,} entities labelled")
    if report.summaries:
        lines.append(f"{report.summaries:,} introductions stored")
    if report.skipped:
        lines.append(f"{report.skipped:,} statements left out (other languages, bookkeeping)")
    if report.rejected:
        lines.append(f"{report.rejected:,} lines rejected, see {report.rejected_file}; first: {report.first_rejected}")
    return "\n".join(lines)

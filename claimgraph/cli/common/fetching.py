"""What commands share that fetch world graphs: which there are, and the contact that public servers are told."""

from __future__ import annotations

import sys
from dataclasses import replace
from enum import StrEnum
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from claimgraph.kgstore.world.cache import FetchReport
    from claimgraph.settings import Settings


class World(StrEnum):
    """The world graphs that can be fetched."""

    WIKIDATA = "wikidata"
    DBPEDIA = "dbpedia"


def with_contact(settings: Settings) -> Settings:
    """Return the settings with a contact: asked for once, where somebody sits at a terminal, and kept.

    Settings that have one, or refuse the network, are returned as they are; so are those of a program, which is told
    what is missing when a server is to be asked.
    """
    from claimgraph.settings import keep

    if settings.contact or settings.offline or not (sys.stdin.isatty() and sys.stderr.isatty()):
        return settings
    said = typer.prompt("Public servers are told who asks: your e-mail or web address", err=True).strip()
    typer.echo(f"claimgraph: kept in {keep('contact', said)}", err=True)
    return replace(settings, contact=said)


def say_fetched(report: FetchReport) -> None:
    """Print on standard error what a fetch brought and what it lacks, a line each."""
    told = f"{report.facts:,} facts fetched into {report.graph!r}, {report.cached:,} parts were there"
    typer.echo(f"claimgraph: {told}", err=True)
    if report.unknown:
        typer.echo(f"claimgraph: nothing is called {', '.join(report.unknown)}", err=True)
    for problem in report.problems:
        typer.echo(f"claimgraph: not complete: {problem}", err=True)

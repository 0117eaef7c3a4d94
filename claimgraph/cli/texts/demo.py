"""`claimgraph demo`: run the main task on bundled texts, offline, each step as the command a user would type."""

from __future__ import annotations

import os
import shlex
from importlib.resources import as_file, files
from pathlib import Path
from typing import Annotated

import typer

_ASK = (
    "MATCH (d:Document)<-[:IN]-(c:Claim)-[:CURRENT]->(v:Verdict) "
    "WHERE v.outcome = 'REFUTED' OPTIONAL MATCH (v)-[r:CITES {stance: 'refutes'}]->(e:Evidence) "
    "RETURN c.subject AS subject, c.predicate AS predicate, c.object AS claimed, collect(e.text)[0] AS evidence "
    "ORDER BY subject, predicate, claimed"
)


def demo(
    store: Annotated[Path | None, typer.Option(help="Folder of the demo's store; default: the cache.")] = None,
) -> None:
    """Check bundled texts against a context and against a sample of Wikidata, then ask the verdicts in Cypher."""
    from claimgraph.settings import load_settings

    settings = load_settings({}, Path(os.devnull).parent)
    folder = store or settings.cache_folder / "demo-store"
    for name in ("NEO4J_URI", "CELERY_BROKER_URL"):
        os.environ.pop(name, None)
    os.environ["CLAIMGRAPH_STORE"] = str(folder)
    with as_file(files("claimgraph") / "data" / "demo") as data:
        _say("Closed domain: every claim of a text against a context.")
        _run("check", str(data / "text.txt"), "--context", str(data / "context.txt"))
        _say("Open domain: a sample of Wikidata as the world graph.")
        _run("ingest", str(data / "wikidata.nt"), "--graph", "wikidata-sample")
        _run("check", str(data / "claims.txt"), "--graph", "wikidata-sample")
        _say("The stored verdicts, asked in Cypher: what was refuted, and by what?")
        _run("cypher", _ASK)
    _say(f"The store is in {folder}: set CLAIMGRAPH_STORE to it and ask more, or begin with your own text.")


def _say(line: str) -> None:
    from rich.console import Console

    Console().print(f"\n{line}", style="bold", highlight=False, soft_wrap=True)


def _run(*arguments: str) -> None:
    from claimgraph.cli.command_table import command_line

    shown = [f'"{word}"' if "'" in word else shlex.quote(word) for word in arguments]
    typer.secho(f"$ claimgraph {' '.join(shown)}", fg="cyan")
    command_line(arguments)(arguments, prog_name="claimgraph", standalone_mode=False)

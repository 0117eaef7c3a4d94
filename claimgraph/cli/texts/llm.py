"""`claimgraph llm`: test the language model, and manage its cached answers."""

from __future__ import annotations

from typing import Annotated

import typer

llm = typer.Typer(help="The language model of the settings, and its kept answers.", no_args_is_help=True)


@llm.command("status", epilog="Example: claimgraph llm status")
def status(json: Annotated[bool, typer.Option("--json", help="Print the documented JSON object.")] = False) -> None:
    """Ask the language model one short question; say what is set and kept. Exits with 3 if it does not answer."""
    from dataclasses import asdict

    from claimgraph.cli.common.printing import print_json, print_table
    from claimgraph.settings import load_settings
    from claimgraph.wiring.llm_status import status as look

    found = look(load_settings())
    if json:
        print_json(asdict(found))
    else:
        kept = ", ".join(f"{count} of {model}" for model, count in found.kept.items())
        print_table(("language model", ""), (asdict(found) | {"kept": kept}).items())
    raise typer.Exit(3 if found.problem else 0)


@llm.command("purge", epilog="Example: claimgraph llm purge --older-than 90")
def purge(
    model: Annotated[str | None, typer.Option(help="Only answers of this model.")] = None,
    older_than: Annotated[
        float | None, typer.Option(help="Only answers kept for more than so many days.", min=0, max=36_500)
    ] = None,
) -> None:
    """Delete kept answers of language models; the same questions will be asked again."""
    from datetime import UTC, datetime, timedelta

    from claimgraph.kgstore.upkeep import completions
    from claimgraph.settings import load_settings
    from claimgraph.wiring import open_store

    before = None if older_than is None else datetime.now(UTC) - timedelta(days=older_than)
    with open_store(load_settings()) as store:
        typer.echo(f"deleted {completions.purge(store, model, before)} kept answers")

"""`claimgraph recheck`: check verdicts again whose evidence has changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from claimgraph.rechecking import Rechecked


def recheck(
    stale: Annotated[bool, typer.Option("--stale", help="Verdicts that no longer rest on what they cite.")] = False,
    graph: Annotated[str | None, typer.Option(help="Only those given on this graph.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the documented JSON object.")] = False,
) -> None:
    """Check texts again whose evidence has changed since, and report what flipped."""
    from dataclasses import asdict

    from claimgraph.cli.common.printing import print_json
    from claimgraph.kgstore.errors import UsageError
    from claimgraph.rechecking import recheck_stale
    from claimgraph.settings import load_settings

    if not stale:
        raise UsageError("say what to check again: --stale")
    found = recheck_stale(load_settings(), graph)
    if json:
        print_json(asdict(found))
    else:
        _print(found)


def _print(found: Rechecked) -> None:
    from claimgraph.cli.common.printing import print_table

    typer.echo(
        f"{found.stale} stale verdicts, {found.documents} texts checked again: {len(found.flips)} flipped, "
        f"{found.unchanged} as before, {len(found.left)} left"
    )
    if found.flips:
        columns = ("claim", "before", "after", "cause", "why")
        print_table(columns, [(f.text, f.before, f.after, f.cause.value, f.why) for f in found.flips])
    if found.left:
        print_table(("left", "why"), [(left.claim, left.why) for left in found.left])
    for note in found.notes:
        typer.echo(note)

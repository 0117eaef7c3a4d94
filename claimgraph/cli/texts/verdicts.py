"""`claimgraph verdicts` and `claimgraph rule`: list verdicts, and record a person's."""

from __future__ import annotations

from typing import Annotated

import typer

from claimgraph.cli.common.completion import ids
from claimgraph.kgstore.model import Outcome


def verdicts(
    outcome: Annotated[Outcome | None, typer.Option(help="Only this outcome.", case_sensitive=False)] = None,
    entity: Annotated[str | None, typer.Option(help="Only claims about this entity: a name or an id.")] = None,
    since: Annotated[str | None, typer.Option(help="Only verdicts given since this date, ISO 8601.")] = None,
    run: Annotated[
        str | None, typer.Option(help="Only on the texts of this run, as claimgraph submit names it.")
    ] = None,
    limit: Annotated[int, typer.Option(help="At most so many.", min=1)] = 100,
    disagreements: Annotated[
        bool, typer.Option("--disagreements", help="Instead, claims on which the latest verdicts of methods differ.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print a list of rows.")] = False,
) -> None:
    """List the verdicts that hold now, newest first."""
    from claimgraph import wiring
    from claimgraph.cli.common.printing import print_json
    from claimgraph.cli.common.verdict_listing import print_disagreements, print_verdicts
    from claimgraph.input_texts import parse_since
    from claimgraph.kgstore import reads
    from claimgraph.kgstore.errors import UsageError
    from claimgraph.runs import runs_report
    from claimgraph.settings import load_settings

    if disagreements and (outcome or entity or since):
        raise UsageError("--disagreements takes no filter but --run and --limit")
    if run and (entity or since):
        raise UsageError("--run takes no filter but --outcome and --limit")
    start = parse_since(since) if since else None
    with wiring.open_store(load_settings(), read_only=True) as store:
        key = runs_report.full_id(store, run) if run else None
        if disagreements:
            rows = reads.disagreements(store, run=key, limit=limit)
        elif key:
            rows = runs_report.verdicts(store, key, outcome, limit)
        else:
            rows = reads.current_verdicts(store, outcome=outcome, entity=entity, since=start, limit=limit)
    if json:
        print_json(rows)
    elif disagreements:
        print_disagreements(rows)
    else:
        print_verdicts(rows)


def rule(
    claim: Annotated[str, typer.Argument(help="The claim: its id, or how that begins.", autocompletion=ids("claim"))],
    outcome: Annotated[Outcome, typer.Argument(help="What you say of it.", case_sensitive=False)],
    note: Annotated[str, typer.Option(help="Why.")],
) -> None:
    """Give a person's verdict on a claim. It outranks every method's, and is kept beside them."""
    from claimgraph import wiring
    from claimgraph.kgstore.id_search import SHOWN, find_id
    from claimgraph.repair.ruling import rule as give
    from claimgraph.settings import load_settings

    with wiring.open_store(load_settings()) as store:
        claim = find_id(store, claim, ("claim",))
        verdict = give(store, claim, outcome, note)
    typer.echo(f"{claim[:SHOWN]} is {verdict.outcome.value} (human): {verdict.reason}")

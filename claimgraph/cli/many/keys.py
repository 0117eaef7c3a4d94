"""`claimgraph keys`: the API keys of the server."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from claimgraph.web.keys import Keys

app = typer.Typer(help="API keys of `claimgraph serve`; with one or more, every request needs a key.")


@app.command()
def add(
    name: Annotated[str, typer.Argument(help="Whose key it is.")],
    write: Annotated[
        bool, typer.Option("--write", help="Also check texts, rule on claims and submit runs; else read only.")
    ] = False,
    stdin: Annotated[
        bool, typer.Option("--stdin", help="Take a key of 32 characters or more from standard input, print nothing.")
    ] = False,
) -> None:
    """Make a key and print it: it is shown this once.

    Example: claimgraph keys add dashboard
    """
    from claimgraph.web.keys import Scope

    scope = Scope.WRITE if write else Scope.READ
    if stdin:
        _keys().add(name, scope, sys.stdin.readline().strip())
    else:
        typer.echo(_keys().add(name, scope))


@app.command("list", epilog="Example: claimgraph keys list")
def list_(json: Annotated[bool, typer.Option("--json", help="Print a list of rows.")] = False) -> None:
    """List the keys by name; the keys themselves are not kept."""
    from claimgraph.cli.common.printing import print_json, print_table

    columns = ("name", "scope", "created_at")
    rows = [{column: str(getattr(key, column)) for column in columns} for key in _keys().all()]
    if json:
        print_json(rows)
    else:
        print_table(columns, ([row[column] for column in columns] for row in rows))


@app.command()
def revoke(name: Annotated[str, typer.Argument(help="Whose key is forgotten.")]) -> None:
    """Forget a key: it is refused from now on.

    Example: claimgraph keys revoke dashboard
    """
    _keys().revoke(name)


def _keys() -> Keys:
    from claimgraph.settings import load_settings
    from claimgraph.web.keys import Keys

    return Keys(load_settings().keys_file)

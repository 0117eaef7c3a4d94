"""`claimgraph cypher`: run a read in Cypher over everything stored, as a table, JSON or CSV."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from claimgraph.kgstore.store import Table


def cypher(
    query: Annotated[str | None, typer.Argument(help="One read statement: MATCH ... RETURN ...")] = None,
    file: Annotated[Path | None, typer.Option(help="Read the statement from this file.")] = None,
    param: Annotated[
        list[str] | None, typer.Option(help="k=v for $k; v is JSON, or a string where it is none; repeatable.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print a list of row objects.")] = False,
    csv: Annotated[bool, typer.Option("--csv", help="Print RFC 4180 CSV with a header.")] = False,
    limit: Annotated[int | None, typer.Option(help="At most so many rows.", min=1)] = None,
    timeout: Annotated[float | None, typer.Option(help="Seconds the query may take.", min=0.001)] = None,
    memory: Annotated[int | None, typer.Option(help="MiB the query may take.", min=1)] = None,
) -> None:
    """Ask the store in Cypher. Reads only; writes, files and settings are refused."""
    from claimgraph import wiring
    from claimgraph.kgstore.errors import UsageError
    from claimgraph.kgstore.store import QueryLimits
    from claimgraph.settings import load_settings

    if json and csv:
        raise UsageError("--json and --csv: give one of them")
    settings = load_settings()
    text = _statement(query, file, settings.max_text)
    limits = QueryLimits(
        timeout or settings.query_seconds, limit or settings.query_rows, memory or settings.query_memory
    )
    params = dict(parse_param(item) for item in param or ())
    with wiring.open_store(settings, read_only=True) as store:
        table = store.query(text, params, limits)
    _print(table, json=json, csv=csv)
    if table.truncated:
        typer.echo(f"claimgraph: only the first {len(table.rows)} rows; --limit raises the limit", err=True)


def parse_param(item: str) -> tuple[str, Any]:
    """Return name and value of `k=v`. A v that is no JSON is a string. Raises UsageError without a name and `=`."""
    from json import JSONDecodeError, loads

    from claimgraph.kgstore.errors import UsageError

    name, equals, value = item.partition("=")
    if not name or not equals:
        raise UsageError(f"--param {item!r} is not of the form k=v")
    try:
        return name, value if value.endswith(("NaN", "Infinity")) else loads(value)
    except (JSONDecodeError, RecursionError):
        return name, value


def _statement(query: str | None, file: Path | None, max_mib: float) -> str:
    from claimgraph.input_texts import read_file
    from claimgraph.kgstore.errors import UsageError

    if query is not None and file is None:
        return query
    if file is not None and query is None:
        return read_file(file, max_mib).text
    raise UsageError("give one query: as the argument, or with --file")


def _print(table: Table, *, json: bool, csv: bool) -> None:
    from claimgraph.cli.common.printing import print_json, print_table

    if json:
        print_json([dict(zip(table.columns, row, strict=True)) for row in table.rows])
    elif csv:
        _print_csv(table)
    else:
        print_table(table.columns, ([_cell(value) for value in row] for row in table.rows))


def _print_csv(table: Table) -> None:
    import csv
    import io

    from claimgraph.cli.common.printing import typer_echo

    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(table.columns)
    writer.writerows([_cell(value) for value in row] for row in table.rows)
    typer_echo(text.getvalue().removesuffix("\r\n") + "\r")


def _cell(value: Any) -> Any:
    """Return the value as one cell: lists and maps as JSON, booleans as Cypher writes them."""
    from json import dumps

    return dumps(value, ensure_ascii=False) if isinstance(value, list | dict | bool) else value

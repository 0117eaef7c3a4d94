"""`claimgraph init`: write a claimgraph.toml that names every setting."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

_FILE = "claimgraph.toml"


def init(
    folder: Annotated[Path, typer.Argument(help="Where; the working folder.", file_okay=False)] = Path(),
    force: Annotated[bool, typer.Option("--force", help="Overwrite a file that is there.")] = False,
) -> None:
    """Write a claimgraph.toml with every setting, its default and what it is; all lines are comments."""
    from claimgraph.kgstore.errors import UsageError
    from claimgraph.settings import describe

    path = folder / _FILE
    if path.exists() and not force:
        raise UsageError(f"{path} is there; --force overwrites it")
    path.parent.mkdir(parents=True, exist_ok=True)
    head = (
        "# Settings of claimgraph in this folder. Remove the # before a line to set it; docs/settings.md says more.\n"
    )
    path.write_text(head + "".join(_lines(row) for row in describe()), encoding="utf-8")
    typer.echo(f"{path}: every setting, as comments; claimgraph doctor shows what is set")


def _lines(row: dict[str, str]) -> str:
    unit = f", in {row['unit']}" if row["unit"] else ""
    value = row["default"]
    shown = (
        value if value.replace(".", "", 1).isdigit() else value.lower() if value in ("True", "False") else f'"{value}"'
    )
    return f"\n# {row['help']}{unit} ({row['env']})\n# {row['name']} = {shown}\n"

"""`claimgraph doctor`: report what is configured, what answers, what is missing and how to get it."""

from __future__ import annotations

from typing import Annotated

import typer


def doctor(
    json: Annotated[bool, typer.Option("--json", help="Print a list of findings.")] = False,
) -> None:
    """Look at every part; exit with 3 if something that is needed does not work."""
    from dataclasses import asdict

    from claimgraph.cli.common.printing import print_json, print_table
    from claimgraph.health import examine
    from claimgraph.settings import load_settings

    findings = examine(load_settings())
    if json:
        print_json([asdict(finding) for finding in findings])
    else:
        print_table(("part", "state", "what was found"), [(f.part, f.state.value, f.detail) for f in findings])
    raise typer.Exit(3 if any(f.state == "failed" for f in findings) else 0)

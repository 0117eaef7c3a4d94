"""The command line in the test's own process: what a process of its own would print and return, without its start."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from subprocess import CompletedProcess
from unittest.mock import patch

from typer.testing import CliRunner

from claimgraph.cli import main

Environment = Mapping[str, str | None]
"""Changes of the environment: a variable's value, or None where it is to be unset."""
Cli = Callable[..., CompletedProcess[str]]
"""Words of a command line, `stdin`, and variables of the environment, to what the command prints and returns."""


def run(*arguments: str, stdin: str | None = None, env: Environment) -> CompletedProcess[str]:
    """Run `claimgraph ...` by its console script's function, in the environment with these changes."""
    with (
        CliRunner().isolation(input=stdin, env=env) as (out, error, _),
        patch.object(sys, "argv", ["claimgraph", *arguments]),
    ):
        try:
            main()
            code = 0
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(end.code is not None)
        sys.stdout.flush()
        sys.stderr.flush()
        return CompletedProcess(arguments, code, out.getvalue().decode(), error.getvalue().decode())

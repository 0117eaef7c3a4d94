"""The command line in the test's own process: what a process of its own would print and return, without its start."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from subprocess import CompletedProcess
from unittest.mock import patch

from typer.testing import CliRunner

from claimgraph.cli import main


def run(*arguments: str, stdin: str | None = None, env: Mapping[str, str | None]) -> CompletedProcess[str]:
    """Run `claimgraph ...` by its console script's function; `env` changes the environment, None unsets a variable."""
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

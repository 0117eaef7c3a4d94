"""The command line with all its commands, for its documentation and for tests; `main` builds the one that is asked."""

from __future__ import annotations

from claimgraph.cli.command_table import command_line

app = command_line()

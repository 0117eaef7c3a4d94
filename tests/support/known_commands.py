"""Tell whether a command line that a document or a file names is one of ours."""

from __future__ import annotations

from typing import Any

import typer.main

from claimgraph.cli.app import app

GROUP = typer.main.get_command(app)


def known(said: str) -> bool:
    """Whether the command is there, with the options that are named after it."""
    words = [word.strip("[],.()\"'") for word in said.split()]
    found: Any = GROUP
    while words and words[0] in getattr(found, "commands", {}):
        found = found.commands[words.pop(0)]
    options = {name for parameter in found.params for name in parameter.opts} | {"--help"}
    if found is GROUP and words[:1] != ["eval-*"] and words[0] not in options:
        return False
    return {word.partition("=")[0] for word in words if word.startswith("--") and word != "--"} <= options

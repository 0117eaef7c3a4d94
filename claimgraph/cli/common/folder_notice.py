"""Say once what the files of the working folder change about where data and keys go.

The folder may be another's. What was said of a folder is kept in the user's own cache folder, so that a person's own
project is not named at every command, and is said again when the files say something else.
"""

from __future__ import annotations

import hashlib
import json
import os
from contextlib import suppress
from pathlib import Path

import typer

from claimgraph.settings import NO_CONFIG, Settings, folder_settings, leading


def ignore_folder() -> None:
    """Have the files of the working folder ignored by this process and those that it starts."""
    os.environ[NO_CONFIG] = "1"


def say_once() -> None:
    """Name on stderr the settings of the folder's files that lead somewhere, unless that was said before."""
    given = leading(folder_settings())
    if not given:
        return
    said = hashlib.sha256(json.dumps([str(Path.cwd()), sorted(given.items())], default=str).encode()).hexdigest()
    mark = Settings().cache_folder / "folders" / said[:32]
    if mark.exists():
        return
    files = {
        file: [name for name in given if given[name][1] == file] for file in sorted({v[1] for v in given.values()})
    }
    what = "; ".join(f"{file} sets {', '.join(names)}" for file, names in files.items())
    typer.echo(f"claimgraph: {what}: data goes there (said once; claimgraph --no-config ignores it)", err=True)
    with suppress(OSError):
        mark.parent.mkdir(parents=True, exist_ok=True)
        mark.touch()

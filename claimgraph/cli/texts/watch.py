"""`claimgraph watch`: check files again whenever they change, or follow a run of many documents."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from claimgraph.cli.common.completion import graphs, ids
from claimgraph.cli.common.options import ContextOption, FailOn
from claimgraph.cli.many.runs import FailOnOption

if TYPE_CHECKING:
    from claimgraph.settings import Settings
    from claimgraph.wiring import Models

_SECONDS = 0.5
"""Pause between two looks at the files."""


def watch(
    target: Annotated[
        str,
        typer.Argument(
            metavar="FOLDER|FILE|RUN",
            help="Texts to check again on every change; or a run, by its id or how that begins.",
            autocompletion=ids("run"),
        ),
    ],
    context: ContextOption = None,
    graph: Annotated[
        list[str] | None, typer.Option(help="Stored graph to check against; repeatable.", autocompletion=graphs)
    ] = None,
    fail_on: FailOnOption = FailOn.NEVER,
    json: Annotated[bool, typer.Option("--json", help="Of a run: print the documented JSON object.")] = False,
) -> None:
    """Check a file, or the texts of a folder, and again whenever one or its context changes; or follow a run.

    Files are watched until Ctrl-C. A run is followed until it is over or parked: exit code 0 if it is complete, else 1;
    with --fail-on also 1 for what it found.
    """
    from claimgraph.cli.many import runs
    from claimgraph.kgstore.errors import UsageError
    from claimgraph.pipeline import NOTHING_TO_CHECK_AGAINST
    from claimgraph.settings import load_settings
    from claimgraph.wiring import Models

    path = Path(target)
    if not path.exists():
        runs.watch(target, fail_on, json=json)
        return
    if not context and not graph:
        raise UsageError(NOTHING_TO_CHECK_AGAINST)
    settings = load_settings()
    models = Models(settings)
    try:
        for changed in _changes(path, context or ()):
            for text in changed:
                _check(settings, models, text, context or (), graph or ())
    except KeyboardInterrupt:
        raise typer.Exit(130) from None


def _changes(path: Path, contexts: list[str] | tuple[()]) -> Iterator[list[Path]]:
    """Yield the texts to check: all at first and when a context has changed, else those that have changed."""
    seen: dict[Path, int] = {}
    while True:
        texts = {one: _changed_at(one) for one in _texts(path)}
        against = {one: _changed_at(one) for name in contexts for one in _texts(Path(name))}
        stale = any(seen.get(one) != at for one, at in against.items())
        if changed := [one for one, at in texts.items() if stale or seen.get(one) != at]:
            yield changed
        seen = texts | against
        time.sleep(_SECONDS)


def _texts(path: Path) -> list[Path]:
    from claimgraph.input_texts import SUFFIXES

    if not path.is_dir():
        return [path] if path.exists() else []
    return sorted(one for one in path.rglob("*") if one.suffix.lower() in SUFFIXES and one.is_file())


def _changed_at(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def _check(
    settings: Settings, models: Models, text: Path, contexts: list[str] | tuple[()], graph: list[str] | tuple[()]
) -> None:
    """Check one file and print what came of it; what cannot be read is one line, and watching goes on."""
    from claimgraph.cli.common.check_printing import print_report
    from claimgraph.cli.common.options import read_texts
    from claimgraph.kgstore.errors import ClaimgraphError
    from claimgraph.wiring import Checker

    typer.secho(f"{text}, {time.strftime('%H:%M:%S')}", bold=True)
    try:
        document, against = read_texts(settings, str(text), contexts, fetch=False)
        with Checker(settings, models=models) as checker:
            print_report(checker.check(document, context=against, graphs=graph))
    except ClaimgraphError as error:
        typer.echo(f"claimgraph: {error}", err=True)

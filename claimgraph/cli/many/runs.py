"""`claimgraph runs|watch|pause|resume|retry|cancel`: show the progress of runs of many documents, and control them."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, Annotated

import typer

from claimgraph.cli.common.completion import ids
from claimgraph.cli.common.options import FailOn

if TYPE_CHECKING:
    from claimgraph.kgstore.runs.board import Board
    from claimgraph.kgstore.runs.jobs import Task
    from claimgraph.kgstore.store import GraphStore
    from claimgraph.settings import Settings
    from claimgraph.workers.submission.dispatch import Dispatch

RunId = Annotated[
    str, typer.Argument(metavar="ID", help="The run: its id, or how that begins.", autocompletion=ids("run"))
]
MaxSeconds = Annotated[float | None, typer.Option(help="Stop after so many seconds of work of all workers.", min=0)]
MaxCalls = Annotated[int | None, typer.Option(help="Stop after so many calls of a language model.", min=0)]
MaxTokens = Annotated[int | None, typer.Option(help="Stop after so many tokens of a language model.", min=0)]
FailOnOption = Annotated[
    FailOn, typer.Option(help="Exit with 1 also if a verdict of the run is REFUTED, or NOT_ENOUGH_INFO too.")
]
Json = Annotated[bool, typer.Option("--json", help="Print the documented JSON object.")]


def runs(
    run: Annotated[
        str | None,
        typer.Argument(metavar="[ID]", help="One run: its id, or how that begins.", autocompletion=ids("run")),
    ] = None,
    parked: Annotated[bool, typer.Option("--parked", help="Instead, documents that were tried too often.")] = False,
    limit: Annotated[int, typer.Option(help="At most so many.", min=1)] = 100,
    json: Annotated[bool, typer.Option("--json", help="Print the documented JSON.")] = False,
) -> None:
    """List the runs that were submitted, newest first; or show one with its documents, worst first."""
    from claimgraph.cli.common.printing import print_json
    from claimgraph.cli.common.run_listing import print_parked, print_run, print_runs
    from claimgraph.kgstore.runs.board import Board
    from claimgraph.runs import runs_report
    from claimgraph.settings import load_settings
    from claimgraph.wiring import open_store

    with open_store(load_settings(), read_only=True) as store:
        key = runs_report.full_id(store, run) if run else None
        if key and not parked:
            one = runs_report.in_full(store, key, limit)
            print_json(one) if json else print_run(one)
            return
        board = Board(store)
        found = (
            [runs_report.parked_json(job) for job in board.parked(key, limit)]
            if parked
            else [runs_report.as_json(one) for one in board.batches(limit)]
        )
    if json:
        print_json(found)
    elif parked:
        print_parked(found)
    else:
        print_runs(found)


def watch(run: str, fail_on: FailOn, *, json: bool) -> None:
    """Follow a run until it is over or parked, and exit as finish does."""
    from claimgraph.runs import runs_report
    from claimgraph.settings import load_settings
    from claimgraph.wiring import open_store

    settings = load_settings()
    with open_store(settings, read_only=True) as store:
        key = runs_report.full_id(store, run)
    follow(settings, key)
    finish(settings, key, json=json, fail_on=fail_on)


def pause(run: RunId) -> None:
    """Let no further work of a run begin, until it is resumed."""
    from claimgraph.runs.runs_report import PAUSED

    _changed(run, lambda board, key: board.pause(key, PAUSED))


def cancel(run: RunId) -> None:
    """Stop a run for good; what was found is kept."""
    _changed(run, lambda board, key: board.cancel(key))


def resume(
    run: RunId,
    max_seconds: MaxSeconds = None,
    max_calls: MaxCalls = None,
    max_tokens: MaxTokens = None,
) -> None:
    """Go on with a run that was paused or cancelled, or that spent its budget, under another one where one is given."""
    from claimgraph.kgstore.runs.jobs import Budget

    limits = (max_seconds, max_calls, max_tokens)
    budget = None if limits == (None, None, None) else Budget(*limits)
    _gone_on(run, lambda board, key: board.resume(key, budget))


def retry(run: RunId) -> None:
    """Try documents again that were tried too often, and go on with their run."""
    _gone_on(run, lambda board, key: board.retry(key))


@contextmanager
def resumable() -> Iterator[None]:
    """End Ctrl-C in one line, with exit code 130: nothing is lost."""
    try:
        yield
    except KeyboardInterrupt:
        typer.echo("claimgraph: stopped; what is done is kept, and the same command goes on", err=True)
        raise typer.Exit(130) from None


def work(store: GraphStore, dispatch: Dispatch, run: str) -> None:
    """Perform the kept tasks here, with a progress bar. Raises KeyboardInterrupt at the next task at the latest."""
    from claimgraph.cli.common.progress import bar

    with heeded() as look, bar("documents") as advance:

        def told(done: int, total: int) -> None:
            advance(done, total)
            look()

        dispatch.work(store, run, told)
        look()


@contextmanager
def heeded() -> Iterator[Callable[[], None]]:
    """Yield a function that raises KeyboardInterrupt if Ctrl-C was pressed: Python drops the first one where it falls
    into a destructor.
    """
    pressed = False

    def press(number: int, frame: FrameType | None) -> None:
        nonlocal pressed
        pressed = True
        signal.default_int_handler(number, frame)

    def look() -> None:
        if pressed:
            raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, press)
    try:
        yield look
    finally:
        signal.signal(signal.SIGINT, before)


def say_queued(dispatch: Dispatch, run: str) -> None:
    """Print how to follow a run that workers do, and the tasks their broker did not get; on standard error."""
    from claimgraph.kgstore.id_search import SHOWN

    typer.echo(dispatch.problem or f"queued; claimgraph watch {run[:SHOWN]} follows it", err=True)


def follow(settings: Settings, run: str) -> None:
    """Show the progress of a run until it is over or parked."""
    from claimgraph.cli.common.progress import of_run
    from claimgraph.runs import runs_report

    with of_run() as advance:
        for found in runs_report.follow(settings, run):
            advance(found)


def finish(
    settings: Settings, run: str, *, json: bool = False, quiet: bool = False, fail_on: FailOn = FailOn.NEVER
) -> None:
    """Show a run and exit: with 0 if it is complete and no verdict on its texts is what fails, else with 1."""
    from claimgraph.cli.common.printing import print_json
    from claimgraph.cli.common.run_listing import print_run
    from claimgraph.runs import runs_report
    from claimgraph.wiring import open_store

    with open_store(settings, read_only=True) as store:
        found = runs_report.in_full(store, run)
    if json:
        print_json(found)
    elif not quiet:
        print_run(found)
    outcomes = (outcome for outcome, count in found["statements"].items() if count)
    raise typer.Exit(int(found["status"] != "complete") or fail_on.code(outcomes))


def _changed(run: str, change: Callable[[Board, str], None]) -> None:
    """Change the state of a run, and print it."""
    from claimgraph.kgstore.runs.board import Board
    from claimgraph.runs import runs_report
    from claimgraph.settings import load_settings
    from claimgraph.wiring import open_store

    with open_store(load_settings()) as store:
        board, key = Board(store), runs_report.full_id(store, run)
        change(board, key)
        typer.echo(runs_report.in_words(runs_report.as_json(board.progress(key))))


def _gone_on(run: str, change: Callable[[Board, str], list[Task]]) -> None:
    """Make tasks of a run ready, and perform or send them."""
    from claimgraph.kgstore.runs.board import Board
    from claimgraph.runs import runs_report
    from claimgraph.settings import load_settings
    from claimgraph.wiring import open_store
    from claimgraph.workers.submission.dispatch import Dispatch

    settings = load_settings()
    dispatch = Dispatch(settings)
    with resumable(), open_store(settings) as store:
        key = runs_report.full_id(store, run)
        dispatch(change(Board(store), key))
        if dispatch.here:
            work(store, dispatch, key)
    if dispatch.here:
        finish(settings, key)
    say_queued(dispatch, key)

"""Show progress bars for commands that process many texts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from claimgraph.kgstore.runs.jobs import Progress as Run


@contextmanager
def bar(things: str = "texts") -> Iterator[Callable[[int, int], None]]:
    """Yield a function to call with (done, total). On standard error; silent where that is no terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    columns = (TextColumn(things), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        task = progress.add_task(things, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)


@contextmanager
def stages() -> Iterator[Callable[[Run], None]]:
    """Yield a function to call with a run: a bar for its documents and one for each stage. On standard error; where
    that is no terminal, a line when something has changed.
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn

    from claimgraph.runs.runs_report import as_json, in_words

    console, told, bars = Console(stderr=True), "", dict[str, TaskID]()
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:

        def advance(run: Run) -> None:
            nonlocal told
            if console.is_terminal:
                for name, done, total in _bars(run):
                    if name not in bars:
                        bars[name] = progress.add_task(name)
                    progress.update(bars[name], completed=done, total=total)
            elif told != (told := in_words(as_json(run))):
                console.print(told, highlight=False, soft_wrap=True)

        yield advance


def _bars(run: Run) -> Iterator[tuple[str, int, int]]:
    """Yield the name, the number of finished items and the total of each bar."""
    yield "documents", run.done + run.failed + run.parked, run.total
    for stage in run.stages:
        over = stage.done + stage.parked
        yield stage.stage, over, over + stage.queued + stage.running

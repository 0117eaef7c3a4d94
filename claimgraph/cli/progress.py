"""A progress bar for commands that work through many texts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def bar(things: str = "texts") -> Iterator[Callable[[int, int], None]]:
    """Tell it (done, in all). On standard error; silent where that is no terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    columns = (TextColumn(things), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        task = progress.add_task(things, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)

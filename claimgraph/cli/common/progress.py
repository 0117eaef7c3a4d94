"""Show progress bars for commands that process many texts."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from claimgraph.kgstore.model import EntailmentModel
    from claimgraph.kgstore.runs.jobs import Progress as Run
    from claimgraph.wiring import Models

_PAIRS = 64
"""Pairs that are read between two steps of the bar."""


@contextmanager
def bar(things: str = "texts") -> Iterator[Callable[[int, int], None]]:
    """Yield a function to call with (done, total). On standard error; silent where that is no terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    columns = (TextColumn(things), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal, transient=True) as progress:
        task = progress.add_task(things, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)


class CountedEntailment:
    """An entailment model that reads pairs a few at a time and tells after each how many of them are done.

    A pair's score does not depend on the pairs beside it, so the result is that of one call.
    """

    def __init__(self, model: EntailmentModel, advance: Callable[[int, int], None]) -> None:
        self._model, self._advance, self.model = model, advance, model.model

    def entail(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """See EntailmentModel."""
        import numpy as np

        parts = []
        for start in range(0, len(pairs), _PAIRS):
            self._advance(start, len(pairs))
            parts.append(self._model.entail(pairs[start : start + _PAIRS]))
        self._advance(len(pairs), len(pairs))
        return np.concatenate(parts) if parts else self._model.entail(pairs)


@contextmanager
def reading(models: Models) -> Iterator[None]:
    """Show how far the entailment model is, on standard error; nothing where that is no terminal."""
    if not sys.stderr.isatty() or models.entailment is None:
        yield
        return
    with bar("sentences compared") as advance:
        models.entailment = CountedEntailment(models.entailment, advance)
        yield


@contextmanager
def of_run() -> Iterator[Callable[[Run], None]]:
    """Yield a function to call with a run: a bar for its documents, on standard error; where that is no terminal, a
    line when something has changed.
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    from claimgraph.runs.runs_report import as_json, in_words

    console, told = Console(stderr=True), ""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        documents = progress.add_task("documents", total=None)

        def advance(run: Run) -> None:
            nonlocal told
            if console.is_terminal:
                progress.update(documents, completed=run.total - run.queued - run.running, total=run.total)
            elif told != (told := in_words(as_json(run))):
                console.print(told, highlight=False, soft_wrap=True)

        yield advance

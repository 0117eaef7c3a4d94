"""Show progress bars for commands that process many texts."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from rich.progress import Progress, TaskID

    from claimgraph.kgstore.model import Document, EntailmentModel
    from claimgraph.kgstore.runs.jobs import Progress as Run
    from claimgraph.wiring import Models

_PAIRS = 64
"""Pairs that are read between two steps of the bar."""


@contextmanager
def bar(things: str = "texts") -> Iterator[Callable[[int, int], None]]:
    """Yield a function to call with (done, total). On standard error; silent where that is no terminal."""
    with _progress() as progress:
        task = progress.add_task(things, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)


def _progress() -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=console, disable=not console.is_terminal, transient=True)


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


class _Steps:
    """Shows what models have done, a bar for each from its first work on. Implements metric_hooks.Listener."""

    def __init__(self, progress: Progress, totals: Mapping[str, int]) -> None:
        self._progress, self._totals = progress, totals
        self._bars: dict[str, TaskID] = {}

    def looked_up(self, cache: str, hits: int, misses: int) -> None:
        """See metric_hooks.Listener."""

    def computed(self, model: str, size: int) -> None:
        """See metric_hooks.Listener."""
        if model in _SHOWN:
            self._progress.advance(self._bar(model), size)

    def compared(self, done: int, total: int) -> None:
        """Take how many pairs are compared, of how many."""
        self._progress.update(self._bar("entailment"), completed=done, total=total)

    def _bar(self, model: str) -> TaskID:
        if model not in self._bars:
            words = _SHOWN.get(model, "sentences compared")
            self._bars[model] = self._progress.add_task(words, total=self._totals.get(model))
        return self._bars[model]


_SHOWN = {"parser": "characters read", "embedding": "phrases embedded"}


@contextmanager
def reading(models: Models, texts: Sequence[Document]) -> Iterator[None]:
    """Show how far reading, embedding and comparing of the texts are, on standard error; nothing where that is no
    terminal.
    """
    if not sys.stderr.isatty():
        yield
        return
    from claimgraph.kgstore import metric_hooks

    with _progress() as progress:
        steps = _Steps(progress, {"parser": sum(len(text.text) for text in texts)})
        if models.entailment is not None:
            models.entailment = CountedEntailment(models.entailment, steps.compared)
        metric_hooks.listen(steps)
        try:
            yield
        finally:
            metric_hooks.forget(steps)


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

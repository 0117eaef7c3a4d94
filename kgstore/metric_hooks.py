"""Numbers that somebody may want to keep: how often a cache had what was asked for, how much a model got at once.

Who keeps metrics listens; where nobody does, telling costs a look at an empty list. Counters of a metrics library here
were rejected: which library counts, and in which process, is for the workers to choose.
"""

from __future__ import annotations

from typing import Protocol


class Listener(Protocol):
    """Who is told. Called in the thread that does the work; must not raise."""

    def looked_up(self, cache: str, hits: int, misses: int) -> None:
        """Of what was asked for, each thing once, a cache had `hits` and had not `misses`."""
        ...

    def computed(self, model: str, size: int) -> None:
        """A model was given `size` things at once."""
        ...


_listeners: list[Listener] = []


def listen(listener: Listener) -> None:
    """Tell this listener from now on, also in processes forked later."""
    _listeners.append(listener)


def forget(listener: Listener) -> None:
    """Tell this listener no more."""
    _listeners.remove(listener)


def looked_up(cache: str, hits: int, misses: int) -> None:
    """Tell who listens."""
    for listener in _listeners:
        listener.looked_up(cache, hits, misses)


def computed(model: str, size: int) -> None:
    """Tell who listens."""
    for listener in _listeners:
        listener.computed(model, size)

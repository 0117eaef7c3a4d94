"""Publish numbers to listeners: hits and misses of caches, batch sizes of models.

Code that keeps metrics registers a listener; without one, a call costs a look at an empty list. Counters of a metrics
library here were rejected: the workers choose which library counts, and in which process.
"""

from __future__ import annotations

from typing import Protocol


class Listener(Protocol):
    """Receives the numbers. Called in the thread that does the work; must not raise."""

    def looked_up(self, cache: str, hits: int, misses: int) -> None:
        """A cache had `hits` and lacked `misses` of the distinct keys."""
        ...

    def computed(self, model: str, size: int) -> None:
        """A model was given `size` items at once: texts, pairs, requests; characters of `parser`."""
        ...


_listeners: list[Listener] = []


def listen(listener: Listener) -> None:
    """Add a listener, also for processes forked later."""
    _listeners.append(listener)


def forget(listener: Listener) -> None:
    """Remove a listener."""
    _listeners.remove(listener)


def looked_up(cache: str, hits: int, misses: int) -> None:
    """Notify all listeners."""
    for listener in _listeners:
        listener.looked_up(cache, hits, misses)


def computed(model: str, size: int) -> None:
    """Notify all listeners."""
    for listener in _listeners:
        listener.computed(model, size)

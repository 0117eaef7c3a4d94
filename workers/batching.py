"""Batch the entailment model's calls of a worker's threads: pairs of many documents become one call.

A thread of its own asks the model, a few pairs of every caller at a time, so that a short document does not wait for a
long one, and a caller waits no longer than it may. To let the callers ask in turn was rejected: one that hangs in the
model cannot stop waiting. The batch size is reported where the scores are cached (detect/models/row_cache.py).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from concurrent.futures import Future, InvalidStateError, wait
from contextlib import suppress
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from claimgraph.settings import Settings
from claimgraph.wiring.models import Models, entailment
from claimgraph.workers.execution.store_retry import Overdue

if TYPE_CHECKING:
    from claimgraph.kgstore.model import EntailmentModel
    from claimgraph.kgstore.store import GraphStore

Pair = tuple[str, str]
Scores = NDArray[np.float32]

GATHERED = 0.005
"""Seconds that the first pairs wait for others: little beside the tenth of a second that a pair takes."""
MOST = 64
"""Most pairs in one call."""


class _Call:
    """One caller's pairs, and the number answered. `spent` is the model's time on it, in seconds."""

    def __init__(self, pairs: Sequence[Pair]) -> None:
        self.pairs, self.found = pairs, list[Scores]()
        self.answered, self.spent = 0, 0.0
        self.answer: Future[Scores] = Future()

    def take(self, count: int) -> Sequence[Pair]:
        """Return the next pairs to ask."""
        return self.pairs[self.answered : self.answered + count]

    def give(self, scores: Scores, seconds: float, limit: float) -> None:
        """Store the scores of the next pairs; the caller gets the complete answer, or an error, as soon as there is
        one.
        """
        self.found.append(scores)
        self.answered += len(scores)
        self.spent += seconds
        if self.answered == len(self.pairs):
            self.end(np.concatenate(self.found))
        elif self.spent > limit:
            self.end(Overdue(limit))

    def end(self, answer: Scores | BaseException) -> None:
        """Answer, or raise, where the caller still waits."""
        with suppress(InvalidStateError):
            if isinstance(answer, BaseException):
                self.answer.set_exception(answer)
            else:
                self.answer.set_result(answer)


class MicroBatched:
    """An entailment model that answers concurrent callers together. Implements EntailmentModel; thread-safe.

    `limit` is the most seconds the model may take for one caller's pairs, or for any one call.
    """

    def __init__(self, model: EntailmentModel, limit: float, *, gathered: float = GATHERED, most: int = MOST) -> None:
        self.model = model.model
        self._entailment, self._limit = model, limit
        self._gathered, self._most = gathered, most
        self._changed = threading.Condition()
        self._open: list[_Call] = []
        self._thread: threading.Thread | None = None
        self._asked_at: float | None = None

    def entail(self, pairs: Sequence[Pair]) -> Scores:
        """Return the model's scores, shape (len(pairs), 3). Raises what the model raises for these pairs, and
        Overdue.
        """
        if not pairs:
            return self._entailment.entail(pairs)
        call = _Call(pairs)
        with self._changed:
            self._open.append(call)
            self._changed.notify()
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="entailment", daemon=True)
                self._thread.start()
        while not wait([call.answer], timeout=self._limit).done:
            self._refuse_hanging(call)
        return call.answer.result()

    def _refuse_hanging(self, call: _Call) -> None:
        with self._changed:
            hangs = self._asked_at is not None and time.monotonic() - self._asked_at >= self._limit
            if hangs and call.answer.cancel():
                raise Overdue(self._limit)

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._open)
                self._changed.wait_for(self._enough, timeout=self._gathered)
                taken = self._share_out()
            self._ask([(call, call.take(count)) for call, count in taken])
            with self._changed:
                self._open = [call for call in self._open if not call.answer.done()]

    def _enough(self) -> bool:
        return sum(len(call.pairs) - call.answered for call in self._open) >= self._most

    def _share_out(self) -> list[tuple[_Call, int]]:
        """Return the callers with their numbers of pairs: equal shares, the oldest call first, which gets the
        remainder.
        """
        self._open = [call for call in self._open if not call.answer.done()]
        taken, left = [], self._most
        for number, call in enumerate(self._open[: self._most]):
            count = min(len(call.pairs) - call.answered, -(-left // (len(self._open) - number)))
            taken.append((call, count))
            left -= count
        return taken

    def _ask(self, taken: Sequence[tuple[_Call, Sequence[Pair]]]) -> None:
        """Ask for all at once; where that fails, for each caller alone, so that the error is that caller's only."""
        if not taken:
            return
        pairs = [pair for _, some in taken for pair in some]
        try:
            scores, seconds = self._timed(pairs)
        except BaseException as error:
            if len(taken) == 1:
                taken[0][0].end(error)
                return
            for one in taken:
                self._ask([one])
            return
        start = 0
        for call, some in taken:
            call.give(scores[start : start + len(some)], seconds * len(some) / len(pairs), self._limit)
            start += len(some)

    def _timed(self, pairs: Sequence[Pair]) -> tuple[Scores, float]:
        self._asked_at = began = time.monotonic()
        try:
            return self._entailment.entail(pairs), time.monotonic() - began
        finally:
            self._asked_at = None


class Shared(Models):
    """Models whose entailment model is shared by the threads of a process."""

    def __init__(self, settings: Settings, store: GraphStore | None = None) -> None:
        super().__init__(settings, store)
        self._making = threading.Lock()
        self._batched: MicroBatched | None = None

    @property
    def entailment(self) -> EntailmentModel | None:
        """The settings' model, or None."""
        with self._making:
            if self._batched is None and (found := entailment(self._settings)):
                self._batched = MicroBatched(found, self._settings.task_seconds)
            return self._batched

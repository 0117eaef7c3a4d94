"""Cut connections of slow clients, which would otherwise take all open files of the server.

uvicorn waits without end for the head of a request and for who does not read an answer. A proxy before the server would
do this too; the server must not need one. Bodies have their limit in access.py, where they are read.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, ClassVar

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

if TYPE_CHECKING:
    from fastapi import FastAPI


def server(app: FastAPI) -> uvicorn.Server:
    """Return the server of the application, which is given its sockets when it is run."""
    return uvicorn.Server(
        uvicorn.Config(
            app,
            http=BoundedConnection,
            log_level="warning",
            timeout_keep_alive=15,
            h11_max_incomplete_event_size=65536,
        )
    )


class BoundedConnection(H11Protocol):
    """One connection: its client sends the head of a request, and takes an answer, within time."""

    head_seconds: ClassVar[float] = 15.0
    """Time for the head of a request, from the connection or the end of the answer before."""
    unread_seconds: ClassVar[float] = 60.0
    """Time in which a client reads something of an answer that waits for it."""
    most: ClassVar[int] = 500
    """Connections at once; with one more, the one that has waited longest for a head goes."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a head."""
        super().connection_made(transport)
        self._since = self._read_at = self.loop.time()
        self._left = 0
        self._watch = self.loop.call_later(self._every, self._look)
        if len(self.connections) > self.most:
            waiting = [other for other in self.connections if isinstance(other, BoundedConnection) and other._waits]
            if waiting:
                min(waiting, key=lambda other: other._since).transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Look no more."""
        self._watch.cancel()
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        """Begin to wait for the next head."""
        self._since = self.loop.time()
        super().on_response_complete()

    @property
    def _waits(self) -> bool:
        """Whether no request is being answered."""
        return self.cycle is None or bool(self.cycle.response_complete)

    @property
    def _every(self) -> float:
        return min(self.head_seconds, self.unread_seconds) / 5

    def _look(self) -> None:
        now, left = self.loop.time(), int(self.transport.get_write_buffer_size())
        if left == 0 or left != self._left:
            self._left, self._read_at = left, now
        if self._waits and now - self._since > self.head_seconds:
            self.transport.close()
        elif now - self._read_at > self.unread_seconds:
            self.transport.abort()
        else:
            self._watch = self.loop.call_later(self._every, self._look)

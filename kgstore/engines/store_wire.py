"""Messages between two processes that share an embedded store: eight bytes of length, then JSON without loss.

Pickle, as multiprocessing's connections send it, was rejected: reading it can run code.
"""

from __future__ import annotations

import json
import socket
import struct
from functools import cache
from importlib import metadata
from typing import Any

from claimgraph.kgstore import errors
from claimgraph.kgstore.errors import ClaimgraphError, InputError, NotFound, StoreError
from claimgraph.kgstore.values.typed_json import decode, encode

_LENGTH = struct.Struct(">Q")


@cache
def version() -> str:
    """Return the version of claimgraph, which both processes must have; the package's metadata take 5 ms to parse."""
    return metadata.version("claimgraph")


def send(connection: socket.socket, message: dict[str, Any]) -> None:
    """Send one message. Raises OSError where the other side is gone."""
    data = json.dumps(encode(message)).encode()
    connection.sendall(_LENGTH.pack(len(data)) + data)


def receive(connection: socket.socket, most: int | None = None) -> dict[str, Any] | None:
    """Return the next message, or None where the other side has ended. Raises ValueError for one of more than `most`
    bytes and for what is no message; OSError.
    """
    head = _exactly(connection, _LENGTH.size)
    if head is None:
        return None
    (length,) = _LENGTH.unpack(head)
    if most is not None and length > most:
        raise ValueError("too long a message")
    data = _exactly(connection, length)
    found = None if data is None else decode(json.loads(data))
    if found is not None and not isinstance(found, dict):
        raise ValueError("no message")
    return found


def error_message(error: Exception) -> dict[str, Any]:
    """Return the message that tells of an error; one that is not ours becomes a StoreError."""
    kind = type(error) if isinstance(error, ClaimgraphError) else StoreError
    text = str(error) if isinstance(error, ClaimgraphError) else f"{type(error).__name__}: {error}"
    return {"error": kind.__name__, "text": text}


def raised(message: dict[str, Any]) -> ClaimgraphError:
    """Return the error that a message tells of."""
    kind = getattr(errors, str(message["error"]), StoreError)
    usable = isinstance(kind, type) and issubclass(kind, StoreError | InputError) and kind is not NotFound
    error: ClaimgraphError = kind(message["text"]) if usable else StoreError(message["text"])
    return error


def _exactly(connection: socket.socket, count: int) -> bytes | None:
    data = bytearray()
    while len(data) < count:
        piece = connection.recv(min(count - len(data), 1 << 20))
        if not piece:
            return None
        data += piece
    return bytes(data)

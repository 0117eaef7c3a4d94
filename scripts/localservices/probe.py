"""Does a server answer its protocol at this address? Sockets only: no driver is installed yet.

An open port is not enough (a Java process listens before it serves, Redis refuses while it loads), so each probe
speaks the first words of the protocol.
"""

from __future__ import annotations

import socket
import ssl
import struct
from collections.abc import Callable
from urllib.parse import SplitResult, unquote, urlsplit

_DEFAULT_PORTS = {"bolt": 7687, "neo4j": 7687, "redis": 6379, "rediss": 6379, "amqp": 5672, "amqps": 5671}


def address(url: str) -> str:
    """The URL without user and password, fit to print."""
    parts = urlsplit(url)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()


def failure(url: str, seconds: float = 3.0) -> str | None:
    """None when the server at `url` answers its protocol, else why not. Unknown protocols are not judged (None)."""
    parts = urlsplit(url)
    scheme, _, security = parts.scheme.partition("+")
    probe = _PROBES.get(scheme)
    if probe is None:
        return None
    try:
        with _connect(parts, scheme, security, seconds) as connection:
            return probe(connection, parts)
    except (OSError, ValueError) as error:
        return str(error) or type(error).__name__


def _connect(parts: SplitResult, scheme: str, security: str, seconds: float) -> socket.socket:
    host = parts.hostname or "localhost"
    connection = socket.create_connection((host, parts.port or _DEFAULT_PORTS[scheme]), seconds)
    if not security and scheme not in ("rediss", "amqps"):
        return connection
    context = ssl._create_unverified_context() if security == "ssc" else ssl.create_default_context()
    return context.wrap_socket(connection, server_hostname=host)


def _bolt(connection: socket.socket, _: SplitResult) -> str | None:
    """Bolt's handshake: magic, then four offers (here 5.4 down to 5.0, and 4.4); the server picks a version."""
    connection.sendall(struct.pack(">I4I", 0x6060B017, 0x00040405, 0x00000404, 0, 0))
    answer = connection.recv(4)
    return None if len(answer) == 4 and any(answer) else f"no Bolt version agreed ({answer!r})"


def _redis(connection: socket.socket, parts: SplitResult) -> str | None:
    if parts.password:
        words = ["AUTH", *([unquote(parts.username)] if parts.username else []), unquote(parts.password)]
        connection.sendall(_resp(words))
        if not (answer := connection.recv(256)).startswith(b"+OK"):
            return answer.decode(errors="replace").strip() or "closed the connection"
    connection.sendall(_resp(["PING"]))
    answer = connection.recv(256)
    return None if answer.startswith(b"+PONG") else answer.decode(errors="replace").strip() or "closed the connection"


def _resp(words: list[str]) -> bytes:
    parts = [f"${len(word.encode())}\r\n{word}\r\n" for word in words]
    return f"*{len(words)}\r\n{''.join(parts)}".encode()


def _amqp(connection: socket.socket, _: SplitResult) -> str | None:
    """AMQP 0-9-1: the protocol header is answered with a method frame (type 1), Connection.Start."""
    connection.sendall(b"AMQP\x00\x00\x09\x01")
    answer = connection.recv(1)
    return None if answer == b"\x01" else f"not AMQP 0-9-1 ({answer!r})"


_PROBES: dict[str, Callable[[socket.socket, SplitResult], str | None]] = {
    "bolt": _bolt,
    "neo4j": _bolt,
    "redis": _redis,
    "rediss": _redis,
    "amqp": _amqp,
    "amqps": _amqp,
}

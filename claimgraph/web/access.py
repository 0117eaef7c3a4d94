"""Decide who may ask what, before a request reaches a route: host, origin, size, key, scope and rate.

Without keys the server is for this machine alone: it answers only requests that name a loopback host, so that a page
elsewhere cannot reach it through a name of its own. What changes something is refused from another origin.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from ipaddress import ip_address
from urllib.parse import urlsplit

from fastapi import HTTPException
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Send
from starlette.types import Scope as Connection

from claimgraph.web.keys import Key, Keys, Scope
from claimgraph.web.problems import problem, wants_page

COOKIE = "claimgraph_key"
PART_SECONDS, BODY_SECONDS = 15.0, 120.0
"""Time for the next part of a request's body, and for all of it."""
_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
_OPEN = ("/healthz", "/signin", "/static/")
"""Addresses that need no key."""
_ASKING = frozenset({"/api/cypher", "/cypher", "/cypher/csv", "/api/extract"})
"""Addresses whose POST changes nothing."""
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}


def is_loopback(host: str) -> bool:
    """Return whether a host name or address is this machine's loopback."""
    bare = host.strip("[]")
    try:
        return ip_address(bare).is_loopback
    except ValueError:
        return bare == "localhost" or bare.endswith(".localhost")


@dataclass(slots=True)
class Rate:
    """A limit of requests a minute for each client: a bucket that fills steadily and holds a minute's worth."""

    a_minute: int
    clock: Callable[[], float] = time.monotonic
    _left: dict[str, tuple[float, float]] = field(default_factory=dict)

    def wait(self, client: str) -> float:
        """Take one request and return 0, or return the seconds until there is one."""
        now = self.clock()
        left, then = self._left.get(client, (float(self.a_minute), now))
        left = min(float(self.a_minute), left + (now - then) * self.a_minute / 60)
        if len(self._left) > 10_000:
            self._left.clear()
        self._left[client] = (left - 1 if left >= 1 else left, now)
        return 0.0 if left >= 1 else (1 - left) * 60 / self.a_minute


class Access:
    """Middleware around the application; see the module."""

    def __init__(self, app: ASGIApp, *, keys: Keys, rate: Rate, max_bytes: int) -> None:
        self._app, self._keys, self._rate, self._max_bytes = app, keys, rate, max_bytes

    async def __call__(self, scope: Connection, receive: Receive, send: Send) -> None:
        """Answer what is refused; pass the rest on, counting its bytes, and add the headers of safety."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        answer, seen, waiting = _with_headers(send), 0, True
        end = time.monotonic() + BODY_SECONDS

        async def counted() -> Message:
            nonlocal seen, waiting
            message = await (_in_time(receive, end) if waiting else receive())
            waiting = bool(message.get("more_body"))
            seen += len(message.get("body", b""))
            if seen > self._max_bytes:
                raise HTTPException(413, self._too_large)
            return message

        refused = self._refused(scope)
        await (refused or self._app)(scope, counted, answer)

    def _refused(self, scope: Connection) -> Response | None:
        headers, path, method = Headers(scope=scope), scope["path"], scope["method"]
        keys = self._keys.all()
        host = urlsplit(f"//{headers.get('host', '')}").hostname or ""
        if not keys and not is_loopback(host):
            return problem(421, f"{host!r} is not this machine's loopback: without keys no other name is answered")
        if method not in _SAFE and not _same_origin(headers):
            return problem(403, "a request that changes something must come from this server's own pages")
        if int(headers.get("content-length") or 0) > self._max_bytes:
            return problem(413, self._too_large)
        key = self._keys.find(_given(headers)) if keys else None
        if keys and key is None and not path.startswith(_OPEN):
            return _unknown(headers, path)
        if key is not None and not _allows(key, method, path):
            return problem(403, f"the key {key.name!r} may only read")
        client = key.name if key else (scope.get("client") or ("",))[0]
        if wait := self._rate.wait(client):
            return problem(429, f"too many requests: wait {wait:.0f} s", {"Retry-After": str(round(wait + 0.5))})
        return None

    @property
    def _too_large(self) -> str:
        return f"the request is larger than {self._max_bytes / 1024**2:.3g} MiB"


async def _in_time(receive: Receive, end: float) -> Message:
    """Return the next part of a request's body. Raises HTTPException where it does not come."""
    try:
        return await asyncio.wait_for(receive(), max(0.0, min(PART_SECONDS, end - time.monotonic())))
    except TimeoutError:
        raise HTTPException(408, "the request did not come in time", {"Connection": "close"}) from None


def _given(headers: Headers) -> str:
    """Return the key of the request: a bearer's, X-API-Key, or the signed-in browser's."""
    scheme, _, bearer = headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return bearer.strip()
    return headers.get("x-api-key") or cookie_parser(headers.get("cookie", "")).get(COOKIE, "")


def _allows(key: Key, method: str, path: str) -> bool:
    return key.scope is Scope.WRITE or method in _SAFE or path in _ASKING or path.startswith(_OPEN)


def _unknown(headers: Headers, path: str) -> Response:
    if wants_page(headers.get("accept", ""), path):
        return RedirectResponse("/signin", 303)
    return problem(401, "give a key: Authorization: Bearer KEY", {"WWW-Authenticate": "Bearer"})


def _same_origin(headers: Headers) -> bool:
    """Return whether a request comes from this server's page, or from no page at all (a program sends no Origin)."""
    origin = headers.get("origin")
    if origin is None:
        return headers.get("sec-fetch-site", "none") in ("none", "same-origin")
    return urlsplit(origin).netloc == headers.get("host")


def _with_headers(send: Send) -> Send:
    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return sent

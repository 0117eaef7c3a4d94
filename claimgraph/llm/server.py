"""Send one question to an OpenAI-compatible server (OpenAI, Ollama, vLLM, llama.cpp), with httpx alone.

The openai package was rejected: it brings types for a hundred endpoints, and we call one. Foreign errors are translated
here into one line each, which never contains the key.
"""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cached_property, partial
from time import monotonic
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from claimgraph.kgstore.errors import InputError, ServiceError
from claimgraph.kgstore.model import Request
from claimgraph.kgstore.net.retries import BUSY, Again, Deadline, Retries, Turns, seconds_until
from claimgraph.llm import dialect
from claimgraph.llm.completion import Completion, explained, read

if TYPE_CHECKING:
    import ssl

    import httpx

_PATIENCE = 3
"""An answer with all its repeats and pauses takes at most this many times the limit of one attempt."""
_LARGEST = 16 * 2**20
"""Most bytes of an answer that are read."""
_SECRET = 8
"""Least characters of a real key."""
_SHOWN = 200
"""Most characters of a server's answer that an error quotes."""


class Server:
    """The server at `base_url`, asked by any number of threads.

    Busy, broken or silent servers are asked again, as Retries says, for three times `timeout` seconds in all. Parts of
    a request that it refuses (see dialect.py) are not offered to it again, a schema for a schema. Redirects are not
    followed: the other address would get the key.
    """

    def __init__(self, base_url: str, key: str | None, turns: Turns, timeout: float, pause: float) -> None:
        """Raises InputError for an address that is not http, or a key that no header can hold."""
        self._host, self._url = _address(base_url)
        self._key = _sendable(key)
        self._timeout = timeout
        self._retries = Retries(turns, timeout, pause)
        self._without: dict[str | None, frozenset[str]] = {}

    def connections(self) -> httpx.Client:
        """Return connections for some questions, to be closed by the caller."""
        import httpx

        headers = {"Authorization": f"Bearer {self._key}"} if self._key else {}
        return httpx.Client(headers={"Content-Type": "application/json", **headers}, verify=self._trusted)

    @cached_property
    def _trusted(self) -> ssl.SSLContext | bool:
        """Trusted certificates: reading them takes a tenth of a second, which plain http need not spend."""
        import httpx

        return httpx.create_ssl_context() if self._url.startswith("https:") else False

    def ask(self, client: httpx.Client, model: str, request: Request) -> Completion:
        """Return the answer, requested with fewer parts where some are refused.

        Raises Unanswered where repeating did not help, else another ServiceError.
        """
        deadline, without = Deadline(_PATIENCE * self._timeout), self._without.get(request.schema, frozenset())
        while True:
            body = dialect.body(model, request, without)
            once = partial(self._once, client, body)
            try:
                found = self._retries.ask(self._host, once, deadline)
            except _Refused as error:
                part = dialect.refused(error.code, error.said, body)
                if part is None:
                    raise self.error(f"answered {error.code}: {explained(error.said)}") from error
                without |= {part}
                continue
            self._without[request.schema] = without
            return replace(found, without=without)

    def error(self, said: str) -> ServiceError:
        """Return an error of one line with the server and its failure, without the key."""
        return ServiceError(f"the language model at {self._host} {' '.join(self._hidden(said).split())[:_SHOWN]}")

    def _hidden(self, said: str) -> str:
        """Return the text without the key, which some servers quote; a short key is a placeholder, like EMPTY."""
        return said.replace(self._key, "…") if self._key and len(self._key) >= _SECRET else said

    def _once(self, client: httpx.Client, body: dict[str, Any], seconds: float) -> Completion:
        """Make one attempt. Raises Again where another may help, else _Refused."""
        import httpx

        try:
            answer, data = _posted(client, self._url, body, seconds)
        except httpx.TimeoutException as error:
            raise Again(f"gave no answer within {self._timeout:g} s") from error
        except httpx.HTTPError as error:
            raise Again(f"cannot be reached: {error}") from error
        except httpx.InvalidURL as error:
            raise self.error(f"has no usable address: {error}") from error
        said = self._hidden(data.decode(errors="replace"))
        if answer.status_code in BUSY and "insufficient_quota" not in said:
            pause = seconds_until(answer.headers.get("Retry-After"))
            raise Again(f"answered {answer.status_code}: {explained(said)}", pause)
        if answer.is_redirect and (address := answer.headers.get("Location")):
            said = self._hidden(f"it has moved to {address}")
        if answer.status_code != 200:
            raise _Refused(answer.status_code, said)
        try:
            return read(data)
        except UnicodeDecodeError as error:
            raise Again("answered bytes that are no UTF-8") from error
        except (ValueError, RecursionError) as error:
            raise Again(f"answered no JSON: {explained(said)}") from error


class _Refused(Exception):
    """Raised for a server's error that another attempt would repeat."""

    def __init__(self, code: int, said: str) -> None:
        super().__init__(code)
        self.code, self.said = code, said


def _posted(client: httpx.Client, url: str, body: dict[str, Any], seconds: float) -> tuple[httpx.Response, bytes]:
    """Return the response and its body, all of it within the seconds: a server that trickles counts as silent.

    Halves of characters, which servers refuse, are sent as question marks.
    """
    import httpx

    end = monotonic() + seconds
    data, content = bytearray(), json.dumps(body, ensure_ascii=False).encode(errors="replace")
    with client.stream("POST", url, content=content, timeout=seconds) as answer:
        for part in answer.iter_bytes():
            data += part
            if monotonic() > end:
                raise httpx.ReadTimeout("trickles")
            if len(data) > _LARGEST:
                raise httpx.ReadError(f"more than {_LARGEST} bytes")
    return answer, bytes(data)


def _address(base_url: str) -> tuple[str, str]:
    """Return host with port, and the URL to post to. Raises InputError."""
    try:
        parts = urlsplit(base_url)
        host, port = parts.hostname, parts.port
    except ValueError:
        host = None
    if not host or parts.scheme not in ("http", "https"):
        raise InputError("the language model's address must begin with http:// or https://")
    return (f"{host}:{port}" if port else host), f"{base_url.rstrip('/')}/chat/completions"


def _sendable(key: str | None) -> str | None:
    """Return the key. Raises InputError, without the key, where no header can hold it."""
    if key and not (key.isascii() and key.isprintable()):
        raise InputError("CLAIMGRAPH_LLM_API_KEY is sent as it is: plain letters, digits and signs in one line")
    return key or None

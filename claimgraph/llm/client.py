"""One client for OpenAI-compatible servers (OpenAI, Ollama, vLLM, llama.cpp), with httpx alone.

The openai package was rejected: it brings types for a hundred endpoints, and we call one. Foreign errors are
translated here into one line each, in which the key never stands.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from claimgraph.llm import dialect
from claimgraph.llm.completion import Completion, explained, read
from claimgraph.llm.spending import Spending, asked_tokens, estimated_tokens
from kgstore.errors import BudgetSpent, InputError, ServiceError
from kgstore.model import Message, Request
from kgstore.ratelimit import OwnTurns
from kgstore.retries import BUSY, Again, Deadline, Retries, Turns, Unanswered, seconds_until

if TYPE_CHECKING:
    import httpx

_PATIENCE = 3
"""An answer with all its repeats and pauses takes so many times what one attempt may take."""
_LARGEST = 16 * 2**20
"""Bytes of an answer that are read."""
_LOST = 3
"""So many requests in a row without an answer, each asked again and again, and the rest of a batch is not asked."""
_SHOWN = 200
"""Characters of a server's answer that an error quotes."""


class OpenAIChat:
    """A ChatModel at `base_url` ("http://127.0.0.1:11434/v1"); `timeout` in seconds, for one attempt at an answer.

    What is busy, broken or silent is asked again, as Retries says, for three times `timeout` in all; the pauses are
    kept by all who share `limiter`. What a server refuses (see dialect.py) is not offered to it again. No connection
    outlives a call of answer. Raises InputError for what is no http address, or a key that no header can hold.
    """

    def __init__(
        self,
        base_url: str,
        model: str,
        api_key: str | None = None,
        *,
        timeout: float = 60.0,
        max_concurrency: int = 4,
        limiter: Turns | None = None,
        spending: Spending | None = None,
        pause: float = 1.0,
    ) -> None:
        """`max_concurrency` requests are under way at most; `pause` is the first back-off in seconds."""
        self.model, self.spending = model, spending or Spending()
        self._host, self._url = _address(base_url)
        self._key = _sendable(api_key)
        self._timeout, self._most = timeout, max_concurrency
        self._retries = Retries(limiter or OwnTurns(), timeout, pause)
        self._without: frozenset[str] = frozenset()

    def complete(self, messages: Sequence[Message], *, temperature: float, top_p: float = 1.0) -> str:
        """The answer's text. Raises ServiceError where the server fails, is silent, or answers something else."""
        [answer] = self.answer([Request(tuple(messages), temperature, top_p)])
        if isinstance(answer, ServiceError):
            raise answer
        return answer

    def answer(self, requests: Sequence[Request]) -> list[str | ServiceError]:
        """The answers in order; in the place of one that failed stands its error.

        An answer that was cut off is given as far as it goes. Raises BudgetSpent, which holds what was answered.
        """
        import httpx

        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {self._key}"} if self._key else {})
        with httpx.Client(headers=headers) as client:
            batch, pool = _Batch(client), ThreadPoolExecutor(max(1, min(self._most, len(requests))))
            try:
                answers = list(pool.map(lambda request: self._answered(batch, request), requests))
            finally:
                pool.shutdown(cancel_futures=True)
        if spent := next((answer for answer in answers if isinstance(answer, BudgetSpent)), None):
            raise BudgetSpent(str(spent), answers)
        return answers

    def _answered(self, batch: _Batch, request: Request) -> str | ServiceError:
        if batch.lost >= _LOST:
            return self._error(f"is not asked any more: {_LOST} requests in a row failed")
        try:
            self.spending.check()
            completion = self._asked(batch.client, request)
        except BudgetSpent as spent:
            return spent
        except ServiceError as error:
            self.spending.called(failed=True)
            batch.lost += isinstance(error, Unanswered)
            return self._error(error.reason) if isinstance(error, Unanswered) else error
        batch.lost = 0
        self._count(request, completion)
        return self._error(completion.problem) if completion.text is None else completion.text

    def _count(self, request: Request, completion: Completion) -> None:
        given, got = completion.tokens_in, completion.tokens_out
        self.spending.called(
            asked_tokens(request) if given is None else given,
            estimated_tokens(completion.text or "") if got is None else got,
            estimated=given is None or got is None,
            failed=completion.text is None,
        )

    def _asked(self, client: httpx.Client, request: Request) -> Completion:
        """The answer, asked for with less and less where the server refuses parts of the request.

        Raises Unanswered, or another ServiceError for what would fail again.
        """
        deadline, without = Deadline(_PATIENCE * self._timeout), self._without
        while True:
            body = dialect.body(self.model, request, without)
            once = partial(self._once, client, body)
            try:
                found = self._retries.ask(self._host, once, deadline)
            except _Refused as error:
                part = dialect.refused(error.code, error.said, body)
                if part is None:
                    raise self._error(f"answered {error.code}: {explained(error.said)}") from error
                without |= {part}
                continue
            self._without |= without
            return found

    def _once(self, client: httpx.Client, body: dict[str, Any], seconds: float) -> Completion:
        """One attempt. Raises Again where another may help, else _Refused."""
        import httpx

        try:
            answer, data = _posted(client, self._url, json.dumps(body), seconds)
        except httpx.TimeoutException as error:
            raise Again(f"gave no answer within {seconds:.3g} s") from error
        except httpx.HTTPError as error:
            raise Again(f"cannot be reached: {error}") from error
        except httpx.InvalidURL as error:
            raise self._error(f"has no usable address: {error}") from error
        said = data.decode(errors="replace")
        if answer.status_code in BUSY and "insufficient_quota" not in said:
            pause = seconds_until(answer.headers.get("Retry-After"))
            raise Again(f"answered {answer.status_code}: {explained(said)}", pause)
        if answer.status_code != 200:
            raise _Refused(answer.status_code, said or answer.headers.get("Location", ""))
        return read(data)

    def _error(self, said: str) -> ServiceError:
        hidden = said.replace(self._key, "…") if self._key else said
        return ServiceError(f"the language model at {self._host} {' '.join(hidden.split())[:_SHOWN]}")


@dataclass(slots=True)
class _Batch:
    """One call of answer: its connections, and how many requests in a row got no answer."""

    client: httpx.Client
    lost: int = 0


class _Refused(Exception):
    """A server's answer that is none and would be the same again."""

    def __init__(self, code: int, said: str) -> None:
        super().__init__(code)
        self.code, self.said = code, said


def _posted(client: httpx.Client, url: str, body: str, seconds: float) -> tuple[httpx.Response, bytes]:
    """The response and its body, all of it within the seconds: a server that trickles is silent too."""
    import httpx

    end = monotonic() + seconds
    data = bytearray()
    with client.stream("POST", url, content=body, timeout=seconds) as answer:
        for part in answer.iter_bytes():
            data += part
            if monotonic() > end:
                raise httpx.ReadTimeout("trickles")
            if len(data) > _LARGEST:
                raise httpx.ReadError(f"more than {_LARGEST} bytes")
    return answer, bytes(data)


def _address(base_url: str) -> tuple[str, str]:
    """Host with port, and the address to ask. Raises InputError."""
    try:
        parts = urlsplit(base_url)
        host, port = parts.hostname, parts.port
    except ValueError:
        host = None
    if not host or parts.scheme not in ("http", "https"):
        raise InputError("the language model's address must begin with http:// or https://")
    return (f"{host}:{port}" if port else host), f"{base_url.rstrip('/')}/chat/completions"


def _sendable(key: str | None) -> str | None:
    """Raises InputError, without the key, where no header can hold it."""
    if key and not (key.isascii() and key.isprintable()):
        raise InputError("CLAIMGRAPH_LLM_API_KEY is sent as it is: plain letters, digits and signs in one line")
    return key or None

"""One client for OpenAI-compatible servers (OpenAI, Ollama, vLLM, llama.cpp), with httpx alone.

The openai package was rejected: it brings types for a hundred endpoints, and we call one. Foreign errors are
translated here into one line each, in which the key never stands.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from kgstore.errors import InputError, ServiceError
from kgstore.model import Message, Request

if TYPE_CHECKING:
    import httpx

_BUSY = frozenset({429, 500, 502, 503, 504})
_SHOWN = 200
"""Characters of a server's answer that an error quotes."""


class OpenAIChat:
    """A ChatModel at `base_url` ("http://127.0.0.1:11434/v1"); `timeout` in seconds, for one answer.

    Asks once more where the server is busy or failed, after the pause it names, unless that is longer than `timeout`.
    Holds no connection between answers. Raises InputError for what is no http address.
    """

    def __init__(self, base_url: str, model: str, api_key: str | None = None, timeout: float = 60.0) -> None:
        self.model = model
        parts = urlsplit(base_url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise InputError("the language model's address must begin with http:// or https://")
        self._where = parts.hostname
        self._url = f"{base_url.rstrip('/')}/chat/completions"
        self._key = api_key
        self._timeout = timeout

    def complete(self, messages: Sequence[Message], *, temperature: float, top_p: float = 1.0) -> str:
        """The answer's text. Raises ServiceError where the server fails, is silent, or answers something else."""
        import httpx

        asked = {"model": self.model, "messages": [asdict(message) for message in messages]}
        try:
            answer = self._post({**asked, "temperature": temperature, "top_p": top_p})
        except httpx.TimeoutException as error:
            raise self._error(f"gave no answer within {self._timeout:g} s") from error
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise self._error(f"cannot be reached: {error}") from error
        if answer.status_code != 200:
            raise self._error(f"answered {answer.status_code}: {answer.text}")
        try:
            text = answer.json()["choices"][0]["message"]["content"]
        except (ValueError, LookupError, TypeError) as error:
            raise self._error(f"answered no chat completion: {answer.text}") from error
        if not isinstance(text, str):
            raise self._error("answered no text")
        return text

    def answer(self, requests: Sequence[Request]) -> list[str | ServiceError]:
        """The answers in order; in the place of one that failed stands its error."""
        return [self._answered(request) for request in requests]

    def _answered(self, request: Request) -> str | ServiceError:
        try:
            return self.complete(request.messages, temperature=request.temperature, top_p=request.top_p)
        except ServiceError as error:
            return error

    def _post(self, body: dict[str, object]) -> httpx.Response:
        import httpx

        headers = {"Authorization": f"Bearer {self._key}"} if self._key else {}
        answer = httpx.post(self._url, json=body, headers=headers, timeout=self._timeout)
        if answer.status_code not in _BUSY:
            return answer
        pause = _pause(answer.headers.get("Retry-After", "0"))
        if pause > self._timeout:
            return answer
        time.sleep(pause)
        return httpx.post(self._url, json=body, headers=headers, timeout=self._timeout)

    def _error(self, said: str) -> ServiceError:
        hidden = said.replace(self._key, "…") if self._key else said
        return ServiceError(f"the language model at {self._where} {' '.join(hidden.split())[:_SHOWN]}")


def _pause(header: str) -> float:
    """Seconds that a Retry-After header asks for, given as a number or as a date; 0 for anything else."""
    try:
        return max(0.0, float(header))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(header).timestamp() - time.time())
    except ValueError:
        return 0.0

"""Embed sentences by an OpenAI-compatible embeddings endpoint, with httpx alone."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from claimgraph.kgstore.errors import InputError, ServiceError
from claimgraph.kgstore.net.retries import Again, Deadline, Retries, Turns, refused

if TYPE_CHECKING:
    import httpx

_BATCH = 64
"""Texts a request."""
_PATIENCE = 3
"""A request with its repeats takes at most this many times the limit of one attempt."""


class ServerEmbedder:
    """The model of an address "http://host/v1#model". Implements Embedder.

    `model` names both, with a hash of the address, so that caches keep servers apart. The key is sent as it is; an
    empty text is sent as a space, which servers take.
    """

    def __init__(self, address: str, key: str | None, turns: Turns, timeout: float) -> None:
        """Raises InputError for an address without host or model."""
        parts = urlsplit(address)
        if not parts.hostname or not parts.fragment:
            raise InputError(f"the embedder {address!r} is no address with a model, as http://127.0.0.1:8080/v1#name")
        self._name, self._host = parts.fragment, parts.netloc.rpartition("@")[2]
        base = address.partition("#")[0].rstrip("/")
        self._url, self._key, self._timeout = f"{base}/embeddings", key, timeout
        self._retries = Retries(turns, timeout)
        shown = "".join(sign if sign.isalnum() or sign in "-." else "_" for sign in self._name)
        self.model = f"{shown}-{hashlib.sha256(address.encode()).hexdigest()[:8]}"

    @cached_property
    def dimension(self) -> int:
        """Length of a vector: one request."""
        return len(self.embed(["claim"])[0])

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return unit vectors, shape (len(texts), d). Raises ServiceError."""
        if not texts:
            return np.zeros((0, self.dimension), np.float32)
        import httpx

        headers = {"Authorization": f"Bearer {self._key}"} if self._key else {}
        with httpx.Client(headers=headers) as client:
            parts = [self._asked(client, texts[at : at + _BATCH]) for at in range(0, len(texts), _BATCH)]
        try:
            rows = np.array([vector for part in parts for vector in part], np.float32)
            length = np.linalg.norm(rows, axis=1, keepdims=True)
        except (ValueError, np.exceptions.AxisError) as error:
            raise self._error("gave vectors of several lengths") from error
        if not (np.isfinite(length) & (length > 0)).all():
            raise self._error("gave a vector without a direction")
        found: NDArray[np.float32] = rows / length
        return found

    def _asked(self, client: httpx.Client, texts: Sequence[str]) -> list[list[float]]:
        """Return the vectors of some texts, in order."""
        given = [text.encode("utf-8", "replace").decode("utf-8") or " " for text in texts]

        def once(seconds: float) -> list[list[float]]:
            import httpx

            try:
                answer = client.post(self._url, json={"model": self._name, "input": given}, timeout=seconds)
            except httpx.TransportError as error:
                raise Again(f"the embedder cannot be reached: {error}") from error
            if answer.status_code != 200:
                raise refused(answer.status_code, answer.headers.get("Retry-After"), answer.text)
            return self._read(answer.content, len(given))

        return self._retries.ask(self._host, once, Deadline(_PATIENCE * self._timeout))

    def _read(self, content: bytes, count: int) -> list[list[float]]:
        try:
            data: list[Any] = json.loads(content)["data"]
            found = {int(row["index"]): [float(value) for value in row["embedding"]] for row in data}
            return [found[at] for at in range(count)]
        except (ValueError, TypeError, KeyError) as error:
            raise self._error(f"gave no vectors of {count} texts") from error

    def _error(self, said: str) -> ServiceError:
        return ServiceError(f"the embedder at {self._host} {said}")

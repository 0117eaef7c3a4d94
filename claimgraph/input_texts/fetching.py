"""Fetch a document from an address, where a user asks for it: within limits of size, time and redirections."""

from __future__ import annotations

import time
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

from claimgraph.input_texts.documents import document_from_bytes
from claimgraph.input_texts.formats import FORMATS
from claimgraph.kgstore.errors import InputError, ServiceError
from claimgraph.kgstore.model import Document

SECONDS = 30.0
"""Time that one address may take, all redirections and all of its text together."""
_REDIRECTIONS = 5
_TYPES = {
    "text/html": ".html",
    "application/xhtml+xml": ".html",
    "application/pdf": ".pdf",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": ".docx",
    "text/plain": "",
    "text/markdown": "",
}
"""Endings by media type; others are refused."""


def fetched(address: str, max_mib: float, seconds: float = SECONDS) -> Document:
    """Return the document at an address; its name and source are the address that was given.

    Raises ServiceError where nothing answers in time or the answer is an error, InputError for what is too large or in
    another format.
    """
    import httpx

    end, limit, data = time.monotonic() + seconds, int(max_mib * 1024 * 1024), bytearray()
    headers = {"User-Agent": "claimgraph", "Accept": ", ".join(_TYPES)}
    try:
        with (
            httpx.Client(
                timeout=min(seconds, 10.0), follow_redirects=True, max_redirects=_REDIRECTIONS, headers=headers
            ) as client,
            client.stream("GET", address) as answer,
        ):
            if answer.status_code != httpx.codes.OK:
                raise ServiceError(f"{address}: the server answered {answer.status_code} {answer.reason_phrase}")
            suffix = _suffix(address, answer.headers.get("content-type", ""))
            for piece in answer.iter_bytes():
                data += piece
                if len(data) > limit:
                    raise InputError(f"{address}: larger than {max_mib:g} MiB, the limit of CLAIMGRAPH_MAX_TEXT")
                if time.monotonic() > end:
                    raise ServiceError(f"{address}: not all of it came in {seconds:g} seconds")
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise ServiceError(f"{address}: {' '.join(str(error).split()) or type(error).__name__}") from error
    return document_from_bytes(bytes(data), address, max_mib, name=address, suffix=suffix)


def _suffix(address: str, content_type: str) -> str:
    media = content_type.partition(";")[0].strip().lower()
    if media in _TYPES:
        return _TYPES[media]
    ending = PurePosixPath(unquote(urlsplit(address).path)).suffix.lower()
    if media in ("", "application/octet-stream", "binary/octet-stream") and ending in (*FORMATS, ".txt", ".md"):
        return ending
    raise InputError(f"{address}: of type {media or 'unknown'}, which is not read; {', '.join(_TYPES)} are")

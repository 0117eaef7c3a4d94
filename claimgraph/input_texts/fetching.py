"""Fetch a document from an address, where a user asks for it: within limits of size, time and redirections.

The address may come from a text that another wrote, so it must not reach what only this machine or its network can: a
name is looked up here, all its addresses must be public, and the connection goes to one of these, at every redirection
anew. Looking up and letting the client look up again was rejected: a name server may answer otherwise the second time.
"""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import ip_address, ip_network
from pathlib import PurePosixPath
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from claimgraph.input_texts.documents import document_from_bytes
from claimgraph.input_texts.formats import FORMATS
from claimgraph.kgstore.errors import InputError, ServiceError
from claimgraph.kgstore.model import Document

if TYPE_CHECKING:
    import httpx

SECONDS = 30.0
"""Time that one address may take, all redirections and all of its text together."""
_REDIRECTIONS = 5
_UNICAST = ip_network("2000::/3")
"""The IPv6 addresses that are given to hosts of the Internet; the others are of a site, or carry IPv4 to a gateway."""
_TYPES = {
    "text/html": ".html",
    "application/xhtml+xml": ".html",
    "application/pdf": ".pdf",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": ".docx",
    "text/plain": "",
    "text/markdown": "",
}
"""Endings by media type; others are refused."""


def fetched(address: str, max_mib: float, seconds: float = SECONDS, *, private: bool = False) -> Document:
    """Return the document at an address; its name and source are the address that was given.

    With `private` it may lie on this machine or in its network.

    Raises ServiceError where nothing answers in time or the answer is an error, InputError for what is too large or in
    another format.
    """
    import httpx

    end, limit, data = time.monotonic() + seconds, int(max_mib * 1024 * 1024), bytearray()
    headers = {"User-Agent": "claimgraph", "Accept": ", ".join(_TYPES), "Accept-Encoding": "identity"}
    try:
        with (
            httpx.Client(timeout=min(seconds, 10.0), headers=headers) as client,
            _answer(client, address, private=private) as answer,
        ):
            if answer.status_code != httpx.codes.OK:
                raise ServiceError(f"{address}: the server answered {answer.status_code} {answer.reason_phrase}")
            if answer.headers.get("content-encoding", "identity") != "identity":
                raise InputError(f"{address}: packed, though it was asked for as it is")
            suffix = _suffix(address, answer.headers.get("content-type", ""))
            for piece in answer.iter_raw():
                data += piece
                if len(data) > limit:
                    raise InputError(f"{address}: larger than {max_mib:g} MiB, the limit of CLAIMGRAPH_MAX_TEXT")
                if time.monotonic() > end:
                    raise ServiceError(f"{address}: not all of it came in {seconds:g} seconds")
    except (httpx.HTTPError, httpx.InvalidURL, UnicodeError, OSError) as error:
        raise ServiceError(f"{address}: {' '.join(str(error).split()) or type(error).__name__}") from error
    return document_from_bytes(bytes(data), address, max_mib, name=address, suffix=suffix)


@contextmanager
def _answer(client: httpx.Client, address: str, *, private: bool) -> Iterator[httpx.Response]:
    """Yield the answer at the end of all redirections, its body unread."""
    import httpx

    url = httpx.URL(address)
    for _ in range(_REDIRECTIONS + 1):
        if url.scheme not in ("http", "https"):
            raise InputError(f"{address}: leads to {url.scheme or 'no scheme'}, not to http or https")
        host = url.raw_host.decode("ascii")
        to = url.copy_with(host=_looked_up(address, host, url.port, private=private))
        named = {"Host": url.netloc.decode("ascii")}
        with client.stream("GET", to, headers=named, extensions={"sni_hostname": host}) as answer:
            if not answer.has_redirect_location:
                yield answer
                return
            url = url.join(answer.headers["location"])
    raise ServiceError(f"{address}: more than {_REDIRECTIONS} redirections")


def _looked_up(address: str, host: str, port: int | None, *, private: bool) -> str:
    """Return an address of the host as digits. Raises InputError where any is not public and `private` is not set."""
    found = [str(entry[4][0]) for entry in socket.getaddrinfo(host.strip("[]"), port or 80, type=socket.SOCK_STREAM)]
    for one in found:
        if not (private or _is_public(one)):
            raise InputError(
                f"{address}: {host} is at {one}, which is not public; CLAIMGRAPH_FETCH_PRIVATE=1 allows it"
            )
    return found[0]


def _is_public(digits: str) -> bool:
    """Return whether an address can be reached from everywhere; of IPv6 that carries IPv4, both."""
    found = ip_address(digits.partition("%")[0])
    if found.version == 6:
        if found.ipv4_mapped is not None:
            return _is_public(str(found.ipv4_mapped))
        inner = [found.sixtofour, *(found.teredo or ())]
        if found not in _UNICAST or any(one is not None and not one.is_global for one in inner):
            return False
    return found.is_global and not found.is_multicast


def _suffix(address: str, content_type: str) -> str:
    media = content_type.partition(";")[0].strip().lower()
    if media in _TYPES:
        return _TYPES[media]
    ending = PurePosixPath(unquote(urlsplit(address).path)).suffix.lower()
    if media in ("", "application/octet-stream", "binary/octet-stream") and ending in (*FORMATS, ".txt", ".md"):
        return ending
    raise InputError(f"{address}: of type {media or 'unknown'}, which is not read; {', '.join(_TYPES)} are")

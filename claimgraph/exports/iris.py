"""Name what is stored by IRIs: ids are hashes, so the same thing has the same name in every export."""

from __future__ import annotations

from urllib.parse import quote, urlsplit

_BASE = "urn:claimgraph:"


def iri(key: str) -> str:
    """Return the IRI of an id."""
    return _BASE + quote(key, safe=":")


def place(source: str | None) -> str | None:
    """Return a source that is an address on the web, None for any other."""
    return source if source and urlsplit(source).scheme in ("http", "https") else None

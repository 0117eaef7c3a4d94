"""Find the one id that begins as a person wrote it, as git does: ids have 66 characters, and nobody types them."""

from __future__ import annotations

from collections.abc import Sequence

from claimgraph.kgstore.errors import InputError, NotFound
from claimgraph.kgstore.store import GraphStore

SHOWN = 11
"""Characters of an id that are shown: its kind and eight hexadecimal digits."""
_LEAST = 4
_PREFIXES = {"claim": "c1:", "document": "d1:", "check": "r1:", "run": "b1:"}
_CANDIDATES = 5


def find_id(store: GraphStore, beginning: str, kinds: Sequence[str]) -> str:
    """Return the id of one of the kinds (claim, document, check, run) that begins so, with or without its `c1:`.

    Raises NotFound for none, InputError for several, whose beginnings it names, and for fewer than four digits.
    """
    found = ids_like(store, beginning, kinds, _CANDIDATES + 1)
    if beginning in found:
        return beginning
    kind = " or ".join(kinds)
    if not found:
        raise NotFound(kind, beginning)
    if len(beginning.rpartition(":")[2]) < _LEAST:
        raise InputError(f"{beginning!r} is too short for an id: give at least {_LEAST} digits")
    if len(found) > 1:
        shown = ", ".join(_apart(found))
        more = ", ..." if len(found) > _CANDIDATES else ""
        raise InputError(f"several ids begin with {beginning!r}: {shown}{more}; give more of the id")
    return found[0]


def ids_like(store: GraphStore, beginning: str, kinds: Sequence[str], limit: int) -> list[str]:
    """Return ids of these kinds that begin so, by id, at most `limit` of each kind."""
    prefixes = [_PREFIXES[kind] for kind in kinds]
    starts = [one for one in prefixes if beginning.startswith(one)]
    beginnings = [beginning] if starts else [one + beginning for one in prefixes if ":" not in beginning]
    return [row["id"] for one in beginnings for row in store.read("ids_like", beginning=one, limit=limit)]


def _apart(ids: Sequence[str]) -> list[str]:
    """Return the first ids, each as long as tells them apart."""
    shown = ids[:_CANDIDATES]
    length = next((n for n in range(SHOWN, 67) if len({one[:n] for one in shown}) == len(shown)), 66)
    return [one[:length] for one in shown]

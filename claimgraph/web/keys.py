"""Keep API keys: who may read, and who may also check, rule and submit. Only hashes are stored.

A key is 32 random bytes, so a plain SHA-256 cannot be reversed by guessing; passwords would need more.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path

from claimgraph.kgstore.errors import InputError, NotFound

_PREFIX = "cg_"
_LEAST = 32
"""Characters of a given key at least."""


class Scope(StrEnum):
    """What a key allows: READ asks the store; WRITE also checks texts, rules on claims and submits runs."""

    READ = "read"
    WRITE = "write"


@dataclass(frozen=True, slots=True)
class Key:
    """A key by its name, without the key itself."""

    name: str
    scope: Scope
    sha256: str
    created_at: str


class Keys:
    """The keys of one file. It is read again when it changes, so a revoked key is refused at once."""

    def __init__(self, path: Path) -> None:
        self._path, self._read_at, self._held = path, -1, dict[str, Key]()

    def all(self) -> list[Key]:
        """Return the keys, by name. Raises InputError for a damaged file."""
        return sorted(self._keys().values(), key=lambda key: key.name)

    def find(self, given: str) -> Key | None:
        """Return the key that a client has given, or None."""
        return self._keys().get(_hashed(given))

    def add(self, name: str, scope: Scope, given: str | None = None) -> str:
        """Make a key, or take a given one, and return it: it is shown this once. The same one again changes nothing.

        Raises InputError for a name that is taken, and for a given key of fewer than 32 characters.
        """
        if given is not None and len(given) < _LEAST:
            raise InputError(f"a key has at least {_LEAST} characters, all of them random")
        if given is not None and (held := self.find(given)) and (held.name, held.scope) == (name, scope):
            return given
        if any(key.name == name for key in self.all()):
            raise InputError(f"there is a key {name!r} already: revoke it first")
        made = given or _PREFIX + secrets.token_urlsafe(32)
        key = Key(name, scope, _hashed(made), datetime.now(UTC).isoformat(timespec="seconds"))
        self._write({**self._keys(), key.sha256: key})
        return made

    def revoke(self, name: str) -> None:
        """Forget a key. Raises NotFound."""
        left = {sha256: key for sha256, key in self._keys().items() if key.name != name}
        if len(left) == len(self._keys()):
            raise NotFound("key", name)
        self._write(left)

    def _keys(self) -> Mapping[str, Key]:
        try:
            changed = self._path.stat().st_mtime_ns
        except FileNotFoundError:
            return {}
        if changed != self._read_at:
            self._held, self._read_at = _read(self._path), changed
        return self._held

    def _write(self, keys: Mapping[str, Key]) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        fresh = self._path.with_suffix(".new")
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            json.dump([asdict(key) for key in keys.values()], file, indent=1)
        fresh.replace(self._path)
        self._held, self._read_at = dict(keys), self._path.stat().st_mtime_ns


def _read(path: Path) -> dict[str, Key]:
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))
        keys = [Key(row["name"], Scope(row["scope"]), row["sha256"], row["created_at"]) for row in rows]
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path}: not a file of keys ({error})") from error
    return {key.sha256: key for key in keys}


def _hashed(key: str) -> str:
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()

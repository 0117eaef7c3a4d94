"""Load every query and migration from its file: `load(name)` reads it from the installed package.

One query a file, named after its answer. A file begins with `//` lines: what it does, then `// params:`, `// returns:`
and `// index:` (the index or constraint it relies on, or "none"). The same files run on Neo4j and on the embedded
engine. Strings in Python code were rejected: they cannot be read, explained or linted on their own.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

__all__ = ["load", "migrations", "names"]


@cache
def load(name: str) -> str:
    """Return text of the query `name`, as in `load("claims_of_document")`. Raises KeyError for a name that is
    no file.
    """
    path = files(__name__) / "queries" / f"{name}.cypher"
    if not path.is_file():
        raise KeyError(name)
    return path.read_text(encoding="utf-8")


def names() -> list[str]:
    """Return names of all queries, sorted."""
    return _stems("queries")


@cache
def migrations() -> tuple[tuple[str, str], ...]:
    """Return (name, text) of all migrations in the order they apply; a name begins with its four-digit number."""
    folder = files(__name__) / "migrations"
    return tuple((stem, (folder / f"{stem}.cypher").read_text(encoding="utf-8")) for stem in _stems("migrations"))


def _stems(folder: str) -> list[str]:
    entries = (files(__name__) / folder).iterdir()
    return sorted(e.name.removesuffix(".cypher") for e in entries if e.name.endswith(".cypher"))

"""Say which settings of a Neo4j server leave a query without a bound, and what to write into neo4j.conf instead."""

from __future__ import annotations

import re

from claimgraph.kgstore.engines.bolt import BoltStore
from claimgraph.kgstore.errors import StoreError

_TIMEOUT, _KEEP = "db.transaction.timeout", "server.bolt.connection_keep_alive"
_UNBOUNDED = {
    _TIMEOUT: "10m",
    "db.memory.transaction.max": "512m",
    "dbms.memory.transaction.total.max": "700m",
}
"""Settings whose value 0 is no limit, with one for a small server."""
_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "": 1.0}
_SILENT = 30.0
"""Most seconds between signs of life of the server; the driver gives a connection up after two without one."""


def missing_limits(store: BoltStore) -> list[str]:
    """Return the lines that neo4j.conf lacks, and what else is open; empty where the server is bounded.

    Raises StoreError where the server does not show its settings to this user.
    """
    found = store.server_settings([*_UNBOUNDED, _KEEP, "dbms.security.allow_csv_import_from_file_urls"])
    if _TIMEOUT not in found:
        raise StoreError("the server does not show its settings to this user")
    lacking = [f"{name}={value}" for name, value in _UNBOUNDED.items() if not _amount(found.get(name, ""))]
    if not 0 < _seconds(found.get(_KEEP, "")) <= _SILENT:
        lacking.append(f"{_KEEP}=15s")
    if found.get("dbms.security.allow_csv_import_from_file_urls") != "false":
        lacking.append("dbms.security.allow_csv_import_from_file_urls=false")
    return lacking


def _amount(value: str) -> float:
    """Return the number a setting begins with; 0 where it has none."""
    found = re.match(r"\d+(?:\.\d+)?", value)
    return float(found[0]) if found else 0.0


def _seconds(value: str) -> float:
    found = re.fullmatch(r"(\d+)(ms|s|m|h|)", value)
    return int(found[1]) * _SECONDS[found[2]] if found else 0.0

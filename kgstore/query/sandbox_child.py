"""Run a user's query in this process on the embedded engine: `python -m claimgraph.kgstore.query.sandbox_child`, JSON
in, JSON out.

One request on standard input (`graph` the file, `text`, `params`, `rows`, `seconds`, `memory_mib`), one answer on
standard output: `{"columns": [...], "rows": [...]}` or `{"error": ..., "limit": bool}`. Once the graph is loaded the
process may take `memory_mib` more than it has, open no file and no connection (so that LOAD CSV would fail even if the
guard let it through), and use the processor for a bounded time should its parent die. It imports little, since every
query waits for its start.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

from claimgraph.kgstore.query.json_values import plain
from claimgraph.kgstore.values.typed_json import decode


def main() -> None:
    """Answer the one request and end at once, without tearing the graph down."""
    answer = _answer(json.load(sys.stdin))
    sys.stdout.write(answer)
    sys.stdout.flush()
    os._exit(0)


def _answer(request: dict[str, Any]) -> str:
    import kglite

    kglite.set_query_warning_policy("silent")
    session = kglite.open(request["graph"]).session()
    _confine(request["memory_mib"], request["seconds"])
    params = decode(request["params"])
    try:
        view = session.cypher(request["text"], params=params, row_limit=request["rows"], timeout_ms=0)
        rows = [[plain(_bare(row[column])) for column in view.columns] for row in view.to_dicts()]
        return json.dumps({"columns": view.columns, "rows": rows})
    except (kglite.KgError, ValueError, TypeError, OverflowError) as error:
        return json.dumps({"error": str(error).splitlines()[0], "limit": _is_limit(error)})
    except MemoryError:
        return json.dumps({"error": "not enough memory", "limit": True})


def _bare(value: Any) -> Any:
    """Return the value with nodes and relationships as `plain` writes Neo4j's, without what kglite adds to them."""
    if isinstance(value, list):
        return [_bare(member) for member in value]
    if not isinstance(value, dict):
        return value
    if value.keys() == {"id", "labels", "properties"}:
        own = {key: inner for key, inner in value["properties"].items() if key not in {"title", "type"}}
        return {"labels": value["labels"], "properties": own}
    if value.keys() == {"id", "start", "end", "type", "properties"}:
        return {"type": value["type"], "properties": value["properties"]}
    return {key: _bare(inner) for key, inner in value.items()}


def _is_limit(error: Exception) -> bool:
    """Return whether kglite stopped the query for its cost, rather than for its content."""
    return type(error).__name__ == "CypherTimeoutError" or any(w in str(error) for w in ("limit", "budget"))


def _confine(memory_mib: int, seconds: float) -> None:
    """Lower this process's own limits, for good. Where the system has none (Windows), only the parent's clock holds."""
    try:
        import resource
    except ImportError:
        return
    processor = int(seconds * (os.cpu_count() or 1)) + 5
    resource.setrlimit(resource.RLIMIT_CPU, (processor, processor))
    size = _address_space()
    if size is not None:
        most = size + memory_mib * 2**20
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, 0))


def _address_space() -> int | None:
    """Return bytes of address space in use, or None where the system does not say (macOS)."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    except OSError:
        return None
    return pages * os.sysconf("SC_PAGE_SIZE")


if __name__ == "__main__":
    main()

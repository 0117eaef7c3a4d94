"""Convert the values of a user's query to JSON: the same shapes from both engines.

Neo4j's nodes, relationships and paths become maps, times become ISO 8601 text, and values outside JSON (an infinite
number, bytes) become text too. They are recognised by their attributes, so this module does not load the driver.
"""

from __future__ import annotations

import math
from typing import Any


def plain(value: Any) -> Any:
    """Return None, bool, int, finite float, str, or lists and maps of these.

    A node is {labels, properties}, a relationship {type, properties}, a path {nodes, relationships}.
    """
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else repr(value)
    if hasattr(value, "labels"):
        return {"labels": sorted(value.labels), "properties": plain(dict(value))}
    if hasattr(value, "relationships"):
        return {"nodes": plain(list(value.nodes)), "relationships": plain(list(value.relationships))}
    if hasattr(value, "start_node"):
        return {"type": value.type, "properties": plain(dict(value))}
    if isinstance(value, dict):
        return {str(key): plain(inner) for key, inner in value.items()}
    return _scalar(value)


def _scalar(value: Any) -> Any:
    if hasattr(value, "to_native"):  # Neo4j's times write nine digits of a second, Python's those that are not zero
        value = value.to_native()
    for form in ("iso_format", "isoformat", "hex"):
        if hasattr(value, form):
            return getattr(value, form)()
    if isinstance(value, list | tuple | set):
        return [plain(member) for member in value]
    return str(value)

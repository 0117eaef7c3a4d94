"""Encode property values as JSON and back without loss, for a pipe or a file between two stores.

JSON has no dates and cannot distinguish NaN from a name, so these become one-key objects (`{"$datetime": "..."}`), and
an object of the user's becomes `{"$map": {...}}`. Pickle was rejected: reading it can run code.
"""

from __future__ import annotations

import math
from datetime import date, datetime, time
from typing import Any


def encode(value: Any) -> Any:
    """Return a value that `json` can write: None, bool, int, float, str, temporal values, lists and maps of these.

    A number of numpy's is one; anything else, such as an engine's point or duration, becomes its text.
    """
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else {"$float": repr(value)}
    if isinstance(value, list | tuple):
        return [encode(member) for member in value]
    if isinstance(value, dict):
        return {"$map": {str(key): encode(member) for key, member in value.items()}}
    for name, kind in _TEMPORAL.items():
        if isinstance(value, kind):
            return {name: value.isoformat()}
    return encode(value.item()) if hasattr(value, "item") else str(value)  # a number of numpy's, or a text


def decode(value: Any) -> Any:
    """Return the value that `encode` was given. Raises ValueError for an object that encode does not write."""
    if isinstance(value, list):
        return [decode(member) for member in value]
    if not isinstance(value, dict):
        return value
    ((name, inner),) = value.items()
    if name == "$map":
        return {key: decode(member) for key, member in inner.items()}
    if name == "$float":
        return float(inner)
    if name not in _TEMPORAL:
        raise ValueError(f"unknown kind of value {name!r}")
    return _TEMPORAL[name].fromisoformat(inner)


_TEMPORAL: dict[str, type[datetime] | type[date] | type[time]] = {
    "$datetime": datetime,  # before date: every datetime is one
    "$date": date,
    "$time": time,
}

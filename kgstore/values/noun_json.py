"""Write the dataclasses of kgstore/model.py as plain JSON values and read them back by their annotations.

For caches of whole reports. Pickle was rejected: reading it can run code.
"""

from __future__ import annotations

import types
from dataclasses import fields, is_dataclass
from datetime import datetime
from enum import Enum
from functools import cache
from typing import Any, Union, get_args, get_origin, get_type_hints


def as_values(noun: Any) -> Any:
    """Return a dataclass, with those it holds, as a value that `json` can write: the values of its fields in order."""
    if is_dataclass(noun):
        return [as_values(getattr(noun, field.name)) for field in fields(noun)]
    if isinstance(noun, list | tuple):
        return [as_values(member) for member in noun]
    return noun.isoformat() if isinstance(noun, datetime) else noun


def from_values(kind: Any, value: Any) -> Any:
    """Return the `kind` (a dataclass, or what annotates a field) that as_values was given. Raises ValueError or
    TypeError for another's values.
    """
    if value is None:
        return None
    if get_origin(kind) in (Union, types.UnionType):
        kind = next(one for one in get_args(kind) if one is not types.NoneType)
    if get_origin(kind) is tuple:
        return tuple(from_values(get_args(kind)[0], member) for member in value)
    if is_dataclass(kind):
        return _made(kind, value)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind(value)
    return datetime.fromisoformat(value) if kind is datetime else value


def _made(noun: Any, values: list[Any]) -> Any:
    return noun(*map(from_values, _kinds(noun), values))


@cache
def _kinds(noun: type) -> tuple[Any, ...]:
    hints = get_type_hints(noun)
    return tuple(hints[field.name] for field in fields(noun))

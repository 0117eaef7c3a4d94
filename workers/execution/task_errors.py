"""Write an error as the one line that is kept with a task, without secrets of the settings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from urllib.parse import unquote, urlsplit

from claimgraph.kgstore.errors import ClaimgraphError
from claimgraph.kgstore.model import Status
from claimgraph.kgstore.store import Step
from claimgraph.settings import Settings

_LONGEST = 500
_SECRET = 8
"""Least characters of a real secret: a shorter one is a placeholder, and would be found in any text."""
_UNKNOWN = (Status.TIMEOUT, Status.MODEL_FAILED)


@dataclass(frozen=True, slots=True)
class TaskError:
    """The failure of a task: its `kind`, an error's class or the status of claims; the line that says it; and the ids
    of the claims whose outcome it leaves unknown.
    """

    kind: str
    said: str
    claims: tuple[str, ...] = ()


def trouble(error: BaseException, settings: Settings) -> TaskError:
    """Return the failure of an error."""
    return TaskError(type(error).__name__, line(error, settings))


def left_unknown(said: str, steps: Sequence[Step]) -> TaskError:
    """Return the failure of a task that stores verdicts, some of them of unknown outcome for a recorded reason."""
    rows = [row for name, some in steps if name == "put_verdicts" for row in some if row["status"] in _UNKNOWN]
    claims = tuple(dict.fromkeys(row["claim"] for row in rows))
    return TaskError(str(rows[0]["status"]) if rows else "failed", said, claims)


def line(error: BaseException, settings: Settings) -> str:
    """Return the error's message; with its type where it is none of ours, whose messages alone may say nothing."""
    said = " ".join(str(error).split())
    text = said if said and isinstance(error, ClaimgraphError) else f"{type(error).__name__}: {said}".rstrip(": ")
    return hidden(text, settings)[:_LONGEST]


def hidden(text: str, settings: Settings) -> str:
    """Return the text without secrets of the settings: passwords and keys, and addresses that hold one."""
    for secret in _secrets(settings):
        text = text.replace(secret, "…")
    return text


@lru_cache(maxsize=8)
def _secrets(settings: Settings) -> tuple[str, ...]:
    """Return all secrets, the longest first, since an address holds its password."""
    found = [str(getattr(settings, field.name) or "") for field in fields(Settings) if field.metadata["secret"]]
    words = [word for value in found for word in (value, *_password(value))]
    return tuple(sorted({word for word in words if len(word) >= _SECRET}, key=len, reverse=True))


def _password(address: str) -> tuple[str, ...]:
    """Return the password in an address, quoted and unquoted."""
    try:
        found = urlsplit(address).password
    except ValueError:
        return ()
    return (found, unquote(found)) if found else ()

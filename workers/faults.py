"""An error as the one line that is kept with a task: what it says, never a secret of the settings."""

from __future__ import annotations

from dataclasses import fields

from claimgraph.settings import Settings
from kgstore.errors import ClaimgraphError

_LONGEST = 500
_SECRET = 8
"""Characters from which on a secret is one: a shorter one is a placeholder, and would be found in any text."""


def line(error: BaseException, settings: Settings) -> str:
    """What the error says; with its type where it is none of ours, whose messages alone may say nothing."""
    said = " ".join(str(error).split())
    text = said if said and isinstance(error, ClaimgraphError) else f"{type(error).__name__}: {said}".rstrip(": ")
    for secret in _secrets(settings):
        text = text.replace(secret, "…")
    return text[:_LONGEST]


def _secrets(settings: Settings) -> list[str]:
    found = (getattr(settings, field.name) for field in fields(Settings) if field.metadata["secret"])
    return [str(value) for value in found if value and len(str(value)) >= _SECRET]

"""Read a language model's reply of one word or one line; None where it has neither."""

from __future__ import annotations

import re


def told(reply: str, yes: str, no: str) -> bool | None:
    """Return which of two answers comes last, whole words without case: reasoning comes before the result."""
    found = re.findall(rf"\b(?:({yes})|{no})\b", reply, re.IGNORECASE)
    return bool(found[-1]) if found else None


def after(reply: str, label: str) -> str | None:
    """Return the rest of the last line that begins with the label and a colon, without quotes around it."""
    found = re.findall(rf"^[^\w\n]*{label}[^\w\n:]*:(.*)$", reply, re.IGNORECASE | re.MULTILINE)
    return found[-1].strip(" \t*`\"“”'") or None if found else None

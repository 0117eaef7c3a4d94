"""Markdown's marks blanked out of a text, each character by a space, so that what is left stands where it stood."""

from __future__ import annotations

import re

_LINK = re.compile(r"!?\[([^\[\]\n]{1,300})\]\([^()\n]{1,2000}\)")
_MARKS = re.compile(r"\*\*|__|`|^[ \t]*(?:#{1,6}|[-*+•–>]|\d{1,3}[.)])[ \t]+", re.MULTILINE)


def unmarked(text: str) -> str:
    """The text without emphasis, code marks, heading and list marks, and link targets; of the same length."""
    if not any(mark in text for mark in "*_`#-+•–>[1234567890"):
        return text
    text = _LINK.sub(lambda found: _kept(found[0], found.start(1) - found.start(), len(found[1])), text)
    return _MARKS.sub(lambda found: _blank(found[0]), text)


def _kept(link: str, start: int, size: int) -> str:
    return " " * start + link[start : start + size] + " " * (len(link) - start - size)


def _blank(mark: str) -> str:
    return re.sub(r"\S", " ", mark)

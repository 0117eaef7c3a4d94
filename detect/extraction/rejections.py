"""What a language model gave as claims and the text does not say, for readers and for the record of a run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from claimgraph.kgstore.model import Extraction, Rejection

_SHOWN = 3
"""Rejections that a note quotes."""


def notes(extraction: Extraction) -> tuple[str, ...]:
    """One line about the rejected triples, one about the parts of the text that could not be read; none for none."""
    triples = [one for one in extraction.rejected if one.triple]
    unread = [one for one in extraction.rejected if not one.triple]
    said: list[str] = []
    if triples:
        quoted = "; ".join(line(one) for one in triples[:_SHOWN]) + ("; ..." if len(triples) > _SHOWN else "")
        said.append(f"{_count(triples, 'triple')} of the language model rejected: {quoted}")
    if unread:
        quoted = "; ".join(line(one) for one in unread[:_SHOWN]) + ("; ..." if len(unread) > _SHOWN else "")
        said.append(f"{_count(unread, 'part')} of the text could not be read by the language model: {quoted}")
    return tuple(said)


def line(rejection: Rejection) -> str:
    """One rejection in one line: the triple and the reason, or the place and the reason."""
    place = f"characters {rejection.span.start} to {rejection.span.end}"
    what = f"({' | '.join(rejection.triple)})" if rejection.triple else place
    return f"{what}: {rejection.reason}"


def as_json(rejected: Sequence[Rejection]) -> list[dict[str, Any]]:
    """`[{triple, reason, start, end}]`; `triple` is empty where a part of the text could not be read."""
    return [
        {"triple": list(one.triple), "reason": one.reason, "start": one.span.start, "end": one.span.end}
        for one in rejected
    ]


def _count(found: Sequence[Rejection], noun: str) -> str:
    return f"{len(found)} {noun}{'s' * (len(found) != 1)}"

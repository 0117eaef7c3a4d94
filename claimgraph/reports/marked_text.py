"""Cut a text at its statements, so that a page can mark each part in the colour of its verdict."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from claimgraph.kgstore.model import Span
from claimgraph.reports.statements import WORST, StatementVerdict


@dataclass(frozen=True, slots=True)
class TextPart:
    """A piece of a text. `statement` is the index of the worst statement over it, None where there is none."""

    text: str
    statement: int | None


def parts(text: str, found: Sequence[StatementVerdict]) -> list[TextPart]:
    """Return the text in pieces, in order; joined they are the text.

    Where statements overlap the worst outcome decides, then the shorter span, then the first.
    """
    cuts = sorted({0, len(text), *(at for one in found for at in (one.span.start, one.span.end))})
    made: list[TextPart] = []
    for start, end in itertools.pairwise(cuts):
        worst = _worst(found, Span(start, end))
        if made and made[-1].statement == worst:
            made[-1] = TextPart(made[-1].text + text[start:end], worst)
        else:
            made.append(TextPart(text[start:end], worst))
    return made


def _worst(found: Sequence[StatementVerdict], piece: Span) -> int | None:
    over = [at for at, one in enumerate(found) if one.span.start <= piece.start and piece.end <= one.span.end]
    return min(over, key=lambda at: (WORST.index(found[at].outcome), _length(found[at].span), at), default=None)


def _length(span: Span) -> int:
    return span.end - span.start

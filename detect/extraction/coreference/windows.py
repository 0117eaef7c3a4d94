"""Windows of a text in which mentions are compared: blocks of sentences, each with the sentences before it.

A block is long enough to make the context cheap and a window short enough for one pass of the encoder.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from claimgraph.kgstore.model import Span

BLOCK = 1_200
"""Characters of the sentences that are read anew, unless one is longer."""
TAIL = 400
"""Characters at a text's end that are read with the block before them."""
CONTEXT = 600
"""Characters before them, in whole sentences; the first of these may begin earlier, by so much at most."""


def windows(sentences: Sequence[Span], before: Sequence[Span] = ()) -> Iterator[tuple[int, Span]]:
    """Where each window of the sentences begins, and the span of what is new in it; `before` are those read earlier."""
    for block in _blocks(sentences):
        near = (s.start for part in (before, sentences) for s in part if _is_near(s, block.start))
        yield max(next(near, block.start), block.start - 2 * CONTEXT), block


def _is_near(sentence: Span, start: int) -> bool:
    return sentence.start < start and sentence.end > start - CONTEXT


def _blocks(sentences: Sequence[Span]) -> list[Span]:
    found: list[Span] = []
    for sentence in sentences:
        if found and sentence.end - found[-1].start <= BLOCK:
            found[-1] = Span(found[-1].start, sentence.end)
        else:
            found.append(sentence)
    if len(found) > 1 and found[-1].end - found[-1].start <= TAIL:
        found[-2:] = [Span(found[-2].start, found[-1].end)]
    return found

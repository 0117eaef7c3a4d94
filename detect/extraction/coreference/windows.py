"""Windows of a text in which mentions are compared: blocks of sentences, each with the sentences before it.

A block is long enough to make the context cheap and a window short enough for one pass of the encoder.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from claimgraph.kgstore.model import Span

BLOCK = 1_200
"""Characters of the sentences that are read anew, unless one is longer."""
CONTEXT = 600
"""Characters before them, in whole sentences; the first of these may begin earlier, by so much at most."""


def windows(sentences: Sequence[Span], before: Sequence[Span] = ()) -> Iterator[tuple[int, Span]]:
    """Where each window of the sentences begins, and the span of what is new in it; `before` are those read earlier."""
    block: list[Span] = []
    for sentence in sentences:
        if block and sentence.end - block[0].start > BLOCK:
            yield _window(block, before, sentences)
            block = []
        block.append(sentence)
    if block:
        yield _window(block, before, sentences)


def _window(block: Sequence[Span], before: Sequence[Span], sentences: Sequence[Span]) -> tuple[int, Span]:
    start = block[0].start
    near = (s.start for part in (before, sentences) for s in part if s.start < start and s.end > start - CONTEXT)
    return max(next(near, start), start - 2 * CONTEXT), Span(start, block[-1].end)

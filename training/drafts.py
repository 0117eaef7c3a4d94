"""Texts as language models write them about a source, with marks: what in each the source does not bear out.

    # 12 company results
    Revenue rose to 412 million euros. ...
    ==
    Takings [R fell|grew] to 412 million euros thanks to [R weak] demand [N at home].
    ---

A draft stands after its source and a line `==`; pairs have a line `---` between them. `[R ...]` are words that the
source contradicts, `[N ...]` words that it says nothing of; all else is borne out. `[R false|true]` gives beside the
false words true ones, so that such a draft is two: one with all false words, one with all true ones in their place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from claimgraph.detect.text.words import content
from claimgraph.kgstore.model import Claim, Outcome, Span

_APART = re.compile(r"(?m)^---[ \t]*$(?=\s*(?:# \d+ |\Z))")
_TITLE = re.compile(r"# (\d+) ?(.*)\n")
_MARK = re.compile(r"\[([RN]) ?([^\[\]|]+)(?:\|([^\[\]|]*))?\]")
MOST = 0.5
"""Share of a place's words that a statement which tells them has at least."""
_OUTCOMES = {"R": Outcome.REFUTED, "N": Outcome.NOT_ENOUGH_INFO}


@dataclass(frozen=True, slots=True)
class Draft:
    """A text about a context; `errors` are the places of what the context does not bear out, in text order. Both drafts
    of one source have its `document`.
    """

    document: str
    kind: str
    context: str
    text: str
    errors: tuple[tuple[Span, Outcome], ...]

    def outcomes(self, claims: Sequence[Claim]) -> list[Outcome]:
        """Return what each claim is: REFUTED, or else NOT_ENOUGH_INFO, if its statement has most of the words of such a
        place, and no other claim read there has more of them; SUPPORTED otherwise.
        """
        said = [set(content(claim.sentence)) for claim in claims]
        found = [Outcome.SUPPORTED] * len(claims)
        for place, outcome in sorted(self.errors, key=lambda error: error[1] is Outcome.REFUTED):
            words = set(content(self.text[place.start : place.end]))
            over = [
                row for row, claim in enumerate(claims) if claim.span.start < place.end and place.start < claim.span.end
            ]
            shares = {row: len(words & said[row]) / len(words) if words else 1.0 for row in over}
            most = max(shares.values(), default=0.0)
            found = [outcome if shares.get(row, 0.0) >= max(MOST, most) else one for row, one in enumerate(found)]
        return found


def read_drafts(path: Path) -> Iterator[Draft]:
    """Yield the drafts of a file, in order. Raises ValueError for a pair without title or `==`, or half a mark."""
    blocks = (block.strip() for block in _APART.split(path.read_text(encoding="utf-8")))
    for block in (block for block in blocks if block):
        title, (context, parted, marked) = _TITLE.match(block), block.partition("\n==\n")
        if title is None or not parted:
            raise ValueError(f"{path}: a pair without title or ==: {block[:60]!r}")
        for true in (False, True) if any(mark[3] is not None for mark in _MARK.finditer(marked)) else (False,):
            text, errors = _unmarked(marked.strip(), true=true)
            if re.search(r"\[[RN]\b", text):
                raise ValueError(f"{path}: a mark without end in pair {title[1]}")
            yield Draft(f"{path.stem}-{title[1]}", title[2], context[title.end() :].strip(), text, errors)


def _unmarked(marked: str, *, true: bool) -> tuple[str, tuple[tuple[Span, Outcome], ...]]:
    text, errors, last = "", list[tuple[Span, Outcome]](), 0
    for mark in _MARK.finditer(marked):
        mended = true and mark[3] is not None
        said = mark[3] if mended else mark[2]
        text += marked[last : mark.start()]
        if not mended:
            errors.append((Span(len(text), len(text) + len(said)), _OUTCOMES[mark[1]]))
        text, last = text + said, mark.end()
    return text + marked[last:], tuple(errors)

"""Measure the true share of repairs on right texts made wrong in one known place.

A judge is itself often wrong about a corrected text. Here it is certain whether the place was found, its words
restored, and other words changed.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from claimgraph.detect.check_input import Case
from claimgraph.detect.repair.correction import Draft
from claimgraph.detect.text.words import folded, same_name
from claimgraph.evaluation.made.known_edits import KnownEdit, known_edits
from claimgraph.evaluation.statistics.shares import mean
from claimgraph.kgstore.identity import document_id
from claimgraph.kgstore.model import Document, Extraction
from claimgraph.kgstore.values import literals
from claimgraph.kgstore.values.literals import Comparison


@dataclass(frozen=True, slots=True)
class Repairs:
    """Right texts made wrong in one place, as shares of `n`.

    `found`: a suspected claim lies over the place; `repaired`: its words, or an equal value, stand there again;
    `elsewhere`: something other than the place was changed.
    """

    n: int
    found: float | None
    repaired: float | None
    elsewhere: float | None


def drawn_edit(case: Case, seed: int) -> KnownEdit | None:
    """Return one of the text's known edits: a kind drawn first, so that kinds with many places do not crowd out the
    rest.
    """
    document = Document(document_id(case.text), case.text)
    edits = known_edits(Extraction(document, case.sentences, case.claims), seed)
    if not edits:
        return None
    draw = random.Random(f"{seed}:{document.id}")
    kind = draw.choice(sorted({edit.kind for edit in edits}))
    return draw.choice([edit for edit in edits if edit.kind == kind])


def repairs(known: Sequence[tuple[KnownEdit, tuple[Draft, str]]]) -> Repairs:
    """Return the shares over edits, each with the checked draft of the edited text, and the corrected text."""
    return Repairs(len(known), **{name: mean(values) for name, values in outcomes(known).items()})


def outcomes(known: Sequence[tuple[KnownEdit, tuple[Draft, str]]]) -> dict[str, list[float]]:
    """Return 1 or 0 for each edit, by the name of the share of Repairs."""
    return {
        "found": [float(_found(edit, made)) for edit, (made, _) in known],
        "repaired": [float(repaired(edit, text)) for edit, (_, text) in known],
        "elsewhere": [float(elsewhere(edit, text)) for edit, (_, text) in known],
    }


def _found(edit: KnownEdit, made: Draft) -> bool:
    return any(c.claim.span.start < edit.end and edit.start < c.claim.span.end for c in made.suspects)


def elsewhere(edit: KnownEdit, text: str) -> bool:
    """Return whether anything but the place of the edit differs from the original."""
    before, behind = edit.edited[: edit.start], edit.edited[edit.end :]
    room = len(text) >= len(before) + len(behind)
    return not (room and text.startswith(before) and text.endswith(behind))


def repaired(edit: KnownEdit, text: str) -> bool:
    """Return whether the original's words, the same name, or an equal value stand at the place again.

    Where the text was changed elsewhere too, the original's words must stand between the neighbours they had.
    """
    if not elsewhere(edit, text):
        return _same(edit.before, text[edit.start : len(text) - len(edit.edited) + edit.end])
    start, end = edit.start, edit.start + len(edit.before)
    left = edit.original.rfind(" ", 0, max(0, start - 1)) + 1
    right = edit.original.find(" ", end + 1)
    window = edit.original[left : right if right >= 0 else None]
    return text.count(window) >= edit.original.count(window)


def _same(a: str, b: str) -> bool:
    x, y = literals.parse(a), literals.parse(b)
    equal = x is not None and y is not None and literals.compare(x, y) is Comparison.EQUAL
    return a == b or equal or (x is y is None and folded(a) == folded(b)) or (x is y is None and same_name(a, b))

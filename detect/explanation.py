"""The minimal edit script of a whole document: its claims made to say what the evidence picked for each says."""

from __future__ import annotations

from collections.abc import Sequence

from detect import relations
from detect.case import Case
from detect.contrast import Contrast
from detect.edits import Edit, edit_script
from detect.factalign import align
from detect.space import Space
from kgstore.model import Triple


def script_of(case: Case, pairs: Sequence[Contrast | None], space: Space) -> list[Edit]:
    """The script between the claims and their evidence: for each claim the fact that contradicts it, else the nearest
    by KEA's relation selection (eq. 1). `pairs` are the contradictory pairs of the claims, in order."""
    ours, facts = [claim.triple for claim in case.claims], [case.facts.triple(fact) for fact in case.facts.facts]
    said = [f"{t.subject} {relations.spoken(t.predicate)} {t.object}" for t in facts]
    best = align(space.rows([t.text for t in ours]), space.rows(said)).best
    evidence: list[Triple] = []
    for row, pair in zip(best, pairs, strict=True):
        if pair and pair.fact:
            evidence.append(case.facts.triple(pair.fact))
        elif row >= 0:
            evidence.append(facts[row])
    return edit_script(ours, evidence, space)

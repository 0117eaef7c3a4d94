"""Compute the edits of a whole document: its claims changed to agree with the evidence chosen for each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from claimgraph.detect.check_input import Case, all_linked
from claimgraph.detect.compare import relations
from claimgraph.detect.compare.shortlist import shortlist
from claimgraph.detect.explanation.edit_script import EditOperation, EditThresholds, edit_operations, edit_script
from claimgraph.detect.methods.factalign.alignment import align
from claimgraph.detect.models.embedder import Space
from claimgraph.detect.reasons.contrast import Contrast, contrasts
from claimgraph.kgstore.model import Triple


def explained(case: Case, space: Space) -> list[EditOperation]:
    """Return the minimal script between the claims and their evidence; of many facts only the nearest are compared."""
    near = shortlist(case.claims, case.facts, [found.ids for found in all_linked(case.claims, case.links)], space)
    case = replace(case, facts=near)
    return script_of(case, contrasts(case, space), space)


def script_of(case: Case, pairs: Sequence[Contrast | None], space: Space) -> list[EditOperation]:
    """Return the minimal script between the claims and their evidence (`evidence_of`)."""
    return edit_script([claim.triple for claim in case.claims], evidence_of(case, pairs, space), space)


def operations_of(
    case: Case, pairs: Sequence[Contrast | None], space: Space, thresholds: EditThresholds | None = None
) -> list[EditOperation]:
    """Return KEA's Algorithm 1 between the claims and their evidence (`evidence_of`), each triple of it once."""
    evidence = list(dict.fromkeys(evidence_of(case, pairs, space)))
    return edit_operations([claim.triple for claim in case.claims], evidence, space, thresholds)


def evidence_of(case: Case, pairs: Sequence[Contrast | None], space: Space) -> list[Triple]:
    """Return for each claim the fact that contradicts it, else the nearest by KEA's relation selection (eq. 1).

    `pairs` are the contradictory pairs of the claims, in order. Without facts the list is empty.
    """
    ours, facts = [claim.triple for claim in case.claims], [case.facts.triple(fact) for fact in case.facts.facts]
    said = [f"{t.subject} {relations.spoken(t.predicate)} {t.object}" for t in facts]
    best = align(space.rows([t.text for t in ours]), space.rows(said)).best
    evidence: list[Triple] = []
    for row, pair in zip(best, pairs, strict=True):
        if pair and pair.fact:
            evidence.append(case.facts.triple(pair.fact))
        elif row >= 0:
            evidence.append(facts[row])
    return evidence

"""Measure an open domain: the texts that can be checked in it, and the claims by outcome.

One figure for "hallucinated" says little where a method may abstain: it is right to refute little and to be right when
it does. So precision and recall are given for refuting, for supporting, and for deciding at all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from claimgraph.evaluation.data.labelled import LabelledCase
from claimgraph.evaluation.detection.units import JudgedUnit, Pair
from claimgraph.evaluation.statistics.shares import precision_recall
from claimgraph.kgstore.errors import InputError
from claimgraph.kgstore.model import Outcome


def checkable(cases: Sequence[LabelledCase], domain: str | None, *, grounded: bool) -> list[LabelledCase]:
    """Return the texts that can be checked. `grounded`: stored graphs exist for those without a context.

    A context equal to the text counts as none. Without graphs, the texts that came with evidence, if any did, else all.
    Raises InputError where nothing is left.
    """
    told = [_without(case) if domain == "open" or _own(case) else case for case in cases]
    closed = [case for case in told if case.closed]
    if domain == "open" or (grounded and domain is None):
        return told
    if not closed and (domain == "closed" or any(map(_own, cases))):
        own = sum(map(_own, cases))
        why = f"the context of {own} is the text itself" if own else "none has a context"
        raise InputError(f"{cases[0].dataset}: of {len(cases)} texts {why}, so there is nothing to check them against")
    return closed or told


def opened(pairs: Sequence[Pair], units: Sequence[JudgedUnit]) -> dict[str, Any]:
    """Return `{claims, refuted, supported, decided}`: claims by outcome or, of those undecided, status; and of the
    units, for each decision the number (`n`), the precision (share of them that is right) and the recall (of all
    possible).

    A unit without claims is not decided. Shares are None where undefined.
    """
    claims = Counter(
        claim.status.value if claim.outcome is Outcome.NOT_ENOUGH_INFO else claim.outcome.value
        for _, result in pairs
        for claim in result.claims
    )
    decided = [unit for unit in units if unit.found.claims and unit.found.label is not None]
    return {
        "claims": dict(sorted(claims.items())),
        "refuted": _decision(units, [unit for unit in decided if unit.found.label == 1], gold=1),
        "supported": _decision(units, [unit for unit in decided if unit.found.label == 0], gold=0),
        "decided": _shares(sum(unit.gold == unit.found.label for unit in decided), len(decided), len(units)),
    }


def _decision(units: Sequence[JudgedUnit], made: Sequence[JudgedUnit], *, gold: int) -> dict[str, Any]:
    return _shares(sum(unit.gold == gold for unit in made), len(made), sum(unit.gold == gold for unit in units))


def _shares(right: int, made: int, possible: int) -> dict[str, Any]:
    return {"n": made, **precision_recall(right, made, possible)}


def _own(case: LabelledCase) -> bool:
    return case.context is not None and case.context.strip() == case.text.strip()


def _without(case: LabelledCase) -> LabelledCase:
    return replace(case, context=None, evidence=None)

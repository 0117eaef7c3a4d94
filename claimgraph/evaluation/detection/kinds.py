"""Measure intrinsic and extrinsic, claim by claim, where annotators marked which (FactAlign table 2 on XSum).

A claim takes the type of the marks it touches: that of most of them, each annotator's mark counting once. Claims whose
marks are even are counted and left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from claimgraph.evaluation.data.labelled import LabelledCase
from claimgraph.evaluation.detection.results import ClaimResult
from claimgraph.evaluation.detection.units import Pair, touches
from claimgraph.evaluation.statistics.shares import precision_recall, share
from claimgraph.kgstore.model import Hallucination, Outcome

_KIND = {Outcome.REFUTED: Hallucination.INTRINSIC, Outcome.NOT_ENOUGH_INFO: Hallucination.EXTRINSIC}

Typed = tuple[Hallucination, Hallucination | None]
"""A claim's gold type, and the one found, None where the method supports the claim."""


def by_kind(pairs: Sequence[Pair]) -> dict[str, Any] | None:
    """Return `{n, ties, intrinsic, extrinsic, weighted, detected}`; None where no claim has a type.

    Each type has `{n, precision, recall, f1}`; `weighted` is their mean by n. A supported claim is found as neither and
    lowers recall; `detected` holds the same figures over the claims that the method calls hallucinated, for which
    FactAlign distinguishes the types.
    """
    gold = [(_gold(case, claim, at), claim) for case, found in pairs for at, claim in enumerate(found.claims)]
    ties = sum(kinds == 2 for (_, kinds), _ in gold)
    typed = [(kind, _KIND.get(claim.outcome)) for (kind, _), claim in gold if kind]
    if not typed and not ties:
        return None
    detected = [pair for pair in typed if pair[1]]
    return {"n": len(typed), "ties": ties} | _all(typed) | {"detected": {"n": len(detected)} | _all(detected)}


def _gold(case: LabelledCase, claim: ClaimResult, at: int) -> tuple[Hallucination | None, int]:
    """Return the claim's type, None for a tie or for none, and the number of leading types."""
    if case.claims is not None:
        given = case.claims[at].kind
        return given, int(given is not None)
    marks = [mark.kind for mark in case.annotations or () if touches(claim.parts, mark.span)]
    leading = [kind for kind in Hallucination if kind in marks and 2 * marks.count(kind) >= len(marks)]
    return (leading[0] if len(leading) == 1 else None), len(leading)


def _all(typed: Sequence[Typed]) -> dict[str, Any]:
    each = {kind.value: _one(typed, kind) for kind in Hallucination}
    weighted = {
        name: _mean([(found["n"], found[name]) for found in each.values()]) for name in ("precision", "recall", "f1")
    }
    return each | {"weighted": weighted}


def _one(typed: Sequence[Typed], kind: Hallucination) -> dict[str, Any]:
    gold, found = sum(g is kind for g, _ in typed), sum(f is kind for _, f in typed)
    hits = sum(g is f is kind for g, f in typed)
    return {"n": gold, **precision_recall(hits, found, gold), "f1": share(2 * hits, gold + found)}


def _mean(values: Sequence[tuple[int, float | None]]) -> float | None:
    """Return the mean by n; None where a present type has no figure."""
    used = [(n, value) for n, value in values if n]
    if any(value is None for _, value in used):
        return None
    return share(sum(n * value for n, value in used if value is not None), sum(n for n, _ in used))

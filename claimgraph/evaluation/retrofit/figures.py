"""Compute the figures of KGR on drafts: shares with intervals, each stage alone, blame, and failing relations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from claimgraph.detect.repair.kgr.protocol import Retrofitted, Stop
from claimgraph.evaluation.made.drafts import DraftFact, MadeDraft
from claimgraph.evaluation.retrofit.blame import Blame, Said, blame, furthest, matched, said
from claimgraph.evaluation.retrofit.fates import Fate, Standing, fate, standings
from claimgraph.evaluation.statistics.metrics import interval, resample
from claimgraph.evaluation.statistics.shares import precision_recall, rounded
from claimgraph.kgstore.model import Outcome

WITHIN = 3
"""Iterations within which a draft should converge."""

_STOPPED = (Stop.CONSISTENT, Stop.UNCHANGED)


@dataclass(frozen=True, slots=True)
class Share:
    """A share of `n` things with the middle 95 % of a bootstrap over drafts; None where it is undefined."""

    value: float | None
    n: int
    ci95: tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class FactCase:
    """A fact of a draft that was retrofitted: its standing in each pass, its fate, and the results of the first pass
    for the claims that state it.
    """

    fact: DraftFact
    standings: tuple[Standing, ...]
    fate: Fate
    said: tuple[Said, ...]

    @property
    def best(self) -> Said | None:
        """The claim that came furthest."""
        return furthest(self.said)


@dataclass(frozen=True, slots=True)
class Result:
    """A draft with its result."""

    draft: MadeDraft
    found: Retrofitted
    cases: tuple[FactCase, ...]

    def only(self, facts: Collection[DraftFact]) -> Result:
        """Return the same with some of its facts alone."""
        return replace(self, cases=tuple(case for case in self.cases if case.fact in facts))


def result(draft: MadeDraft, found: Retrofitted) -> Result:
    """Judge every fact of a draft that was retrofitted to `found`."""
    cases = []
    for fact in draft.facts:
        known = standings(fact, found)
        cases.append(FactCase(fact, tuple(known), fate(fact, known), tuple(said(fact, known[0], found.passes[0]))))
    return Result(draft, found, tuple(cases))


def share(results: Sequence[Result], counted: Callable[[Result], tuple[int, int]], seed: int) -> Share:
    """Return the sum of the first numbers of all drafts divided by that of the second."""
    counts = np.array([counted(one) for one in results], dtype=np.float64).reshape(-1, 2)
    part, whole = counts.sum(axis=0)
    if not whole:
        return Share(None, 0, None)
    weights = resample([str(row) for row in range(len(counts))], seed)
    with np.errstate(invalid="ignore", divide="ignore"):
        drawn = (weights @ counts[:, 0]) / (weights @ counts[:, 1])
    ends = interval(drawn)
    return Share(rounded(part / whole), int(whole), ends and (round(ends[0], 4), round(ends[1], 4)))


def fates(results: Sequence[Result], seed: int) -> dict[str, Share]:
    """Shares of the wrong facts that are repaired, changed and left, and of the right ones that are broken."""
    wanted = (Fate.REPAIRED, Fate.CHANGED, Fate.LEFT, Fate.BROKEN)
    return {one.value: share(results, partial(_count, one), seed) for one in wanted}


def convergence(results: Sequence[Result], seed: int) -> dict[str, Any]:
    """Return `{converged, iterations, stopped}`: the share of drafts that stopped by themselves within WITHIN
    iterations, and the numbers of drafts by iterations and by reason to stop.
    """
    done = share(results, lambda r: (r.found.stopped in _STOPPED and r.found.iterations <= WITHIN, 1), seed)
    iterations = Counter(one.found.iterations for one in results)
    stopped = Counter(one.found.stopped.value for one in results)
    return {
        "converged": done,
        "iterations": {str(count): iterations[count] for count in sorted(iterations)},
        "stopped": dict(sorted(stopped.items())),
    }


def stages(results: Sequence[Result]) -> dict[str, Any]:
    """Return precision and recall of each stage of the first pass alone, over the input that the stages before it got
    right.

    claims: those that state a fact, of the claims; facts that a claim states, of the facts. entities: of the links made
    and of the ends to link of the claims that state facts, by the fact's end. facts: those about the fact's subject and
    relation, of the facts selected, and the facts with such a one. refuted and supported: of the facts judged so, those
    that are, and of those that are, the ones judged so. replacements: of the refuted wrong facts, those whose words
    changed that are right then, and those that are right.
    """
    cases = [case for one in results for case in one.cases]
    claimed = [case.best for case in cases if case.best]
    linked = [case for case in cases if case.best and case.best.entities]
    chosen = [case for case in linked if case.best and case.best.gold]
    return {
        "claims": _claims(results, cases),
        "entities": {
            "subject": _links([one.subject for one in claimed]),
            "object": _links([one.object for one in claimed]),
        },
        "facts": _selected(linked),
        "refuted": _verdicts(chosen, Outcome.REFUTED, wrong=True),
        "supported": _verdicts(chosen, Outcome.SUPPORTED, wrong=False),
        "replacements": _replaced(chosen),
    }


def blamed(results: Sequence[Result]) -> dict[str, int]:
    """Return the number of wrong facts still wrong by the stage to blame."""
    found = Counter(blame(case.fact, case.standings, one.found.passes) for one, case in _failed(results))
    return {stage.value: found[stage] for stage in Blame}


def by_relation(results: Sequence[Result]) -> list[dict[str, Any]]:
    """Return `{relation, wrong, repaired, right, broken}` counts, those with most facts not repaired or broken
    first.
    """
    found: dict[str, Counter[str]] = {}
    for case in (case for one in results for case in one.cases):
        row = found.setdefault(case.fact.predicate, Counter())
        row["wrong" if case.fact.wrong else "right"] += 1
        row[case.fate.value] += 1
    rows = [
        {"relation": name} | {key: row[key] for key in ("wrong", "repaired", "right", "broken")}
        for name, row in found.items()
    ]
    return sorted(rows, key=lambda row: (row["repaired"] - row["wrong"] - row["broken"], row["relation"]))


def failures(results: Sequence[Result]) -> list[dict[str, Any]]:
    """Return every wrong fact that is still wrong, with the stage to blame, and every right one that is broken: its
    position, its old and new words, and the claim that came furthest with its verdict and reason.
    """
    wrong = [(one, case, blame(case.fact, case.standings, one.found.passes).value) for one, case in _failed(results)]
    broken = [(one, case, None) for one in results for case in one.cases if case.fate is Fate.BROKEN]
    return [_failure(one, case, stage) for one, case, stage in (*wrong, *broken)]


def _failure(one: Result, case: FactCase, stage: str | None) -> dict[str, Any]:
    fact, best, at = case.fact, case.best, case.standings[-1].object
    return {
        "draft": one.draft.id,
        "fact": one.draft.facts.index(fact),
        "fate": case.fate.value,
        "blame": stage,
        "subject": fact.subject,
        "predicate": fact.predicate,
        "object": fact.object,
        "written": fact.written,
        "now": one.found.text[at.start : at.end],
        "clause": one.draft.text[fact.span.start : fact.span.end],
        "claim": list(_triple(best)) if best else None,
        "outcome": best.outcome.value if best else None,
        "reason": best.reason if best else None,
    }


def _triple(one: Said) -> tuple[str, str, str]:
    return one.claim.subject, one.claim.predicate, one.claim.object


def _failed(results: Sequence[Result]) -> Iterable[tuple[Result, FactCase]]:
    return [(one, case) for one in results for case in one.cases if case.fate in (Fate.CHANGED, Fate.LEFT)]


def _count(wanted: Fate, one: Result) -> tuple[int, int]:
    ours = [case for case in one.cases if case.fact.wrong is (wanted is not Fate.BROKEN)]
    return sum(case.fate is wanted for case in ours), len(ours)


def _claims(results: Sequence[Result], cases: Sequence[FactCase]) -> dict[str, Any]:
    made = sum(len(one.found.passes[0].extraction.claims) for one in results)
    right = sum(
        len(matched(one.draft, [case.standings[0] for case in one.cases], one.found.passes[0])) for one in results
    )
    return _shares(right, made, sum(bool(case.said) for case in cases), len(cases))


def _links(ends: Sequence[bool | None]) -> dict[str, Any]:
    right = sum(end is True for end in ends)
    return _shares(right, sum(end is not None for end in ends), right, len(ends))


def _selected(cases: Sequence[FactCase]) -> dict[str, Any]:
    best = [case.best for case in cases if case.best]
    return _shares(
        sum(one.gold for one in best), sum(one.selected for one in best), sum(one.gold > 0 for one in best), len(best)
    )


def _verdicts(cases: Sequence[FactCase], outcome: Outcome, *, wrong: bool) -> dict[str, Any]:
    made = [case for case in cases if case.best and case.best.outcome is outcome]
    right = sum(case.fact.wrong is wrong for case in made)
    return _shares(right, len(made), right, sum(case.fact.wrong is wrong for case in cases))


def _replaced(cases: Sequence[FactCase]) -> dict[str, Any]:
    refuted = [c for c in cases if c.fact.wrong and c.best and c.best.outcome is Outcome.REFUTED]
    after = [case.standings[1] for case in refuted if len(case.standings) > 1]
    right = sum(one.right for one in after)
    return _shares(right, sum(one.touched for one in after), right, len(refuted))


def _shares(right: int, made: int, found: int, possible: int) -> dict[str, Any]:
    return {**precision_recall(right, made, possible, found), "made": made, "possible": possible}

"""Measure KGR on drafts with known wrong facts, for `claimgraph eval retrofit`."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any, Protocol

from claimgraph.detect.repair.kgr.protocol import Mode, Retrofitted, Stages, Stop, drive, retrofit
from claimgraph.evaluation.made.drafts import DraftFact, MadeDraft
from claimgraph.evaluation.retrofit import figures
from claimgraph.evaluation.retrofit.figures import Result, Share, result
from claimgraph.evaluation.retrofit.variants import AsPassages, Hidden, NamedBySpacy, Remembered, hidden_facts, pairs
from claimgraph.evidence.graphs import StoredGraphs
from claimgraph.repair.retrofit_stages import Choice

CHUNKS = (5, 10, 20, 40)
FACTS = (1, 3, 5, 10)
HIDDEN = (0.0, 0.25, 0.5, 0.75, 1.0)

Advance = Callable[[int, int], None]


class Making(Protocol):
    """Makes stages: over what graphs know, with a choice of facts (None: the default), for a question."""

    def __call__(self, known: StoredGraphs, choice: Choice | None, question: str) -> Stages:
        """Stages for one draft."""
        ...


@dataclass(frozen=True, slots=True)
class RetrofitEvaluation:
    """Figures of KGR on `n` drafts with so many wrong and right facts; docs/json.md describes each."""

    dataset: str
    graphs: tuple[str, ...]
    mode: str
    n: int
    wrong: int
    right: int
    limit: int
    repaired: Share
    changed: Share
    left: Share
    broken: Share
    convergence: dict[str, Any]
    stages: dict[str, Any]
    blame: dict[str, int]
    by_relation: list[dict[str, Any]]
    failures: list[dict[str, Any]]
    seconds: float


class Bench:
    """Drafts on which variants of KGR are measured; graphs are queried once for all variants.

    `limit` is the most iterations, `seed` that of the intervals; `advance` is called with the drafts done in this run
    and their total.
    """

    def __init__(
        self,
        drafts: Sequence[MadeDraft],
        known: StoredGraphs,
        making: Making,
        *,
        limit: int,
        seed: int = 0,
        advance: Advance | None = None,
    ) -> None:
        self._drafts, self._known, self._making = drafts, Remembered(known), making
        self._limit, self._seed, self._advance = limit, seed, advance

    @property
    def mode(self) -> Mode:
        """Implementation of the stages."""
        return self._stages(self._drafts[0]).mode

    def evaluate(self, dataset: str) -> RetrofitEvaluation:
        """Return all figures of the unchanged stages."""
        begun = time.perf_counter()
        results = self._usual
        seconds = time.perf_counter() - begun
        facts = [fact for draft in self._drafts for fact in draft.facts]
        return RetrofitEvaluation(
            dataset=dataset,
            graphs=tuple(self._known.versions),
            mode=self.mode.value,
            n=len(self._drafts),
            wrong=sum(fact.wrong for fact in facts),
            right=sum(not fact.wrong for fact in facts),
            limit=self._limit,
            **figures.fates(results, self._seed),
            convergence=figures.convergence(results, self._seed),
            stages=figures.stages(results),
            blame=figures.blamed(results),
            by_relation=figures.by_relation(results),
            failures=figures.failures(results),
            seconds=round(seconds, 1),
        )

    def sweep(self) -> list[dict[str, Any]]:
        """Return `{chunk, facts, precision, recall, repaired, broken}` over sizes of a chunk and numbers of facts kept
        of one, one at a time; precision and recall are those of selection.
        """
        usual = Choice()
        choices = [Choice(chunk, usual.facts) for chunk in CHUNKS]
        choices += [Choice(usual.chunk, facts) for facts in FACTS if facts != usual.facts]
        return [self._swept(one, self._usual if one == usual else self._run(choice=one)) for one in choices]

    def compare(self) -> list[dict[str, Any]]:
        """Return one row per variant: nothing done, one iteration, all; the selected facts as sentences instead of
        triples, and without a language model the texts about the entities; entities as spaCy names them; and the true
        facts hidden of a part of the wrong ones. `of_hidden` are the shares of those alone.
        """
        rows = [
            self._row("no retrofit", self._cut(0)),
            self._row("one iteration", self._cut(1)),
            self._row(f"at most {self._limit} iterations", self._usual),
            self._row("facts as sentences", self._run(wrapped=AsPassages)),
        ]
        if self.mode is Mode.DETERMINISTIC:
            rows.append(self._row("texts about entities", self._run(choice=Choice(triples=False, texts=True))))
        rows.append(self._row("entities by spaCy", self._run(wrapped=lambda one: NamedBySpacy(one, self._known))))
        for part in HIDDEN:
            hidden = hidden_facts(self._drafts, part)
            results = self._run(hidden={key: pairs(facts) for key, facts in hidden.items()}) if part else self._usual
            rows.append(self._row(f"{part:.0%} of truths hidden", results, self._of(results, hidden)))
        return rows

    @cached_property
    def _usual(self) -> list[Result]:
        """Results of the unchanged stages."""
        return self._run()

    def _cut(self, limit: int) -> list[Result]:
        """Return their results with fewer iterations."""
        return [result(one.draft, cut(one.found, limit)) for one in self._usual]

    def _swept(self, choice: Choice, results: Sequence[Result]) -> dict[str, Any]:
        found = figures.stages(results)["facts"]
        fates = figures.fates(results, self._seed)
        return {
            "chunk": choice.chunk,
            "facts": choice.facts,
            "precision": found["precision"],
            "recall": found["recall"],
            "repaired": fates["repaired"].value,
            "broken": fates["broken"].value,
        }

    def _row(self, name: str, results: Sequence[Result], hidden: dict[str, Any] | None = None) -> dict[str, Any]:
        found = {key: asdict(one) for key, one in figures.fates(results, self._seed).items()}
        return {"way": name, **found, "of_hidden": hidden}

    def _of(self, results: Sequence[Result], hidden: Mapping[str, Sequence[DraftFact]]) -> dict[str, Any] | None:
        """Return shares of the hidden facts; None where there are none."""
        ours = [one.only(hidden.get(one.draft.id, ())) for one in results]
        if not any(one.cases for one in ours):
            return None
        found = figures.fates(ours, self._seed)
        return {name: asdict(found[name]) for name in ("repaired", "changed", "left")}

    def _run(
        self,
        *,
        choice: Choice | None = None,
        hidden: Mapping[str, Hidden] | None = None,
        wrapped: Callable[[Stages], Stages] = lambda stages: stages,
    ) -> list[Result]:
        """Retrofit and judge each draft."""
        results = []
        for number, draft in enumerate(self._drafts, 1):
            stages = wrapped(self._stages(draft, choice, (hidden or {}).get(draft.id, frozenset())))
            results.append(result(draft, drive(retrofit(draft.text, limit=self._limit), stages)))
            if self._advance:
                self._advance(number, len(self._drafts))
        return results

    def _stages(self, draft: MadeDraft, choice: Choice | None = None, hidden: Hidden = frozenset()) -> Stages:
        return self._making(self._known.without(hidden), choice, draft.question)


def cut(found: Retrofitted, limit: int) -> Retrofitted:
    """Return the result with at most that many iterations."""
    passes = found.passes[: limit + 1]
    if len(passes) == len(found.passes):
        return found
    return replace(found, text=passes[-1].extraction.document.text, passes=passes, stopped=Stop.LIMIT)

"""Detect by FactAlign: alignment decides what is factual, contradiction the kind of hallucination of the rest.

The thresholds belong to the models they were found with, so a preset names both; with other models the configuration
says so, and `ours` takes thresholds that were fitted to the models in use.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace

import numpy as np

from claimgraph.detect.check_input import Case, all_linked
from claimgraph.detect.compare.shortlist import shortlist
from claimgraph.detect.extraction.claim_kg import as_named
from claimgraph.detect.methods.factalign.alignment import Alignment
from claimgraph.detect.methods.factalign.contradiction import StrongestContradiction, changes
from claimgraph.detect.methods.factalign.matching import Matching, matched
from claimgraph.detect.models.embedder import Space
from claimgraph.detect.reasons import wording
from claimgraph.detect.reasons.evidence import Sources
from claimgraph.kgstore.model import (
    Citation,
    Embedder,
    EntailmentModel,
    Fact,
    Finding,
    Outcome,
    Signal,
    Stance,
    Status,
    Subgraph,
)

VERSION = 1
"""Increase with any change to the findings: it is part of every verdict's configuration."""


@dataclass(frozen=True, slots=True)
class FactAlignPreset:
    """`alignment` and `contradiction` are the thresholds in [0, 1]; `embedder` and `entailment` the models they belong
    to, None for those in use.

    `nearest` limits the contradiction to that many facts nearest by embedding, `retrieved` the alignment to the facts
    of detect/compare/shortlist.py; the paper does neither.
    """

    name: str
    alignment: float
    contradiction: float
    embedder: str | None = None
    entailment: str | None = None
    matching: Matching = "nearest"
    nearest: int | None = None
    retrieved: bool = False


def ours(alignment: float = 0.5, contradiction: float = 0.5) -> FactAlignPreset:
    """Thresholds for the models in use, as `eval calibrate` finds them; the defaults are fitted to nothing."""
    return FactAlignPreset("ours", alignment, contradiction, nearest=16, retrieved=True)


_PAPER = FactAlignPreset("factalign-paper", 0.863, 0.984, "all-distilroberta-v1", "DeBERTa-v3-base-mnli-fever-anli")
PRESETS: Mapping[str, FactAlignPreset] = {
    preset.name: preset
    for preset in (
        _PAPER,
        replace(_PAPER, name="factalign-hungarian", matching="hungarian"),
        replace(_PAPER, name="factalign-sinkhorn", matching="sinkhorn"),
        replace(_PAPER, name="factalign-entity", matching="entity"),
        replace(_PAPER, name="factalign-entity-own", matching="entity-own"),
        replace(_PAPER, name="factalign-nearest-16", nearest=16),
        ours(),
    )
}


class FactAlignDetector:
    """Detects hallucinations by alignment with facts. Implements claimgraph.detect.check_input.Detector.

    Only facts are used: a case without facts has no evidence. s_a above its threshold is SUPPORTED; else a
    contradiction above its own is REFUTED (intrinsic), the rest is NOT_ENOUGH_INFO (extrinsic). Without a model, or
    with one that has no contradiction class, the kind is unknown. Signals: alignment s_a, contradiction (None where it
    was not computed), hallucination 1 - s_a.
    """

    name = "factalign"

    def __init__(
        self,
        embedder: Embedder,
        model: EntailmentModel | None = None,
        preset: FactAlignPreset = PRESETS["factalign-paper"],
    ) -> None:
        self._embedder, self._model, self._preset = embedder, model, preset
        in_use = {"embedder": embedder.model, "entailment": model.model if model else None}
        thresholds = asdict(preset)
        name = thresholds.pop("name")
        config = {"preset": name, "version": VERSION, "models": in_use, "settings": thresholds, "notes": self.notes}
        self.config = json.dumps(config, sort_keys=True)

    @property
    def notes(self) -> tuple[str, ...]:
        """Caveats for reports: the models in use that are not those that the thresholds belong to."""
        preset, model = self._preset, self._model
        pairs = [("embedder", preset.embedder, self._embedder.model)]
        pairs += [("entailment model", preset.entailment, model.model)] if model else []
        return tuple(
            f"the thresholds of {preset.name} belong to the {role} {theirs}; in use is {used}"
            for role, theirs, used in pairs
            if theirs and theirs.lower() not in used.lower()
        )

    def detect(self, cases: Sequence[Case]) -> list[list[Finding]]:
        """Return one list per case with one finding per claim, in order; one entailment stream over all cases."""
        space = Space(self._embedder)
        space.add(as_named(claim).text for case in cases for claim in case.claims)
        works = [_AlignedDocument(case, self._preset, space) for case in cases]
        jobs = [job for work in works for job in work.jobs] if self._model else []
        found = iter(changes(jobs, self._model) if self._model else ())
        return [work.findings([next(found, None) for _ in work.jobs]) for work in works]


class _AlignedDocument:
    """One document, aligned at construction; `jobs` are the premises for its unaligned claims."""

    def __init__(self, case: Case, preset: FactAlignPreset, space: Space) -> None:
        self._claims, self._preset = case.claims, preset
        self._linked = all_linked(case.claims, case.links)
        self._sources = Sources(case.facts, case.passages)
        facts = case.facts
        if preset.retrieved:
            facts = shortlist(case.claims, case.facts, [found.ids for found in self._linked], space)
        self._facts = facts.facts
        self._align(facts, space)

    def _align(self, facts: Subgraph, space: Space) -> None:
        ours, theirs = [as_named(claim) for claim in self._claims], [facts.triple(fact) for fact in facts.facts]
        space.add(triple.text for triple in theirs)
        self._alignment: Alignment = matched(ours, theirs, space, self._preset.matching)
        self._open = [i for i, s in enumerate(self._alignment.score) if not s > self._preset.alignment]
        self._compared = {row: self._near(ours[row].text, [t.text for t in theirs], space) for row in self._open}
        self.jobs = [(ours[row].text, [theirs[i].text for i in near]) for row, near in self._compared.items()]

    def _near(self, claim: str, facts: Sequence[str], space: Space) -> list[int]:
        """Return the numbers of the facts to test for contradiction."""
        limit = self._preset.nearest
        if limit is None or limit >= len(facts):
            return list(range(len(facts)))
        cosine = (space.rows([claim]) @ space.rows(facts).T)[0]
        return sorted(np.argsort(-cosine.round(6), kind="stable")[:limit].tolist())

    def findings(self, found: Sequence[StrongestContradiction | None]) -> list[Finding]:
        change = dict(zip(self._open, found, strict=True))
        return [self._finding(row, change.get(row)) for row in range(len(self._claims))]

    def _finding(self, row: int, change: StrongestContradiction | None) -> Finding:
        score = float(self._alignment.score[row])
        if not self._facts:
            return Finding(
                Outcome.NOT_ENOUGH_INFO, Status.NO_EVIDENCE, wording.no_evidence(), signals=_signals(None, None)
            )
        contradicted = change is not None and change.score > self._preset.contradiction
        outcome = Outcome.REFUTED if contradicted else Outcome.NOT_ENOUGH_INFO
        outcome = Outcome.SUPPORTED if row not in self._compared else outcome
        citations = self._citations(row, outcome, change)
        status, reason = self._sources.told(self._claims[row], self._linked[row], outcome, citations)
        return Finding(outcome, status, reason, citations=citations, signals=_signals(score, change))

    def _citations(self, row: int, outcome: Outcome, change: StrongestContradiction | None) -> tuple[Citation, ...]:
        """Return the triple that contradicts, where one does, and the one aligned with."""
        found: list[Citation] = []
        best = int(self._alignment.best[row])
        against = self._compared[row][change.premise] if outcome is Outcome.REFUTED and change else -1
        if change and against >= 0:
            found.append(self._citation(self._facts[against], Stance.REFUTES, change.score))
        if best >= 0 and best != against:
            stance = Stance.SUPPORTS if outcome is Outcome.SUPPORTED else Stance.NEUTRAL
            found.append(self._citation(self._facts[best], stance, float(self._alignment.score[row])))
        return tuple(found)

    def _citation(self, fact: Fact, stance: Stance, score: float) -> Citation:
        return Citation(self._sources.fact(fact), stance, round(score, 4))


def _signals(score: float | None, change: StrongestContradiction | None) -> tuple[Signal, ...]:
    return (
        Signal("factalign", "alignment", None if score is None else round(score, 4)),
        Signal("factalign", "contradiction", round(change.score, 4) if change else None),
        Signal("factalign", "hallucination", None if score is None else round(1 - score, 4)),
    )

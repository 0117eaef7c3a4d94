"""Detect by KEA Explain: relation selection, clustering of labels, graph kernel, contradictory pairs.

The paper classifies a whole output, so in `published` and `paper` every claim of a document has the document's score.
`directed` divides the distance among the claims (detect/kernel/attribution.py), and takes the mean over three
clusterings: one threshold suits LLM-extracted pairs of KGs, a wider one claims beside Wikidata, and the mean needs no
choice.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace

import numpy as np

from claimgraph.detect.check_input import Case, all_linked
from claimgraph.detect.compare.decision_rules import Thresholds
from claimgraph.detect.compare.shortlist import shortlist
from claimgraph.detect.extraction.claim_kg import as_named
from claimgraph.detect.kernel import attribution, comparison
from claimgraph.detect.kernel.attribution import Attribution
from claimgraph.detect.kernel.comparison import CLUSTER_DISTANCE, ITERATIONS, Backend
from claimgraph.detect.kernel.wl import Encoding
from claimgraph.detect.methods.factalign.alignment import align
from claimgraph.detect.models.embedder import Space
from claimgraph.detect.reasons import wording
from claimgraph.detect.reasons.evidence import Sources
from claimgraph.kgstore.model import Citation, Embedder, Finding, Outcome, Signal, Stance, Status, Triple

VERSION = 1
"""Increase with any change to the findings: it is part of every verdict's configuration."""

THRESHOLDS: Mapping[str, float] = {"summeval": 0.15, "qags": 0.50, "wikibio": 0.30}
"""Similarities below which KEA's paper says hallucination, by data set; found on the labels of the same set."""


@dataclass(frozen=True, slots=True)
class KeaPreset:
    """`distances` are the cosine distances up to which labels are merged; the kernel is the mean over them.

    A claim whose similarity, 1 - its score, is below `threshold` is hallucinated. `attributed`: claims have scores of
    their own. `retrieved`: of very many facts only those of detect/compare/shortlist.py are selected from. `embedder`
    is the paper's model, None for any.
    """

    name: str
    encoding: Encoding
    threshold: float = 0.5
    distances: tuple[float, ...] = (CLUSTER_DISTANCE,)
    attributed: bool = False
    retrieved: bool = False
    embedder: str | None = "paraphrase-mpnet-base-v2"


_KERNELS = (
    KeaPreset("published", "published"),
    KeaPreset("paper", "paper"),
    KeaPreset("directed", "directed", 0.5, (0.2, CLUSTER_DISTANCE, 0.5), True, True, None),
)
PRESETS: Mapping[str, KeaPreset] = {
    preset.name: preset
    for kernel in _KERNELS
    for preset in (
        kernel,
        *(replace(kernel, name=f"{kernel.name}-{name}", threshold=limit) for name, limit in THRESHOLDS.items()),
    )
}
"""The three kernels, with thresholds of 0.5 fitted to nothing, and each with the paper's thresholds by data set
(`published-summeval`)."""


class KeaDetector:
    """Detects hallucinations by a graph kernel. Implements claimgraph.detect.check_input.Detector.

    Only facts are used: a case without facts has no evidence. A claim below the threshold is REFUTED where a fact of
    the whole evidence contradicts it (two elements alike, the third different), else NOT_ENOUGH_INFO. Signals:
    hallucination, the document's similarity, the claim's share of the distance (None unless attributed) and the number
    of contradictory facts.
    """

    name = "kea"

    def __init__(
        self, embedder: Embedder, preset: KeaPreset = PRESETS["directed"], *, kernel_backend: Backend = "own"
    ) -> None:
        self._embedder, self._preset, self._backend = embedder, preset, kernel_backend
        settings = asdict(preset)
        name = settings.pop("name")
        config = {"preset": name, "version": VERSION, "models": {"embedder": embedder.model}, "settings": settings}
        self.config = json.dumps(config | {"kernel": kernel_backend, "h": ITERATIONS}, sort_keys=True)

    def detect(self, cases: Sequence[Case]) -> list[list[Finding]]:
        """Return one list per case with one finding per claim, in order."""
        space = Space(self._embedder)
        space.add(triple.text for case in cases for triple in _claimed(case))
        return [self._detect(case, space) for case in cases]

    def _detect(self, case: Case, space: Space) -> list[Finding]:
        if not case.claims:
            return []
        if not case.facts.facts:
            nothing = _signals(None, None, None, None)
            reason = wording.no_evidence()
            return [Finding(Outcome.NOT_ENOUGH_INFO, Status.NO_EVIDENCE, reason, signals=nothing) for _ in case.claims]
        return _KernelDocument(case, self._preset, self._backend, space).findings()


def _claimed(case: Case) -> list[Triple]:
    """Return the claim KG in words, one triple a claim."""
    graph = case.graph
    return [graph.triple(fact) for fact in graph.facts] if graph else [as_named(claim) for claim in case.claims]


class _KernelDocument:
    """One document with facts."""

    def __init__(self, case: Case, preset: KeaPreset, backend: Backend, space: Space) -> None:
        self._claims, self._preset = case.claims, preset
        self._linked = all_linked(case.claims, case.links)
        self._sources = Sources(case.facts, case.passages)
        facts = case.facts
        if preset.retrieved:
            facts = shortlist(case.claims, case.facts, [found.ids for found in self._linked], space)
        ours, theirs = _claimed(case), [facts.triple(fact) for fact in facts.facts]
        self._facts = facts.facts
        space.add(triple.text for triple in theirs)
        self._best = align(*(space.rows([t.text for t in triples]) for triples in (ours, theirs))).best
        self._parts = compared(ours, [theirs[row] for row in self._best], space, preset)
        self._distance = self._parts.distance
        if backend == "grakel":
            self._distance = _by_grakel(ours, [theirs[row] for row in self._best], space, preset)
        self._against = _contradictions(ours, theirs, space)

    def findings(self) -> list[Finding]:
        return [self._finding(row) for row in range(len(self._claims))]

    def _finding(self, row: int) -> Finding:
        score = float(self._parts.scores[row]) if self._preset.attributed else self._distance
        outcome = Outcome.SUPPORTED
        if 1 - score < self._preset.threshold:
            outcome = Outcome.REFUTED if self._against[row] else Outcome.NOT_ENOUGH_INFO
        citations = self._citations(row, outcome, score)
        status, reason = self._sources.told(self._claims[row], self._linked[row], outcome, citations)
        share = float(self._parts.share[row]) if self._preset.attributed else None
        signals = _signals(score, 1 - self._distance, share, len(self._against[row]))
        return Finding(outcome, status, reason, citations=citations, signals=signals)

    def _citations(self, row: int, outcome: Outcome, score: float) -> tuple[Citation, ...]:
        """Return the facts that contradict, where they do, and the one selected for the claim."""
        best = int(self._best[row])
        against = self._against[row] if outcome is Outcome.REFUTED else {}
        found = [
            Citation(self._sources.fact(self._facts[fact]), Stance.REFUTES, round(likeness, 4))
            for fact, likeness in against.items()
        ]
        if best not in against:
            stance = Stance.SUPPORTS if outcome is Outcome.SUPPORTED else Stance.NEUTRAL
            found.append(Citation(self._sources.fact(self._facts[best]), stance, round(1 - score, 4)))
        return tuple(found)


def compared(ours: Sequence[Triple], selected: Sequence[Triple], space: Space, preset: KeaPreset) -> Attribution:
    """Compare claims with the evidence selected for them: the mean over the preset's distances.

    Labels are numbered alike, so equal clusterings are compared once.
    """
    labelled = comparison.labelled(ours, selected, space, preset.encoding, preset.distances)
    keys = [(tuple(a), tuple(b)) for a, b in labelled]
    known = {key: attribution.attribute(*key, preset.encoding, ITERATIONS) for key in dict.fromkeys(keys)}
    return attribution.mean([known[key] for key in keys])


def _by_grakel(ours: Sequence[Triple], selected: Sequence[Triple], space: Space, preset: KeaPreset) -> float:
    """Return the distance of the whole by GraKeL; equal to nine digits."""
    labelled = comparison.labelled(ours, selected, space, preset.encoding, preset.distances)
    found = [comparison.whole(a, b, preset.encoding, ITERATIONS, "grakel") for a, b in labelled]
    return float(np.clip(1 - np.mean(found), 0, 1))


_CITED = 3
"""Contradictory facts kept per claim."""


def _contradictions(ours: Sequence[Triple], theirs: Sequence[Triple], space: Space) -> list[dict[int, float]]:
    """Return for each claim the facts of contradictory pairs with the mean cosine of the equal elements, in [-1, 1],
    best first.
    """
    limits = Thresholds()
    pairs = comparison.contradictions(
        ours,
        theirs,
        space,
        entity=limits.same,
        relation=limits.relation_refute,
        different=limits.different,
        limit=_CITED,
    )
    found: list[dict[int, float]] = [{} for _ in ours]
    for pair in pairs:
        found[pair.claim].setdefault(pair.evidence, pair.likeness / 2)
    return found


def _signals(
    score: float | None, similarity: float | None, share: float | None, against: int | None
) -> tuple[Signal, ...]:
    values = {"hallucination": score, "document": similarity, "share": share, "contradictions": against}
    return tuple(Signal("kea", name, None if v is None else round(float(v), 4)) for name, v in values.items())

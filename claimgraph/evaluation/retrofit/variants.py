"""Define the variants that retrofitting is compared with: fewer facts, the same facts as text, entities by spaCy.

A hidden fact is removed from the input of selection; the store is unchanged, so one opened store serves every variant.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import replace
from hashlib import sha256

from claimgraph.detect.compare.relations import spoken
from claimgraph.detect.repair.correction import Corrected
from claimgraph.detect.repair.kgr.protocol import Mode, Pass, Selection, Stages
from claimgraph.detect.text.parse import paragraphs
from claimgraph.evaluation.made.drafts import DraftFact, MadeDraft
from claimgraph.evidence.graphs import EntityTexts, StoredGraphs
from claimgraph.evidence.named_graphs import NamedGraphs
from claimgraph.kgstore.model import Claim, Extraction, Fact, Link, Passage, Subgraph, Verdict

Hidden = frozenset[tuple[str, str]]
"""Ids of subject and predicate whose facts are hidden."""


class Remembered(StoredGraphs):
    """Stored graphs whose answers are cached by claims: variants differ in their use of them.

    `hidden` facts are known to linking only.
    """

    def __init__(self, known: StoredGraphs, hidden: Hidden = frozenset()) -> None:
        self.versions, self.scope, self._known, self._hidden = known.versions, known.scope, known, hidden
        self._links: dict[tuple[str, ...], tuple[Link, ...]] = {}
        self._facts: dict[tuple[str, ...], Subgraph] = {}
        self._texts: dict[tuple[str, ...], EntityTexts] = {}

    def without(self, hidden: Hidden) -> Remembered:
        """Return the same, with the cache, without these facts."""
        other = copy(self)
        other._hidden = hidden
        return other

    def links(self, claims: Sequence[Claim]) -> tuple[Link, ...]:
        """See StoredGraphs."""
        key = tuple(claim.id for claim in claims)
        if key not in self._links:
            self._links[key] = self._known.links(claims)
        return self._links[key]

    def facts(self, claims: Sequence[Claim], links: Sequence[Link]) -> Subgraph:
        """See StoredGraphs."""
        key = (*(claim.id for claim in claims), *(f"{one.claim} {one.entity.id}" for one in links if one.entity))
        if key not in self._facts:
            self._facts[key] = self._known.facts(claims, links)
        found = self._facts[key]
        return Subgraph(found.nodes, tuple(f for f in found.facts if (f.subject, f.predicate) not in self._hidden))

    def texts(self, links: Sequence[Link]) -> EntityTexts:
        """See StoredGraphs."""
        key = tuple(sorted({link.entity.id for link in links if link.entity}))
        if key not in self._texts:
            self._texts[key] = self._known.texts(links)
        return self._texts[key]

    def incomplete(self, links: Sequence[Link]) -> frozenset[str]:
        """See StoredGraphs."""
        return self._known.incomplete(links)


class _Wrapped:
    """Stages that pass everything on to others. Implements Stages."""

    mode: Mode

    def __init__(self, stages: Stages) -> None:
        self._stages, self.mode, self.name, self.config = stages, stages.mode, stages.name, stages.config

    def extract(self, text: str) -> Extraction:
        """Return the wrapped stages' extraction."""
        return self._stages.extract(text)

    def detect(self, extraction: Extraction) -> tuple[Link, ...]:
        """Return the wrapped stages' links."""
        return self._stages.detect(extraction)

    def select(self, extraction: Extraction, links: tuple[Link, ...]) -> Selection:
        """Return the wrapped stages' facts."""
        return self._stages.select(extraction, links)

    def verify(self, extraction: Extraction, links: tuple[Link, ...], selection: Selection) -> tuple[Verdict, ...]:
        """Return the wrapped stages' verdicts."""
        return self._stages.verify(extraction, links, selection)

    def rewrite(self, found: Pass) -> Corrected:
        """Return the wrapped stages' rewriting."""
        return self._stages.rewrite(found)


class AsPassages(_Wrapped):
    """Wraps stages; the facts they select are passed on as sentences instead of triples."""

    def select(self, extraction: Extraction, links: tuple[Link, ...]) -> Selection:
        """Return the wrapped stages' facts, those of each claim as sentences, each once."""
        found = self._stages.select(extraction, links)
        facts = {fact.id: fact for fact in found.around.facts}
        chosen = dict.fromkeys(key for keys in found.by_claim for key in keys)
        passages = tuple(Passage(sentence(facts[key], found.around), found.scope) for key in chosen)
        return replace(
            found, around=Subgraph({}, ()), by_claim=tuple(() for _ in found.by_claim), chunks=(), passages=passages
        )


class NamedBySpacy(_Wrapped):
    """Wraps stages; a claim's entities are those that spaCy's named entity recognition finds in its words, as in the
    KGR paper's comparison of ways to detect entities; graphs link them.
    """

    def __init__(self, stages: Stages, known: StoredGraphs) -> None:
        super().__init__(stages)
        self._graphs = NamedGraphs(known)

    def detect(self, extraction: Extraction) -> tuple[Link, ...]:
        """Return links of the names that spaCy finds, claim after claim; a NIL for a claim without any."""
        names: list[list[str]] = [[] for _ in extraction.claims]
        for number, paragraph in paragraphs([claim.triple.text for claim in extraction.claims]):
            names[number].extend(found.text for found in paragraph.doc.ents)
        return self._graphs.named(extraction.claims, names)


def sentence(fact: Fact, around: Subgraph) -> str:
    """Return a fact as a sentence."""
    return f"{around.nodes[fact.subject].name} {spoken(fact.name)} {around.nodes[fact.object].name}."


def hidden_facts(drafts: Sequence[MadeDraft], part: float) -> dict[str, list[DraftFact]]:
    """Return the wrong facts to hide, by draft: that share of all; a larger share includes those of a smaller one."""
    every = [(draft.id, row, fact) for draft in drafts for row, fact in enumerate(draft.facts) if fact.wrong]
    every.sort(key=lambda one: sha256(f"{one[0]} {one[1]}".encode()).digest())
    found: dict[str, list[DraftFact]] = {}
    for key, _, fact in every[: round(part * len(every))]:
        found.setdefault(key, []).append(fact)
    return found


def pairs(facts: Iterable[DraftFact]) -> Hidden:
    """Subject and predicate of facts."""
    return frozenset((fact.subject_id, fact.predicate_id) for fact in facts)

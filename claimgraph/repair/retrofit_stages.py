"""Run the five stages of KGR without a language model: the extractor, the links and facts of stored graphs, a method of
detection, and replacement by the evidence's words.

Each claim is judged on the facts selected for it alone, so a verdict can be attributed to its selection. Judging all
claims on all facts, as `check` does, was rejected: the loss of selection could not be measured.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from claimgraph.detect.check_input import Case, Detector
from claimgraph.detect.extraction.extraction_cache import described
from claimgraph.detect.methods.open_domain.containment import WITHIN
from claimgraph.detect.methods.open_domain.dated_claims import judged_together
from claimgraph.detect.models.embedder import Space
from claimgraph.detect.repair.correction import Corrected, Corrector, Deterministic, draft
from claimgraph.detect.repair.kgr.fact_selection import critical
from claimgraph.detect.repair.kgr.protocol import Mode, Pass, Selection
from claimgraph.evidence.graphs import StoredGraphs
from claimgraph.kgstore import identity
from claimgraph.kgstore.model import Claim, Document, Embedder, Extraction, Extractor, Link, Subgraph, Verdict
from claimgraph.pipeline import verdict_of

VERSION = 3
"""Increase with any change to the stages: it is part of every verdict's configuration."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The sources of facts, and the number of facts selected.

    The candidates are searched `chunk` at a time, and of each chunk at most `facts` are kept for a claim. `triples` are
    the graphs' facts; `texts` are the sentences and facts of descriptions and summaries, of which every claim gets all.

    Smaller chunks raise recall and lower precision, as in KGR: on 25 drafts 0.995 and 0.16 of the facts for chunks of
    5, 0.99 and 0.30 of 20, 0.99 and 0.38 of 40; with one fact of all 0.91 and 0.91. Where recall is 0.99 the repairs
    are the same, so the larger chunk is the default.
    """

    chunk: int = 40
    facts: int = 5
    triples: bool = True
    texts: bool = True


class RuleStages:
    """Runs the stages by rules. Implements claimgraph.detect.repair.kgr.protocol.Stages.

    `known` and `detector` are queried for facts and verdicts; verdicts are stored under that detector.
    """

    mode = Mode.DETERMINISTIC

    def __init__(
        self,
        extractor: Extractor,
        known: StoredGraphs,
        detector: Detector,
        embedder: Embedder,
        choice: Choice | None = None,
        corrector: Corrector | None = None,
    ) -> None:
        self._extractor, self._known, self._detector, self._embedder = extractor, known, detector, embedder
        self._choice, self._corrector = choice or Choice(), corrector or Deterministic()
        self.name = detector.name
        stages = {"version": VERSION, "mode": self.mode, "choice": asdict(self._choice)}
        rewriting = {"method": self._corrector.name, "config": json.loads(self._corrector.config)}
        against = {"context": None, "graphs": known.versions} | described(extractor)
        parts = {"kgr": stages | {"rewrite": rewriting}, "against": against}
        self.config = json.dumps(json.loads(detector.config) | parts, sort_keys=True)

    def extract(self, text: str) -> Extraction:
        """Return the claims of the configured extractor."""
        return self._extractor.extract([Document(identity.document_id(text), text)])[0]

    def detect(self, extraction: Extraction) -> tuple[Link, ...]:
        """Return the entities of the graphs that the claims name."""
        return self._known.links(extraction.claims)

    def select(self, extraction: Extraction, links: tuple[Link, ...]) -> Selection:
        """Return those of the facts between and around the entities that share ends and relation with a claim."""
        known, choice = self._known, self._choice
        around = known.facts(extraction.claims, links) if choice.triples else Subgraph({}, ())
        by_claim, chunks = critical(
            extraction.claims, links, around, Space(self._embedder), chunk=choice.chunk, facts=choice.facts
        )
        if not choice.texts:
            return Selection(around, by_claim, known.scope, chunks)
        texts = known.texts(links)
        return Selection(around.joined(texts.facts), by_claim, known.scope, chunks, texts.passages, texts.sources)

    def verify(self, extraction: Extraction, links: tuple[Link, ...], selection: Selection) -> tuple[Verdict, ...]:
        """Return the detector's verdicts, each claim on its own facts and on those that join their ends; one that dates
        others, or is dated, is read beside these and on their facts.
        """
        missing, document, claims = self._known.incomplete(links), extraction.document, extraction.claims
        around, chosen = selection.around, selection.by_claim
        cases = [
            Case(
                tuple(claims[at] for at in (row, *others)),
                _together(around, [beside(claims[at], chosen[at], links, around) for at in (row, *others)]),
                selection.passages,
                False,
                document.text,
                extraction.sentences,
                links,
                missing,
            )
            for row, others in enumerate(judged_together(claims))
        ]
        pairs = zip(claims, (findings[0] for findings in self._detector.detect(cases)), strict=True)
        return tuple(verdict_of(c, f, self.name, self.config, selection.scope, closed=False) for c, f in pairs)

    def rewrite(self, found: Pass) -> Corrected:
        """Replace refuted elements by the words of the evidence; every other character stays."""
        text = found.extraction.document.text
        return self._corrector.correct(draft(text, "", found.extraction.claims, found.verdicts, self.name))


def _together(around: Subgraph, parts: Sequence[Subgraph]) -> Subgraph:
    """Return the facts of several selections, each once, in their order."""
    return Subgraph(around.nodes, tuple({fact.id: fact for part in parts for fact in part.facts}.values()))


def beside(claim: Claim, chosen: Sequence[str], links: Sequence[Link], around: Subgraph) -> Subgraph:
    """Return the facts selected for a claim, with related ones and those of texts.

    Related are all facts that its entities have of the same relations, since absence counts only among all; and those
    that join these to the claim's other entities, or say what they lie in: of a town and its country neither excludes
    the other.
    """
    ours = {link.entity.id for link in links if link.claim == claim.id and link.entity}
    relations = {fact.predicate for fact in around.facts if fact.id in set(chosen)}
    known = {f.id for f in around.facts if f.predicate in relations and not ours.isdisjoint((f.subject, f.object))}
    wanted = [fact for fact in around.facts if fact.id in known.union(chosen)]
    ends = [{fact.subject, fact.object} for fact in wanted]
    ties = {frozenset((theirs, other)) for pair in ends for theirs in pair - ours for other in ours - pair}
    tied = {fact.id for fact in around.facts if frozenset((fact.subject, fact.object)) in ties}
    places = {fact.object for fact in wanted}
    tied |= {fact.id for fact in around.facts if fact.name in WITHIN and fact.subject in places}
    tied |= {fact.id for fact in around.facts if fact.document}
    kept = {fact.id for fact in wanted}
    return Subgraph(around.nodes, (*wanted, *(fact for fact in around.facts if fact.id in tied - kept)))

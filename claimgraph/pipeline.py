"""Check a text: claims, evidence, findings, verdicts, store. Read this first.

    text ──extractor──▶ claims ──graphs──▶ links, facts, texts ──▶ evidence ──detector──▶ findings ─▶ verdicts ─▶ store
    contexts ──reader──▶ facts, sentences ────────────────────────────▲

Every part is an argument, so the command line, the web page and workers run the same functions, and a test can exchange
any of them. wiring picks the parts.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import reduce
from typing import TYPE_CHECKING

from claimgraph.detect.check_input import Case, Detector
from claimgraph.detect.extraction.claim_kg import claim_kg
from claimgraph.detect.extraction.extraction_cache import config_of, described, key_of, rejection_notes, rejections_json
from claimgraph.detect.prompting.prompts import provenance
from claimgraph.evidence.evidence_set import EvidenceSet, of_context
from claimgraph.kgstore import identity, reads
from claimgraph.kgstore.errors import UsageError
from claimgraph.kgstore.model import (
    HUMAN,
    Claim,
    Document,
    Extraction,
    Extractor,
    Finding,
    Hallucination,
    Outcome,
    Report,
    Run,
    Subgraph,
    Verdict,
)
from claimgraph.kgstore.store import GraphStore
from claimgraph.kgstore.stored_check import CheckParts, put

if TYPE_CHECKING:
    from claimgraph.evidence.graphs import StoredGraphs

NOTHING_TO_CHECK_AGAINST = "nothing to check against: give a context (--context FILE), a graph (--graph NAME), or both"


@dataclass(frozen=True, slots=True)
class CheckInput:
    """A text with its extraction, its claim KG (facts parallel to the claims), and the evidence for the claims."""

    extraction: Extraction
    graph: Subgraph
    evidence_set: EvidenceSet

    @property
    def case(self) -> Case:
        """Return the input of detection methods."""
        read, evidence_set = self.extraction, self.evidence_set
        return Case(
            read.claims,
            evidence_set.facts,
            evidence_set.passages,
            evidence_set.closed,
            read.document.text,
            read.sentences,
            evidence_set.links,
            evidence_set.incomplete,
            self.graph,
        )

    @property
    def parts(self) -> CheckParts:
        """Return what is stored beside the verdicts."""
        given = self.evidence_set
        return CheckParts(self.extraction, self.graph, given.read, given.links or (), given.sources)


def check(
    document: Document,
    *,
    extractor: Extractor,
    detector: Detector,
    store: GraphStore,
    contexts: Sequence[Document] = (),
    reader: Extractor | None = None,
    graphs: StoredGraphs | None = None,
    known: EvidenceSet | None = None,
    caveat: str | None = None,
) -> Report:
    """Check one document and store claims, evidence and verdicts (stored_check.put). Running it again changes nothing.

    `contexts` to `known` are what it is checked against: see prepare. `caveat` is added to every verdict's reason and
    to the report's notes.
    """
    clock, started = time.perf_counter(), datetime.now(UTC)
    given = prepare(document, extractor=extractor, contexts=contexts, reader=reader, graphs=graphs, known=known)
    run, verdicts = judge(given, detector, extractor, caveat, started)
    extraction = given.extraction
    put(store, given.parts, run, verdicts)
    hold(store, verdicts)
    verdicts = ruled(store, verdicts)
    seconds = time.perf_counter() - clock
    notes = (
        *((caveat,) if caveat else ()),
        *rejection_notes(extraction),
        *json.loads(detector.config).get("notes", ()),
    )
    read = (document, extraction.sentences, extraction.claims)
    return Report(*read, verdicts, run, seconds, notes, extraction.rejected, tuple(contexts), extraction.silent)


def prepare(
    document: Document,
    *,
    extractor: Extractor,
    contexts: Sequence[Document] = (),
    reader: Extractor | None = None,
    graphs: StoredGraphs | None = None,
    known: EvidenceSet | None = None,
) -> CheckInput:
    """Return a document's claims beside all evidence for them: evidence at hand (`known`), contexts, stored graphs.

    `reader` reads the contexts; None is the extractor of the claims. Raises UsageError where nothing is given to check
    against.
    """
    if not (contexts or graphs or known):
        raise UsageError(NOTHING_TO_CHECK_AGAINST)
    [extraction] = extractor.extract([document])
    parts = [known] if known else []
    if contexts:
        reader = reader or extractor
        parts += [of_context(read, key_of(reader)) for read in reader.extract(contexts)]
    if graphs:
        parts.append(retrieve(extraction.claims, graphs))
    graph = claim_kg(extraction, identity.claim_graph(document.id))
    return CheckInput(extraction, graph, reduce(EvidenceSet.joined, parts))


def retrieve(claims: Sequence[Claim], graphs: StoredGraphs) -> EvidenceSet:
    """Link claims to entities of stored graphs, and return the facts around these and what texts about them say."""
    links = graphs.links(claims)
    facts, texts = graphs.facts(claims, links), graphs.texts(links)
    return EvidenceSet(
        facts.joined(texts.facts),
        texts.passages,
        graphs.scope,
        closed=False,
        links=links,
        graphs=graphs.versions,
        sources=texts.sources,
        incomplete=graphs.incomplete(links),
    )


def judge(
    given: CheckInput, detector: Detector, extractor: Extractor, caveat: str | None, started: datetime
) -> tuple[Run, tuple[Verdict, ...]]:
    """Return a method's verdict on each claim, in order, and its run; `extractor` is the one that read the claims."""
    extraction, evidence_set = given.extraction, given.evidence_set
    [findings] = detector.detect([given.case])
    pairs, scope = zip(extraction.claims, findings, strict=True), _scope(evidence_set, extractor)
    verdicts = tuple(
        said(verdict_of(claim, finding, detector.name, detector.config, scope, closed=evidence_set.closed), caveat)
        for claim, finding in pairs
    )
    model, prompt_hash = provenance(detector.config, config_of(extractor))
    run = Run(
        id=run_of(given, detector, extractor),
        method=detector.name,
        config=_config(detector, extractor, evidence_set, extraction),
        started_at=started,
        finished_at=datetime.now(UTC),
        status="complete",
        model=model,
        prompt_hash=prompt_hash,
    )
    return run, verdicts


def hold(store: GraphStore, verdicts: Sequence[Verdict]) -> None:
    """Make verdicts that were found again current, though others superseded them: the evidence is again as it was.

    A person's verdict stays, and that of all methods fused yields to no single method's.
    """
    current = reads.holding(store, [verdict.claim for verdict in verdicts])
    again = [verdict for verdict in verdicts if _yields(*current.get(verdict.claim, ("", HUMAN)), verdict)]
    if again:
        store.write(
            ("delete_supersessions", [{"id": verdict.id} for verdict in again]),
            ("put_current", [{"id": verdict.claim, "verdict": verdict.id} for verdict in again]),
        )


def _yields(old: str, method: str, new: Verdict) -> bool:
    """Return whether the verdict of that id and method yields to the new one."""
    return method != HUMAN and old != new.id and (method != "fused" or new.method == "fused")


def ruled(store: GraphStore, verdicts: Sequence[Verdict]) -> tuple[Verdict, ...]:
    """The verdicts with a person's ruling in the place of each that says something else of its claim.

    A method that refutes what the person refutes keeps its verdict, which says what the evidence has instead.
    """
    current = reads.holding(store, [verdict.claim for verdict in verdicts])
    judged = [claim for claim, (_, method) in current.items() if method == HUMAN]
    human = {found.claim: found for found in reads.load_verdicts(store, judged)} if judged else {}
    held = [(verdict, human.get(verdict.claim, verdict)) for verdict in verdicts]
    return tuple(made if made.outcome is given.outcome is Outcome.REFUTED else given for made, given in held)


def run_of(given: CheckInput, detector: Detector, extractor: Extractor) -> str:
    """Return the id of a method's run on that input."""
    document, scope = given.extraction.document.id, _scope(given.evidence_set, extractor)
    return identity.run_id("check", detector.name, detector.config, document, scope)


def _config(detector: Detector, extractor: Extractor, evidence_set: EvidenceSet, extraction: Extraction) -> str:
    """Return the method's configuration and its evidence: enough to repeat the run (claimgraph/rechecking.py).

    Its context is None, the id of one document, or a list of several.
    Under `rejected`, if anything was, the parts of a language model's output that the text does not support
    (rejections_json).
    """
    given = evidence_set.contexts
    context = list(given) if len(given) > 1 else next(iter(given), None)
    against = {"context": context, "graphs": dict(evidence_set.graphs)} | described(extractor)
    rejected = {"rejected": rejections_json(extraction.rejected)} if extraction.rejected else {}
    return json.dumps(json.loads(detector.config) | {"against": against} | rejected, sort_keys=True)


def _scope(evidence_set: EvidenceSet, extractor: Extractor) -> str:
    """Return the evidence scope, with the extractor where that is more than a name: another prompt, other verdicts."""
    return f"{evidence_set.scope} read by {key_of(extractor)}" if config_of(extractor) else evidence_set.scope


def verdict_of(claim: Claim, finding: Finding, method: str, config: str, scope: str, *, closed: bool) -> Verdict:
    """Return a finding as a verdict to store, by a method with that configuration (JSON) on evidence of that scope."""
    return Verdict(
        id=identity.verdict_id(claim.id, method, config, scope),
        claim=claim.id,
        outcome=finding.outcome,
        status=finding.status,
        method=method,
        reason=finding.reason,
        confidence=finding.confidence,
        hallucination=_hallucination(finding.outcome, closed),
        citations=finding.citations,
        signals=finding.signals,
    )


def said(verdict: Verdict, caveat: str | None) -> Verdict:
    """Return the verdict with a caveat in its reason."""
    return replace(verdict, reason=f"{verdict.reason} ({caveat})") if caveat else verdict


def _hallucination(outcome: Outcome, closed: bool) -> Hallucination | None:
    """Return intrinsic for a refuted claim, extrinsic for one not found in a closed context, None for open-domain
    doubt.
    """
    if outcome is Outcome.REFUTED:
        return Hallucination.INTRINSIC
    return Hallucination.EXTRINSIC if closed and outcome is Outcome.NOT_ENOUGH_INFO else None

"""Check a text: claims, evidence, findings, verdicts, store. Read this first.

    text ──extractor──▶ claim KG ──gather──▶ facts, passages ──detector──▶ findings ──▶ verdicts ──▶ store

Every part is an argument, so the command line and the web page run the same function, and a test can exchange any of
them. Workers run its steps one at a time, with the graph between them (workers/stages/checking.py). wiring picks the
parts.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from claimgraph.detect.check_input import Case, Detector
from claimgraph.detect.extraction.claim_kg import claim_kg
from claimgraph.detect.extraction.extraction_cache import config_of, described, key_of, rejection_notes, rejections_json
from claimgraph.detect.prompting.prompts import provenance
from claimgraph.kgstore import identity, reads, records
from claimgraph.kgstore.model import (
    HUMAN,
    Claim,
    Document,
    Extraction,
    Extractor,
    Finding,
    Hallucination,
    Link,
    Outcome,
    Passage,
    Report,
    Run,
    Subgraph,
    Verdict,
)
from claimgraph.kgstore.store import GraphStore, Step


@dataclass(frozen=True, slots=True)
class EvidenceSet:
    """The evidence that claims are checked against.

    `scope` names the evidence with its version: the same claim on the same scope is the same verdict. `closed` says
    that the evidence is complete (a context), so a claim not found in it is extrinsic. `links` is None where nothing
    was linked. `steps` store what the evidence refers to; `sources` the same for texts of which there are many, by
    document id: written where a verdict cites the text. `context` (a document's id) and `graphs` (versions by name) say
    where the evidence is from, so that a run can be repeated. `incomplete` are the linked entities of which only a part
    of the facts was fetched.
    """

    facts: Subgraph
    passages: tuple[Passage, ...]
    scope: str
    closed: bool
    links: tuple[Link, ...] | None = None
    steps: tuple[Step, ...] = ()
    context: str | None = None
    graphs: Mapping[str, str] = field(default_factory=dict)
    sources: Mapping[str, Sequence[Step]] = field(default_factory=dict)
    incomplete: frozenset[str] = frozenset()


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


def check(
    document: Document,
    *,
    extractor: Extractor,
    gather: Callable[[Extraction], EvidenceSet],
    detector: Detector,
    store: GraphStore,
    caveat: str | None = None,
) -> Report:
    """Check one document and store claims, evidence and verdicts in one write. Running it again changes nothing.

    `caveat` is added to every verdict's reason and to the report's notes.
    """
    clock, started = time.perf_counter(), datetime.now(UTC)
    extraction = extractor.extract([document])[0]
    evidence_set = gather(extraction)
    given = CheckInput(extraction, claim_kg(extraction, identity.claim_graph(document.id)), evidence_set)
    run, verdicts = judge(given, detector, extractor, caveat, started)
    store.write(
        *evidence_set.steps, *found_steps(extraction, evidence_set.links or (), run, verdicts, evidence_set.sources)
    )
    verdicts = ruled(store, verdicts)
    seconds = time.perf_counter() - clock
    notes = (
        *((caveat,) if caveat else ()),
        *rejection_notes(extraction),
        *json.loads(detector.config).get("notes", ()),
    )
    rejected = extraction.rejected
    return Report(document, extraction.sentences, extraction.claims, verdicts, run, seconds, notes, rejected)


def ruled(store: GraphStore, verdicts: Sequence[Verdict]) -> tuple[Verdict, ...]:
    """The verdicts with a person's ruling in the place of each that says something else of its claim.

    A method that refutes what the person refutes keeps its verdict, which says what the evidence has instead.
    """
    current = reads.load_verdicts(store, [verdict.claim for verdict in verdicts])
    human = {found.claim: found for found in current if found.method == HUMAN}
    held = [(verdict, human.get(verdict.claim, verdict)) for verdict in verdicts]
    return tuple(made if made.outcome is given.outcome is Outcome.REFUTED else given for made, given in held)


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


def run_of(given: CheckInput, detector: Detector, extractor: Extractor) -> str:
    """Return the id of a method's run on that input."""
    document, scope = given.extraction.document.id, _scope(given.evidence_set, extractor)
    return identity.run_id("check", detector.name, detector.config, document, scope)


def found_steps(
    extraction: Extraction,
    links: Sequence[Link],
    run: Run,
    verdicts: Sequence[Verdict],
    sources: Mapping[str, Sequence[Step]],
) -> Iterator[Step]:
    """Yield steps that store the results for a text: claims and claim KG, texts cited, links, run and verdicts."""
    yield from records.extraction_steps(extraction, claim_kg(extraction, identity.claim_graph(extraction.document.id)))
    yield from records.link_steps(links)
    yield from judged_steps(run, verdicts, sources)


def judged_steps(run: Run, verdicts: Sequence[Verdict], sources: Mapping[str, Sequence[Step]]) -> Iterator[Step]:
    """Yield steps that store the verdicts on existing claims: texts cited, run and verdicts."""
    for document in dict.fromkeys(piece.evidence.document for verdict in verdicts for piece in verdict.citations):
        yield from sources.get(document or "", ())
    yield from records.verdict_steps(run, verdicts)


def _config(detector: Detector, extractor: Extractor, evidence_set: EvidenceSet, extraction: Extraction) -> str:
    """Return the method's configuration and its evidence: enough to repeat the run (claimgraph/rechecking.py).

    Under `rejected`, if anything was, the parts of a language model's output that the text does not support
    (rejections_json).
    """
    against = {"context": evidence_set.context, "graphs": dict(evidence_set.graphs)} | described(extractor)
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

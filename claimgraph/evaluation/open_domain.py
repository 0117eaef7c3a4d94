"""Measure checking against graphs on claims known to be true or false, for `claimgraph eval open-domain`.

How many claims are decided, and how many of these rightly, once by the facts that state them and by absence alone, once
with what the rest of the graphs says. The curve has both for every limit of its probability. Claims are facts in words
(FactBench, CoDEx) or sentences (CREAK), read and linked as `check` does. The rules that compare a claim's words with
each fact's are left out: they decide next to nothing that these do not, and embed every fact around a claim.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from claimgraph import wiring
from claimgraph.detect.check_input import Case, Detector, linked
from claimgraph.detect.methods.open_domain.calibration import SIGNALS
from claimgraph.detect.methods.open_domain.graph_judged import METHOD, TRUE
from claimgraph.evaluation.batches import Advance, batches, silent
from claimgraph.evaluation.data.labelled import LabelledCase, LabelledTriple, Unit
from claimgraph.evaluation.data.labelled_facts import identity, read_facts
from claimgraph.evaluation.data.labelled_files import read_labelled
from claimgraph.evaluation.data.rows import dataset_name
from claimgraph.evaluation.detection.cases import Preparer
from claimgraph.evaluation.statistics.shares import share
from claimgraph.evidence.graphs import StoredGraphs
from claimgraph.kgstore.arrays.export import names_of, relations_of
from claimgraph.kgstore.model import Finding, Outcome, Signal, Span, Status, Triple
from claimgraph.kgstore.store import GraphStore
from claimgraph.settings import Settings
from claimgraph.wiring.open_domain import open_domain

_AT_ONCE = 50
LIMITS = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98)
"""Probabilities of the curve."""


@dataclass(frozen=True, slots=True)
class JudgedClaim:
    """A text with its outcome before and after the rest of the graphs was asked.

    `covered`: the graphs know both ends of one of its claims. `signals` are those of graph evidence, of a text of one
    claim, and `chance` is the probability made of them; None where it says nothing.
    """

    group: str
    true: bool
    covered: bool
    before: Outcome
    after: Outcome
    signals: dict[str, float] | None = None
    chance: float | None = None


@dataclass(frozen=True, slots=True)
class Decided:
    """Texts decided in one way: their number, the share of them that is right, and their share of all that could be;
    None where undefined.
    """

    n: int
    precision: float | None
    coverage: float | None


@dataclass(frozen=True, slots=True)
class Decisions:
    """What is decided, in all and by outcome."""

    decided: Decided
    supported: Decided
    refuted: Decided


@dataclass(frozen=True, slots=True)
class OpenDomainReport:
    """One file: texts, those that are covered, decisions before and after, and `curve` by limit: what graph evidence
    alone would decide of the texts that no fact states, at that probability.
    """

    dataset: str
    graphs: tuple[str, ...]
    n: int
    true: int
    covered: int
    before: Decisions
    after: Decisions
    weighed: int
    curve: dict[str, Decisions] = field(default_factory=dict)


class Undecided:
    """A detector that leaves every claim open: what graphs decide is then theirs alone. Implements Detector."""

    name, config = "undecided", "{}"

    def detect(self, cases: Sequence[Case]) -> list[list[Finding]]:
        """Return one list per case with one open finding per claim."""
        signals = (Signal(self.name, "hallucination", None),)
        open_ = Finding(Outcome.NOT_ENOUGH_INFO, Status.COMPLETE, "Nothing was compared.", signals=signals)
        return [[open_ for _ in case.claims] for case in cases]


@contextmanager
def opened(
    settings: Settings, graphs: Sequence[str]
) -> Iterator[Callable[[Path, int | None, int, Advance], list[JudgedClaim]]]:
    """Yield what judges a file's claims by stored graphs: path, number of claims or None, seed, and Advance in.

    Models and graphs are loaded once. Raises NotFound for an unknown graph.
    """
    with wiring.open_store(settings, read_only=True) as store:
        models = wiring.Models(settings, store)
        extractor = wiring.extractor(settings, models=models)
        known = StoredGraphs(store, graphs, models.embedder, models.reading(extractor))
        before, after = (
            open_domain(
                Undecided(),
                graphs,
                store=store,
                embedder=models.embedder,
                entailment=models.entailment,
                settings=settings,
                whole=whole,
            )
            for whole in (False, True)
        )

        def judged(path: Path, limit: int | None, seed: int, advance: Advance) -> list[JudgedClaim]:
            cases = read_claims(path, store, graphs, limit, seed)
            return list(judged_claims(cases, Preparer(extractor, known), before, after, advance))

        yield judged


def read_claims(
    path: Path, store: GraphStore, graphs: Sequence[str], limit: int | None, seed: int
) -> list[LabelledCase]:
    """Return the claims of a file, of a random sample with `limit`: facts of a table by the names that the first
    graph has for its ids, JSON lines as `eval detection` reads them. Raises InputError.
    """
    if ".tsv" not in path.suffixes:
        return list(read_labelled(path, limit=limit, seed=seed))
    facts = read_facts(path)
    if limit is not None:
        facts = [facts[at] for at in sorted(Random(seed).sample(range(len(facts)), min(limit, len(facts))))]
    keys = [[identity(graphs[0], part) for part in (f.key.subject, f.key.predicate, f.key.object)] for f in facts]
    names = names_of(store, {key for subject, _, object in keys for key in (subject, object)})
    relations = relations_of(store, [predicate for _, predicate, _ in keys])
    return [
        _as_case(Triple(names[s], relations.get(p, fact.named.predicate), names[o]), fact.label, line)
        for line, (fact, (s, p, o)) in enumerate(zip(facts, keys, strict=True))
        if s in names and o in names
    ]


def judged_claims(
    cases: Sequence[LabelledCase], preparer: Preparer, before: Detector, after: Detector, advance: Advance = silent
) -> Iterator[JudgedClaim]:
    """Yield each text with its outcomes by both detectors. `advance` is called with (texts done, total)."""
    for some in batches(cases, _AT_ONCE, advance):
        prepared = preparer.prepare(some)
        ways = [detector.detect([one.case for one in prepared]) for detector in (before, after)]
        for one, first, second in zip(prepared, *ways, strict=True):
            yield _judged(one.labelled, one.case, first, second)


def report(path: Path, graphs: Sequence[str], found: Sequence[JudgedClaim]) -> OpenDomainReport:
    """Return the figures of one file."""
    covered = [one for one in found if one.covered]
    weighed = [one for one in covered if one.chance is not None]
    return OpenDomainReport(
        dataset=dataset_name(path),
        graphs=tuple(graphs),
        n=len(found),
        true=sum(one.true for one in found),
        covered=len(covered),
        before=_decisions([(one.true, one.before) for one in covered]),
        after=_decisions([(one.true, one.after) for one in covered]),
        weighed=len(weighed),
        curve={str(at): _decisions([(one.true, _at(one.chance or 0.0, at)) for one in weighed]) for at in LIMITS},
    )


def _at(chance: float, limit: float) -> Outcome:
    if chance >= limit:
        return Outcome.SUPPORTED
    return Outcome.REFUTED if 1 - chance >= limit else Outcome.NOT_ENOUGH_INFO


def _as_case(said: Triple, label: int, line: int) -> LabelledCase:
    text = f"{said.text}."
    claims = (LabelledTriple(said, Span(0, len(text)), 1 - label),)
    return LabelledCase(str(line), said.subject, "", Unit.CLAIM, text, 1 - label, claims=claims, line=line)


def _judged(labelled: LabelledCase, case: Case, before: Sequence[Finding], after: Sequence[Finding]) -> JudgedClaim:
    covered = any({"subject", "object"} <= linked(claim, case.links).ids.keys() for claim in case.claims)
    own = after[0].signals if len(after) == 1 else ()
    signals = {s.name: s.value for s in own if s.method == METHOD and s.value is not None}
    return JudgedClaim(
        labelled.group,
        labelled.label == 0,
        covered,
        _outcome(before),
        _outcome(after),
        {name: value for name, value in signals.items() if name in SIGNALS} or None,
        signals.get(TRUE),
    )


def _outcome(findings: Sequence[Finding]) -> Outcome:
    """Return a text's outcome: REFUTED by one claim, SUPPORTED by all."""
    outcomes = {finding.outcome for finding in findings}
    if Outcome.REFUTED in outcomes:
        return Outcome.REFUTED
    return Outcome.SUPPORTED if outcomes == {Outcome.SUPPORTED} else Outcome.NOT_ENOUGH_INFO


def _decisions(found: Sequence[tuple[bool, Outcome]]) -> Decisions:
    yes = [true for true, outcome in found if outcome is Outcome.SUPPORTED]
    no = [not true for true, outcome in found if outcome is Outcome.REFUTED]
    return Decisions(*(_decided(made, len(found)) for made in ([*yes, *no], yes, no)))


def _decided(right: Sequence[bool], possible: int) -> Decided:
    return Decided(len(right), share(sum(right), len(right)), share(len(right), possible))

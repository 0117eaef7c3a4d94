"""What no fact states is judged by the rest of the graph, and absence refutes only where that agrees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import fact_world
import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from claimgraph.detect.check_input import Case
from claimgraph.detect.methods.graph_evidence.judge import GraphEvidence
from claimgraph.detect.methods.graph_evidence.logistic import fit
from claimgraph.detect.methods.open_domain.calibration import SIGNALS, GraphCalibration, load
from claimgraph.detect.methods.open_domain.graph_judged import GraphEvidenceSource, GraphJudged
from claimgraph.detect.models.embedder import MiniLMEmbedder
from claimgraph.kgstore.model import (
    Citation,
    Claim,
    Entity,
    Evidence,
    Fact,
    Finding,
    Link,
    Outcome,
    Signal,
    Span,
    Stance,
    Status,
    Subgraph,
)

EMBEDDER = MiniLMEmbedder(threads=1)
S, R, N = Outcome.SUPPORTED, Outcome.REFUTED, Outcome.NOT_ENOUGH_INFO
ASKED = ("person0", "speaks")
ALL = fact_world.world()
LANGUAGE = next(o for s, p, o in ALL if (s, p) == ASKED)
COUNTRY = next(o for s, p, o in ALL if (s, p) == ("person0", "citizen_of"))
FACTS = [fact for fact in ALL if fact[:2] != ASKED]
GRAPH = fact_world.arrays(FACTS)
KNOWN = Subgraph(
    {key: Entity(key, name, graphs=("w",)) for key, name in zip(GRAPH.nodes, GRAPH.names, strict=True)},
    tuple(
        Fact(f"f{i:05}", "w", f"w:{s}", f"w:{p}", p.replace("_", " "), f"w:{o}") for i, (s, p, o) in enumerate(FACTS)
    ),
)
JUDGE = GraphEvidence(GRAPH)
CALIBRATION = GraphCalibration(0.0, {"odds": 1.0, "room": 1.0}, 0.9, 0.1, ())
OPEN = Finding(N, Status.COMPLETE, "Nothing says so.", signals=(Signal("rules", "hallucination", 0.5),))
ABSENT = replace(
    OPEN,
    outcome=R,
    citations=(Citation(Evidence("e1:x", "x", "w"), Stance.REFUTES, 0.9),),
    signals=(*OPEN.signals, Signal("completeness", "relation", 1.0)),
)


class Given:
    """A detector that finds the same of every claim."""

    name, config = "rules", "{}"

    def __init__(self, finding: Finding) -> None:
        self._finding = finding

    def detect(self, cases: Sequence[Case]) -> list[list[Finding]]:
        return [[self._finding for _ in case.claims] for case in cases]


def judged(
    object: str, predicate: str = "speaks", finding: Finding = OPEN, *, incomplete: bool = False, doubts: bool = True
) -> Finding:
    """What is found of person0 with that predicate and object."""
    text = f"person0 {predicate} {object}"
    claim = Claim("c1:x", "d1:x", "person0", predicate.replace("_", " "), object, text, Span(0, len(text)))
    ends = {"subject": "person0", "object": object.removeprefix("not ")}
    links = tuple(Link("c1:x", role, end, KNOWN.nodes[f"w:{end}"], 1.0, 1.0) for role, end in ends.items())  # type: ignore[arg-type]
    case = Case((claim,), KNOWN, (), False, text, (Span(0, len(text)),), links)
    case = replace(case, incomplete=frozenset({"w:person0"}) if incomplete else frozenset())
    source = GraphEvidenceSource(JUDGE, lambda ids: _facts(ids))
    [[found]] = GraphJudged(Given(finding), EMBEDDER, lambda: source, CALIBRATION, doubts=doubts).detect([case])
    return found


def _facts(ids: Sequence[str]) -> Subgraph:
    return Subgraph(KNOWN.nodes, tuple(fact for fact in KNOWN.facts if fact.id in ids))


def other(end: str) -> str:
    """The next of four."""
    return end[:-1] + str((int(end[-1]) + 1) % fact_world.COUNTRIES)


def test_a_likely_fact_is_supported_by_a_path_or_a_rule() -> None:
    """What the place of birth makes likely is supported; facts are cited, and the reason says that none states it."""
    found = judged(LANGUAGE)
    assert (S, Status.COMPLETE) == (found.outcome, found.status)
    assert all(cited.stance is Stance.SUPPORTS and cited.evidence.fact_id for cited in found.citations)
    assert found.citations
    assert "does not state this, but the rest of it speaks for it" in found.reason
    assert (found.confidence or 0) >= CALIBRATION.support


def test_another_value_refutes() -> None:
    """Another country than the known one is refuted by that, unless not all facts were fetched."""
    found = judged(other(COUNTRY), "citizen_of")
    assert (R, Stance.REFUTES) == (found.outcome, found.citations[0].stance)
    assert COUNTRY in found.citations[0].evidence.text
    assert N is judged(other(COUNTRY), "citizen_of", incomplete=True).outcome


@pytest.mark.parametrize(
    ("object", "predicate"), [("city0", "works_as"), ("country0", "located_in"), ("city0", "citizen_of")]
)
def test_an_end_of_another_kind_alone_refutes_nothing(object: str, predicate: str) -> None:
    """Nobody works as a city or is its citizen, no person lies in a country: the words may mean another relation."""
    assert N is judged(object, predicate).outcome


def test_absence_refutes_only_what_the_rest_of_the_graph_speaks_against() -> None:
    """A fact that is likely may be missing: what was refuted by absence is open then, and cites it as neutral."""
    found = judged(LANGUAGE, finding=ABSENT)
    assert (N, [Stance.NEUTRAL]) == (found.outcome, [cited.stance for cited in found.citations])
    assert "may be missing" in found.reason
    assert R is judged(other(COUNTRY), "citizen_of", ABSENT).outcome
    assert R is judged(LANGUAGE, finding=ABSENT, doubts=False).outcome


@pytest.mark.parametrize(
    ("object", "predicate", "finding"),
    [
        (LANGUAGE, "does not speak", OPEN),
        (LANGUAGE, "hates", OPEN),
        (LANGUAGE, "speaks", replace(OPEN, status=Status.UNLINKED)),
        (LANGUAGE, "speaks", replace(OPEN, outcome=S)),
    ],
)
def test_what_passes_unchanged(object: str, predicate: str, finding: Finding) -> None:
    """Negated claims, unknown relations, unlinked subjects, and what facts decide."""
    assert finding == judged(object, predicate, finding)


def test_without_a_graph_to_learn_from_nothing_changes() -> None:
    """A source that has none leaves the findings as they are."""
    case = Case((), KNOWN, (), False, "", (), ())
    assert [[]] == GraphJudged(Given(OPEN), EMBEDDER, lambda: None, CALIBRATION).detect([case])


def test_what_is_learnt_is_kept(tmp_path: Path) -> None:
    """A second judge of the same folder reads what the first one learnt, and judges alike; a broken file is learnt
    anew.
    """
    facts = np.array([[GRAPH.node("w:person0"), GRAPH.relation("w:speaks"), GRAPH.node(f"w:{LANGUAGE}")]])
    first = GraphEvidence(GRAPH, folder=tmp_path).log_odds(facts)
    [file] = tmp_path.iterdir()
    assert first.tolist() == GraphEvidence(GRAPH, folder=tmp_path).log_odds(facts).tolist()
    file.write_bytes(b"PK broken")
    assert first.tolist() == GraphEvidence(GRAPH, folder=tmp_path).log_odds(facts).tolist()


def test_the_logistic_is_scikit_learn_s() -> None:
    """Weights agree with the field's implementation on standardised columns."""
    random = np.random.default_rng(0)
    rows = random.standard_normal((300, 4)) * [1, 5, 0.1, 1]
    labels = (rows[:, 0] + random.standard_normal(300) > 1).astype(int)
    found, scaled = fit(rows, labels), (rows - rows.mean(axis=0)) / rows.std(axis=0)
    oracle = LogisticRegression(class_weight="balanced", max_iter=1000, tol=1e-8).fit(scaled, labels)
    assert oracle.decision_function(scaled) == pytest.approx(found.log_odds(rows), abs=1e-4)


def test_the_shipped_numbers_weigh_known_signals() -> None:
    """Every weight is of a signal, and refuting needs a lower probability than supporting."""
    shipped = load()
    assert set(shipped.weights) <= set(SIGNALS)
    assert shipped.refute < 0.5 < shipped.support

"""What facts decide by likeness of words is taken back where the entailment model reads them otherwise."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from claimgraph.detect.check_input import Case
from claimgraph.detect.methods.open_domain.confirmed_facts import DENIED, TAKEN_BACK, TOLD, FactsConfirmed
from claimgraph.detect.models.entailment import OnnxEntailment
from claimgraph.kgstore.model import (
    Citation,
    Claim,
    EntailmentModel,
    Evidence,
    Finding,
    Outcome,
    Span,
    Stance,
    Status,
    Subgraph,
    Triple,
)
from claimgraph.wiring.models import own_entailment

_STANCES = {Outcome.SUPPORTED: Stance.SUPPORTS, Outcome.REFUTED: Stance.REFUTES}


@dataclass
class Decided:
    """A detector whose findings are given."""

    findings: Sequence[Finding]
    name: str = "fused"
    config: str = "{}"

    def detect(self, cases: Sequence[Case]) -> list[list[Finding]]:
        """Return them for every case."""
        return [list(self.findings) for _ in cases]


@pytest.fixture(scope="module")
def model() -> EntailmentModel:
    """The larger of our models."""
    folder = own_entailment("base")
    return OnnxEntailment(folder, folder)


def _finding(outcome: Outcome, *facts: tuple[str, str, str], path: bool = False) -> Finding:
    cited = tuple(
        Citation(
            Evidence(f"e{at}", " ".join(fact), "g", fact_id=f"f{at}", triple=Triple(*fact)),
            _STANCES[outcome],
            0.9,
            0 if path else None,
        )
        for at, fact in enumerate(facts)
    )
    return Finding(outcome, Status.COMPLETE, "as found", 0.9, cited)


def _case(*triple: str, closed: bool = False) -> Case:
    subject, predicate, object = triple
    text = " ".join(triple) + "."
    claim = Claim("c", "d", subject, predicate, object, text, Span(0, len(text)), None, None, None)
    return Case((claim,), Subgraph({}, ()), (), closed, text, (), None if closed else ())


LIVES = ("Mahatma Gandhi", "residence", "India")
FEVER = ("Lord Byron", "cause of death", "typhoid fever")


@pytest.mark.parametrize(
    ("claim", "finding", "kept"),
    [
        (("Gandhi", "was unable to start a law practice in", "India"), _finding(Outcome.SUPPORTED, LIVES), False),
        (("Gandhi", "made his home in", "India"), _finding(Outcome.SUPPORTED, LIVES), True),
        (("Gandhi", "lived in", "India"), _finding(Outcome.SUPPORTED, LIVES), True),
        (("Gandhi", "was unable to start a law practice in", "1893"), _finding(Outcome.SUPPORTED, LIVES), True),
        (("Byron", "died of", "a disease"), _finding(Outcome.REFUTED, FEVER), False),
        (("Byron", "died of", "a gunshot wound"), _finding(Outcome.REFUTED, FEVER), True),
        (
            ("Gandhi", "was unable to start a law practice in", "Asia"),
            _finding(Outcome.SUPPORTED, LIVES, ("India", "continent", "Asia"), path=True),
            False,
        ),
    ],
)
def test_what_facts_do_not_tell_is_open(
    model: EntailmentModel, claim: tuple[str, str, str], finding: Finding, kept: bool
) -> None:
    """A support in words that mean something else, and a refutation by what implies the claim; a known phrase and a
    date are not asked about.
    """
    [[found]] = FactsConfirmed(Decided([finding]), model).detect([_case(*claim)])
    if kept:
        assert finding == found
        return
    assert (Outcome.NOT_ENOUGH_INFO, Status.COMPLETE, None) == (found.outcome, found.status, found.confidence)
    assert {Stance.NEUTRAL} == {one.stance for one in found.citations}
    assert finding.citations[0].evidence.text in found.reason
    [told] = [one.value for one in found.signals if (one.method, one.name) == TAKEN_BACK]
    assert told is not None
    assert told < DENIED if finding.outcome is Outcome.SUPPORTED else told >= TOLD


@pytest.mark.parametrize(
    "finding", [Finding(Outcome.NOT_ENOUGH_INFO, Status.COMPLETE, "open"), _finding(Outcome.SUPPORTED)]
)
def test_what_rests_on_no_fact_passes(model: EntailmentModel, finding: Finding) -> None:
    """An open claim, and one that cites nothing."""
    [[found]] = FactsConfirmed(Decided([finding]), model).detect([_case("Gandhi", "hated", "India")])
    assert finding == found


def test_a_closed_case_passes(model: EntailmentModel) -> None:
    """Facts of a context are read by the weights of a closed domain."""
    finding = _finding(Outcome.SUPPORTED, LIVES)
    [[found]] = FactsConfirmed(Decided([finding]), model).detect([_case("Gandhi", "hated", "India", closed=True)])
    assert finding == found


def test_the_model_is_part_of_the_configuration(model: EntailmentModel) -> None:
    """Verdicts of another model are other verdicts."""
    assert model.model == json.loads(FactsConfirmed(Decided([]), model).config)["confirmed"]["model"]

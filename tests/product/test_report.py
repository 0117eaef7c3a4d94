"""The levels of a printed report."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from claimgraph.kgstore.model import Claim, Document, Hallucination, Outcome, Report, Run, Signal, Span, Status, Verdict
from claimgraph.reports.check_report import as_json


def report(*outcomes: Outcome) -> Report:
    """A report of one method with a claim of five characters an outcome, and one sentence more than claims."""
    claims = [Claim(f"c{n}", "d", "a", "b", "c", "text.", Span(5 * n, 5 * n + 5)) for n, _ in enumerate(outcomes)]
    verdicts = [
        Verdict(
            f"v{n}",
            f"c{n}",
            outcome,
            Status.COMPLETE,
            "kea",
            "so",
            hallucination=Hallucination.INTRINSIC if outcome is Outcome.REFUTED else None,
            signals=(Signal("kea", "hallucination", 0.25 * n), Signal("fused", "hallucination", 1.0)),
        )
        for n, outcome in enumerate(outcomes)
    ]
    sentences = tuple(Span(5 * n, 5 * n + 5) for n in range(len(outcomes) + 1))
    run = Run("r", "kea", "{}", datetime.now(UTC))
    return Report(Document("d", "text." * len(sentences)), sentences, tuple(claims), tuple(verdicts), run, 0.0)


def test_levels_follow_from_the_claims() -> None:
    """A sentence takes the label and score of its claims by their own method; without claims it says so."""
    found = as_json(report(Outcome.SUPPORTED, Outcome.REFUTED))
    assert [(0, 0.0, "complete"), (1, 0.25, "complete"), (0, None, "no_claims")] == [
        (s["label"], s["score"], s["status"]) for s in found["sentences"]
    ]
    expected = {"label": 1, "score": 0.25, "status": "complete", "outcome": "REFUTED"}
    assert expected == found["document"]["verdict"]


def test_the_worst_outcome_is_the_documents() -> None:
    """Refuted before not enough information before supported; a text without claims has no outcome."""
    order = (Outcome.SUPPORTED, Outcome.NOT_ENOUGH_INFO, Outcome.REFUTED)
    found = [as_json(report(*order[: n + 1]))["document"]["verdict"]["outcome"] for n in range(3)]
    assert list(order) == found
    nothing = {"label": 0, "score": None, "status": "no_claims", "outcome": None}
    assert nothing == as_json(report())["document"]["verdict"]


def test_not_enough_information_in_an_open_domain() -> None:
    """It is an abstention, and a hallucination by the papers' rule; in a closed domain it is one by either."""
    opened = report(Outcome.SUPPORTED, Outcome.NOT_ENOUGH_INFO)
    closed = replace(
        opened,
        verdicts=(
            opened.verdicts[0],
            replace(opened.verdicts[1], hallucination=Hallucination.EXTRINSIC),
        ),
    )
    for found, nei, label, status in (
        (opened, False, None, "abstained"),
        (opened, True, 1, "complete"),
        (closed, False, 1, "complete"),
    ):
        printed = as_json(found, nei=nei)
        last = printed["sentences"][1]
        assert (label, status) == (last["label"], last["status"])
        assert (label, status) == (printed["document"]["verdict"]["label"], printed["document"]["verdict"]["status"])
        assert (0, "no_claims") == (printed["sentences"][2]["label"], printed["sentences"][2]["status"])


def test_the_preset_is_named() -> None:
    """The report has the preset of the configuration, None where the method has none."""
    with_one = replace(report(), run=replace(report().run, config='{"preset": "directed"}'))
    assert (None, "directed") == (as_json(report())["preset"], as_json(with_one)["preset"])

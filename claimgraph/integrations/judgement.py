"""Sum up a check as evaluators want it: a score, whether it passes, and why not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from claimgraph.kgstore.model import Outcome
from claimgraph.reports.formats import FORMATS
from claimgraph.reports.statements import problems, statements
from claimgraph.session import Session
from claimgraph.settings import Settings


@dataclass(frozen=True, slots=True)
class Judgement:
    """The share of a text's statements that its contexts support, 0 to 1 and None where it states nothing; whether none
    is refuted or open; and the problems as Markdown.
    """

    score: float | None
    passing: bool
    reason: str


def judge(
    text: str, contexts: str | Sequence[str], settings: Settings | None = None, method: str = "fused"
) -> Judgement:
    """Check a text against its contexts and sum up. Raises InputError for an empty text or context."""
    with Session(settings) as session:
        report = session.check(text, context=contexts, method=method)
    found = statements(report)
    supported = sum(one.outcome is Outcome.SUPPORTED for one in found)
    reason = FORMATS["markdown"](report) if problems(found) else "the context says so"
    return Judgement(supported / len(found) if found else None, supported == len(found), reason)

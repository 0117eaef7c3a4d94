"""Summarise a check for a reader: statements with one verdict each, and the problems among them, worst first.

Claims of one clause share its statement. A statement is refuted where one of its claims is, supported where all are,
and open otherwise; its reason and evidence are those of the most confident claim with that outcome. A problem inside
another one that the same sentence decides is told with it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from claimgraph.kgstore.model import Citation, Claim, Outcome, Span, Stance, Verdict

WORST = (Outcome.REFUTED, Outcome.NOT_ENOUGH_INFO, Outcome.SUPPORTED)
_DECIDES = {Outcome.REFUTED: Stance.REFUTES, Outcome.SUPPORTED: Stance.SUPPORTS}
_OPEN = re.compile(
    r"\W*(?:(?:in|at|on|by|of|for|from|since|until|during|after|before|with|two|some|most|many|all|one|each|half|even|"
    r"only|although|because|if|when|the|first|second|last) ){0,4}"
    r"(?:(?:he|she|it|they|him|them|his|her|its|their|this|that|these|those|neither|both|such|then)\b"
    r"|the (?:first|second|third|latter|former|others?) (?:is|are|was|were|has|have|had|can|will)\b)",
    re.IGNORECASE,
)
"""How a statement begins that speaks of what was said before it."""
_QUOTING = re.compile(r"(.*?)(?:[;,] (?:where )?nearest[^;,“]*)?:? “[^“]*”\.?")


class Judged(Protocol):
    """Claims with a verdict each, parallel: a report, or a document that was read back from the store."""

    @property
    def claims(self) -> Sequence[Claim]: ...

    @property
    def verdicts(self) -> Sequence[Verdict]: ...


@dataclass(frozen=True, slots=True)
class StatementVerdict:
    """A statement, its span in the text, the claim and verdict that decide it, and all its claims with verdicts."""

    text: str
    span: Span
    claim: Claim
    verdict: Verdict
    all: tuple[tuple[Claim, Verdict], ...]

    @property
    def outcome(self) -> Outcome:
        """Outcome of the whole statement."""
        return self.verdict.outcome

    @property
    def reason(self) -> str:
        """The verdict's reason in one line, without the one sentence that it quotes at its end."""
        said = " ".join(self.verdict.reason.split())
        found = _QUOTING.fullmatch(said)
        return f"{found[1].rstrip(':;, ')}." if found else said

    @property
    def decided_by(self) -> Citation | None:
        """The citation that decides, of sentences before facts; the nearest one where none does."""
        citations = self.verdict.citations
        ranked = [one for one in citations if one.stance is _DECIDES.get(self.outcome)] or list(citations)
        return next((one for one in ranked if one.evidence.triple is None), ranked[0] if ranked else None)


def statements(judged: Judged) -> list[StatementVerdict]:
    """Return the distinct statements, in the order of the text."""
    found: dict[tuple[str, int], list[tuple[Claim, Verdict]]] = {}
    for claim, verdict in zip(judged.claims, judged.verdicts, strict=True):
        key = (claim.sentence, claim.span.start) if not claim.statement else (claim.statement, -1)
        found.setdefault(key, []).append((claim, verdict))
    made = [_decided(text, pairs) for (text, _), pairs in found.items()]
    return sorted(made, key=lambda one: (one.span.start, one.span.end))


def sentence_before(one: StatementVerdict, text: str, sentences: Sequence[Span]) -> str:
    """Return the sentence before a statement's, where the statement begins with a pronoun or another word that is open
    without it: "It describes 412 species"; "" for others."""
    at = bisect_right([sentence.start for sentence in sentences], one.span.start) - 2
    if at < 0 or not _OPEN.match(one.text):
        return ""
    return " ".join(text[sentences[at].start : sentences[at].end].split())


def outcome_counts(found: Sequence[StatementVerdict]) -> dict[Outcome, int]:
    """Return how many problems and supported statements have each outcome, the worst first."""
    told = [*problems(found), *(one for one in found if one.outcome is Outcome.SUPPORTED)]
    return {outcome: sum(one.outcome is outcome for one in told) for outcome in WORST}


def problems(found: Iterable[StatementVerdict]) -> list[StatementVerdict]:
    """Return refuted statements, then open ones; each by confidence, the surest first, ties in the order of the text.

    One whose words and deciding sentence are those of a worse or longer one is left out.
    """
    some = [one for one in found if one.outcome is not Outcome.SUPPORTED]
    shown = [one for one in some if not any(_within(one, other) for other in some)]
    return sorted(shown, key=lambda one: (WORST.index(one.outcome), -(one.verdict.confidence or 0.0)))


def _within(one: StatementVerdict, other: StatementVerdict) -> bool:
    a, b = one.span, other.span
    inside = b.start <= a.start and a.end <= b.end and one is not other
    longer = len(one.text) < len(other.text) and WORST.index(other.outcome) <= WORST.index(one.outcome)
    return inside and longer and _source(one) == _source(other)


def _source(one: StatementVerdict) -> str | None:
    return one.decided_by.evidence.id if one.decided_by else None


def _decided(text: str, pairs: list[tuple[Claim, Verdict]]) -> StatementVerdict:
    claim, verdict = min(pairs, key=lambda pair: (WORST.index(pair[1].outcome), -(pair[1].confidence or 0.0)))
    start, end = min(c.span.start for c, _ in pairs), max(c.span.end for c, _ in pairs)
    return StatementVerdict(text, Span(start, end), claim, verdict, tuple(pairs))

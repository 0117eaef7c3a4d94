"""Verdicts in words: one sentence that names the evidence and, where it contradicts, what it says instead."""

from __future__ import annotations

from detect.fuse import Ruling
from detect.match import Match
from detect.passages import Reading
from kgstore.model import Claim, Outcome

_QUOTE = 240
"""Characters of a passage that are quoted."""


def reason(claim: Claim, ruling: Ruling, source: str, quote: str, shown: str) -> str:
    """Why the ruling is what it is.

    `source` names where the strongest evidence stands, `quote` is its text, `shown` the object of its triple if it is
    a fact. For NOT_ENOUGH_INFO they are of the nearest evidence, or empty.
    """
    if ruling.outcome is not Outcome.REFUTED:
        return stands(claim, ruling.outcome, source, quote)
    said = _sentence(quote)
    if ruling.matches and (not ruling.readings or ruling.matches[0][0] >= ruling.readings[0][0]):
        return _against_fact(claim, ruling.matches[0][1], source, shown) + said
    return _against_text(ruling.readings[0][1], source) + said


def stands(claim: Claim, outcome: Outcome, source: str, quote: str) -> str:
    """Why the outcome is what it is, for methods that know a strongest piece of evidence and not what it says else.

    `quote` is that evidence's text, said by `source`; both may be empty for NOT_ENOUGH_INFO.
    """
    if outcome is Outcome.NOT_ENOUGH_INFO:
        nearest = f"; nearest is {_quoted(quote)}" if quote else ""
        return f"{_start(source)} does not say whether {claim.triple.text}{nearest}."
    says = "says so" if outcome is Outcome.SUPPORTED else "contradicts this"
    return f"{_start(source)} {says}: {_sentence(quote)}"


def no_evidence() -> str:
    """Where nothing was there to compare with."""
    return "There is no evidence to check this against."


def unlinked(claim: Claim) -> str:
    """Where the claim's subject is nothing the graph knows."""
    return f"The graph knows no entity called {claim.subject!r}."


def _against_fact(claim: Claim, match: Match, source: str, shown: str) -> str:
    if match.denied:
        return f"{_start(source)} says the opposite: "
    return f"{_start(source)} says {shown}, not {claim.object}: "


def _against_text(reading: Reading, source: str) -> str:
    if reading.conflict:
        ours, theirs = reading.conflict
        return f"{_start(source)} says {theirs}, not {ours}: "
    return f"{_start(source)} says the opposite: "


def _start(source: str) -> str:
    """A source as the beginning of a sentence; file names and addresses stay as they are."""
    words = source.replace(" ", "").isalpha()
    return (source[:1].upper() + source[1:] if words else source) or "The evidence"


def _sentence(quote: str) -> str:
    return _quoted(quote) if quote.rstrip()[-1:] in (".", "!", "?") else f"{_quoted(quote)}."


def _quoted(text: str) -> str:
    line = " ".join(text.split())
    return f"“{line[: _QUOTE - 1].rstrip()}…”" if len(line) > _QUOTE else f"“{line}”"

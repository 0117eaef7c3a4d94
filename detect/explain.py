"""Verdicts in words: one sentence that names the evidence and, where it contradicts, what it says instead."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kgstore.model import Claim, Outcome

if TYPE_CHECKING:
    from detect.contrast import Contrast

_QUOTE = 240
"""Characters of a passage that are quoted."""


def reason(claim: Claim, outcome: Outcome, pair: Contrast | None, source: str, quote: str) -> str:
    """Why the outcome is what it is, by contrast: which element the evidence has otherwise, and both values.

    `pair` is the claim's contradictory pair, None where there is none, which is said; `source` names where its
    evidence, else the strongest evidence, stands, and `quote` is the text. Both may be empty for NOT_ENOUGH_INFO.
    """
    if outcome is Outcome.SUPPORTED:
        return stands(claim, outcome, source, quote)
    if outcome is Outcome.REFUTED:
        if pair is None:
            apart = "contradicts this, though nothing in it differs in one element only"
            return f"{_start(source)} {apart}: {_sentence(quote)}"
        return f"The text says {contrasted(pair, source)}: {_sentence(quote)}"
    unsaid = f"{_start(source)} does not say whether {claim.triple.text}"
    if pair:
        return f"{unsaid}; nearest to it, the text says {contrasted(pair, source)}: {_sentence(quote)}"
    nearest = f"; nearest is {_quoted(quote)}" if quote else ""
    return f"{unsaid}, and nothing that differs in one element only{nearest}."


def contrasted(pair: Contrast, source: str) -> str:
    """Both values and the element: "Rome; the context says Paris (the object differs)"."""
    known = "the opposite" if pair.known is None else pair.known
    return f"{pair.said}; {source or 'the evidence'} says {known} (the {pair.element} differs)"


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


def _start(source: str) -> str:
    """A source as the beginning of a sentence; file names and addresses stay as they are."""
    words = source.replace(" ", "").isalpha()
    return (source[:1].upper() + source[1:] if words else source) or "The evidence"


def _sentence(quote: str) -> str:
    return _quoted(quote) if quote.rstrip()[-1:] in (".", "!", "?") else f"{_quoted(quote)}."


def _quoted(text: str) -> str:
    line = " ".join(text.split())
    return f"“{line[: _QUOTE - 1].rstrip()}…”" if len(line) > _QUOTE else f"“{line}”"

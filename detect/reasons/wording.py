"""Write the reason of a verdict: one sentence that names the evidence and, where it contradicts, its value."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from claimgraph.kgstore.model import Claim, Outcome

if TYPE_CHECKING:
    from claimgraph.detect.reasons.contrast import Contrast

_QUOTE = 240
"""Most characters of a passage that are quoted."""


def reason(claim: Claim, outcome: Outcome, pair: Contrast | None, source: str, quote: str) -> str:
    """Return the reason of the outcome by contrast: the element that differs, and both values.

    `pair` is the claim's contradictory pair; without one the reason says so. One whose subject differs is about
    something else: it is no reason. `source` names the document of its evidence, else of the strongest evidence, and
    `quote` is the text. Both may be empty for NOT_ENOUGH_INFO.
    """
    other = pair is not None and pair.element == "subject"
    if outcome is Outcome.SUPPORTED:
        return stands(claim, outcome, source, quote)
    if outcome is Outcome.REFUTED:
        if pair is None:
            apart = "contradicts this, though nothing in it differs in one element only"
            return f"{_start(source)} {apart}: {_sentence(quote)}"
        if other:
            return stands(claim, outcome, source, quote)
        return f"The text says {contrasted(pair, source)}: {_sentence(quote)}"
    unsaid = f"{_start(source)} does not say whether {claim.triple.text}"
    if other:
        return f"{unsaid}."
    if pair:
        return f"{unsaid}; nearest to it, the text says {contrasted(pair, source)}: {_sentence(quote)}"
    return f"{unsaid}, and nothing that differs in one element only{_nearest(quote)}"


def without_pair(reason: str) -> str:
    """Return the method's own reason of a refuted claim that no evidence contradicts in one element."""
    return f"{reason} Nothing in the evidence differs from it in one element only."


def contrasted(pair: Contrast, source: str) -> str:
    """Return both values and the element: "Rome; the context says Paris (the object differs)"."""
    known = "the opposite" if pair.known is None else pair.known
    return f"{pair.said}; {source or 'the evidence'} says {known} (the {pair.element} differs)"


def stands(claim: Claim, outcome: Outcome, source: str, quote: str) -> str:
    """Return the reason for methods that know the strongest piece of evidence, but not which element differs.

    `quote` is that evidence's text, said by `source`; both may be empty for NOT_ENOUGH_INFO.
    """
    if outcome is Outcome.NOT_ENOUGH_INFO:
        return f"{_start(source)} does not say whether {claim.triple.text}{_nearest(quote)}"
    says = "says so" if outcome is Outcome.SUPPORTED else "contradicts this"
    return f"{_start(source)} {says}: {_sentence(quote)}"


def read(outcome: Outcome, source: str, quote: str) -> str:
    """Return the reason for a method that compares a statement with one sentence, which it quotes."""
    says = {Outcome.SUPPORTED: "says so", Outcome.REFUTED: "contradicts this"}
    return f"{_start(source)} {says.get(outcome, 'does not say so; nearest to it is')}: {_sentence(quote)}"


def unmentioned(source: str) -> str:
    """Return the reason of an undecided claim that no evidence comes near to."""
    return f"{_start(source)} says nothing of this."


def other_value(said: str, known: str, source: str, quote: str) -> str:
    """Return the reason of a refuted claim where the nearest sentence has another value."""
    return f"The text says {said}; {source or 'the evidence'} says {known}: {_sentence(quote)}"


_OPPOSED = {
    "negation": "says the opposite",
    "opposite": "says the opposite",
    "order": "has it in the other order",
    "roles": "has it the other way round",
    "quantifier": "says so of another share",
}


def opposed(kind: str, source: str, quote: str) -> str:
    """Return the reason of a claim that a sentence excludes without another word: by its negation, order or roles."""
    return f"{_start(source)} {_OPPOSED.get(kind, 'contradicts this')}: {_sentence(quote)}"


def conflicting(source: str, quote: str) -> str:
    """Return the reason of an undecided claim with evidence for and against it."""
    return f"What {source or 'the evidence'} says speaks for this and against it: {_sentence(quote)}"


def unclear(source: str, quote: str) -> str:
    """Return the reason of an undecided claim that a model finds neither said nor contradicted, though something near
    to it is said.
    """
    return f"It is unclear whether {source or 'the evidence'} says this or contradicts it: {_sentence(quote)}"


def alike(source: str, quote: str) -> str:
    """Return the reason of a supported claim for methods that measure similarity: the nearest evidence."""
    return f"Near enough to what {source or 'the evidence'} says: {_sentence(quote)}"


def absent(value: str, source: str, anchor: str, relation: str, known: Sequence[str], one: bool) -> str:
    """Return the reason of a claim refuted by a graph with other values: the values, and why absence counts."""
    says = f"The text says {value}; {source} says {_joined(known)} ({relation} of {anchor})"
    why = "a relation of one value" if one else "of which it is taken to know all where it knows one"
    return f"{says}, {why}."


def by_graph_evidence(outcome: Outcome, source: str, told: str) -> str:
    """Return the reason of a claim that no fact states, decided by what the rest of a graph says."""
    told_for = outcome is Outcome.SUPPORTED
    stands = "but the rest of it speaks for it" if told_for else "and the rest of it speaks against it"
    return f"{_start(source or 'the graph')} does not state this, {stands}: {told}."


def another_country(value: str, source: str, quote: str) -> str:
    """Return the reason of a claim refuted by facts that put a place into another country."""
    return f"The text says {value}; {source} says {_sentence(quote)} A place is taken to lie in one country."


def _joined(words: Sequence[str]) -> str:
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else words[0]


def entailed(source: str, quote: str) -> str:
    """Return the reason of a supported claim for a model that reads many lines at once: `quote` is the one nearest in
    words.
    """
    reads = f"The entailment model reads this in {source or 'the evidence'}"
    return f"{reads}, where nearest in words is {_sentence(quote)}"


def no_evidence() -> str:
    """Return the reason where there is no evidence."""
    return "There is no evidence to check this against."


def unlinked(claim: Claim) -> str:
    """Return the reason where the claim's subject is not in the graph."""
    return f"The graph knows no entity called {claim.subject!r}."


def incomplete(reason: str) -> str:
    """Return a reason for no decision, where not all facts of the claim's entities were fetched."""
    return f"{reason} Not all facts of what it names were fetched."


def disputed(reason: str, source: str, quote: str) -> str:
    """Return a reason where a weaker piece of evidence says the opposite."""
    return f"{reason} {_start(source)} says otherwise: {_sentence(quote)}"


def _start(source: str) -> str:
    """Return a source as the beginning of a sentence; names of graphs and files, and addresses, are unchanged."""
    return (f"T{source[1:]}" if source.startswith("the ") else source) or "The evidence"


def _nearest(quote: str) -> str:
    return f"; nearest is {_sentence(quote)}" if quote else "."


def _sentence(quote: str) -> str:
    return _quoted(quote) if quote.rstrip()[-1:] in (".", "!", "?") else f"{_quoted(quote)}."


def _quoted(text: str) -> str:
    line = " ".join(text.split())
    return f"“{line[: _QUOTE - 1].rstrip()}…”" if len(line) > _QUOTE else f"“{line}”"

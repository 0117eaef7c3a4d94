"""Find the facts that a title states: "was Chancellor of | Germany" by "position held: Chancellor of Germany".

A text puts the title into its verb phrase, a graph makes it one thing with a name; only names are compared, so nothing
but the title itself is taken for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from claimgraph.detect.check_input import Linked
from claimgraph.detect.text.words import folded
from claimgraph.kgstore.model import Claim, Entity, Fact, Subgraph

_BEING = r"(?:is|was|are|were|been|bec[ao]me|serve[ds]|elected|appointed|held|holds|ha[sd]|as|the|office|of|position)"
_ORDINAL = r"(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|\d+(?:st|nd|rd|th))"
_LEAD = re.compile(rf"(?:{_BEING}\s+)+(?:(?:the|an?|his|her)\s+)?(?:{_ORDINAL}\s+)?", re.IGNORECASE)


def titled(claim: Claim, linked: Linked, facts: Subgraph) -> list[Fact]:
    """Return the stored facts of the claim's subject whose object is called what the claim calls the subject."""
    title = called(claim)
    anchors = linked.ids.get("subject", frozenset())
    if title is None or not anchors:
        return []
    return [
        fact
        for fact in facts.facts
        if fact.subject in anchors and not fact.document and title in _names(facts.nodes[fact.object])
    ]


def called(claim: Claim) -> str | None:
    """Return what the claim says its subject is, folded, without ordinal and article; None for another statement."""
    words = f"{claim.predicate} {claim.object}"
    lead = _LEAD.match(words)
    if not lead or len(lead[0]) < len(claim.predicate.split(" ", 1)[0]):
        return None
    return _bare(words[lead.end() :]) or None


def _names(node: object) -> Iterable[str]:
    return {_bare(name) for name in (node.name, *node.aliases)} if isinstance(node, Entity) else ()


def _bare(name: str) -> str:
    return re.sub(r"\b(?:the|an?) ", "", folded(name))

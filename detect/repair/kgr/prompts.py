"""Format the values of KGR's prompts: facts a line each, and everything a pass found; and the likely answers."""

from __future__ import annotations

import json
from collections.abc import Sequence

from claimgraph.detect.repair.kgr.protocol import Pass
from claimgraph.kgstore.model import Claim, Fact, Subgraph

LIKELY_VERDICT = json.dumps(
    {"reason": "Fact 1 gives another place.", "verdict": "refuted", "facts": [1], "suggestion": "It should say so."}
)
"""A likely verdict: refuted, so that a dry run counts a rewriting too."""

LIKELY_FACTS = json.dumps({"facts": [1]})


def likely_names(claim: Claim) -> str:
    """Return both ends of the claim as the likely answer."""
    return json.dumps({"entities": [claim.subject, claim.object]}, ensure_ascii=False)


def numbered(facts: Sequence[Fact], around: Subgraph) -> str:
    """Return the facts a line each, numbered from 1."""
    return "\n".join(f"{at}. {_in_words(fact, around)}" for at, fact in enumerate(facts, 1))


def _in_words(fact: Fact, around: Subgraph) -> str:
    triple = around.triple(fact)
    return " | ".join(" ".join(part.split()) for part in (triple.subject, triple.predicate, triple.object))


def found_lines(found: Pass) -> str:
    """Return claims with verdicts, selected facts and reasons, one JSON object a line."""
    around = found.selection.around
    known = {fact.id: fact for fact in around.facts}
    rows = zip(found.extraction.claims, found.verdicts, found.selection.by_claim, strict=True)
    said = [
        {
            "claim": claim.triple.text,
            "verdict": verdict.outcome.value.lower().removesuffix("_info").replace("_", " "),
            "facts": [_in_words(known[key], around) for key in keys],
            "reason": verdict.reason,
        }
        for claim, verdict, keys in rows
    ]
    return "\n".join(json.dumps(one, ensure_ascii=False) for one in said)

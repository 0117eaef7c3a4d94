"""Write verdicts as schema.org ClaimReview (JSON-LD), as search engines and fact-checking archives read them.

A rating is 5 for SUPPORTED and 1 for REFUTED; NOT_ENOUGH_INFO has a name and no number, since nothing is known.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, TextIO

from claimgraph.exports.iris import iri, place
from claimgraph.exports.judged import JudgedDocument
from claimgraph.kgstore.model import HUMAN, Claim, Document, Outcome, Verdict

_NAMES = {Outcome.SUPPORTED: "Supported", Outcome.REFUTED: "Refuted", Outcome.NOT_ENOUGH_INFO: "Not enough information"}
_RATINGS = {Outcome.SUPPORTED: 5, Outcome.REFUTED: 1}


def write_claimreview(found: Iterable[JudgedDocument], file: TextIO) -> int:
    """Write one JSON-LD object with a ClaimReview for each verdict. Returns their number."""
    reviews = [review(one, claim, verdict) for one in found for claim, verdict in one.pairs]
    json.dump({"@context": "https://schema.org", "@graph": reviews}, file, ensure_ascii=False, indent=1)
    file.write("\n")
    return len(reviews)


def review(one: JudgedDocument, claim: Claim, verdict: Verdict) -> dict[str, Any]:
    """Return the ClaimReview of one verdict."""
    author = "Person" if verdict.method == HUMAN else "SoftwareApplication"
    made: dict[str, Any] = {
        "@type": "ClaimReview",
        "@id": iri(verdict.id),
        "claimReviewed": claim.sentence,
        "itemReviewed": {
            "@type": "Claim",
            "@id": iri(claim.id),
            "text": claim.sentence,
            "appearance": _work(one.stored.document),
        },
        "reviewRating": _rating(verdict.outcome),
        "reviewBody": verdict.reason,
        "author": {"@type": author, "name": "a person" if author == "Person" else f"claimgraph ({verdict.method})"},
    }
    if verdict.created_at:
        made["datePublished"] = verdict.created_at.date().isoformat()
    if verdict.citations:
        made["citation"] = [_citation(cited.evidence.text, cited.evidence.source) for cited in verdict.citations]
    return made


def _rating(outcome: Outcome) -> dict[str, Any]:
    named: dict[str, Any] = {"@type": "Rating", "alternateName": _NAMES[outcome]}
    if outcome in _RATINGS:
        named |= {"ratingValue": _RATINGS[outcome], "bestRating": 5, "worstRating": 1}
    return named


def _work(document: Document) -> dict[str, Any]:
    made: dict[str, Any] = {"@type": "CreativeWork", "@id": iri(document.id)}
    if document.name:
        made["name"] = document.name
    if address := place(document.source):
        made["url"] = address
    return made


def _citation(text: str, source: str) -> dict[str, Any]:
    made: dict[str, Any] = {"@type": "CreativeWork", "text": text, "name": source}
    if address := place(source):
        made["url"] = address
    return made

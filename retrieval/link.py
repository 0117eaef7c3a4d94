"""Mention to entity, or NIL: which node of the world graphs a claim speaks about.

Candidates come from the full-text index; each gets a few features (features.py) whose weighted sum, through the
logistic function, is its score: an estimate of how likely the mention means it. A mention nobody is named like is a
recorded NIL, since a wrong link turns into a wrong verdict. Embedding all entities was rejected: a world graph has
millions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kgstore import literals
from kgstore.model import Claim, Embedder, Entity, Link, Span
from kgstore.store import EntityIndex
from retrieval.features import CANDIDATES, Mention, Scored, score

NIL_BELOW = 0.5
"""A best score below this is NIL: more likely wrong than right."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """An entity that a text may name; `score` in [0, 1], `span` the code points of a question that name it."""

    entity: Entity
    score: float
    span: Span | None = None


def rank(
    mention: str, sentence: str, index: EntityIndex, embedder: Embedder, limit: int = CANDIDATES
) -> list[Candidate]:
    """At most `limit` entities the mention may mean in its sentence, best first; ties go to the smaller id."""
    [found] = score([Mention(mention, sentence)], index, embedder)
    return [Candidate(one.entity, one.score) for one in found[:limit]]


def link(claims: Sequence[Claim], index: EntityIndex, embedder: Embedder) -> list[Link]:
    """Links of subject and object of each claim, in that order; an object that is a date or a quantity has none."""
    roles = [(claim, role, text) for claim in claims for role, text in _arguments(claim)]
    ranked = score([Mention(text, claim.text) for claim, _, text in roles], index, embedder)
    return [_best(claim, role, text, found) for (claim, role, text), found in zip(roles, ranked, strict=True)]


def _arguments(claim: Claim) -> Iterable[tuple[str, str]]:
    yield "subject", claim.subject
    if literals.parse(claim.object) is None:
        yield "object", claim.object


def _best(claim: Claim, role: str, text: str, found: Sequence[Scored]) -> Link:
    best = found[0].score if found else 0.0
    second = found[1].score if len(found) > 1 else 0.0
    entity = found[0].entity if best >= NIL_BELOW else None
    return Link(claim.id, role, text, entity, best, best - second)

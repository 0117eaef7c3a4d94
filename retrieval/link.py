"""Mention to entity, or NIL: which node of the world graphs a claim speaks about.

Candidates come from the full-text index; each is scored by how much of its name or alias the mention says, and by
how near its description is to the clause that the mention stands in. A mention nobody is named like is a recorded
NIL, since a wrong link turns into a wrong verdict. Embedding all entities was rejected: a world graph has millions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kgstore import literals
from kgstore.model import Claim, Embedder, Entity, Link
from kgstore.store import EntityIndex
from kgstore.words import search_words

CANDIDATES = 20
"""Full-text candidates scored for a mention."""

NAME_WEIGHT = 0.75
"""Share of the name in the score; the rest is the context."""

NIL_BELOW = 0.6
"""A best score below this is NIL: with no context at all a name must agree in four of five words."""


@dataclass(frozen=True, slots=True)
class _Mention:
    claim: Claim
    role: str
    text: str


def link(claims: Sequence[Claim], index: EntityIndex, embedder: Embedder) -> list[Link]:
    """Links of subject and object of each claim, in that order; an object that is a date or a quantity has none.

    Score in [0, 1]: NAME_WEIGHT times the word overlap (Jaccard; 1 for an equal name, 0.95 at most for an alias) plus
    the rest times the cosine, at least 0, of the clause and "name: description". Ties go to the smaller id.
    """
    mentions = [_Mention(claim, role, text) for claim in claims for role, text in _arguments(claim)]
    found = {text: index.candidates(text, CANDIDATES) for text in dict.fromkeys(m.text for m in mentions)}
    near = _nearness([(m.claim.text, entity) for m in mentions for entity in found[m.text]], embedder)
    return [_best(mention, found[mention.text], near) for mention in mentions]


def _arguments(claim: Claim) -> Iterable[tuple[str, str]]:
    yield "subject", claim.subject
    if literals.parse(claim.object) is None:
        yield "object", claim.object


def _nearness(pairs: Sequence[tuple[str, Entity]], embedder: Embedder) -> dict[tuple[str, str], float]:
    """Cosine of each clause with each entity's description, by clause and entity id; 0 where there is none."""
    described = {(text, entity.id): _described(entity) for text, entity in pairs if entity.description}
    if not described:
        return {}
    texts = list(dict.fromkeys([text for text, _ in described] + list(described.values())))
    row = {text: i for i, text in enumerate(texts)}
    vectors = embedder.embed(texts)
    return {
        key: max(0.0, float(vectors[row[key[0]]] @ vectors[row[description]])) for key, description in described.items()
    }


def _described(entity: Entity) -> str:
    return f"{entity.name}: {entity.description}"


def _best(mention: _Mention, candidates: Sequence[Entity], near: dict[tuple[str, str], float]) -> Link:
    scored = sorted(
        (
            (-_score(mention.text, entity, near.get((mention.claim.text, entity.id), 0.0)), entity.id, entity)
            for entity in candidates
        ),
        key=lambda entry: entry[:2],
    )
    best = -scored[0][0] if scored else 0.0
    second = -scored[1][0] if len(scored) > 1 else 0.0
    entity = scored[0][2] if best >= NIL_BELOW else None
    return Link(mention.claim.id, mention.role, mention.text, entity, best, best - second)


def _score(mention: str, entity: Entity, near: float) -> float:
    words = set(search_words(mention)) - _ARTICLES
    named = max(
        _overlap(words, entity.name), 0.95 * max((_overlap(words, alias) for alias in entity.aliases), default=0.0)
    )
    return NAME_WEIGHT * named + (1 - NAME_WEIGHT) * near


_ARTICLES = {"the", "a", "an"}


def _overlap(words: set[str], name: str) -> float:
    other = set(search_words(name)) - _ARTICLES
    return len(words & other) / len(words | other) if words | other else 0.0

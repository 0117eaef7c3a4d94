"""Compare types: whether a candidate has relations like the claim's, on the claim's side of them.

A subject that is "born in" something has a place of birth or an occupation; the object is a place. So an entity's
relations say more about its type than a list of classes, which few graphs hold; the domains and ranges of predicates
follow from the relations of their ends. Only rivals for a mention are compared.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from claimgraph.kgstore.model import Embedder
from claimgraph.kgstore.store import EntityIndex
from claimgraph.retrieval.linking.candidates import RIVAL, EntityMention, Named, against_rivals

HUB = 2000
"""Entities in more facts than this are not queried for incoming relations, whose number would be the cost."""


def agreement(
    mentions: Sequence[EntityMention],
    candidates: Sequence[Sequence[Named]],
    degrees: Mapping[str, int],
    index: EntityIndex,
    embedder: Embedder,
) -> list[list[float]]:
    """Return for each candidate the cosine of the claim's predicate with its nearest relation on that side, less the
    mean over the mention's rivals: above 0 where its type fits better than theirs, 0 where nothing is known.
    """
    asked: dict[str, set[str]] = {"subject": set(), "object": set()}
    for mention, group in zip(mentions, candidates, strict=True):
        rivals = [one.entity.id for one in group if one.like >= RIVAL]
        if mention.predicate and len(rivals) > 1:
            asked[mention.role].update(r for r in rivals if mention.role == "subject" or degrees.get(r, 0) <= HUB)
    known = {role: _relations(sorted(ids), role, index) for role, ids in asked.items()}
    near = _nearest({(m.role, m.predicate) for m in mentions if m.predicate}, known, embedder)
    return [
        against_rivals(group, [near.get((m.role, m.predicate, one.entity.id)) for one in group])
        for m, group in zip(mentions, candidates, strict=True)
    ]


def _relations(entities: Sequence[str], role: str, index: EntityIndex) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for relation in index.relations(entities, away=role == "subject") if entities else ():
        found.setdefault(relation.entity, []).append(relation.name)
    return found


def _nearest(
    said: set[tuple[str, str]], known: Mapping[str, Mapping[str, Sequence[str]]], embedder: Embedder
) -> dict[tuple[str, str, str], float]:
    """Return the cosine with the nearest relation, by role, predicate and entity."""
    names = {name for entities in known.values() for relations in entities.values() for name in relations}
    if not names:
        return {}
    texts = sorted(names | {predicate for _, predicate in said})
    row = {text: i for i, text in enumerate(texts)}
    vectors = embedder.embed(texts)
    return {
        (role, predicate, entity): float(np.max(vectors[[row[r] for r in relations]] @ vectors[row[predicate]]))
        for role, predicate in sorted(said)
        for entity, relations in known[role].items()
    }

"""Compute the features of a mention's candidates, and their weights.

One row per candidate, one column per feature; the score is the logistic function of the weighted sum. The weights were
fitted by logistic regression on half of FewRel's mentions (docs/quality/linking.md); trees and more features did not
rank better on the other half. Nearest descriptions over all entities were rejected: they find similar things, not the
thing named; so was whether facts join candidates of a text's mentions, which changed next to no link.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from claimgraph.kgstore.model import Embedder, Entity
from claimgraph.kgstore.store import EntityIndex
from claimgraph.retrieval.linking.candidates import EntityMention, Named, named
from claimgraph.retrieval.linking.type_agreement import agreement

FEATURES = (
    "one",
    "like",
    "exact",
    "sole",
    "alias",
    "case",
    "verbatim",
    "context",
    "prior",
    "agreement",
)
"""Columns: a constant; likeness to the best name; equal to it; the only candidate equal; an alias only; the first
letters differ in case; equal including case; cosine of the mention's surroundings and the description; log(1 + facts);
whether its relations are those of the claim (type_agreement.py).
"""


@dataclass(frozen=True, slots=True, eq=False)
class FeatureTable:
    """The candidates of a mention and their features, shape (candidates, len(FEATURES))."""

    named: tuple[Named, ...]
    features: NDArray[np.float64]


def tables(mentions: Sequence[EntityMention], index: EntityIndex, embedder: Embedder) -> list[FeatureTable]:
    """Return the candidates of each mention, most alike first (ties by id), with their features.

    One full-text query per distinct name, and three over all candidates.
    """
    found = {text: named(text, index) for text in dict.fromkeys(m.text for m in mentions)}
    candidates = [found[m.text] for m in mentions]
    degrees = index.degrees([n.entity.id for group in candidates for n in group])
    near = nearness([(text, n.entity) for m, g in zip(mentions, candidates, strict=True) for text in m.surroundings
                     for n in g], embedder)  # fmt: skip
    agreeing = agreement(mentions, candidates, degrees, index, embedder)
    return [
        FeatureTable(tuple(group), _matrix(mention, group, degrees, near, agrees))
        for mention, group, agrees in zip(mentions, candidates, agreeing, strict=True)
    ]


def nearness(pairs: Iterable[tuple[str, Entity]], embedder: Embedder) -> dict[tuple[str, str], float]:
    """Return the cosine, at least 0, of each text with "name: description" of the entity, by text and entity id."""
    told = {(text, entity.id): _described(entity) for text, entity in pairs}
    if not told:
        return {}
    texts = list(dict.fromkeys([text for text, _ in told] + list(told.values())))
    row = {text: i for i, text in enumerate(texts)}
    vectors = embedder.embed(texts)
    a, b = vectors[[row[text] for text, _ in told]], vectors[[row[described] for described in told.values()]]
    cosines = np.clip(np.einsum("ij,ij->i", a, b), 0, 1)
    return dict(zip(told, map(float, cosines), strict=True))


def logistic(features: NDArray[np.float64], weights: Mapping[str, float], names: Sequence[str]) -> NDArray[np.float64]:
    """Return scores in [0, 1], shape (candidates,): the logistic function of the named features times their weights."""
    total = features @ np.array([weights.get(name, 0.0) for name in names])
    scores: NDArray[np.float64] = 1 / (1 + np.exp(-total))
    return scores


def _described(entity: Entity) -> str:
    return f"{entity.name}: {entity.description}" if entity.description else entity.name


def _matrix(
    mention: EntityMention,
    group: Sequence[Named],
    degrees: Mapping[str, int],
    near: Mapping[tuple[str, str], float],
    agrees: Sequence[float],
) -> NDArray[np.float64]:
    equal = sum(one.like == 1 for one in group)
    rows = [
        (
            1.0,
            one.like,
            one.like == 1,
            one.like == 1 and equal == 1,
            one.alias,
            one.entity.name[:1].isupper() != mention.text[:1].isupper(),
            mention.text == one.entity.name or mention.text in one.entity.aliases,
            float(np.mean([near[text, one.entity.id] for text in mention.surroundings])),
            math.log1p(degrees.get(one.entity.id, 0)),
            agreeing,
        )
        for one, agreeing in zip(group, agrees, strict=True)
    ]
    return np.array(rows, np.float64).reshape(-1, len(FEATURES))

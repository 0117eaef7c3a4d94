"""Measure coherence: the entities of one text are mostly connected in a graph, so mentions support each other.

One query for all candidates of a text, over their outgoing facts, so the cost grows with the mentions and not with the
graph. A joint search for the best assignment was rejected: the strongest support of a candidate does not change with
the choice of the rest, and ranks as well.
"""

from __future__ import annotations

from collections.abc import Sequence

from claimgraph.kgstore.store import EntityIndex
from claimgraph.retrieval.linking.candidates import EntityMention, Named, against_rivals


def coherence(
    mentions: Sequence[EntityMention], candidates: Sequence[Sequence[Named]], index: EntityIndex
) -> list[list[float]]:
    """Return for each candidate its best support less the mean over the mention's rivals.

    Support is the likeness of the most alike candidate of another mention that a fact joins it with, 0 where there is
    none. Mentions of one text with equal names are one.
    """
    ids = sorted({one.entity.id for group in candidates for one in group})
    around: dict[str, set[str]] = {}
    for subject, object in index.joined(ids) if len({m.text for m in mentions}) > 1 else []:
        if subject != object:
            around.setdefault(subject, set()).add(object)
            around.setdefault(object, set()).add(subject)
    likes: dict[str, dict[str, float]] = {}
    for mention, group in zip(mentions, candidates, strict=True):
        for one in group:
            likes.setdefault(one.entity.id, {})[mention.text] = one.like
    return [
        against_rivals(group, [_support(around.get(one.entity.id, set()), likes, mention.text) for one in group])
        for mention, group in zip(mentions, candidates, strict=True)
    ]


def _support(others: set[str], likes: dict[str, dict[str, float]], mention: str) -> float:
    return max((like for other in others for text, like in likes[other].items() if text != mention), default=0.0)

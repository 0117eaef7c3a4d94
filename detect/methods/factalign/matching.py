"""Choose the fact that a claim is aligned with: the nearest, or one-to-one by triples or by entities
(detect/methods/factalign/assignment.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from claimgraph.detect.methods.factalign.alignment import Alignment, align
from claimgraph.detect.methods.factalign.assignment import adjacency, entity_scores, hungarian, sinkhorn
from claimgraph.detect.models.embedder import Space
from claimgraph.detect.text.words import folded
from claimgraph.kgstore.model import Triple

Matching = Literal["nearest", "hungarian", "sinkhorn", "entity", "entity-own"]
"""`nearest`: eq. 2, one fact may serve many claims. `hungarian`, `sinkhorn`: one-to-one over triples, exact or by
entropic transport. `entity`: eq. 1 over entities by the Hungarian algorithm; as printed its l begins at 1, so entities
with the same neighbours are indistinguishable. `entity-own`: the same from l = 0, with the entities' own vectors.
"""


def matched(claims: Sequence[Triple], facts: Sequence[Triple], space: Space, how: Matching) -> Alignment:
    """Return the fact of each claim with s_a (eq. 3); an unmatched claim has -1 and an s_a of 0, without facts nan.

    For entities the fact is the nearest of those that join the two entities its own correspond to, in either direction.
    """
    ours, theirs = (space.rows([t.text for t in triples]) for triples in (claims, facts))
    if how == "nearest" or not len(ours) or not len(theirs):
        return align(ours, theirs)
    if how in ("entity", "entity-own"):
        best = _by_entities(claims, facts, space, first=int(how == "entity"))
    else:
        best = (hungarian if how == "hungarian" else sinkhorn)(ours @ theirs.T)
    distance = np.linalg.norm(ours - theirs[best], axis=1)
    return Alignment(best, np.where(best < 0, 0, np.clip(1 - distance, 0, 1)).astype(np.float32))


def _by_entities(claims: Sequence[Triple], facts: Sequence[Triple], space: Space, first: int) -> NDArray[np.intp]:
    ours, theirs = _Entities(claims, space), _Entities(facts, space)
    scores = entity_scores((ours.adjacency, ours.rows), (theirs.adjacency, theirs.rows), first=first)
    partner = hungarian(scores)
    best = np.full(len(claims), -1)
    for row, (claim, (subject, object)) in enumerate(zip(claims, ours.edges, strict=True)):
        ends = {int(partner[subject]), int(partner[object])}
        joined = [i for i, edge in enumerate(theirs.edges) if set(edge) == ends]
        if joined:
            nearest = align(space.rows([claim.text]), space.rows([facts[i].text for i in joined])).best[0]
            best[row] = joined[nearest]
    return best


class _Entities:
    """The entities of triples, one per normalised name, and the triples as pairs of their numbers."""

    def __init__(self, triples: Sequence[Triple], space: Space) -> None:
        written = {folded(name) or name: name for t in reversed(triples) for name in (t.object, t.subject)}
        number = {key: row for row, key in enumerate(written)}
        self.edges = [tuple(number[folded(name) or name] for name in (t.subject, t.object)) for t in triples]
        self.rows = space.rows(list(written.values()))
        self.adjacency = adjacency([(a, b) for a, b in self.edges], len(number))

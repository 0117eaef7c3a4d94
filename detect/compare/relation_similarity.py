"""Compare the relations of a graph with claims, in words: a graph has few relations, however many facts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from claimgraph.detect.compare.relations import spoken
from claimgraph.detect.models.embedder import Space
from claimgraph.detect.text.words import affirmed
from claimgraph.kgstore.model import Claim


def nearness(claims: Sequence[Claim], relations: Sequence[str], space: Space) -> NDArray[np.float32]:
    """Return the greater cosine of a relation's paraphrase with a claim's predicate alone and with its object.

    Shape (claims, relations), in [-1, 1].
    """
    if not relations:
        return np.zeros((len(claims), 0), np.float32)
    said = [affirmed(claim.predicate) for claim in claims]
    whole = [f"{predicate} {claim.object}" for predicate, claim in zip(said, claims, strict=True)]
    theirs = space.rows([spoken(relation) for relation in relations]).T
    near: NDArray[np.float32] = np.maximum(space.rows(said) @ theirs, space.rows(whole) @ theirs)
    return near

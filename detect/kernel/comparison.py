"""Compare claim KG and evidence KG as graphs, and find the pairs of triples that contradict (KEA Explain, 2025).

Relation selection (its eq. 1) is FactAlign's nearest neighbour under another name: the greatest cosine is the least
distance between unit vectors, so detect/methods/factalign/alignment.py does it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from claimgraph.detect.compare import relations
from claimgraph.detect.kernel.linkage import Merge, average_linkage
from claimgraph.detect.kernel.wl import Encoding, LabelledEdge, encode, features, similarity
from claimgraph.detect.kernel.wl_batch import feature_matrix
from claimgraph.detect.models.embedder import Space
from claimgraph.detect.text.words import negated
from claimgraph.kgstore.model import Triple
from claimgraph.kgstore.values import literals

CLUSTER_DISTANCE = 0.35
"""KEA's threshold on the cosine distance of two clusters of labels."""
ITERATIONS = 5
"""KEA's h."""
Backend = Literal["own", "grakel"]


@dataclass(frozen=True, slots=True)
class Likeness:
    """Kernel similarity in [0, 1] of a claim KG and its selected evidence KG, and of each claim and its own triple."""

    whole: float
    claims: tuple[float, ...]


def compare(
    claims: Sequence[Triple],
    selected: Sequence[Triple],
    space: Space,
    *,
    encoding: Encoding = "directed",
    h: int = ITERATIONS,
    distance: float = CLUSTER_DISTANCE,
) -> Likeness:
    """Compare claims with the evidence triples selected for them (`selected[i]` for `claims[i]`, repeats are fine).

    Labels as in `labelled`, then the normalised WL kernel.
    """
    if not claims:
        return Likeness(0.0, ())
    [(ours, theirs)] = labelled(claims, selected, space, encoding, (distance,))
    pairs = (_single(_pattern(a, b), encoding, h) for a, b in zip(ours, theirs, strict=True))
    return Likeness(whole(ours, theirs, encoding, h), tuple(pairs))


def whole(
    ours: Sequence[LabelledEdge], theirs: Sequence[LabelledEdge], encoding: Encoding, h: int, backend: Backend = "own"
) -> float:
    """Return the normalised kernel of two KGs, each triple taken once, in [0, 1]; by GraKeL where `backend` says so."""
    first, second = (encode(list(dict.fromkeys(triples)), encoding) for triples in (ours, theirs))
    if backend == "grakel":
        from claimgraph.detect.kernel import wl_grakel

        return wl_grakel.similarity(first, second, h)
    if len(first.labels) + len(second.labels) > _LARGE:
        return feature_matrix([first, second], h).similarity(0, 1)
    return similarity(*features([first, second], h))


def labelled(
    claims: Sequence[Triple],
    selected: Sequence[Triple],
    space: Space,
    encoding: Encoding,
    distances: Sequence[float] = (CLUSTER_DISTANCE,),
) -> list[tuple[list[LabelledEdge], list[LabelledEdge]]]:
    """Return both KGs with labels for names, once for each distance.

    Names are clustered over both, so paraphrases are one label. In our encoding a date or quantity is its own label,
    since embeddings hardly separate 1867 from 1869; equal values are one; and "was" and "was not" are two, though their
    vectors are one cluster.
    """
    triples = (*claims, *selected)
    said = [[_folded(name) for name in (t.subject, t.predicate, t.object)] for t in triples]
    names = sorted({name for each in said for name in each})
    number = {name: row for row, name in enumerate(names)}
    rows = np.array([[number[name] for name in each] for each in said], np.intp).reshape(-1, 3)
    if encoding == "directed":
        values, denied = _values(names), [row for row, t in enumerate(triples) if _denied(t.predicate)]
    else:
        values, denied = np.full(len(names), -1), []
    found = []
    for clusters in cuts(space.rows(names), distances):
        labels = np.where(values < 0, clusters, values)[rows]
        labels[denied, 1] = -1 - labels[denied, 1]
        both: list[LabelledEdge] = list(map(tuple, labels.tolist()))
        found.append((both[: len(claims)], both[len(claims) :]))
    return found


def _pattern(a: LabelledEdge, b: LabelledEdge) -> tuple[LabelledEdge, LabelledEdge]:
    """Renumber the labels of both by first occurrence: there are few patterns, so their kernels are cached."""
    number: dict[int, int] = {}
    first, second = (tuple(number.setdefault(label, len(number)) for label in triple) for triple in (a, b))
    return (first[0], first[1], first[2]), (second[0], second[1], second[2])


@cache
def _single(pattern: tuple[LabelledEdge, LabelledEdge], encoding: Encoding, h: int) -> float:
    return similarity(*features([encode([triple], encoding) for triple in pattern], h))


def cluster(vectors: NDArray[np.float32], distance: float = CLUSTER_DISTANCE) -> NDArray[np.intp]:
    """Return the cluster of each unit vector: agglomerative, average linkage on cosine distance, merged up to
    `distance`.

    Clusters are numbered by their first member.
    """
    return cuts(vectors, (distance,))[0]


def cuts(vectors: NDArray[np.float32], distances: Sequence[float]) -> list[NDArray[np.intp]]:
    """Return the clusters at several distances: one tree, cut more than once."""
    if len(vectors) < 2:
        return [np.zeros(len(vectors), np.intp) for _ in distances]
    apart = vectors @ vectors.T
    merges = average_linkage(np.clip(np.subtract(1, apart, out=apart), 0, 2, out=apart))
    return [_cut(merges, distance) for distance in distances]


def _cut(merges: Sequence[Merge], distance: float) -> NDArray[np.intp]:
    """Return the clusters of a tree whose merges, lowest first, stop at the distance."""
    leaves = len(merges) + 1
    top = list(range(leaves + len(merges)))
    for row in range(len(merges) - 1, -1, -1):
        a, b, height = merges[row]
        if height <= distance:
            top[a] = top[b] = top[leaves + row]
    number: dict[int, int] = {}
    return np.array([number.setdefault(root, len(number)) for root in top[:leaves]])


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A claim and an evidence triple alike in two elements and different in the third, by cosine."""

    claim: int
    evidence: int
    element: str
    likeness: float
    """Sum of the two cosines that are alike, in [-2, 2], to five digits: the rest depends on the block."""


def contradictions(
    claims: Sequence[Triple],
    evidence: Sequence[Triple],
    space: Space,
    *,
    entity: float,
    relation: float,
    different: float,
    limit: int,
) -> list[Contradiction]:
    """Return KEA's contradictory pairs over the whole evidence KG: at most `limit` a claim, ordered by claim, then
    likeness (greatest first), then evidence, then element.

    Subjects and objects are alike from `entity` on, relations from `relation`; the third is below `different`.
    """
    if not claims or not evidence:
        return []
    ours = [space.rows([part(t) for t in claims]) for part in _ELEMENTS.values()]
    blocks: list[NDArray[np.float64]] = []
    for start in range(0, len(evidence), _BLOCK):
        block = evidence[start : start + _BLOCK]
        cosine = np.stack(
            [_cosine(a, list(map(p, block)), space) for a, p in zip(ours, _ELEMENTS.values(), strict=True)]
        )
        alike = cosine >= np.array([entity, relation, entity])[:, None, None]
        for number in range(3):
            others = [k for k in range(3) if k != number]
            rows, columns = np.nonzero(alike[others].all(axis=0) & (cosine[number] < different))
            sums = cosine[others].sum(axis=0)[rows, columns].astype(np.float64).round(5)
            blocks.append(np.stack([rows, -sums, columns + start, np.full(len(rows), number)]))
    return _best(np.concatenate(blocks, axis=1), limit)


def _cosine(vectors: NDArray[np.float32], texts: Sequence[str], space: Space) -> NDArray[np.float32]:
    """Return cosines with the texts; each distinct one is multiplied once."""
    column = {text: number for number, text in enumerate(dict.fromkeys(texts))}
    found: NDArray[np.float32] = (vectors @ space.rows(list(column)).T)[:, [column[text] for text in texts]]
    return found


def _best(found: NDArray[np.float64], limit: int) -> list[Contradiction]:
    """Sort columns of claim, negative likeness, evidence and element, and keep the first `limit` of each claim."""
    found = found[:, np.lexsort(found[::-1])]
    first = np.searchsorted(found[0], found[0])
    kept = found[:, np.arange(found.shape[1]) - first < limit]
    elements = list(_ELEMENTS)
    return [Contradiction(int(i), int(j), elements[int(e)], -float(s)) for i, s, j, e in kept.T]


_BLOCK = 1024
_LARGE = 300
"""Nodes of two graphs from which on arrays are quicker than dictionaries."""
_ELEMENTS: dict[str, Callable[[Triple], str]] = {
    "subject": lambda t: t.subject,
    "predicate": lambda t: relations.spoken(t.predicate),
    "object": lambda t: t.object,
}


def _values(names: Sequence[str]) -> NDArray[np.intp]:
    """Return labels of names that are values: equal values share one, and no cluster has it; -1 for other names."""
    rendered = [_value(name) for name in names]
    number = {value: len(names) + k for k, value in enumerate(sorted({value for value in rendered if value}))}
    return np.array([number[value] if value else -1 for value in rendered], np.intp)


@lru_cache(maxsize=65536)
def _value(name: str) -> str | None:
    parsed = literals.parse(name)
    return literals.render(parsed) if parsed else None


@lru_cache(maxsize=65536)
def _folded(name: str) -> str:
    return " ".join(name.casefold().split())


_denied = lru_cache(maxsize=65536)(negated)

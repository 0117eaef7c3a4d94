"""Compute personalised PageRank: the probability that a walk from the seeds is at each node.

The walk follows facts in either direction, each of parallel facts alike, and restarts at a seed with probability 1 -
alpha (alpha 0.85, as OKGQA). OKGQA's code walks a directed graph without parallel edges, where a seed's incoming facts
are never walked and most mass falls into dangling ends; a fact's direction does not say how near its ends are, and only
the undirected walk bounds the error of a local push. A node without facts sends its walk back to the seeds, as there
(in networkx). There are two algorithms: `gradient` reads the whole graph some twenty times, `push` only the
neighbourhood. Matrix factorisation was rejected: a graph changes, and one question would pay for it. Power iteration
reads the graph up to three times as often; only a directed walk, whose matrix cannot be made symmetric, needs it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from claimgraph.kgstore.arrays.graph import Adjacency, Numbers

ALPHA = 0.85
"""Probability of following a fact rather than starting anew."""

Reals = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class NeighbourRows:
    """Neighbours of k nodes: those of the i-th are `neighbour[start[i]:start[i + 1]]`; `start` has shape (k + 1,).

    `degree` (k,) counts all facts of a node; a hub's row may hold fewer.
    """

    start: NDArray[np.int64]
    neighbour: Numbers
    degree: NDArray[np.int64]


class Around(Protocol):
    """A graph of which only neighbourhoods are read."""

    def rows(self, nodes: Numbers, below: Reals) -> NeighbourRows:
        """Return the rows of distinct node numbers, in their order; empty for a node whose degree is not below its
        limit.

        Called at most once a round, and never again for a node whose row it returned.
        """
        ...

    def __len__(self) -> int:
        """Return the number of nodes numbered so far: all numbers in rows so far are below it."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Ranks:
    """PageRank scores of the nodes of those numbers, ascending; others have 0.

    `missing` bounds the sum of absolute differences from the exact scores; `edges` counts facts walked, once for each
    walk and direction, `rounds` the passes.
    """

    nodes: Numbers
    scores: Reals
    missing: float
    edges: int
    rounds: int


class Arrays:
    """Reads an adjacency one neighbourhood at a time. Implements Around."""

    def __init__(self, adjacency: Adjacency) -> None:
        self._adjacency = adjacency

    def rows(self, nodes: Numbers, below: Reals) -> NeighbourRows:
        """Return whole rows: no hub is truncated."""
        first = self._adjacency.start[nodes]
        degree = self._adjacency.start[nodes + 1] - first
        length = np.where(degree < below, degree, 0)
        return NeighbourRows(_starts(length), self._adjacency.neighbour[spans(first, length)], degree)

    def __len__(self) -> int:
        return len(self._adjacency.start) - 1


def personalised_pagerank(
    graph: Adjacency,
    seeds: Numbers,
    *,
    method: Literal["gradient", "push"] = "gradient",
    alpha: float = ALPHA,
    tolerance: float = 1e-6,
) -> Ranks:
    """Return scores from distinct seeds, each as likely a start, summing to 1 less `missing`; no seeds, no scores.

    `gradient` is within `tolerance` of the exact scores in sum of absolute differences, `push` below them by at most
    `tolerance` times a node's degree at each node.
    """
    if method == "push":
        return push(Arrays(graph), seeds, alpha=alpha, epsilon=tolerance)
    return _gradient(graph, seeds, alpha, tolerance)


def directed_pagerank(
    subject: Numbers, object: Numbers, nodes: int, seeds: Numbers, *, alpha: float = ALPHA, tolerance: float = 1e-6
) -> Ranks:
    """Return the scores of OKGQA's published walk: from subject to object only, parallel facts of a pair as one.

    Otherwise as `gradient` of personalised_pagerank. The published networkx stops at `tolerance` times the nodes.
    """
    pairs = np.unique(np.stack([subject, object]), axis=1)
    return _iterated(pairs[0], pairs[1], nodes, seeds, alpha, tolerance)


def _gradient(graph: Adjacency, seeds: Numbers, alpha: float, tolerance: float) -> Ranks:
    """Solve x = alpha P x + (1 - alpha) s by conjugate gradients (Hestenes and Stiefel 1952).

    With y = D^-1/2 x the matrix is symmetric and positive: I - alpha D^-1/2 A D^-1/2, its eigenvalues in
    [1 - alpha, 1 + alpha]. The columns of P sum to 1, so x is off by at most |residue| / (1 - alpha) in sum of absolute
    differences. Sums of products are not left to BLAS, whose threads cost more than they save here.
    """
    if not len(seeds):
        return Ranks(seeds, np.zeros(0), 0.0, 0, 0)
    degree = np.diff(graph.start)
    linked = np.flatnonzero(degree)
    first, neighbour = graph.start[linked], graph.neighbour.astype(np.intp)
    root = np.sqrt(degree)
    inverse = np.divide(1.0, root, where=degree > 0, out=np.zeros(len(degree)))
    alone, walked = _begun(seeds, degree[seeds] > 0, alpha)
    start = np.zeros(len(degree))
    start[seeds] = np.where(degree[seeds] > 0, walked, 0.0)
    residue = (1 - alpha) * inverse * start
    found, way = np.zeros(len(degree)), residue.copy()
    square, rounds, gathered = float((residue * residue).sum()), 0, np.empty(len(neighbour))
    while square > 0 and (off := float((root * np.abs(residue)).sum()) / (1 - alpha)) > tolerance:
        np.take(inverse * way, neighbour, out=gathered, mode="clip")
        image = way.copy()
        image[linked] -= alpha * inverse[linked] * np.add.reduceat(gathered, first)
        step = square / float((way * image).sum())
        found += step * way
        residue -= step * image
        before, square = square, float((residue * residue).sum())
        way, rounds = residue + square / before * way, rounds + 1
    scores = root * found
    scores[seeds[degree[seeds] == 0]] = alone
    kept = np.flatnonzero(scores > 0).astype(np.int32)
    return Ranks(kept, scores[kept], off if square > 0 else 0.0, len(neighbour) * rounds, rounds)


def _begun(seeds: Numbers, linked: NDArray[np.bool_], alpha: float) -> tuple[float, float]:
    """Return the score of each seed without facts, and the share of walks that begin at each seed with facts.

    A walk at one of the share d of seeds without facts restarts: together they hold x = d (alpha x + 1 - alpha).
    """
    count = int(linked.sum())
    share = 1 - count / len(seeds)
    held = share * (1 - alpha) / (1 - alpha * share)
    return held / max(len(seeds) - count, 1), (1 - held) / max(count, 1)


def _iterated(source: Numbers, target: Numbers, nodes: int, seeds: Numbers, alpha: float, tolerance: float) -> Ranks:
    """Iterate x = alpha P x + (1 - alpha) s until two rounds differ by less than tolerance (1 - alpha) / alpha in sum.

    A round shrinks the distance to the fixed point alpha times, so it is then at most `tolerance`.
    """
    if not len(seeds):
        return Ranks(seeds, np.zeros(0), 0.0, 0, 0)
    degree = np.bincount(source, minlength=nodes)
    start = np.zeros(nodes)
    start[seeds] = 1 / len(seeds)
    share = np.divide(alpha, degree, where=degree > 0, out=np.zeros(nodes))
    x, change, rounds = start, np.inf, 0
    while change > tolerance * (1 - alpha) / alpha:
        stuck = alpha * x[degree == 0].sum()
        following = np.bincount(target, (share * x)[source], nodes) + (stuck + 1 - alpha) * start
        x, change, rounds = following, float(np.abs(following - x).sum()), rounds + 1
    kept = np.flatnonzero(x).astype(np.int32)
    return Ranks(kept, x[kept], change * alpha / (1 - alpha), len(source) * rounds, rounds)


def push(around: Around, seeds: Numbers, *, alpha: float = ALPHA, epsilon: float) -> Ranks:
    """Return scores by local push (Andersen, Chung, Lang 2006, section 3, without its lazy steps), all due nodes a
    round.

    Scores p and residues r keep PPR(v) = p(v) + sum over u of r(u) PPR_u(v). A push at u turns (1 - alpha) r(u) into
    score and hands alpha r(u) / degree(u) along each fact; it is due while r(u) > epsilon degree(u). The walk on
    undirected facts is reversible, degree(u) PPR_u(v) = degree(v) PPR_v(u), so at the end

        0 <= PPR(v) - p(v) = degree(v) * sum over u of r(u) / degree(u) * PPR_v(u) <= epsilon degree(v).

    A seed without facts has its exact score from the start. The result is p(v) + (1 - alpha) r(v), which is nearer and
    never too high, since PPR_v(v) >= 1 - alpha. A push turns more than (1 - alpha) epsilon of residue into score for
    each fact it walks, so at most 1 / (epsilon (1 - alpha)) are walked, however large the graph. Where a hub's row is
    truncated, the rest of its residue is dropped: scores are still never too high, and too low by at most `missing` in
    sum.
    """
    if not len(seeds):
        return Ranks(seeds, np.zeros(0), 0.0, 0, 0)
    state = _State(around, alpha, epsilon)
    due, rounds = state.begin(np.sort(seeds)), 0
    while len(due):
        state.read(due, state.limit(due))
        due, rounds = state.push(due[state.due(due)]), rounds + 1
    return state.ranks(rounds)


class _State:
    """Scores, residues and the rows read so far, by node number; a node's degree is taken as 1 until it is known."""

    def __init__(self, around: Around, alpha: float, epsilon: float) -> None:
        self._around, self._alpha, self._epsilon = around, alpha, epsilon
        self._score, self._residue = np.zeros(len(around)), np.zeros(len(around))
        self._degree, self._length = np.ones(len(around), np.int64), np.zeros(len(around), np.int64)
        self._first = np.full(len(around), -1, np.int64)
        self._neighbour = np.zeros(0, np.int32)
        self._met: list[Numbers] = []
        self._edges = 0

    def begin(self, seeds: Numbers) -> Numbers:
        """Read the seeds, set their initial scores and residues, and return those with facts."""
        self.read(seeds, np.full(len(seeds), np.inf))
        linked = self._length[seeds] > 0
        self._score[seeds[~linked]], self._residue[seeds[linked]] = _begun(seeds, linked, self._alpha)
        self._met.append(seeds)
        return seeds[linked]

    def limit(self, nodes: Numbers) -> Reals:
        """Return the degrees from which on the nodes need not be pushed."""
        return self._residue[nodes] / self._epsilon

    def due(self, nodes: Numbers) -> NDArray[np.bool_]:
        """Return a mask of the nodes that must be pushed."""
        return self._degree[nodes] < self.limit(nodes)

    def read(self, nodes: Numbers, limit: Reals) -> None:
        """Read the rows of those of the nodes that have none yet, unless their degree reaches the limit."""
        unread = self._first[nodes] < 0
        if not unread.any():
            return
        nodes, limit = nodes[unread], limit[unread]
        rows = self._around.rows(nodes, limit)
        self._grow(len(self._around))
        self._degree[nodes] = np.maximum(rows.degree, 1)
        given = rows.degree < limit
        self._first[nodes[given]] = len(self._neighbour) + rows.start[:-1][given]
        self._length[nodes] = np.diff(rows.start)
        self._neighbour = np.concatenate([self._neighbour, rows.neighbour])

    def push(self, nodes: Numbers) -> Numbers:
        """Push the nodes, all at once, and return those that may be due then, ascending."""
        residue, length = self._residue[nodes], self._length[nodes]
        self._score[nodes] += (1 - self._alpha) * residue
        self._residue[nodes] = 0
        touched = self._neighbour[spans(self._first[nodes], length)]
        np.add.at(self._residue, touched, np.repeat(self._alpha * residue / self._degree[nodes], length))
        self._met.append(touched)
        self._edges += len(touched)
        return np.unique(touched[self.due(touched)])

    def ranks(self, rounds: int) -> Ranks:
        """Return the scores so far."""
        met = np.unique(np.concatenate(self._met))
        scores = self._score[met] + (1 - self._alpha) * self._residue[met]
        return Ranks(met, scores, max(0.0, 1 - float(scores.sum())), self._edges, rounds)

    def _grow(self, size: int) -> None:
        more = size - len(self._score)
        if more > 0:
            self._score, self._residue = (np.append(x, np.zeros(more)) for x in (self._score, self._residue))
            self._degree = np.append(self._degree, np.ones(more, np.int64))
            self._length = np.append(self._length, np.zeros(more, np.int64))
            self._first = np.append(self._first, np.full(more, -1, np.int64))


def spans(first: NDArray[np.int64], length: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the positions first[i], first[i] + 1, ... of each span, one span after the other."""
    starts = _starts(length)
    return np.arange(starts[-1]) + np.repeat(first - starts[:-1], length)


def _starts(length: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(length)])

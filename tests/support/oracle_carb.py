"""CaRB's scores straight from the definition: every threshold, every pair, a greedy search for each match."""

from __future__ import annotations

from collections.abc import Sequence

from claimgraph.detect.extraction.carb import Tuple, match


def carb_scores(sentences: Sequence[tuple[Sequence[Tuple], Sequence[Tuple]]]) -> tuple[float, float, float]:
    """Precision, recall and F1 at the best threshold."""
    best = (0.0, 0.0, 0.0)
    for threshold in sorted({p.confidence for _, predicted in sentences for p in predicted}):
        kept = [(gold, [p for p in predicted if p.confidence >= threshold]) for gold, predicted in sentences]
        recall = sum(max((match(g, p)[1] for p in ps), default=0.0) for gold, ps in kept for g in gold)
        recall /= sum(len(gold) for gold, _ in kept)
        precision = sum(_one_to_one(gold, ps) for gold, ps in kept) / sum(len(ps) for _, ps in kept)
        f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
        if f1 > best[2] or best == (0.0, 0.0, 0.0):
            best = (precision, recall, f1)
    return best


def _one_to_one(gold: Sequence[Tuple], predicted: Sequence[Tuple]) -> float:
    free, left, total = list(range(len(gold))), list(range(len(predicted))), 0.0
    while free and left:
        g, p = max(((g, p) for g in free for p in left), key=lambda pair: match(gold[pair[0]], predicted[pair[1]])[0])
        total += match(gold[g], predicted[p])[0]
        free.remove(g)
        left.remove(p)
    return total

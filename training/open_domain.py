"""The weights by which the rest of a graph decides: `python -m training.open_domain --set FILE=GRAPH,GRAPH --out FILE`.

Reads facts and sentences known to be true or false, as checking reads them, against graphs of the settings' store;
those that the graphs do not state are weighed. Prints, in folds over subjects, how many each limit decides and how many
of these are right; then writes the numbers fitted to all, with limits at which nineteen of twenty verdicts are right on
the folds that the weights have not seen.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from claimgraph.detect.methods.graph_evidence.logistic import Logistic, fit
from claimgraph.detect.methods.open_domain.calibration import SIGNALS, GraphCalibration
from claimgraph.evaluation.batches import silent
from claimgraph.evaluation.open_domain import JudgedClaim, opened
from claimgraph.settings import load_settings

PRECISION = 0.95
FOLDS = 5
LEAST = 20
"""Verdicts of one kind below which a limit says nothing: it stays where it gives none."""


@dataclass(frozen=True, slots=True)
class Rows:
    """Signals of claims, shape (k, SIGNALS); whether each is true, and its fold, shape (k,)."""

    values: NDArray[np.float64]
    true: NDArray[np.int64]
    fold: NDArray[np.int64]


def main() -> None:
    """Read, fit in folds, print, fit to all and write."""
    args = _arguments()
    found: list[JudgedClaim] = []
    for name, graphs in args.set:
        with opened(load_settings(), graphs) as judged:
            found += judged(Path(name), args.limit, 0, silent)
    rows = _rows([one for one in found if one.signals])
    held = _held_out(rows)
    support, refute = limits(held, rows.true)
    print(
        f"{len(rows.true)} claims, {rows.true.mean():.2f} true; SUPPORTED from {support:.3f}, REFUTED to {refute:.3f}"
    )
    for limit in (0.5, 0.8, 0.9, 0.95):
        print(_line(held, rows.true, limit))
    args.out.write_text(calibration(rows, support, refute, [name for name, _ in args.set]).dumps(), encoding="utf-8")


def limits(chance: NDArray[np.float64], true: NDArray[np.int64]) -> tuple[float, float]:
    """Return the least probability from which, and the greatest to which, PRECISION of the claims are true or false.

    1.01 and -0.01 where fewer than LEAST claims would be decided.
    """
    return _limit(chance, true), 1 - _limit(1 - chance, 1 - true)


def _limit(chance: NDArray[np.float64], right: NDArray[np.int64]) -> float:
    order = np.argsort(-chance, kind="stable")
    shares = np.cumsum(right[order]) / np.arange(1, len(order) + 1)
    good = np.flatnonzero(shares >= PRECISION)
    good = good[good + 1 >= LEAST]
    return float(chance[order][good[-1]]) if len(good) else 1.01


def calibration(rows: Rows, support: float, refute: float, names: Sequence[str]) -> GraphCalibration:
    """Return the numbers fitted to all rows, with these limits."""
    found = fit(rows.values, rows.true)
    weight = found.weight / found.scale
    bias = found.bias - float(weight @ found.mean)
    weights = dict(zip(SIGNALS, weight.tolist(), strict=True))
    return GraphCalibration(bias, weights, support, refute, tuple(Path(name).name.partition(".")[0] for name in names))


def _rows(claims: Sequence[JudgedClaim]) -> Rows:
    """Return the claims' signals, folded by group: a subject's claims stand in one fold."""
    groups = sorted({one.group for one in claims})
    random.Random(0).shuffle(groups)
    fold = {group: at % FOLDS for at, group in enumerate(groups)}
    return Rows(
        np.array([[(one.signals or {})[name] for name in SIGNALS] for one in claims]),
        np.array([int(one.true) for one in claims]),
        np.array([fold[one.group] for one in claims]),
    )


def _held_out(rows: Rows) -> NDArray[np.float64]:
    """Return the probability of each claim by weights fitted to the other folds."""
    found = np.zeros(len(rows.true))
    for fold in range(FOLDS):
        here = rows.fold == fold
        learnt: Logistic = fit(rows.values[~here], rows.true[~here])
        found[here] = 1 / (1 + np.exp(-learnt.log_odds(rows.values[here])))
    return found


def _line(chance: NDArray[np.float64], true: NDArray[np.int64], limit: float) -> str:
    yes, no = chance >= limit, chance <= 1 - limit
    parts = ((yes, true, "SUPPORTED"), (no, 1 - true, "REFUTED"))
    told = [f"{name} {made.mean():.3f}, right {right[made].mean() if made.any() else float('nan'):.3f}"
            for made, right, name in parts]  # fmt: skip
    return f"at {limit}: " + "; ".join(told)


def _set(text: str) -> tuple[str, tuple[str, ...]]:
    name, _, graphs = text.partition("=")
    if not graphs:
        raise argparse.ArgumentTypeError("FILE=GRAPH,GRAPH")
    return name, tuple(graphs.split(","))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--set", type=_set, action="append", required=True, metavar="FILE=GRAPH,GRAPH")
    parser.add_argument("--limit", type=int, default=600, help="claims of each file, a random choice")
    parser.add_argument("--out", type=Path, required=True, help="file to write")
    return parser.parse_args()


if __name__ == "__main__":
    main()

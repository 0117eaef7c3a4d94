"""What an entailment model is worth: `python -m training.measure --weights FOLDER ...`.

Runs on onnxruntime, without torch, on weights as they were trained or as they ship. On held-out pairs (`--held F...`):
accuracy by source, of three classes, or of two where a source only says entailed or not; of each file the balanced
accuracy of entailed or not, and how often what is said to be entailed or contradicted is so (reliability). On the
closed sets of `--data FOLDER`: an output's score is the lowest over its sentences of the highest P(entailment) over the
windows of its context; AUC, and balanced accuracy at one half and at the threshold that is best on the other half of
the contexts. On a contrast set (`--contrast F`): accuracy of three classes, the whole context the premise, by
phenomenon.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from claimgraph.detect.models.entailment import OnnxEntailment
from claimgraph.detect.models.window_entailment import judge
from claimgraph.detect.text.windows import WORDS
from claimgraph.evaluation.statistics.metrics import best_threshold, measure
from claimgraph.evaluation.statistics.objective import Objective
from training.documents import said, windows
from training.pair import LABELS, NOT_ENTAILMENT, Pair, allowed, fold, read, rows

SETS = ("summedits", "wice", "halueval_qa", "qags_xsum", "summeval", "xsum_faith")
FOLDS = 2
"""Parts of the contexts: the threshold of each is fitted on the other."""
BINS = 5
EXPECTED = {"SUPPORTED": "entailment", "REFUTED": "contradiction", "NOT_ENOUGH_INFO": "neutral"}

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Scored:
    """`label`: 1 for an inconsistent output. `score`: P that all of it follows."""

    name: str
    context: str
    label: int
    score: float


def main() -> None:
    """Measure and print."""
    args = _arguments()
    model = OnnxEntailment(args.weights, args.weights / "onnx", int8=not args.float32)
    print(model.model)
    for path in args.held:
        pairs = read(path)
        _held(path.name, random.Random(0).sample(pairs, min(args.limit, len(pairs))), model)
    if args.contrast:
        _contrast([json.loads(line) for line in args.contrast.read_text(encoding="utf-8").splitlines()], model)
    for name in SETS if args.data else ():
        _print(name, _documents(name, args, model))


def _held(name: str, pairs: Sequence[Pair], model: OnnxEntailment) -> None:
    shares = model.entail([(pair.premise, pair.hypothesis) for pair in pairs]).astype(np.float64)
    may = np.array([allowed(pair.label) for pair in pairs])
    right = may[np.arange(len(pairs)), shares.argmax(axis=1)]
    _by([pair.source for pair in pairs], right)
    entailed = may[:, 0]
    halves = [(shares[some, 0] > 0.5).mean() for some in (entailed, ~entailed)]
    print(
        f"{name:20} {len(pairs):5} accuracy {right.mean():.3f}, balanced accuracy {(halves[0] + 1 - halves[1]) / 2:.3f}"
    )
    told = np.array([pair.label != NOT_ENTAILMENT for pair in pairs])
    for at, some in ((0, np.ones(len(pairs), np.bool_)), (2, told)):
        found = reliability(shares[some, at], may[some, at])
        bins = ", ".join(f"{mean:.2f} is {share:.2f} of {count}" for mean, share, count in found)
        print(f"{name:20} P({LABELS[at]}) {bins}", flush=True)


def reliability(shares: Floats, so: Bools) -> list[tuple[float, float, int]]:
    """Of BINS bins of a class's probability, those that hold any: its mean, how often the class is right, and rows."""
    bins = np.minimum((shares * BINS).astype(int), BINS - 1)
    return [
        (float(shares[bins == one].mean()), float(so[bins == one].mean()), int((bins == one).sum()))
        for one in range(BINS)
        if (bins == one).any()
    ]


def _contrast(found: Sequence[dict[str, str]], model: OnnxEntailment) -> None:
    labels = np.array([LABELS.index(EXPECTED[row["expected"]]) for row in found])
    said = model.entail([(row["context"], row["text"]) for row in found]).argmax(axis=1)
    _by([row["phenomenon"] for row in found], said == labels)
    _by([f"  {LABELS[label]}" for label in labels], said == labels)
    print(f"{'contrast':20} {len(found):5} accuracy {(said == labels).mean():.3f}", flush=True)


def _by(names: Iterable[str], right: Bools) -> None:
    by_name = defaultdict(list)
    for name, one in zip(names, right, strict=True):
        by_name[name].append(one)
    for name, some in sorted(by_name.items()):
        print(f"{name:36} {len(some):5} accuracy {np.mean(some):.3f}")


def _documents(name: str, args: argparse.Namespace, model: OnnxEntailment) -> list[Scored]:
    found = list(rows(args.data / "closed" / f"{name}.jsonl.gz"))
    found = found[:: max(1, len(found) // args.most)]
    jobs = [(_claims(row), windows(row["context"], WORDS)) for row in found]
    return [
        Scored(name, row["context"], int(row["label"]), min(one.entailment for one in judged if one))
        for row, judged in zip(found, judge(jobs, model), strict=True)
    ]


def _claims(row: dict[str, str]) -> list[str]:
    if "question" in row:
        return [f"{row['question'].strip()} {row['output'].strip()}"]
    return said(row["output"])


def _print(name: str, scored: Sequence[Scored]) -> None:
    if len({one.label for one in scored}) < 2:
        return
    labels, against = np.array([one.label for one in scored]), np.array([1 - one.score for one in scored])
    parts = np.array([fold(one.context, FOLDS) for one in scored])
    half = measure(labels, against, against > 0.5)
    fitted = measure(labels, against, _fitted(labels, against, parts))
    print(
        f"{name:12} {len(scored):5} AUC {half['auc_roc'][0]:.3f}, balanced accuracy at one half "
        f"{half['balanced_accuracy'][0]:.3f}, at the threshold of the other half {fitted['balanced_accuracy'][0]:.3f}",
        flush=True,
    )


def _fitted(labels: NDArray[np.int_], against: Floats, parts: NDArray[np.int_]) -> Floats:
    """Predictions; nan where the other half has one class only."""
    found = np.full(len(labels), np.nan)
    for part in set(parts.tolist()):
        here = parts == part
        threshold = best_threshold(labels[~here], against[~here], Objective.BALANCED_ACCURACY)
        if threshold is not None:
            found[here] = against[here] > threshold
    return found


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weights", type=Path, required=True, help="folder that was trained, or that ships")
    parser.add_argument("--float32", action="store_true", help="instead of int8")
    parser.add_argument("--held", type=Path, nargs="+", default=[], help="files of pairs that were not trained on")
    parser.add_argument("--limit", type=int, default=4000, help="pairs of each file, a random choice")
    parser.add_argument("--data", type=Path, help="folder with closed/")
    parser.add_argument("--most", type=int, default=300, help="outputs of a closed set, evenly over the file")
    parser.add_argument("--contrast", type=Path, help="JSON lines of context, text, expected, phenomenon")
    return parser.parse_args()


if __name__ == "__main__":
    main()

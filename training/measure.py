"""What an entailment model is worth: `python -m training.measure --weights FOLDER [--held F] [--data FOLDER]`.

Runs on onnxruntime, without torch. On held-out pairs (`--held`): accuracy by source, of three classes, or of two where
a source only says entailed or not. On closed sets (`--data`): an output's score is the lowest over its sentences of
the highest P(entailment) over the windows of its context; AUC, and balanced accuracy at one half and at the threshold
that is best on the contexts of all other folds. `--fold K` keeps to the contexts of fold K, which the weights must not
have seen. `--scores F` adds each output's score to a file, from which `--from F...` prints the figures of all folds.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from claimgraph.detect.models.entailment import OnnxEntailment
from claimgraph.detect.models.window_entailment import judge
from claimgraph.detect.text.windows import WORDS
from claimgraph.evaluation.statistics.metrics import Objective, best_threshold, measure
from training.documents import FOLDS, SETS, said, windows
from training.pair import allowed, fold, read, rows


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
    if args.held:
        _held(_model(args), args.held)
    scored = [Scored(**json.loads(line)) for path in args.past for line in path.read_text().splitlines()]
    if args.data:
        scored += _documents(_model(args), args)
    if args.scores:
        with args.scores.open("a") as file:
            file.writelines(json.dumps(asdict(s)) + "\n" for s in scored)
    for name in SETS:
        _print(name, [one for one in scored if one.name == name])


def _model(args: argparse.Namespace) -> OnnxEntailment:
    return OnnxEntailment(args.weights, args.weights / "onnx", int8=not args.float32)


def _held(model: OnnxEntailment, path: Path) -> None:
    by_source = defaultdict(list)
    for pair in read(path):
        by_source[pair.source].append(pair)
    for source, pairs in sorted(by_source.items()):
        found = model.entail([(pair.premise, pair.hypothesis) for pair in pairs]).argmax(axis=1)
        right = [allowed(pair.label)[row] for pair, row in zip(pairs, found, strict=True)]
        print(f"{source:20} {len(pairs):5} accuracy {np.mean(right):.3f}", flush=True)


def _documents(model: OnnxEntailment, args: argparse.Namespace) -> Iterator[Scored]:
    for name in SETS:
        found = list(rows(args.data / "closed" / f"{name}.jsonl.gz"))
        found = [row for row in found if args.fold is None or fold(row["context"], FOLDS) == args.fold]
        found = found[:: max(1, len(found) // args.most)]
        jobs = [(_claims(row), windows(row["context"], args.words)) for row in found]
        for row, judged in zip(found, judge(jobs, model), strict=True):
            score = min(one.entailment for one in judged if one)
            yield Scored(name, row["context"], int(row["label"]), score)


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
        f"{half['balanced_accuracy'][0]:.3f}, at the threshold of other folds {fitted['balanced_accuracy'][0]:.3f}"
    )


def _fitted(labels: NDArray[np.int_], against: NDArray[np.float64], parts: NDArray[np.int_]) -> NDArray[np.float64]:
    """Predictions; nan where the other folds have one class only."""
    found = np.full(len(labels), np.nan)
    for part in set(parts.tolist()):
        here = parts == part
        threshold = best_threshold(labels[~here], against[~here], Objective.BALANCED_ACCURACY)
        if threshold is not None:
            found[here] = against[here] > threshold
    return found


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weights", type=Path, help="folder with config, tokenizer and weights")
    parser.add_argument("--float32", action="store_true", help="instead of int8")
    parser.add_argument("--held", type=Path, help="pairs that were not trained on")
    parser.add_argument("--data", type=Path, help="folder with closed/")
    parser.add_argument("--fold", type=int, choices=range(FOLDS))
    parser.add_argument("--most", type=int, default=150, help="outputs of a set, evenly over the file")
    parser.add_argument("--words", type=int, default=WORDS, help="of a window")
    parser.add_argument("--scores", type=Path)
    parser.add_argument("--from", type=Path, nargs="+", default=[], dest="past")
    return parser.parse_args()


if __name__ == "__main__":
    main()

"""Weights to what ships: `python -m training.pack --weights FOLDER --held PAIRS --out detect/data/entailment`.

Writes model.onnx in int8, tokenizer.json, and config.json with what a reader needs beside them: labels, how much can
be read, temperature, name, version and the files' sha256. The temperature is fitted on a third of the held-out pairs,
by documents; the figures are of the others. Needs the package alone, no torch.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import shutil
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar

from claimgraph.detect.models.classifier_onnx import exported, read_config, tokens
from claimgraph.detect.models.entailment import OnnxEntailment, order
from training.pair import LABELS, Pair, allowed, fold, read

Floats = NDArray[np.float64]

PART = 40_000_000
"""Bytes of a file at most: a larger model's tensors go into files of their own, which hosts of repositories take."""
LARGE = 4096
"""Bytes of a tensor from which on it goes there: shapes and axes must stay in the graph."""
BINS = 15
"""Of confidence, of equal width: the usual number for calibration error."""
THIRDS = 3
TEMPERATURES = (0.1, 10.0)
TIMED = 200
TOKENS_160 = ("the " * 147, "the " * 10)
"""A pair of 160 tokens, with the three between and around them."""


def main() -> None:
    """Write the folder and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weights", type=Path, required=True, help="folder that training.train wrote")
    parser.add_argument("--held", type=Path, nargs="+", required=True, help="files of pairs that were not trained on")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--name", default="claimgraph-entailment", help="of the model")
    parser.add_argument("--version", default="3", help="of the weights")
    parser.add_argument("--limit", type=int, default=3000, help="pairs that are read of all files, a random choice")
    args = parser.parse_args()
    pairs = [pair for path in args.held for pair in read(path)]
    pairs = random.Random(0).sample(pairs, min(args.limit, len(pairs)))
    with tempfile.TemporaryDirectory() as cache:
        report = packed(args.weights, pairs, args.out, (args.name, args.version), Path(cache))
    print(json.dumps(report, indent=1))


def packed(weights: Path, pairs: Sequence[Pair], out: Path, named: tuple[str, str], cache: Path) -> dict[str, float]:
    """Write the folder `out`, `named` by name and version; returns the figures by name, MB and pairs a second among
    them.
    """
    shipped = OnnxEntailment(write(weights, out, named, 1.0, cache), cache)
    rows, exact = (_logged(model, pairs) for model in (shipped, OnnxEntailment(weights, cache, int8=False)))
    may = np.array([allowed(pair.label) for pair in pairs])
    test = np.array([fold(pair.document, THIRDS) > 0 for pair in pairs])
    temperature = fitted(rows[~test], may[~test])
    write(weights, out, named, temperature, cache)
    figures = {"pairs": int(test.sum()), "temperature": temperature}
    for name, logits in (("float32", exact), ("int8", rows), ("int8 calibrated", rows / temperature)):
        sure, right = outcomes(logits[test], may[test])
        figures[f"accuracy, {name}"] = float(right.mean())
        figures[f"calibration error, {name}"] = calibration_error(sure, right)
    shares, told = softmax(rows[test] / temperature), may[test].sum(axis=1) == 1
    for at in (0, 2):
        error = calibration_error(shares[told, at], may[test][told, at])
        figures[f"calibration error, P({LABELS[at]})"] = error
    figures["P(entailment), int8 from float32, mean"] = float(np.abs(np.exp(rows[:, 0]) - np.exp(exact[:, 0])).mean())
    figures["MB"] = sum(path.stat().st_size for path in out.iterdir()) / 1e6
    figures["pairs of 160 tokens a second"] = speed(shipped)
    return {name: round(value, 4) for name, value in figures.items()}


def write(weights: Path, out: Path, named: tuple[str, str], temperature: float, cache: Path) -> Path:
    """The folder `out`, emptied before, with the model in int8, its tokeniser and its config.json."""
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    _in_parts(exported(weights, cache, int8=True), out)
    shutil.copyfile(weights / "tokenizer.json", out / "tokenizer.json")
    found = read_config(weights)
    places = order([found["id2label"][number] for number in sorted(found["id2label"], key=int)])
    config = {
        "name": named[0],
        "version": named[1],
        "id2label": {at: LABELS[places.index(at)] for at in range(len(LABELS))},
        "max_position_embeddings": tokens(found),
        "temperature": temperature,
        "sha256": {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(out.iterdir())},
    }
    (out / "config.json").write_text(json.dumps(config, indent=1) + "\n", encoding="utf-8")
    return out


def _in_parts(model: Path, out: Path) -> None:
    """Write model.onnx into `out`; one larger than PART with its tensors in weights-0.bin, weights-1.bin, ... ."""
    if model.stat().st_size <= PART:
        shutil.copyfile(model, out / "model.onnx")
        return
    import onnx
    from onnx.external_data_helper import set_external_data, write_external_data_tensors

    graph, part, size = onnx.load(str(model)), 0, 0
    for tensor in (one for one in graph.graph.initializer if len(one.raw_data) >= LARGE):
        if size + len(tensor.raw_data) > PART:
            part, size = part + 1, 0
        size += len(tensor.raw_data)
        set_external_data(tensor, f"weights-{part}.bin")
    (out / "model.onnx").write_bytes(write_external_data_tensors(graph, str(out)).SerializeToString())
    for path in out.iterdir():
        path.chmod(0o644)


def fitted(logits: Floats, may: NDArray[np.bool_]) -> float:
    """The temperature at which the classes that may be are likeliest together; both of shape (n, 3)."""

    def loss(power: float) -> float:
        return float(-np.log(np.where(may, softmax(logits / np.exp(power)), 0).sum(axis=1)).mean())

    found = minimize_scalar(loss, bounds=np.log(TEMPERATURES), method="bounded")
    return round(float(np.exp(found.x)), 4)


def outcomes(logits: Floats, may: NDArray[np.bool_]) -> tuple[Floats, NDArray[np.bool_]]:
    """How sure the model is of its answer, and whether it is right, both of shape (n,).

    Where only "not entailed" is known the answers are two, else three.
    """
    shares = softmax(logits)
    two = may.sum(axis=1) > 1
    shares[two, 1] += shares[two, 2]
    shares[two, 2] = 0
    best = shares.argmax(axis=1)
    at = np.arange(len(best))
    return shares[at, best], may[at, best]


def calibration_error(sure: Floats, right: NDArray[np.bool_]) -> float:
    """Expected calibration error: how far sureness is from accuracy within bins, weighed by their sizes; (n,) both."""
    bins = np.minimum((sure * BINS).astype(int), BINS - 1)
    gaps = [abs(float((sure[bins == one] - right[bins == one]).sum())) for one in range(BINS)]
    return sum(gaps) / len(sure)


def softmax(logits: Floats) -> Floats:
    """Of rows, shape (n, k)."""
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    shares: Floats = powers / powers.sum(axis=1, keepdims=True)
    return shares


def speed(model: OnnxEntailment) -> float:
    """Pairs of 160 tokens a second, on all cores, after the model was loaded."""
    model.entail([TOKENS_160])
    begun = time.perf_counter()
    model.entail([TOKENS_160] * TIMED)
    return TIMED / (time.perf_counter() - begun)


def _logged(model: OnnxEntailment, pairs: Sequence[Pair]) -> Floats:
    """Logits up to a number a row, as a model of temperature 1 has them, in the order of LABELS."""
    found = model.entail([(pair.premise, pair.hypothesis) for pair in pairs])
    return np.log(np.maximum(found, np.finfo(np.float32).tiny).astype(np.float64))


if __name__ == "__main__":
    main()

"""Weights to what ships: `python -m training.coref.pack --weights F --data F --out detect/data/coreference`.

Writes model.onnx in int8 with its large tensors in weights.bin, which onnxruntime maps into memory instead of reading
them through; tokenizer.json; and config.json with name, version, the files' sha256 and the thresholds, which
training.coref.thresholds chooses on documents that were not trained on, unless they are given. Needs the package alone,
no torch.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
from collections.abc import Mapping
from pathlib import Path

import onnx
from onnx.external_data_helper import set_external_data, write_external_data_tensors

from claimgraph.detect.extraction.coreference.candidates import KINDS
from claimgraph.detect.models.classifier_onnx import read_config, read_weights
from claimgraph.detect.models.coreference import OnnxCoreference
from claimgraph.detect.models.encoder_onnx import EncoderConfig
from training.coref.graph import build
from training.coref.thresholds import chosen, tuned_texts

NAME = "claimgraph-coreference"
FILES = ("model.onnx", "weights.bin", "tokenizer.json")
LARGE = 1024
"""Bytes from which on a tensor goes into weights.bin."""


def main() -> None:
    """Write the folder and print the thresholds."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weights", type=Path, required=True, help="folder that training.coref.train wrote")
    parser.add_argument("--data", type=Path, required=True, help="folder with coref/")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--version", default="1", help="of the weights")
    parser.add_argument("--threshold", nargs="*", default=[], help="KIND=CHANCE of kinds for which none is chosen")
    args = parser.parse_args()
    given = {kind: float(chance) for kind, _, chance in (one.partition("=") for one in args.threshold)}
    write(args.weights, args.out, args.version, given)
    found = {} if set(given) == set(KINDS) else chosen(OnnxCoreference(args.out), tuned_texts(args.data))
    thresholds = found | given
    write(args.weights, args.out, args.version, thresholds)
    size = sum(path.stat().st_size for path in args.out.iterdir()) / 1e6
    print(json.dumps({"thresholds": thresholds, "MB": round(size, 1)}, indent=1))


def write(weights: Path, out: Path, version: str, thresholds: Mapping[str, float]) -> None:
    """The folder `out` with the model in int8, its tokeniser and its config.json."""
    out.mkdir(parents=True, exist_ok=True)
    base = read_config(weights)
    config = EncoderConfig(base["num_hidden_layers"], base["num_attention_heads"], base["layer_norm_eps"])
    model = build(config, read_weights([weights / "model.safetensors"]), int8=True)
    apart(model, out)
    shutil.copyfile(weights / "tokenizer.json", out / "tokenizer.json")
    found = {
        "name": NAME,
        "version": version,
        "thresholds": dict(thresholds),
        "sha256": {name: hashlib.sha256((out / name).read_bytes()).hexdigest() for name in FILES},
    }
    (out / "config.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def apart(model: onnx.ModelProto, out: Path) -> None:
    """Write model.onnx and, with its large tensors, weights.bin into the folder `out`."""
    (out / "weights.bin").unlink(missing_ok=True)  # onnx appends to it
    for tensor in (one for one in model.graph.initializer if len(one.raw_data) >= LARGE):
        set_external_data(tensor, "weights.bin")
    (out / "model.onnx").write_bytes(write_external_data_tensors(model, str(out)).SerializeToString())
    (out / "weights.bin").chmod(0o644)


if __name__ == "__main__":
    main()

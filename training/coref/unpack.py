"""What ships, as a start to train on: `python -m training.coref.unpack --packed detect/data/coreference --out START`.

The packed graph is the only form in which the trained ranker is kept. The encoder's int8 products are multiplied by
their scales again, as training.unpack does with a classifier's; the scorer is in float32 as it is. The names are those
of training.coref.ranker.
"""

from __future__ import annotations

import argparse
import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import onnx
from safetensors.numpy import save_file

from training.base import config
from training.unpack import Array, PackedGraph, encoder

SCORER = ("mention", "left", "right", "product", "inner", "score")
"""Its linear layers, in the order of their use."""
WITHOUT_BIAS = ("right", "product")


def main() -> None:
    """Write the folder."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--packed", type=Path, required=True, help="folder that training.coref.pack wrote")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    found, told = unpacked(onnx.load(args.packed / "model.onnx"))
    save_file(found, args.out / "model.safetensors")
    (args.out / "config.json").write_text(json.dumps(told, indent=1) + "\n")
    shutil.copyfile(args.packed / "tokenizer.json", args.out / "tokenizer.json")


def unpacked(model: onnx.ModelProto) -> tuple[dict[str, Array], dict[str, object]]:
    """The weights by name, and config.json, of a graph by training.coref.graph."""
    graph = PackedGraph(model)
    lower = encoder(graph, "bert", list(graph.products()))
    told = config(lower) | {"num_attention_heads": graph.heads}
    found = {name.replace("bert.", "encoder.", 1): value for name, value in lower.items()} | dict(_scorer(graph))
    return {name: np.ascontiguousarray(value, np.float32) for name, value in found.items()}, told


def _scorer(graph: PackedGraph) -> Iterator[tuple[str, Array]]:
    yield "features.weight", graph.last_table()
    for name, (weight, bias) in zip(SCORER, graph.float_products(), strict=True):
        yield f"{name}.weight", weight
        if name not in WITHOUT_BIAS:
            assert bias is not None, f"{name} has a bias"
            yield f"{name}.bias", bias


if __name__ == "__main__":
    main()

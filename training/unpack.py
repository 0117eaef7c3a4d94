"""What ships, as a start to train on: `python -m training.unpack --packed detect/data/entailment --out START`.

The packed graph is the only form in which trained weights are kept. Its int8 products and rows are multiplied by their
scales again; a model that is packed anew from them says the same. The names are those of training.model's classifier.
"""

from __future__ import annotations

import argparse
import json
import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import numpy_helper
from safetensors.numpy import save_file

from claimgraph.detect.models.encoder_onnx import buckets
from training.base import config

Array = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Names:
    """What the parts of a layer and of the head are called: queries, keys and values; the other linear layers in the
    order of their use; norms.
    """

    mixing: tuple[str, str, str]
    linear: tuple[str, str, str]
    norms: tuple[str, str]
    head: tuple[str, str]


_NAMES = {
    "bert": Names(
        ("attention.self.query", "attention.self.key", "attention.self.value"),
        ("attention.output.dense", "intermediate.dense", "output.dense"),
        ("attention.output.LayerNorm", "output.LayerNorm"),
        ("bert.pooler.dense", "classifier"),
    ),
    "mpnet": Names(
        ("attention.attn.q", "attention.attn.k", "attention.attn.v"),
        ("attention.attn.o", "intermediate.dense", "output.dense"),
        ("attention.LayerNorm", "output.LayerNorm"),
        ("classifier.dense", "classifier.out_proj"),
    ),
}
BUCKETS = 32
"""Of MPNet's distances between tokens."""


def main() -> None:
    """Write the folder."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--packed", type=Path, required=True, help="folder that training.pack wrote")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    found, heads = unpacked(onnx.load(args.packed / "model.onnx"))
    save_file(found, args.out / "model.safetensors")
    told = config(found) | {"num_attention_heads": heads}
    (args.out / "config.json").write_text(json.dumps(told, indent=1) + "\n")
    shutil.copyfile(args.packed / "tokenizer.json", args.out / "tokenizer.json")


def unpacked(model: onnx.ModelProto) -> tuple[dict[str, Array], int]:
    """The weights by name, and the number of attention heads, of a graph by detect/models/classifier_onnx.py."""
    graph, kind = PackedGraph(model), model.graph.name
    *lower, dense, told = graph.products()
    found = encoder(graph, kind, lower)
    for name, (weight, bias) in zip(_NAMES[kind].head, (dense, told), strict=True):
        found |= {f"{name}.weight": weight, f"{name}.bias": bias}
    return {name: np.ascontiguousarray(value, np.float32) for name, value in found.items()}, graph.heads


def encoder(graph: PackedGraph, kind: str, products: Sequence[tuple[Array, Array]]) -> dict[str, Array]:
    """The embeddings and layers by name; `products` are the layers' linear ones, in the order of their use."""
    called, left = _NAMES[kind], list(products)
    found: dict[str, Array] = dict(graph.embeddings(kind))
    layers = [f"{kind}.encoder.layer.{layer}." for layer in range(len(products) // 4)]
    norms = [f"{kind}.embeddings.LayerNorm", *(f"{layer}{norm}" for layer in layers for norm in called.norms)]
    for name, (weight, bias) in zip(norms, graph.norms(), strict=True):
        found |= {f"{name}.weight": weight, f"{name}.bias": bias}
    for layer in layers:
        mixing = left.pop(0)
        if mixing[0].shape[0] == mixing[0].shape[1]:  # the last layer of a classifier has q apart from k and v
            mixing = _joined([mixing, left.pop(0)])
        parts = _split(mixing, 3)
        parts[0] = _scaled(parts[0], graph.heads)
        linear = [left.pop(0) for _ in called.linear]
        for name, (weight, bias) in zip((*called.mixing, *called.linear), parts + linear, strict=True):
            found |= {f"{layer}{name}.weight": weight, f"{layer}{name}.bias": bias}
    return found


def _joined(parts: list[tuple[Array, Array]]) -> tuple[Array, Array]:
    return np.concatenate([weight for weight, _ in parts]), np.concatenate([bias for _, bias in parts])


def _split(one: tuple[Array, Array], parts: int) -> list[tuple[Array, Array]]:
    return list(zip(np.split(one[0], parts), np.split(one[1], parts), strict=True))


def _scaled(query: tuple[Array, Array], heads: int) -> tuple[Array, Array]:
    """Without 1/√d, which the graph holds in q's weights."""
    by = np.float32((len(query[1]) // heads) ** 0.5)
    return query[0] * by, query[1] * by


class PackedGraph:
    """A packed graph's tensors, in the order in which they are used."""

    def __init__(self, model: onnx.ModelProto) -> None:
        self._nodes = list(model.graph.node)
        self._tensors = {one.name: numpy_helper.to_array(one) for one in model.graph.initializer}
        self._made = {name: node for node in self._nodes for name in node.output}
        self._read = {name: node for node in self._nodes for name in node.input}

    @property
    def heads(self) -> int:
        """Of the shape to which the first product is brought."""
        shapes = (self._tensors[node.input[1]] for node in self._nodes if node.op_type == "Reshape")
        return int(next(shape[3] for shape in shapes if len(shape) == 5))

    def products(self) -> Iterator[tuple[Array, Array]]:
        """Weight, shape (out, in), and bias of each linear layer."""
        for node in self._of("MatMulInteger"):
            product = self._read[self._read[node.output[0]].output[0]]
            scale = self._tensors[self._made[product.input[1]].input[1]]
            added = self._read[product.output[0]]
            if added.op_type == "Mul":  # a row's greatest value, by which it was divided
                added = self._read[added.output[0]]
            yield (self._tensors[node.input[1]] * scale).T, self._tensors[added.input[1]]

    def float_products(self) -> Iterator[tuple[Array, Array | None]]:
        """Weight, shape (out, in), and bias or None, of each linear layer that was left in float32."""
        for node in self._of("MatMul"):
            if node.input[1] in self._tensors:
                added = self._read.get(node.output[0])
                bias = self._tensors.get(added.input[1]) if added and added.op_type == "Add" else None
                yield self._tensors[node.input[1]].T, bias

    def norms(self) -> Iterator[tuple[Array, Array]]:
        """Weight and bias of each."""
        for node in self._of("LayerNormalization"):
            yield self._tensors[node.input[1]], self._tensors[node.input[2]]

    def embeddings(self, kind: str) -> Iterator[tuple[str, Array]]:
        """The tables: positions and types as they are, words by their scales; MPNet's biases by their buckets."""
        found = self._looked_up(takewhile(lambda node: node.op_type != "LayerNormalization", self._nodes))
        tables = {"word": found[-2] * found[-1], "position": found[-4 if kind == "bert" else -3]}
        if kind == "bert":
            tables["token_type"] = found[-3]
        else:
            by_distance = found[0]
            biases = np.zeros((BUCKETS, by_distance.shape[1]), np.float32)
            reach = len(by_distance) // 2
            biases[buckets(np.arange(-reach, reach + 1), BUCKETS)] = by_distance
            yield "mpnet.encoder.relative_attention_bias.weight", biases
        for name, table in tables.items():
            yield f"{kind}.embeddings.{name}_embeddings.weight", table

    def last_table(self) -> Array:
        """What is looked up last."""
        return self._looked_up(self._nodes)[-1]

    def _looked_up(self, nodes: Iterable[Any]) -> list[Array]:
        read = (node.input[0] for node in nodes if node.op_type == "Gather")
        return [self._tensors[name] for name in read if name in self._tensors]

    def _of(self, kind: str) -> Iterator[Any]:
        return (node for node in self._nodes if node.op_type == kind)


if __name__ == "__main__":
    main()

"""BERT and MPNet as ONNX graphs: embeddings, post-norm layers with exact GELU, a classifier on the first token.

MPNet (Song et al. 2020) has BERT's layers under other names. It counts positions from 2, has no token types, and adds
to every layer's attention a bias by head and by the distance of the two tokens, in T5's buckets.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from claimgraph.detect.models.onnx_graph import Graph, Weights

_FARTHEST = 128
"""Distance from which on all tokens of a side share a bucket."""
_MAX_TOKENS = 512


@dataclass(frozen=True, slots=True)
class EncoderConfig:
    """The fields of config.json that determine the graph."""

    layers: int
    heads: int
    epsilon: float


class BertGraph(Graph):
    """A BERT classifier."""

    inputs: ClassVar[tuple[str, ...]] = ("input_ids", "token_type_ids")
    model_type: ClassVar[str] = "bert"
    first_position = 0
    _QUERY, _KEY, _VALUE, _OUT, _NORM = (
        *("attention.self.query", "attention.self.key", "attention.self.value"),
        *("attention.output.dense", "attention.output.LayerNorm"),
    )
    _HEAD = ("bert.pooler.dense", "classifier")

    def __init__(self, weights: Weights, config: EncoderConfig, *, int8: bool) -> None:
        super().__init__(weights, int8=int8)
        self.config = config
        self._bias = ""
        """What is added to all layers' attention scores; nothing in BERT."""

    def classifier(self) -> None:
        """Add the classifier, to the output `logits`, shape (batch, labels).

        The last layer computes only the first token's row, which is all that the head reads.
        """
        hidden = self.embeddings()
        *layers, last = (f"{self.model_type}.encoder.layer.{number}." for number in range(self.config.layers))
        for prefix in layers:
            hidden = self.layer(hidden, hidden, prefix)
        first = self.layer(self.op("Gather", hidden, self.ints([0]), axis=1), hidden, last)
        dense, told = self._HEAD
        self.dense(self.op("Tanh", self.dense(self.op("Gather", first, self.ints(0), axis=1), dense)), told, "logits")

    def embeddings(self) -> str:
        """Return what the first layer reads, shape (batch, width, d)."""
        prefix = f"{self.model_type}.embeddings."
        end = self.op("Add", self._width(), self.ints(self.first_position))
        positions = self.op("Range", self.ints(self.first_position), end, self.ints(1))
        added = [
            self.op("Gather", self.weight(f"{prefix}{name}_embeddings.weight"), at)
            for name, at in self._added(positions)
        ]
        found = self.rows(self.weights[f"{prefix}word_embeddings.weight"], self.inputs[0])
        for table in reversed(added):
            found = self.op("Add", found, table)
        return self.norm(found, f"{prefix}LayerNorm", self.config.epsilon)

    def layer(self, rows: str, hidden: str, prefix: str) -> str:
        """Return the layer's output for `rows`, which are `hidden`, or its first token's."""
        mixed = self.dense(self._attention(rows, hidden, prefix), f"{prefix}{self._OUT}")
        hidden = self.norm(self.op("Add", mixed, rows), f"{prefix}{self._NORM}", self.config.epsilon)
        inner = self.op("Gelu", self.dense(hidden, f"{prefix}intermediate.dense"))
        outer = self.dense(inner, f"{prefix}output.dense")
        return self.norm(self.op("Add", outer, hidden), f"{prefix}output.LayerNorm", self.config.epsilon)

    def _added(self, positions: str) -> tuple[tuple[str, str], ...]:
        """Return the tables that are added to the words' one, and what is looked up in them."""
        return (("position", positions), ("token_type", self.inputs[1]))

    def _width(self) -> str:
        return self.op("Squeeze", self.op("Shape", self.inputs[0], start=1, end=2))

    def _attention(self, rows: str, hidden: str, prefix: str) -> str:
        """Return softmax(q kᵀ / √d + bias) v per head, q of `rows`, k and v of `hidden`."""
        names = [f"{prefix}{name}" for name in (self._QUERY, self._KEY, self._VALUE)]
        if rows == hidden:
            q, k, v = self._heads(hidden, *names)
        else:
            [q], [k, v] = self._heads(rows, names[0]), self._heads(hidden, *names[1:])
        scores = self.op("MatMul", q, self.op("Transpose", k, perm=[0, 1, 3, 2]))
        if bias := self._bias:
            bias = bias if rows == hidden else self.op("Gather", bias, self.ints([0]), axis=2)
            scores = self.op("Add", scores, bias)
        mixed = self.op("MatMul", self.op("Softmax", scores, axis=-1), v)
        return self.op("Reshape", self.op("Transpose", mixed, perm=[0, 2, 1, 3]), self.ints([0, 0, -1]))

    def _heads(self, x: str, *names: str) -> list[str]:
        """Return some of q, k and v in one product, each of shape (batch, heads, rows, d); 1/√d folded into q's
        weights.
        """
        heads = self.config.heads
        scale = (len(self.weights[f"{names[0]}.bias"]) // heads) ** -0.5
        parts = [(name, scale if name.endswith(self._QUERY) else 1.0) for name in names]
        weight = np.concatenate([self.weights[f"{name}.weight"] * by for name, by in parts])
        bias = np.concatenate([self.weights[f"{name}.bias"] * by for name, by in parts])
        joined = self.op("Add", self.product(x, weight.T), self.tensor(bias))
        split = self.op("Reshape", joined, self.ints([0, 0, len(names), heads, -1]))
        moved = self.op("Transpose", split, perm=[2, 0, 3, 1, 4])
        return [self.op("Gather", moved, self.ints(row), axis=0) for row in range(len(names))]


class MPNetGraph(BertGraph):
    """An MPNet classifier."""

    by_row = True
    inputs = ("input_ids",)
    model_type = "mpnet"
    first_position = 2
    _QUERY, _KEY, _VALUE, _OUT = (f"attention.attn.{name}" for name in "qkvo")
    _NORM = "attention.LayerNorm"
    _HEAD = ("classifier.dense", "classifier.out_proj")

    def embeddings(self) -> str:
        """Return what the first layer reads; the bias of all layers is computed beside it."""
        width = self._width()
        places = self.op("Range", self.ints(0), width, self.ints(1))
        apart = self.op(
            "Sub", self.op("Unsqueeze", places, self.ints([0])), self.op("Unsqueeze", places, self.ints([1]))
        )
        table = self.weights["mpnet.encoder.relative_attention_bias.weight"]
        distances = np.arange(-_MAX_TOKENS, _MAX_TOKENS + 1)
        by_distance = self.tensor(table[buckets(distances, len(table))])
        found = self.op("Gather", by_distance, self.op("Add", apart, self.ints(_MAX_TOKENS)))
        self._bias = self.op("Unsqueeze", self.op("Transpose", found, perm=[2, 0, 1]), self.ints([0]))
        return super().embeddings()

    def _added(self, positions: str) -> tuple[tuple[str, str], ...]:
        return (("position", positions),)


def buckets(distance: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    """Return the bucket of each distance from a token to another: half of `count` for those before, half for those
    after; near ones one each, farther ones by the logarithm.
    """
    side, near = count // 2, count // 4
    apart = np.abs(distance)
    logged = np.log(np.maximum(apart, 1).astype(np.float32) / near) / np.float32(np.log(_FARTHEST / near))
    far = np.minimum(near + (logged * (side - near)).astype(np.int64), side - 1)
    return np.where(distance > 0, side, 0) + np.where(apart < near, apart, far)

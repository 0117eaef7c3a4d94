"""The trained ranker as an ONNX graph, in int8 by the recipe of the entailment model.

Inputs: `input_ids` (1, width), `places` (mentions, 3), `anaphor` and `candidate` (pairs,), `features` (pairs, n), all
int64; output: `scores` (pairs,), float32. The scorer is small and stays in float32.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper

from claimgraph.detect.models import bert_onnx

Weights = Mapping[str, NDArray[np.float32]]

_SHAPES = {
    "input_ids": (1, "width"), "places": ("mentions", 3), "anaphor": ("pairs",), "candidate": ("pairs",),
    "features": ("pairs", "columns"),
}  # fmt: skip


def build(config: bert_onnx.BertConfig, weights: Weights, *, int8: bool) -> onnx.ModelProto:
    """The graph of a ranker's weights, by the names of training.coref.ranker."""
    named = {name.replace("encoder.", "bert.", 1): weight for name, weight in weights.items()}
    graph = _RankerGraph(named, config, int8=int8)
    graph.scores()
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, shape) for name, shape in _SHAPES.items()]
    outputs = [helper.make_tensor_value_info("scores", TensorProto.FLOAT, ["pairs"])]
    made = helper.make_graph(graph.nodes, "coreference", inputs, outputs, graph.tensors)
    return helper.make_model(made, opset_imports=[helper.make_opsetid("", bert_onnx._OPSET)], ir_version=bert_onnx._IR)


class _RankerGraph(bert_onnx._Graph):
    """The encoder's layers, and the scorer over them."""

    def scores(self) -> None:
        """Add everything."""
        ids, types = bert_onnx.INPUTS
        self._op("Mul", ids, self._ints(0), output=types)
        hidden = self._embeddings()
        for number in range(self._config.layers):
            hidden = self._layer(hidden, hidden, f"bert.encoder.layer.{number}.")
        tokens = self._op("Gather", self._op("Squeeze", hidden, self._ints([0])), "places", axis=0)
        spans = self._op("Gelu", self._float(self._op("Reshape", tokens, self._ints([0, -1])), "mention"))
        a, c = (self._op("Gather", spans, name, axis=0) for name in ("anaphor", "candidate"))
        left = self._op("Gather", self._float(spans, "left"), "anaphor", axis=0)
        right = self._op("Gather", self._float(spans, "right"), "candidate", axis=0)
        both = self._float(self._op("Mul", a, c), "product")
        rows = self._op("Gather", self._weight("features.weight"), "features", axis=0)
        known = self._op("ReduceSum", rows, self._ints([1]), keepdims=0)
        pair = self._op("Gelu", self._op("Add", self._op("Add", left, right), self._op("Add", both, known)))
        inner = self._op("Gelu", self._float(pair, "inner"))
        self._op("Squeeze", self._float(inner, "score"), self._ints([1]), output="scores")

    def _float(self, x: str, name: str) -> str:
        product = self._op("MatMul", x, self._tensor(self._weights[f"{name}.weight"].T))
        return self._op("Add", product, self._weight(f"{name}.bias")) if f"{name}.bias" in self._weights else product

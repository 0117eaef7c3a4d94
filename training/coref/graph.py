"""The trained ranker as an ONNX graph, in int8 by the recipe of the entailment model.

Inputs: `input_ids` (1, width), `places` (mentions, 3), `anaphor` and `candidate` (pairs,), `features` (pairs, n), all
int64; output: `scores` (pairs,), float32. The scorer is small and stays in float32.
"""

from __future__ import annotations

import onnx

from claimgraph.detect.models.encoder_onnx import BertGraph, EncoderConfig
from claimgraph.detect.models.onnx_graph import Weights

_SHAPES = {
    "input_ids": (1, "width"), "places": ("mentions", 3), "anaphor": ("pairs",), "candidate": ("pairs",),
    "features": ("pairs", "columns"),
}  # fmt: skip


def build(config: EncoderConfig, weights: Weights, *, int8: bool) -> onnx.ModelProto:
    """The graph of a ranker's weights, by the names of training.coref.ranker."""
    named = {name.replace("encoder.", "bert.", 1): weight for name, weight in weights.items()}
    graph = _RankerGraph(named, config, int8=int8)
    graph.scores()
    return graph.model("coreference", _SHAPES, "scores", ("pairs",))


class _RankerGraph(BertGraph):
    """The encoder's layers, and the scorer over them."""

    def scores(self) -> None:
        """Add everything."""
        ids, types = self.inputs
        self.op("Mul", ids, self.ints(0), output=types)
        hidden = self.embeddings()
        for number in range(self.config.layers):
            hidden = self.layer(hidden, hidden, f"bert.encoder.layer.{number}.")
        tokens = self.op("Gather", self.op("Squeeze", hidden, self.ints([0])), "places", axis=0)
        spans = self.op("Gelu", self._float(self.op("Reshape", tokens, self.ints([0, -1])), "mention"))
        a, c = (self.op("Gather", spans, name, axis=0) for name in ("anaphor", "candidate"))
        left = self.op("Gather", self._float(spans, "left"), "anaphor", axis=0)
        right = self.op("Gather", self._float(spans, "right"), "candidate", axis=0)
        both = self._float(self.op("Mul", a, c), "product")
        rows = self.op("Gather", self.weight("features.weight"), "features", axis=0)
        known = self.op("ReduceSum", rows, self.ints([1]), keepdims=0)
        pair = self.op("Gelu", self.op("Add", self.op("Add", left, right), self.op("Add", both, known)))
        inner = self.op("Gelu", self._float(pair, "inner"))
        self.op("Squeeze", self._float(inner, "score"), self.ints([1]), output="scores")

    def _float(self, x: str, name: str) -> str:
        product = self.op("MatMul", x, self.tensor(self.weights[f"{name}.weight"].T))
        return self.op("Add", product, self.weight(f"{name}.bias")) if f"{name}.bias" in self.weights else product

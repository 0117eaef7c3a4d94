"""A BERT sequence classifier as an ONNX graph, made from its weights without torch.

A folder as Hugging Face has it (config.json, *.safetensors in any float type, tokenizer.json) becomes one ONNX file
of standard operators: embeddings, post-norm layers with exact GELU, tanh pooler, classifier. The file is written
whole into a cache folder, under a name with the sha of weights and recipe, and found there the next time. Exporting
with torch or optimum was rejected: 3 GB to copy out a graph of five shapes.

int8: weights per output channel, activations on the range of what is run together. So pairs are run one at a time, and
a pair's score does not depend on its neighbours; padding and masks fall away, and a batch was no faster. Weights keep
to 7 bits: without VNNI instructions two full products overflow the 16 bits they are added in. Words' vectors, over half
of a small model's bytes, are looked up and not multiplied: 8 bits and a scale a word. Written here and not by
onnxruntime.quantization, which takes ten seconds and warns on the root logger. Rejected: blockwise 8 bits (MatMulNBits:
a sixth of the error, but slower than float on AVX2), and scaling outlying channels into the weights (no less error).
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from claimgraph.kgstore.errors import ModelError
from claimgraph.kgstore.extras import require

if TYPE_CHECKING:
    import onnx

Weights = Mapping[str, NDArray[np.float32]]

RECIPE = 4
"""Increase with any change to the graph or its quantisation: it is part of the file's name."""
_FACTOR, _ROW = 63, 127
"""Greatest whole number of a multiplied matrix (7 bits with a sign), and of a looked-up vector."""
_OPSET = 20
_IR = 10
INPUTS = ("input_ids", "token_type_ids")


@dataclass(frozen=True, slots=True)
class BertConfig:
    """The fields of config.json that determine the graph."""

    layers: int
    heads: int
    epsilon: float


def read_config(folder: Path) -> dict[str, Any]:
    """Return the folder's config.json. Raises ModelError where there is none."""
    try:
        found: dict[str, Any] = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ModelError(f"no model folder {folder}: its config.json cannot be read") from error
    return found


def _bert(folder: Path) -> BertConfig:
    found = read_config(folder)
    known = {"model_type": "bert", "hidden_act": "gelu", "position_embedding_type": "absolute"}
    wrong = [f"{key} {found[key]!r}" for key, value in known.items() if found.get(key, value) != value]
    try:
        config = BertConfig(found["num_hidden_layers"], found["num_attention_heads"], found["layer_norm_eps"])
    except KeyError as error:
        wrong.append(f"config.json has no {error}")
    if wrong:
        raise ModelError(f"{folder} is no BERT classifier: {', '.join(wrong)}")
    return config


def exported(folder: Path, cache: Path, *, int8: bool) -> Path:
    """Return the ONNX file of the classifier in `folder`, from `cache` or written there. Raises ModelError,
    MissingExtra.

    Killed at any point it leaves no half file; two processes at once write the same bytes.
    """
    config = _bert(folder)
    files = sorted(folder.glob("*.safetensors"))
    if not files:
        raise ModelError(f"no model in {folder}: there is no .safetensors file")
    target = cache / f"{_sha(folder, files)}-{'int8' if int8 else 'fp32'}.onnx"
    if not target.exists():
        require("torch", "onnx", "safetensors")
        cache.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=cache) as scratch:
            written = Path(scratch) / "model.onnx"
            written.write_bytes(build(config, read_weights(files), int8=int8).SerializeToString())
            written.replace(target)
    return target


def read_weights(files: Sequence[Path]) -> dict[str, NDArray[np.float32]]:
    """Return all tensors of the files as float32, by name. Raises ModelError."""
    from safetensors import SafetensorError
    from safetensors.numpy import load_file

    try:
        return {k: v.astype(np.float32) for file in files for k, v in load_file(file).items()}
    except (OSError, SafetensorError) as error:
        raise ModelError(f"cannot read the weights in {files[0].parent}: {error}") from error


def build(config: BertConfig, weights: Weights, *, int8: bool) -> onnx.ModelProto:
    """Return the graph: two int64 inputs, shape (batch, width) without padding, to `logits`, float32, shape (batch,
    labels).

    Raises ModelError where a weight is missing.
    """
    from onnx import TensorProto, helper

    graph = _Graph(weights, config, int8=int8)
    try:
        graph.classifier()
    except KeyError as error:
        raise ModelError(f"these are no weights of a BERT classifier: {error} is missing") from error
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "width"]) for name in INPUTS]
    outputs = [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", "labels"])]
    made = helper.make_graph(graph.nodes, "bert", inputs, outputs, graph.tensors)
    return helper.make_model(made, opset_imports=[helper.make_opsetid("", _OPSET)], ir_version=_IR)


class _Graph:
    """Nodes and tensors as they are added; every method returns the name of its output."""

    def __init__(self, weights: Weights, config: BertConfig, *, int8: bool) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.tensors: list[onnx.TensorProto] = []
        self._weights = weights
        self._config = config
        self._int8 = int8

    def classifier(self) -> None:
        """Add the classifier; the last layer computes only the first token's row, which is all that the pooler
        reads.
        """
        hidden = self._embeddings()
        *layers, last = (f"bert.encoder.layer.{number}." for number in range(self._config.layers))
        for prefix in layers:
            hidden = self._layer(hidden, hidden, prefix)
        first = self._layer(self._op("Gather", hidden, self._ints([0]), axis=1), hidden, last)
        pooled = self._op("Tanh", self._dense(self._op("Gather", first, self._ints(0), axis=1), "bert.pooler.dense"))
        self._dense(pooled, "classifier", "logits")

    def _embeddings(self) -> str:
        prefix = "bert.embeddings."
        ids, types = INPUTS
        width = self._op("Squeeze", self._op("Shape", ids, start=1, end=2))
        positions = self._op("Range", self._ints(0), width, self._ints(1))
        position, kind = (
            self._op("Gather", self._weight(f"{prefix}{name}_embeddings.weight"), at)
            for name, at in (("position", positions), ("token_type", types))
        )
        word = self._rows(self._weights[f"{prefix}word_embeddings.weight"], ids)
        return self._norm(self._op("Add", self._op("Add", word, kind), position), f"{prefix}LayerNorm")

    def _rows(self, weight: NDArray[np.float32], at: str) -> str:
        """Return weight[at]."""
        if not self._int8:
            return self._op("Gather", self._tensor(weight), at)
        rounded, scale = _rounded(weight, 1, _ROW)
        found = self._op("Cast", self._op("Gather", self._tensor(rounded), at), to=1)
        return self._op("Mul", found, self._op("Gather", self._tensor(scale), at))

    def _layer(self, rows: str, hidden: str, prefix: str) -> str:
        """Return the layer's output for `rows`, all or some of `hidden`."""
        mixed = self._attention(rows, hidden, f"{prefix}attention.self.")
        mixed = self._dense(mixed, f"{prefix}attention.output.dense")
        hidden = self._norm(self._op("Add", mixed, rows), f"{prefix}attention.output.LayerNorm")
        inner = self._op("Gelu", self._dense(hidden, f"{prefix}intermediate.dense"))
        outer = self._dense(inner, f"{prefix}output.dense")
        return self._norm(self._op("Add", outer, hidden), f"{prefix}output.LayerNorm")

    def _attention(self, rows: str, hidden: str, prefix: str) -> str:
        """Return softmax(q kᵀ / √d) v per head, q of `rows`, k and v of `hidden`."""
        if rows == hidden:
            q, k, v = self._heads(hidden, prefix, "query", "key", "value")
        else:
            [q], [k, v] = self._heads(rows, prefix, "query"), self._heads(hidden, prefix, "key", "value")
        scores = self._op("MatMul", q, self._op("Transpose", k, perm=[0, 1, 3, 2]))
        mixed = self._op("MatMul", self._op("Softmax", scores, axis=-1), v)
        return self._op("Reshape", self._op("Transpose", mixed, perm=[0, 2, 1, 3]), self._ints([0, 0, -1]))

    def _heads(self, x: str, prefix: str, *names: str) -> list[str]:
        """Return some of q, k and v in one product, each of shape (batch, heads, rows, d); 1/√d folded into q's
        weights.
        """
        heads = self._config.heads
        scale = (len(self._weights[f"{prefix}query.bias"]) // heads) ** -0.5
        parts = [(f"{prefix}{name}", scale if name == "query" else 1.0) for name in names]
        weight = np.concatenate([self._weights[f"{name}.weight"] * by for name, by in parts])
        bias = np.concatenate([self._weights[f"{name}.bias"] * by for name, by in parts])
        joined = self._op("Add", self._product(x, weight.T), self._tensor(bias))
        split = self._op("Reshape", joined, self._ints([0, 0, len(names), heads, -1]))
        moved = self._op("Transpose", split, perm=[2, 0, 3, 1, 4])
        return [self._op("Gather", moved, self._ints(row), axis=0) for row in range(len(names))]

    def _dense(self, x: str, name: str, output: str | None = None) -> str:
        product = self._product(x, self._weights[f"{name}.weight"].T)
        return self._op("Add", product, self._weight(f"{name}.bias"), output=output)

    def _product(self, x: str, weight: NDArray[np.float32]) -> str:
        """Return x @ weight; in int8 the form onnxruntime fuses into one kernel."""
        if not self._int8:
            return self._op("MatMul", x, self._tensor(weight))
        rounded, scale = _rounded(weight, 0, _FACTOR)
        name = self._op("DynamicQuantizeLinear", x, outputs=3)
        whole = self._op(
            "MatMulInteger", name, self._tensor(rounded), f"{name}.2", self._tensor(np.zeros_like(rounded[0]))
        )
        return self._op("Mul", self._op("Cast", whole, to=1), self._op("Mul", f"{name}.1", self._tensor(scale[0])))

    def _norm(self, x: str, name: str) -> str:
        weight, bias = self._weight(f"{name}.weight"), self._weight(f"{name}.bias")
        return self._op("LayerNormalization", x, weight, bias, epsilon=self._config.epsilon)

    def _op(self, kind: str, *inputs: str, output: str | None = None, outputs: int = 1, **attributes: Any) -> str:
        """Add a node; further outputs are called <first>.1, <first>.2."""
        from onnx import helper

        output = output or f"n{len(self.nodes)}"
        names = [output, *(f"{output}.{number}" for number in range(1, outputs))]
        self.nodes.append(helper.make_node(kind, list(inputs), names, name=output, **attributes))
        return output

    def _weight(self, name: str) -> str:
        return self._tensor(self._weights[name])

    def _ints(self, value: int | list[int]) -> str:
        return self._tensor(np.asarray(value, np.int64))

    def _tensor(self, value: NDArray[Any]) -> str:
        from onnx import numpy_helper

        name = f"t{len(self.tensors)}"
        self.tensors.append(numpy_helper.from_array(value.copy(order="C"), name))
        return name


def _rounded(weight: NDArray[np.float32], axis: int, most: int) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Return whole numbers of at most `most`, and the scale along `axis` that restores `weight` from them."""
    scale = np.maximum(np.abs(weight).max(axis=axis, keepdims=True), 1e-9) / most
    return np.rint(weight / scale).astype(np.int8), scale


def _sha(folder: Path, files: Sequence[Path]) -> str:
    """Return the first 12 digits of the sha256 of recipe, configuration and weights."""
    digest = hashlib.sha256(f"{RECIPE}".encode())
    for file in (folder / "config.json", *files):
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()[:12]

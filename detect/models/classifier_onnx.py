"""A sequence classifier as an ONNX file, made from its weights without torch: BERT or MPNet, as its config.json says.

A folder as Hugging Face has it (config.json, *.safetensors in any float type, tokenizer.json) becomes one ONNX file of
standard operators, written whole into a cache folder, under a name with the sha of weights and recipe, and found there
the next time. Exporting with torch or optimum was rejected: 3 GB to copy out a graph of five shapes.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from claimgraph.detect.models.encoder_onnx import BertGraph, EncoderConfig, MPNetGraph
from claimgraph.detect.models.onnx_graph import Weights
from claimgraph.kgstore.errors import ModelError
from claimgraph.kgstore.extras import require

if TYPE_CHECKING:
    import onnx

RECIPE = 6
"""Increase with any change to the graph or its quantisation: it is part of the file's name."""
_GRAPHS = {graph.model_type: graph for graph in (BertGraph, MPNetGraph)}


def read_config(folder: Path) -> dict[str, Any]:
    """Return the folder's config.json. Raises ModelError where there is none."""
    try:
        found: dict[str, Any] = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ModelError(f"no model folder {folder}: its config.json cannot be read") from error
    return found


def tokens(config: Mapping[str, Any]) -> int:
    """Return how many tokens a model reads at most: its positions from the first that it uses; 512 where none are
    given.
    """
    graph = _GRAPHS.get(config.get("model_type", ""), BertGraph)
    return int(config.get("max_position_embeddings", 512)) - graph.first_position


def exported(folder: Path, cache: Path, *, int8: bool) -> Path:
    """Return the ONNX file of the classifier in `folder`, from `cache` or written there. Raises ModelError,
    MissingExtra.

    Killed at any point it leaves no half file; two processes at once write the same bytes.
    """
    graph, config = _encoder(folder)
    files = sorted(folder.glob("*.safetensors"))
    if not files:
        raise ModelError(f"no model in {folder}: there is no .safetensors file")
    target = cache / f"{_sha(folder, files)}-{'int8' if int8 else 'fp32'}.onnx"
    if not target.exists():
        require("torch", "onnx", "safetensors")
        cache.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=cache) as scratch:
            written = Path(scratch) / "model.onnx"
            written.write_bytes(build(graph, config, read_weights(files), int8=int8).SerializeToString())
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


def build(kind: type[BertGraph], config: EncoderConfig, weights: Weights, *, int8: bool) -> onnx.ModelProto:
    """Return the graph: int64 inputs, shape (batch, width) without padding, to `logits`, float32, shape (batch,
    labels).

    Raises ModelError where a weight is missing.
    """
    graph = kind(weights, config, int8=int8)
    try:
        graph.classifier()
    except KeyError as error:
        raise ModelError(f"these are no weights of a {kind.model_type} classifier: {error} is missing") from error
    made: onnx.ModelProto = graph.model(
        kind.model_type, dict.fromkeys(kind.inputs, ("batch", "width")), "logits", ("batch", "labels")
    )
    return made


def _encoder(folder: Path) -> tuple[type[BertGraph], EncoderConfig]:
    found = read_config(folder)
    known = {"hidden_act": "gelu", "position_embedding_type": "absolute"}
    wrong = [f"{key} {found[key]!r}" for key, value in known.items() if found.get(key, value) != value]
    kind = _GRAPHS.get(name := found.get("model_type", BertGraph.model_type))
    if kind is None:
        wrong.append(f"model_type {name!r}")
    try:
        config = EncoderConfig(found["num_hidden_layers"], found["num_attention_heads"], found["layer_norm_eps"])
    except KeyError as error:
        wrong.append(f"config.json has no {error}")
    if kind is None or wrong:
        raise ModelError(f"{folder} is no BERT or MPNet classifier: {', '.join(wrong)}")
    return kind, config


def _sha(folder: Path, files: Sequence[Path]) -> str:
    """Return the first 12 digits of the sha256 of recipe, configuration and weights."""
    digest = hashlib.sha256(f"{RECIPE}".encode())
    for file in (folder / "config.json", *files):
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()[:12]

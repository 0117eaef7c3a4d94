"""Embed sentences by an ONNX model of a folder, as sentence-transformers exports them: any encoder without torch.

The folder holds `tokenizer.json`, the graph (`model.onnx`, or `onnx/model.onnx`) and, as sentence-transformers writes,
`1_Pooling/config.json`, which says how the tokens' vectors become the sentence's.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from claimgraph.detect.models.onnx_runtime import onnx_runtime
from claimgraph.kgstore.errors import ModelError

MAX_TOKENS = 512
"""Token limit where config.json names none."""
_BATCH = 32

Pooling = Literal["mean", "cls"]
_POOLINGS: Mapping[str, Pooling] = {"pooling_mode_mean_tokens": "mean", "pooling_mode_cls_token": "cls"}


class OnnxEmbedder:
    """An encoder in a folder; a text longer than its positions loses its end. Implements Embedder.

    `model` is the folder's name with the hash of the graph's file, so that caches keep models apart. Loaded at first
    use. Thread-safe.
    """

    def __init__(self, folder: Path, threads: int | None = None) -> None:
        """`threads`: None takes all cores. Raises ModelError where the folder holds no such model."""
        self._folder, self._path, self._threads = folder, graph_file(folder), threads or os.cpu_count() or 1
        self._pooling, self._config = read_pooling(folder), read_json(folder / "config.json")
        try:
            with self._path.open("rb") as file:
                found = hashlib.file_digest(file, "sha256").hexdigest()
        except OSError as error:
            raise ModelError(f"cannot read the embedding model {self._path}: {error.strerror}") from error
        self.model = f"{folder.resolve().name}-{found[:8]}"

    @cached_property
    def dimension(self) -> int:
        """Length of a vector."""
        return len(self.embed(["claim"])[0])

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return unit vectors, shape (len(texts), d). Raises ModelError."""
        if not texts:
            return np.zeros((0, self.dimension), np.float32)
        try:
            encoded = self._tokenizer.encode_batch([text.encode("utf-8", "replace").decode("utf-8") for text in texts])
            order = sorted(range(len(encoded)), key=lambda row: len(encoded[row].ids))
            parts = [order[start : start + _BATCH] for start in range(0, len(order), _BATCH)]
            rows = np.concatenate([self._run([encoded[row] for row in part]) for part in parts])
        except ModelError:
            raise
        except Exception as error:  # onnxruntime's errors share no base
            raise ModelError(f"the embedding model {self._folder} failed: {' '.join(str(error).split())}") from error
        found = np.empty_like(rows)
        found[order] = rows
        return unit(found)

    def _run(self, encoded: Sequence[Any]) -> NDArray[np.float32]:
        width = max(len(one.ids) for one in encoded)
        ids, mask = np.zeros((2, len(encoded), width), np.int64)
        for row, one in enumerate(encoded):
            ids[row, : len(one.ids)], mask[row, : len(one.ids)] = one.ids, 1
        given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        wanted = [one.name for one in self._session.get_inputs()]
        hidden: NDArray[np.float32] = self._session.run(None, {name: given[name] for name in wanted})[0]
        return pooled(hidden, mask, self._pooling) if hidden.ndim == 3 else hidden

    @cached_property
    def _tokenizer(self) -> Any:
        from tokenizers import Tokenizer

        try:
            found = Tokenizer.from_file(str(self._folder / "tokenizer.json"))
        except Exception as error:  # tokenizers raises Exception itself
            raise ModelError(f"no tokenizer.json can be read in {self._folder}") from error
        found.no_padding()
        found.enable_truncation(int(self._config.get("max_position_embeddings", MAX_TOKENS)))
        return found

    @cached_property
    def _session(self) -> Any:
        onnxruntime = onnx_runtime()

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads, options.inter_op_num_threads = self._threads, 1
        return onnxruntime.InferenceSession(str(self._path), options, providers=["CPUExecutionProvider"])


def graph_file(folder: Path) -> Path:
    """Return the folder's graph. Raises ModelError where there is none."""
    for path in (folder / "model.onnx", folder / "onnx" / "model.onnx"):
        if path.is_file():
            return path
    raise ModelError(f"no model.onnx in {folder}")


def read_pooling(folder: Path) -> Pooling:
    """Return how a sentence's vector is made of its tokens': mean where nothing says so. Raises ModelError for other
    ways.
    """
    config = read_json(folder / "1_Pooling" / "config.json")
    asked = [name for name, on in config.items() if name.startswith("pooling_mode_") and on is True]
    if not asked:
        return "mean"
    if len(asked) > 1 or asked[0] not in _POOLINGS:
        raise ModelError(f"the embedding model {folder} pools by {', '.join(asked)}; mean and cls are known")
    return _POOLINGS[asked[0]]


def pooled(hidden: NDArray[np.float32], mask: NDArray[np.int64], how: Pooling) -> NDArray[np.float32]:
    """Return the sentences' vectors, shape (n, d), of their tokens', shape (n, width, d), under the mask (n, width)."""
    if how == "cls":
        return hidden[:, 0]
    weights = mask[..., None].astype(np.float32)
    found: NDArray[np.float32] = (hidden * weights).sum(axis=1) / weights.sum(axis=1)
    return found


def unit(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the rows scaled to length 1. Raises ModelError for one without a direction."""
    length = np.linalg.norm(rows, axis=1, keepdims=True)
    if not (np.isfinite(length) & (length > 0)).all():
        raise ModelError("the embedding model gave a vector without a direction")
    found: NDArray[np.float32] = (rows / length).astype(np.float32)
    return found


def read_json(path: Path) -> dict[str, Any]:
    """Return the object in a file; an absent file is empty. Raises ModelError for anything else."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise ModelError(f"cannot read {path}") from error
    if not isinstance(found, dict):
        raise ModelError(f"{path} holds no object")
    return found

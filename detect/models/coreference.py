"""Rank mentions on onnxruntime: which earlier mention of a text a pronoun, short name or definite noun refers to.

The lower layers of a small BERT read a window of the text once; a scorer compares its mentions in pairs. SHIPPED is
part of the package, written by `python -m training.coref.pack`. Every window is a run of its own on one thread, so a
score depends on nothing but the window. A window of its own for each anaphor was rejected: it costs a pass of the
encoder a pronoun.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from claimgraph.detect.models.classifier_onnx import read_config
from claimgraph.detect.models.onnx_runtime import onnx_runtime
from claimgraph.kgstore.errors import ModelError

if TYPE_CHECKING:
    from tokenizers import Tokenizer

Ints = NDArray[np.int64]

MAX_TOKENS = 512
SHIPPED = Path(__file__).parents[1] / "data" / "coreference"
"""The folder of the model that is part of the package."""


@dataclass(frozen=True, slots=True)
class Window:
    """A stretch of a text with the pairs of its mentions to score.

    `spans`: start, end and start of the head word of each mention, in characters of `text`, shape (mentions, 3).
    `anaphor` and `candidate`: numbers of mentions, shape (pairs,); a mention with itself is "none". `features`: rows of
    the model's feature table, shape (pairs, features).
    """

    text: str
    spans: Ints
    anaphor: Ints
    candidate: Ints
    features: Ints


class CoreferenceModel(Protocol):
    """Scores pairs of mentions. `model` names model and version; `thresholds` hold the least chance at which an
    antecedent is taken, by kind of anaphor."""

    model: str
    thresholds: Mapping[str, float]

    def chances(self, windows: Sequence[Window]) -> list[NDArray[np.float32]]:
        """Return the probability that each pair's candidate is the antecedent, one array a window, shape (pairs,).

        The pairs of an anaphor, which are neighbours, sum to 1. Raises ModelError.
        """
        ...


class OnnxCoreference:
    """The ranker in a folder with model.onnx, tokenizer.json and config.json. Implements CoreferenceModel.

    Of a window that is longer than 512 tokens the end is not read, and mentions there are taken for its last token.
    Loaded at first use. Thread-safe; every process makes its own.
    """

    def __init__(self, folder: Path = SHIPPED, *, threads: int | None = None) -> None:
        """`threads`: None takes all cores. Raises ModelError where the folder holds no such model."""
        config = read_config(folder)
        try:
            self.thresholds: Mapping[str, float] = dict(config["thresholds"])
            self._sums: Mapping[str, str] = dict(config["sha256"])
            files = hashlib.sha256("".join(self._sums[name] for name in sorted(self._sums)).encode()).hexdigest()
            self.model = f"{config['name']}-{config['version']}-{files[:12]}"
        except (KeyError, TypeError, ValueError) as error:
            raise ModelError(f"{folder / 'config.json'} is not that of a mention ranker: {error}") from error
        self._folder = folder
        self._threads = threads or os.cpu_count() or 1

    def chances(self, windows: Sequence[Window]) -> list[NDArray[np.float32]]:
        """See CoreferenceModel; windows without pairs cost nothing."""
        asked = [window for window in windows if len(window.anaphor)]
        found = iter(self._run_all(asked) if asked else ())
        return [next(found) if len(window.anaphor) else np.zeros(0, np.float32) for window in windows]

    def _run_all(self, windows: Sequence[Window]) -> list[NDArray[np.float32]]:
        _ = self._tokenizer, self._session
        with ThreadPoolExecutor(min(self._threads, len(windows))) as pool:
            return list(pool.map(self._run, windows))

    def _run(self, window: Window) -> NDArray[np.float32]:
        read = self._tokenizer.encode(window.text.encode("utf-8", "replace").decode("utf-8"))
        feed = {
            "input_ids": np.array([read.ids], np.int64),
            "places": places(window.spans, read.offsets),
            "anaphor": window.anaphor,
            "candidate": window.candidate,
            "features": window.features,
        }
        try:
            scores: NDArray[np.float32] = self._session.run(None, feed)[0]
        except Exception as error:  # onnxruntime's errors share no base
            raise ModelError(f"coreference failed: {' '.join(str(error).split())}") from error
        return softmax(scores, window.anaphor)

    def _checked(self, name: str) -> str:
        """Return the path of a file of the folder after checking its sha256."""
        path = self._folder / name
        try:
            with path.open("rb") as file:
                found = hashlib.file_digest(file, "sha256").hexdigest()
        except OSError as error:
            raise ModelError(f"cannot read {path}: {error.strerror}") from error
        if found != self._sums.get(name):
            raise ModelError(f"{path} is damaged: its sha256 is not as config.json says; install claimgraph again")
        return str(path)

    @cached_property
    def _session(self) -> Any:
        onnxruntime = onnx_runtime()

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        try:
            for weights in sorted({*self._sums} - {"model.onnx", "tokenizer.json"}):
                self._checked(weights)
            return onnxruntime.InferenceSession(
                self._checked("model.onnx"), options, providers=["CPUExecutionProvider"]
            )
        except ModelError:
            raise
        except Exception as error:
            raise ModelError(f"cannot load the coreference model: {' '.join(str(error).split())}") from error

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_file(self._checked("tokenizer.json"))
        tokenizer.no_padding()
        tokenizer.enable_truncation(MAX_TOKENS)
        return tokenizer


def places(spans: Ints, offsets: Sequence[tuple[int, int]]) -> Ints:
    """Return first, last and head token of each mention, shape (mentions, 3); `offsets` with one special token at each
    end.
    """
    starts = np.array([start for start, _ in offsets[1:-1]] or [0])
    at = np.stack([spans[:, 0], spans[:, 1] - 1, spans[:, 2]], axis=1)
    found: Ints = np.maximum(np.searchsorted(starts, at, side="right"), 1).astype(np.int64)
    return found


def softmax(scores: NDArray[np.float32], group: Ints) -> NDArray[np.float32]:
    """Return probabilities over each run of equal numbers in `group`; both of shape (pairs,)."""
    begins = np.flatnonzero(np.r_[True, group[1:] != group[:-1]])
    sizes = np.diff(np.r_[begins, len(group)])
    powers = np.exp(scores - np.repeat(np.maximum.reduceat(scores, begins), sizes))
    shares: NDArray[np.float32] = powers / np.repeat(np.add.reduceat(powers, begins), sizes)
    return shares

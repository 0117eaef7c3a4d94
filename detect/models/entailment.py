"""Score entailment without torch: a cross-encoder on onnxruntime, from a folder in the Hugging Face layout.

Where the folder holds an .onnx file, that is the model; else it is a BERT or MPNet classifier, whose graph
detect/models/classifier_onnx.py makes from the weights. Our own are in own_entailment.py.

Every pair is a run of its own on one thread, so a score depends on nothing else and no time goes into padding. The
longest come first: the rest is short when the threads run out of work. Batches of a length were rejected: dynamic int8
ranges are a batch's, so a score would depend on its neighbours, and they are no faster.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from claimgraph.detect.models.classifier_onnx import exported, read_config, tokens
from claimgraph.detect.models.onnx_runtime import onnx_runtime
from claimgraph.kgstore.errors import ModelError

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer


COLUMNS = ("entailment", "neutral", "contradiction")


def rows(logits: NDArray[np.float32], order: Sequence[int | None]) -> NDArray[np.float32]:
    """Return the softmax of `logits`, shape (n, k), as P(entailment), P(neutral), P(contradiction), shape (n, 3).

    `order` as the function `order` has it; a class the model has not is nan: unknown, not 0.
    """
    shifted = np.exp(logits - logits.max(axis=1, keepdims=True))
    shares = shifted / shifted.sum(axis=1, keepdims=True)
    found = np.full((len(logits), 3), np.nan, np.float32)
    for column, row in enumerate(order):
        if row is not None:
            found[:, column] = shares[:, row]
    return found


def consistency(logit: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return rows of a model with one score: sigmoid of `logit`, shape (n,), then nan twice, shape (n, 3)."""
    return rows(np.column_stack([logit, np.zeros_like(logit)]), (0, None, None))


def order(labels: Sequence[str]) -> tuple[int | None, ...]:
    """Return the positions of the three columns among a model's class names; case does not matter.

    Three classes without names ("LABEL_0") stand in the order of COLUMNS, and of two the second is entailment
    (MiniCheck: 1 is supported); a model of entailment and one other class has no neutral and no contradiction (None).
    Raises ModelError where the classes are others.
    """
    names = [label.lower() for label in labels]
    if names == ["label_0", "label_1", "label_2"]:
        return (0, 1, 2)
    if names == ["label_0", "label_1"]:
        return (1, None, None)
    if "entailment" not in names or (len(names) != 2 and set(names) != set(COLUMNS)):
        raise ModelError(f"no entailment model: its labels are {', '.join(labels) or 'none'}")
    return tuple(names.index(column) if column in names else None for column in COLUMNS)


MAX_TOKENS = 512
TOKENIZER = "tokenizer.json"


class OnnxEntailment:
    """A classifier of entailment with three classes or two. Implements EntailmentModel.

    A pair longer than 512 tokens, or the model's positions, is cut: the longer text loses its end until the pair fits,
    which is the premise but for hypotheses of half the length and more. Loaded at first use. Thread-safe; every
    process makes its own.

    Of config.json, beside id2label and max_position_embeddings: `temperature`, by which logits are divided (1 where
    there is none); `sha256` of files, which are held against it when they are loaded; `name` and `version`.
    """

    def __init__(self, folder: Path, cache: Path, *, int8: bool = True, threads: int | None = None) -> None:
        """`cache`: where a graph made from weights is kept, in `int8` or float32. `threads`: None takes all cores.

        Raises ModelError where the folder is missing, or holds no such model.
        """
        config = read_config(folder)
        names = config.get("id2label", {})
        self._order = order([names[number] for number in sorted(names, key=int)])
        self._tokens = min(MAX_TOKENS, tokens(config))
        self._temperature = _temperature(folder, config)
        self._sums: Mapping[str, str] = config.get("sha256", {})
        self._folder = folder
        given = [folder / name for name in self._sums if name.endswith(".onnx")] or sorted(folder.glob("*.onnx"))
        self._path = given[0] if given else exported(folder, cache, int8=int8)
        self._read = [folder / name for name in self._sums if name != TOKENIZER] or [self._path]
        self._threads = threads or os.cpu_count() or 1
        name = "-".join(str(config[key]) for key in ("name", "version") if key in config) or folder.resolve().name
        self.model = f"{name}-{self._hash() if given else self._path.stem}"

    def entail(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """Return scores of shape (len(pairs), 3), as EntailmentModel says. Raises ModelError."""
        if not pairs:
            return np.zeros((0, 3), np.float32)
        self.load()
        encoded = self._tokenizer.encode_batch([(_clean(premise), _clean(hypothesis)) for premise, hypothesis in pairs])
        order = sorted(range(len(encoded)), key=lambda row: -len(encoded[row].ids))
        with ThreadPoolExecutor(self._threads) as pool:
            ran = list(pool.map(self._run, [encoded[row] for row in order]))
        found = np.empty((len(ran), ran[0].shape[1]), np.float32)
        found[order] = np.concatenate(ran)
        return rows(found / self._temperature, self._order)

    def load(self) -> None:
        """Read the model now, and check its files against their sha256. Raises ModelError."""
        _ = self._tokenizer, self._session

    def _run(self, pair: Encoding) -> NDArray[np.float32]:
        parts = {"input_ids": pair.ids, "token_type_ids": pair.type_ids, "attention_mask": pair.attention_mask}
        feed = {each.name: np.array([parts[each.name]]) for each in self._session.get_inputs()}
        try:
            found: NDArray[np.float32] = self._session.run(None, feed)[0]
        except Exception as error:  # onnxruntime's errors share no base
            raise ModelError(f"entailment failed: {' '.join(str(error).split())}") from error
        return found

    def _hash(self) -> str:
        """Return 12 digits of the sha256 of configuration and model; a model whose sum is in the configuration is not
        read.
        """
        config = (self._folder / "config.json").read_bytes()
        model = self._sums.get(self._path.name) or _sha256(self._path)
        return hashlib.sha256(config + model.encode()).hexdigest()[:12]

    def _check(self, path: Path) -> None:
        expected = self._sums.get(path.name)
        if expected and expected != (found := _sha256(path)):
            raise ModelError(
                f"{path} is damaged: its sha256 is {found[:12]}…, not {expected[:12]}… as config.json says; "
                "put the model back, or install claimgraph again"
            )

    @cached_property
    def _session(self) -> Any:
        onnxruntime = onnx_runtime()

        for path in self._read:
            self._check(path)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        if len(self._read) > 1:  # a graph of 100 MB and more gains nothing by fusing nodes, which takes 40 ms
            options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        try:
            return onnxruntime.InferenceSession(str(self._path), options, providers=["CPUExecutionProvider"])
        except Exception as error:
            raise ModelError(f"cannot load the entailment model: {' '.join(str(error).split())}") from error

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        from tokenizers import Tokenizer

        self._check(self._folder / TOKENIZER)
        try:
            tokenizer = Tokenizer.from_file(str(self._folder / TOKENIZER))
        except Exception as error:  # tokenizers raises a bare Exception
            raise ModelError(f"cannot read {self._folder / 'tokenizer.json'}: {error}") from error
        tokenizer.no_padding()
        tokenizer.enable_truncation(self._tokens, strategy="longest_first")
        return tokenizer


def _temperature(folder: Path, config: Mapping[str, Any]) -> float:
    found = config.get("temperature", 1.0)
    if not isinstance(found, int | float) or not 0 < found < inf:
        raise ModelError(f"{folder / 'config.json'}: the temperature is a number above 0, not {found!r}")
    return float(found)


def _sha256(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise ModelError(f"cannot read {path}: {error.strerror}") from error


def _clean(text: str) -> str:
    """Return the text without lone surrogates, which cannot be tokenised."""
    return text.encode("utf-8", "replace").decode("utf-8")

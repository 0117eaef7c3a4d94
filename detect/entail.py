"""Entailment without torch: a cross-encoder on onnxruntime, from a folder in the Hugging Face layout.

Where the folder holds an .onnx file, that is the model; else it is a BERT classifier, whose graph detect/bert_onnx.py
makes from the weights. Every pair is a run of its own on one thread, so a score depends on nothing else and no time
goes into padding.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from detect import logits
from detect.bert_onnx import exported, read_config
from kgstore.errors import ModelError

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer

MAX_TOKENS = 512


class OnnxEntailment:
    """A classifier of entailment with three classes or two. Implements EntailmentModel.

    A pair longer than 512 tokens, or the model's positions, is cut: the longer text loses its end until the pair fits,
    which is the premise but for hypotheses of half the length and more. Loaded at first use. Thread-safe; every
    process makes its own.
    """

    def __init__(self, folder: Path, cache: Path, *, int8: bool = True, threads: int | None = None) -> None:
        """`cache`: where a graph made from weights is kept, in `int8` or float32. `threads`: None takes all cores.

        Raises ModelError where the folder is missing, or holds no such model.
        """
        config = read_config(folder)
        names = config.get("id2label", {})
        self._order = logits.order([names[number] for number in sorted(names, key=int)])
        self._positions = config.get("max_position_embeddings", MAX_TOKENS)
        self._folder = folder
        given = sorted(folder.glob("*.onnx"))
        self._path = given[0] if given else exported(folder, cache, int8=int8)
        self._threads = threads or os.cpu_count() or 1
        version = hashlib.sha256(given[0].read_bytes()).hexdigest()[:12] if given else self._path.stem
        self.model = f"{folder.resolve().name}-{version}"

    def entail(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """Shape (len(pairs), 3), as EntailmentModel says. Raises ModelError."""
        if not pairs:
            return np.zeros((0, 3), np.float32)
        self.load()
        encoded = self._tokenizer.encode_batch([(_clean(premise), _clean(hypothesis)) for premise, hypothesis in pairs])
        with ThreadPoolExecutor(self._threads) as pool:
            found = list(pool.map(self._run, encoded))
        return logits.rows(np.concatenate(found), self._order)

    def load(self) -> None:
        """Read the model now. Raises ModelError."""
        _ = self._tokenizer, self._session

    def _run(self, pair: Encoding) -> NDArray[np.float32]:
        parts = {"input_ids": pair.ids, "token_type_ids": pair.type_ids, "attention_mask": pair.attention_mask}
        feed = {each.name: np.array([parts[each.name]]) for each in self._session.get_inputs()}
        try:
            found: NDArray[np.float32] = self._session.run(None, feed)[0]
        except Exception as error:  # onnxruntime's errors share no base
            raise ModelError(f"entailment failed: {' '.join(str(error).split())}") from error
        return found

    @cached_property
    def _session(self) -> Any:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        try:
            return onnxruntime.InferenceSession(str(self._path), options, providers=["CPUExecutionProvider"])
        except Exception as error:
            raise ModelError(f"cannot load the entailment model: {' '.join(str(error).split())}") from error

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        from tokenizers import Tokenizer

        try:
            tokenizer = Tokenizer.from_file(str(self._folder / "tokenizer.json"))
        except Exception as error:  # tokenizers raises a bare Exception
            raise ModelError(f"cannot read {self._folder / 'tokenizer.json'}: {error}") from error
        tokenizer.no_padding()
        tokenizer.enable_truncation(min(MAX_TOKENS, self._positions), strategy="longest_first")
        return tokenizer


def _clean(text: str) -> str:
    """Lone surrogates cannot be tokenised."""
    return text.encode("utf-8", "replace").decode("utf-8")

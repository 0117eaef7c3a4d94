"""Entailment without torch: a BERT cross-encoder on onnxruntime, from a folder with its weights.

The graph is made by detect/bert_onnx.py. Pairs are tokenised here: the hypothesis whole (at most half the length), the
premise cut to what is left, so a long premise never costs the hypothesis. Every pair is a run of its own on one thread,
so a score depends on nothing else and no time goes into padding.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from detect import logits
from detect.bert_onnx import INPUTS, exported, read_config
from kgstore.errors import ModelError

if TYPE_CHECKING:
    from tokenizers import Tokenizer

MAX_TOKENS = 512


class OnnxEntailment:
    """A three-way or two-way BERT classifier. Implements EntailmentModel.

    At most as many tokens are read as tokenizer.json truncates to (the length it was trained at), 512, or the model's
    positions, whichever is least. Loaded at first use. Thread-safe; every process makes its own.
    """

    def __init__(self, folder: Path, cache: Path, *, int8: bool = True, threads: int | None = None) -> None:
        """`cache`: where the graph is kept. `threads`: None takes all cores. Raises ModelError."""
        config = read_config(folder)
        self._order, self._positions = logits.order(config.labels), config.positions
        self._folder = folder
        self._path = exported(folder, cache, int8=int8)
        self._threads = threads or os.cpu_count() or 1
        self.model = f"{folder.resolve().name}-{self._path.stem}"

    def entail(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """Shape (len(pairs), 3), as EntailmentModel says. Raises ModelError."""
        if not pairs:
            return np.zeros((0, 3), np.float32)
        self.load()
        with ThreadPoolExecutor(self._threads) as pool:
            found = list(pool.map(self._run, self._encode(pairs)))
        return logits.rows(np.concatenate(found), self._order)

    def load(self) -> None:
        """Read the model now. Raises ModelError."""
        _ = self._tokenizer, self._session

    def _encode(self, pairs: Sequence[tuple[str, str]]) -> list[tuple[list[int], int]]:
        """Token ids of each pair, and where the hypothesis begins; each distinct text is tokenised once."""
        texts = list(dict.fromkeys(text for pair in pairs for text in pair))
        found = self._tokenizer.encode_batch([_clean(text) for text in texts], add_special_tokens=False)
        ids = {text: encoding.ids for text, encoding in zip(texts, found, strict=True)}
        (start, end), length = self._markers, self._length
        encoded = []
        for premise, hypothesis in pairs:
            second = [*ids[hypothesis][: length // 2], end]
            first = [start, *ids[premise][: length - 2 - len(second)], end]
            encoded.append((first + second, len(first)))
        return encoded

    def _run(self, pair: tuple[list[int], int]) -> NDArray[np.float32]:
        tokens, second = pair
        feed = dict(zip(INPUTS, np.array([[tokens], [[int(i >= second) for i in range(len(tokens))]]]), strict=True))
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
            return Tokenizer.from_file(str(self._folder / "tokenizer.json"))
        except Exception as error:  # tokenizers raises a bare Exception
            raise ModelError(f"cannot read {self._folder / 'tokenizer.json'}: {error}") from error

    @cached_property
    def _length(self) -> int:
        made_for: int = (self._tokenizer.truncation or {}).get("max_length", MAX_TOKENS)
        return min(made_for, MAX_TOKENS, self._positions)

    @cached_property
    def _markers(self) -> tuple[int, int]:
        start, end = (self._tokenizer.token_to_id(name) for name in ("[CLS]", "[SEP]"))
        if start is None or end is None:
            raise ModelError(f"{self._folder / 'tokenizer.json'} is no BERT tokeniser: it has no [CLS] and [SEP]")
        return start, end


def _clean(text: str) -> str:
    """Lone surrogates cannot be tokenised."""
    return text.encode("utf-8", "replace").decode("utf-8")

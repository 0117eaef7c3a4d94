"""Run entailment models of a hub through torch: the models the papers name. The extra `torch`.

A cross-encoder with three classes is read by its labels (GraphEval's NLI models, FactAlign's DeBERTa), one with a
single score as a consistency model (HHEM-1.0), one with two unnamed classes as MiniCheck's. An encoder-decoder answers
"1" or "0", asked as TRUE and TrueTeacher are, or as MiniCheck-Flan-T5 is where that is its name. Code that comes with a
model is never run, so HHEM-2, which needs it, is not among them.
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from claimgraph.detect.models import entailment
from claimgraph.kgstore.errors import MissingExtra, ModelError
from claimgraph.kgstore.extras import missing
from claimgraph.kgstore.model import EntailmentModel

MAX_TOKENS = 512
_BATCH = 16


def load(name: str, threads: int | None = None) -> EntailmentModel:
    """Return the model in that folder, or of that id ("owner/name", or "owner/name@revision"); weights are read at
    first use.

    `threads` are those torch uses in this process, None leaves it to torch. Raises MissingExtra without torch,
    ModelError where the model is missing or its classes are no entailment.
    """
    if missing("torch"):
        raise MissingExtra("torch", f"there is no folder {name}, and a model of a hub needs torch")
    import torch
    from transformers import AutoConfig

    if threads:
        torch.set_num_threads(threads)
    repository, _, revision = name.partition("@")
    try:
        config = AutoConfig.from_pretrained(repository, revision=revision or None)
    except (OSError, ValueError) as error:
        raise ModelError(f"no entailment model {name}: {_line(error)}") from error
    return (SequenceEntailment if config.is_encoder_decoder else TransformersEntailment)(repository, config)


class _Loaded(ABC):
    """A model of transformers with its tokeniser, read at first use, on a GPU where there is one."""

    _kind: str

    def __init__(self, repository: str, config: Any) -> None:
        self._repository = repository
        self._config = config
        self._commit: str | None = getattr(config, "_commit_hash", None)
        self.model = f"{Path(repository).name}-{(self._commit or _folder_hash(Path(repository)))[:8]}"

    def entail(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """Return scores of shape (len(pairs), 3), as EntailmentModel says. Raises ModelError."""
        found = np.full((len(pairs), 3), np.nan, np.float32)
        order = sorted(range(len(pairs)), key=lambda row: sum(map(len, pairs[row])))
        for start in range(0, len(order), _BATCH):
            rows = order[start : start + _BATCH]
            try:
                found[rows] = self._rows([pairs[row] for row in rows])
            except (RuntimeError, ValueError) as error:
                raise ModelError(f"entailment failed: {_line(error)}") from error
        return found

    @abstractmethod
    def _rows(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """Return scores of one batch, shape (len(pairs), 3)."""

    def _logits(self, batch: Any, **more: Any) -> Any:
        import torch

        with torch.inference_mode():
            return self._network(**batch.to(self._network.device), **more).logits.float().cpu().numpy()

    @cached_property
    def _tokenizer(self) -> Any:
        from transformers import AutoTokenizer

        return self._read(AutoTokenizer)

    @cached_property
    def _network(self) -> Any:
        import torch
        import transformers

        network = self._read(getattr(transformers, self._kind)).eval()
        return network.to("cuda" if torch.cuda.is_available() else "cpu")

    def _read(self, kind: Any) -> Any:
        try:
            return kind.from_pretrained(self._repository, revision=self._commit)
        except (OSError, ValueError) as error:
            raise ModelError(f"cannot load the entailment model {self._repository}: {_line(error)}") from error


class TransformersEntailment(_Loaded):
    """A cross-encoder with the classes of entailment, or with one score. Implements EntailmentModel.

    Of a pair that is too long the longer text loses its end until it fits; that is the premise, but for hypotheses of
    half the length and more.
    """

    _kind = "AutoModelForSequenceClassification"

    def __init__(self, repository: str, config: Any) -> None:
        super().__init__(repository, config)
        labels = [config.id2label[number] for number in sorted(config.id2label)]
        self._order = entailment.order(labels) if len(labels) > 1 else None

    def _rows(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        premises, hypotheses = map(list, zip(*pairs, strict=True))
        length = min(MAX_TOKENS, self._tokenizer.model_max_length)
        options = {"truncation": "longest_first", "max_length": length, "padding": True, "return_tensors": "pt"}
        found = self._logits(self._tokenizer(premises, hypotheses, **options))
        return entailment.rows(found, self._order) if self._order else entailment.consistency(found[:, 0])


class SequenceEntailment(_Loaded):
    """A sequence-to-sequence model that answers "1" (consistent) or "0" (Honovich et al. 2022). Implements
    EntailmentModel: P("1") of the first decoded token, over "1" and "0" alone, and nan twice.

    The premise is cut to what the hypothesis leaves of 512 tokens; a hypothesis at half of them.
    """

    _kind = "AutoModelForSeq2SeqLM"

    def _rows(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        import torch

        batch = self._tokenizer.pad({"input_ids": [self._prompt(*pair) for pair in pairs]}, return_tensors="pt")
        begin = self._network.generation_config.decoder_start_token_id
        begin = self._tokenizer.pad_token_id if begin is None else begin  # T5's
        start = torch.full((len(pairs), 1), begin, device=self._network.device)
        found = self._logits(batch, decoder_input_ids=start)[:, 0]
        return entailment.consistency(found[:, self._answers[0]] - found[:, self._answers[1]])

    def _prompt(self, premise: str, hypothesis: str) -> list[int]:
        """Return token ids of "premise: ... hypothesis: ...</s>", or of MiniCheck's "predict: ...</s>...</s>"."""
        end = self._tokenizer.eos_token_id
        if "minicheck" in self._repository.lower():
            said, between, asked = "predict: ", [end], ""
        else:
            said, between, asked = "premise: ", [], "hypothesis: "
        second = [*between, *self._ids(asked + hypothesis)[: MAX_TOKENS // 2], end]
        return [*self._ids(said + premise)[: MAX_TOKENS - len(second)], *second]

    def _ids(self, text: str) -> list[int]:
        found: list[int] = self._tokenizer(text, add_special_tokens=False)["input_ids"]
        return found

    @cached_property
    def _answers(self) -> tuple[int, int]:
        """Return the first tokens of "1" and "0"."""
        one, zero = (self._ids(answer)[0] for answer in "10")
        if one == zero:
            raise ModelError(f"{self._repository} cannot tell its answers 1 and 0 by their first token")
        return one, zero


def _folder_hash(folder: Path) -> str:
    """Return the sha256 of the files in a folder, in the order of their names."""
    digest = hashlib.sha256()
    for path in sorted(path for path in folder.iterdir() if path.is_file()):
        with path.open("rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()


def _line(error: Exception) -> str:
    return " ".join(str(error).split())

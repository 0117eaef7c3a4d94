"""Embed sentences by a model of sentence-transformers, in a folder or of a hub, through torch. The extra `torch`.

Of its modules the transformer, the pooling (mean or cls) and the scaling to length 1 are read; a model with another
module is refused, since its vectors would be others. Code that comes with a model is never run.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from claimgraph.detect.models.embedder_onnx import MAX_TOKENS, pooled, read_json, read_pooling, unit
from claimgraph.kgstore.errors import MissingExtra, ModelError
from claimgraph.kgstore.extras import missing

_BATCH = 32
_MODULES = ("Transformer", "Pooling", "Normalize")
_HUB = "sentence-transformers"
"""The owner of names without one, as in the library: "all-distilroberta-v1"."""


class TorchEmbedder:
    """A sentence-transformers model; weights are read at first use. Implements Embedder."""

    def __init__(self, name: str, threads: int | None = None) -> None:
        """`name`: a folder, or an id of a hub ("owner/name", or "name" of sentence-transformers). Raises MissingExtra
        without torch, ModelError where there is no such model.
        """
        if missing("torch"):
            raise MissingExtra(
                "torch", f"there is no ONNX folder {name}, and a model of sentence-transformers needs torch"
            )
        self._folder, self._threads = _folder(name), threads
        kinds = [str(one.get("type", "")).rpartition(".")[2] for one in _modules(self._folder)]
        if strange := [kind for kind in kinds if kind not in _MODULES]:
            raise ModelError(f"the embedding model {name} has a module {strange[0]}; {', '.join(_MODULES)} are known")
        self._pooling = read_pooling(self._folder)
        self.dimension = int(read_json(self._folder / "config.json").get("hidden_size", 0))
        if not self.dimension:
            raise ModelError(f"no embedding model {name}: its config.json has no hidden_size")
        self.model = f"{Path(name).name}-{_hash(self._folder)}"

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return unit vectors, shape (len(texts), d). Raises ModelError."""
        found = np.zeros((len(texts), self.dimension), np.float32)
        order = sorted(range(len(texts)), key=lambda row: len(texts[row]))
        for start in range(0, len(order), _BATCH):
            rows = order[start : start + _BATCH]
            try:
                found[rows] = unit(self._run([texts[row] for row in rows]))
            except (RuntimeError, ValueError, OSError) as error:
                raise ModelError(f"embedding failed: {' '.join(str(error).split())}") from error
        return found

    def _run(self, texts: list[str]) -> NDArray[np.float32]:
        import torch

        length = int(read_json(self._folder / "sentence_bert_config.json").get("max_seq_length") or MAX_TOKENS)
        length = min(length, self._tokenizer.model_max_length)
        batch = self._tokenizer(texts, truncation=True, max_length=length, padding=True, return_tensors="pt")
        with torch.inference_mode():
            hidden = self._network(**batch.to(self._network.device)).last_hidden_state.float().cpu().numpy()
        return pooled(hidden, batch["attention_mask"].cpu().numpy(), self._pooling)

    @cached_property
    def _tokenizer(self) -> Any:
        from transformers import AutoTokenizer

        return AutoTokenizer.from_pretrained(self._folder)

    @cached_property
    def _network(self) -> Any:
        import torch
        from transformers import AutoModel

        if self._threads:
            torch.set_num_threads(self._threads)
        return AutoModel.from_pretrained(self._folder).eval().to("cuda" if torch.cuda.is_available() else "cpu")


def _folder(name: str) -> Path:
    """Return the model's folder; a hub's model is fetched into the hub's own cache."""
    folder = Path(name).expanduser()
    if folder.is_dir():
        return folder
    from huggingface_hub import snapshot_download

    repository, _, revision = name.partition("@")
    try:
        found = snapshot_download(
            repository if "/" in repository else f"{_HUB}/{repository}",
            revision=revision or None,
            allow_patterns=["*.json", "*.txt", "*.model", "*.safetensors", "1_Pooling/*"],
        )
    except Exception as error:  # the hub's errors share no base with the network's
        raise ModelError(f"no embedding model {name}: {' '.join(str(error).split())[:200]}") from error
    return Path(found)


def _modules(folder: Path) -> list[dict[str, Any]]:
    """Return the modules of modules.json; none where there is no such file."""
    import json

    try:
        found = json.loads((folder / "modules.json").read_text(encoding="utf-8"))
    except FileNotFoundError:
        return []
    except (OSError, ValueError) as error:
        raise ModelError(f"cannot read {folder / 'modules.json'}") from error
    return list(found)


def _hash(folder: Path) -> str:
    """Return eight digits of the weights' hash."""
    digest = hashlib.sha256()
    for path in sorted(folder.glob("*.safetensors")) or sorted(folder.glob("*.bin")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:8]

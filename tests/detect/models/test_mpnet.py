"""MPNet as an ONNX graph: against its definition in numpy and, where torch is, against transformers."""

from __future__ import annotations

import json

import numpy as np
import pytest
from oracle_mpnet import bucket, mpnet_logits, write_random_mpnet

from claimgraph.detect.models.encoder_onnx import buckets
from claimgraph.detect.models.entailment import OnnxEntailment
from training.pack import write

PAIRS = [("marie was born in warsaw .", "marie was born"), ("a b c", "d"), ("", ""), ("warsaw a " * 90, "in paris")]
LABELS = ("contradiction", "entailment", "neutral")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return write_random_mpnet(tmp_path_factory.mktemp("mpnet"), LABELS)


def _softmax(logits):
    return np.exp(logits) / np.exp(logits).sum(axis=-1, keepdims=True)


def _ids(folder, pair):
    return OnnxEntailment(folder, folder / "cache")._tokenizer.encode(*pair).ids


def test_graph_is_mpnet(folder, tmp_path):
    """The ONNX graph gives the probabilities of the definition, also of tokens far apart; int8 is near."""
    expected = _softmax(np.array([mpnet_logits(folder, _ids(folder, pair)) for pair in PAIRS]))[:, [1, 2, 0]]
    assert np.allclose(expected, OnnxEntailment(folder, tmp_path, int8=False).entail(PAIRS), atol=1e-5)
    assert np.allclose(expected, OnnxEntailment(folder, tmp_path, int8=True).entail(PAIRS), atol=0.05)


def test_pair_as_mpnet_reads_it(folder):
    """Between the texts stand two ends, and there are no types; positions count from 2, so 200 of 202 tokens fit."""
    assert ["<s>", "a", "</s>", "</s>", "b", "</s>"] == [
        OnnxEntailment(folder, folder / "cache")._tokenizer.id_to_token(one) for one in _ids(folder, ("a", "b"))
    ]
    assert 200 == len(_ids(folder, ("born " * 300, "in")))


def test_packed(folder, tmp_path):
    """What training.pack writes is read by its manifest alone, and is cut at the same length."""
    packed = write(folder, tmp_path / "packed", ("given", "7"), 1.0, tmp_path)
    assert 200 == json.loads((packed / "config.json").read_text())["max_position_embeddings"]
    long = [("born in " * 150, "a"), *PAIRS]
    assert (
        OnnxEntailment(folder, tmp_path).entail(long).tobytes()
        == OnnxEntailment(packed, tmp_path).entail(long).tobytes()
    )


def test_buckets():
    """Each distance has the bucket of the definition."""
    distances = np.arange(-512, 513)
    assert [bucket(int(one)) for one in distances] == list(buckets(distances, 32))


@pytest.mark.nightly
def test_trained_model_is_the_same(folder, tmp_path):
    """What training.model computes, one row of the last layer alone and padded pairs together, is what ships."""
    torch = pytest.importorskip("torch")
    pytest.importorskip("transformers")
    from training.model import classifier
    from training.pair import Pair
    from training.train import padded, tokenised

    pairs = [Pair(*pair, label="neutral", source="", document="") for pair in PAIRS]
    with torch.no_grad():
        found = classifier(folder).eval()(**padded(tokenised(pairs, folder / "tokenizer.json", 200))).logits
    expected = OnnxEntailment(folder, tmp_path, int8=False).entail(PAIRS)
    assert np.allclose(expected, _softmax(found.numpy())[:, [1, 2, 0]], atol=1e-5)

"""Base weights read out of an ONNX graph."""

from __future__ import annotations

import numpy as np
from onnx import helper, numpy_helper

from training.base import mpnet_weights, weights

WIDTH, WORDS = 4, 7
WORD = np.arange(WORDS * WIDTH, dtype=np.float32).reshape(WORDS, WIDTH)
DENSE = np.arange(WIDTH * 3, dtype=np.float32).reshape(WIDTH, 3)


def test_products_are_named_by_their_nodes_and_turned_round() -> None:
    """A weight of x @ w becomes that of a linear layer; a product of two activations has none; the head is new."""
    tensors = {"embeddings.word_embeddings.weight": WORD, "onnx::MatMul_1": DENSE, "other": WORD}
    nodes = [
        helper.make_node("MatMul", ["x", "onnx::MatMul_1"], ["y"], name="/encoder/layer.0/output/dense/MatMul"),
        helper.make_node("MatMul", ["y", "z"], ["o"], name="/encoder/layer.0/attention/self/MatMul"),
    ]
    initial = [numpy_helper.from_array(value, name) for name, value in tensors.items()]
    found = weights(helper.make_model(helper.make_graph(nodes, "g", [], [], initial)), seed=1)
    assert np.array_equal(DENSE.T, found.pop("bert.encoder.layer.0.output.dense.weight"))
    assert np.array_equal(WORD, found.pop("bert.embeddings.word_embeddings.weight"))
    shapes = {name: value.shape for name, value in found.items()}
    assert {
        "bert.pooler.dense.weight": (WIDTH, WIDTH),
        "bert.pooler.dense.bias": (WIDTH,),
        "classifier.weight": (3, WIDTH),
        "classifier.bias": (3,),
    } == shapes


def test_an_mpnet_gets_a_head() -> None:
    """Its encoder keeps its values under the classifier's names; pooler and position numbers are left out."""
    kept = {"embeddings.LayerNorm.bias": WORD[0], "encoder.relative_attention_bias.weight": DENSE}
    left = {"pooler.dense.weight": DENSE, "embeddings.position_ids": WORD}
    found = mpnet_weights(kept | left, seed=1)
    assert all(found[f"mpnet.{name}"] is value for name, value in kept.items())
    assert {
        "classifier.dense.weight": (WIDTH, WIDTH),
        "classifier.dense.bias": (WIDTH,),
        "classifier.out_proj.weight": (3, WIDTH),
        "classifier.out_proj.bias": (3,),
    } == {name: value.shape for name, value in found.items() if not name.startswith("mpnet.")}

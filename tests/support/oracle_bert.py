"""BERT for sequence classification by its definition, in numpy, and small random models in the Hugging Face layout."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import load_file, save_file
from scipy.special import erf

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "marie", "was", "born", "in", "warsaw", "paris", *"abcd."]
_WIDTH, _INNER, _LAYERS, _HEADS, _POSITIONS = 16, 32, 2, 4, 24


def write_random_bert(folder: Path, labels: Sequence[str], dtype: Any = np.float32) -> Path:
    """A folder with config.json, model.safetensors and tokenizer.json; always the same weights."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    folder.mkdir(parents=True, exist_ok=True)
    config = {
        "model_type": "bert",
        "hidden_act": "gelu",
        "hidden_size": _WIDTH,
        "num_hidden_layers": _LAYERS,
        "num_attention_heads": _HEADS,
        "max_position_embeddings": _POSITIONS,
        "layer_norm_eps": 1e-12,
        "id2label": dict(enumerate(labels)),
    }
    (folder / "config.json").write_text(json.dumps(config))
    save_file({k: v.astype(dtype) for k, v in _weights(len(labels)).items()}, folder / "model.safetensors")
    tokenizer = Tokenizer(models.WordPiece({word: i for i, word in enumerate(WORDS)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder


def _weights(labels: int) -> dict[str, np.ndarray]:
    random = np.random.default_rng(7)
    shapes: dict[str, tuple[int, ...]] = {}
    for name, count in (("word", len(WORDS)), ("position", _POSITIONS), ("token_type", 2)):
        shapes[f"bert.embeddings.{name}_embeddings.weight"] = (count, _WIDTH)
    dense = {"bert.pooler.dense": (_WIDTH, _WIDTH), "classifier": (labels, _WIDTH)}
    norms = ["bert.embeddings.LayerNorm"]
    for layer in range(_LAYERS):
        at = f"bert.encoder.layer.{layer}."
        dense |= {f"{at}attention.self.{name}": (_WIDTH, _WIDTH) for name in ("query", "key", "value")}
        dense |= {f"{at}attention.output.dense": (_WIDTH, _WIDTH), f"{at}intermediate.dense": (_INNER, _WIDTH)}
        dense[f"{at}output.dense"] = (_WIDTH, _INNER)
        norms += [f"{at}attention.output.LayerNorm", f"{at}output.LayerNorm"]
    for name, shape in dense.items():
        shapes |= {f"{name}.weight": shape, f"{name}.bias": shape[:1]}
    found = {name: random.normal(0, 0.4, shape) for name, shape in shapes.items()}
    for name in norms:
        found |= {f"{name}.weight": random.normal(1, 0.2, _WIDTH), f"{name}.bias": random.normal(0, 0.2, _WIDTH)}
    return {name: value.astype(np.float32) for name, value in found.items()}


def bert_logits(folder: Path, ids: Sequence[int], types: Sequence[int]) -> np.ndarray:
    """Logits of one pair."""
    w = read(folder)
    pooled = np.tanh(dense(w, bert_hidden(folder, ids, types)[0], "bert.pooler.dense"))
    return dense(w, pooled, "classifier")


def read(folder: Path) -> dict[str, np.ndarray]:
    """The weights, in double precision."""
    return {k: v.astype(np.float64) for k, v in load_file(folder / "model.safetensors").items()}


def dense(w: dict[str, np.ndarray], x: np.ndarray, name: str) -> np.ndarray:
    """The linear layer `name` of x."""
    return x @ w[f"{name}.weight"].T + w[f"{name}.bias"]


def normed(w: dict[str, np.ndarray], x: np.ndarray, name: str, epsilon: float) -> np.ndarray:
    """The layer norm `name` of x."""
    centred = x - x.mean(axis=-1, keepdims=True)
    return (
        centred / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + epsilon) * w[f"{name}.weight"] + w[f"{name}.bias"]
    )


def bert_hidden(folder: Path, ids: Sequence[int], types: Sequence[int]) -> np.ndarray:
    """What the last layer makes of each token, one head and one token at a time where that is plainer."""
    w = read(folder)
    config = json.loads((folder / "config.json").read_text())

    def norm(x: np.ndarray, name: str) -> np.ndarray:
        return normed(w, x, name, config["layer_norm_eps"])

    e = "bert.embeddings."
    x = w[f"{e}word_embeddings.weight"][ids] + w[f"{e}token_type_embeddings.weight"][types]
    x = norm(x + w[f"{e}position_embeddings.weight"][: len(ids)], f"{e}LayerNorm")
    for layer in range(config["num_hidden_layers"]):
        at = f"bert.encoder.layer.{layer}."
        q, k, v = (dense(w, x, f"{at}attention.self.{name}") for name in ("query", "key", "value"))
        size = config["hidden_size"] // config["num_attention_heads"]
        heads = []
        for start in range(0, config["hidden_size"], size):
            part = slice(start, start + size)
            scores = np.exp(q[:, part] @ k[:, part].T / np.sqrt(size))
            heads.append(scores / scores.sum(axis=1, keepdims=True) @ v[:, part])
        x = norm(
            x + dense(w, np.concatenate(heads, axis=1), f"{at}attention.output.dense"),
            f"{at}attention.output.LayerNorm",
        )
        inner = dense(w, x, f"{at}intermediate.dense")
        inner = inner * (1 + erf(inner / np.sqrt(2))) / 2
        x = norm(x + dense(w, inner, f"{at}output.dense"), f"{at}output.LayerNorm")
    return x

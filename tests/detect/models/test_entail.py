"""Entailment models: the ONNX graph against the definition in numpy, labels, truncation, and the real start model."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import numpy as np
import onnx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle_bert import WORDS, bert_logits, write_random_bert

from claimgraph import wiring
from claimgraph.detect.compare.relations import VERBALISERS
from claimgraph.detect.methods.grapheval import PRESETS
from claimgraph.detect.models.classifier_onnx import exported
from claimgraph.detect.models.entailment import OnnxEntailment, consistency, order, rows
from claimgraph.detect.models.own_entailment import SMALL, base
from claimgraph.detect.models.row_cache import ScoreCache
from claimgraph.kgstore.errors import InputError, ModelError, ServiceError
from claimgraph.kgstore.model import Triple
from claimgraph.settings import Settings
from training.pack import write

PAIRS = [("marie was born in warsaw .", "marie was born"), ("a b c", "d"), ("", ""), ("warsaw " * 40, "in paris")]


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return write_random_bert(tmp_path_factory.mktemp("bert"), labels=("contradiction", "entailment", "neutral"))


@pytest.fixture
def packed_folder(folder, tmp_path) -> Path:
    """As the shipped model's folder is."""
    return write(folder, tmp_path / "packed", ("claimgraph-entailment", "7"), 1.0, tmp_path)


def _configure(folder, **change):
    path = folder / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | change))


def _softmax(logits):
    return np.exp(logits) / np.exp(logits).sum()


def _tokens(model: OnnxEntailment, pair):
    encoding = model._tokenizer.encode(*pair)
    return encoding.ids, encoding.type_ids


def test_graph_is_bert(folder, tmp_path):
    """The ONNX graph gives the probabilities of the definition, in the protocol's order of labels."""
    model = OnnxEntailment(folder, tmp_path, int8=False)
    expected = [_softmax(bert_logits(folder, *_tokens(model, pair)))[[1, 2, 0]] for pair in PAIRS]
    assert np.allclose(expected, model.entail(PAIRS), atol=1e-5)


def test_int8_is_near(folder, tmp_path):
    """The int8 graph is near the float one, and a different model by name."""
    exact, rough = (OnnxEntailment(folder, tmp_path, int8=int8) for int8 in (False, True))
    assert np.allclose(exact.entail(PAIRS), rough.entail(PAIRS), atol=0.05)
    assert exact.model != rough.model


def test_int8_keeps_no_matrix_in_float(folder, tmp_path):
    """Of what is looked up by word and of what is multiplied a byte a number is kept, in float32 four."""
    kept = {}
    for int8 in (False, True):
        graph = onnx.load(exported(folder, tmp_path, int8=int8)).graph
        kept[int8] = {tuple(one.dims): one.data_type for one in graph.initializer if len(one.dims) == 2}
    words, inner = (len(WORDS), 16), (16, 32)
    assert [onnx.TensorProto.FLOAT] * 2 == [kept[False][shape] for shape in (words, inner)]
    assert [onnx.TensorProto.INT8] * 2 == [kept[True][shape] for shape in (words, inner)]


@settings(max_examples=10, deadline=None)
@given(pairs=st.lists(st.tuples(st.text(max_size=40), st.text(max_size=40)), max_size=5))
def test_score_of_its_own(folder, pairs):
    """A pair's probabilities have the same bits whatever else is in the call, and each row sums to 1."""
    model = OnnxEntailment(folder, folder / "cache", threads=2)
    together = model.entail(pairs)
    assert (len(pairs), 3) == together.shape
    assert [row.tobytes() for row in together] == [model.entail([pair]).tobytes() for pair in pairs]
    assert np.allclose(1, together.sum(axis=1), atol=1e-5)


def test_temperature(packed_folder, folder, tmp_path):
    """Logits are divided by the temperature of config.json, and the model has another name."""
    _configure(packed_folder, temperature=2.0)
    cool, plain = OnnxEntailment(packed_folder, tmp_path), OnnxEntailment(folder, tmp_path)
    roots = np.sqrt(plain.entail(PAIRS))
    assert np.allclose(roots / roots.sum(axis=1, keepdims=True), cool.entail(PAIRS), atol=1e-6)
    warm = cool.model
    _configure(packed_folder, temperature=3.0)
    assert warm != OnnxEntailment(packed_folder, tmp_path).model


@pytest.mark.parametrize("bad", [0, -1.0, "warm", None])
def test_no_temperature(packed_folder, tmp_path, bad):
    """What is no number above 0 is refused in one line that names the file."""
    _configure(packed_folder, temperature=bad)
    with pytest.raises(ModelError, match=r"config\.json: the temperature is a number above 0, not "):
        OnnxEntailment(packed_folder, tmp_path)


def test_name(packed_folder, tmp_path):
    """Name and version of config.json are the model's, with a hash of what it is."""
    assert re.fullmatch(r"claimgraph-entailment-7-[0-9a-f]{12}", OnnxEntailment(packed_folder, tmp_path).model)


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
@pytest.mark.parametrize("damage", ["flipped", "cut", "gone"])
def test_damaged_files_are_refused(packed_folder, tmp_path, name, damage):
    """A file with one flipped byte, half a file or none is one line that names it, before a pair is read."""
    path = packed_folder / name
    whole = path.read_bytes()
    at = len(whole) // 2
    path.unlink()
    if damage != "gone":
        path.write_bytes(whole[:at] + (bytes([whole[at] ^ 1]) + whole[at + 1 :] if damage == "flipped" else b""))
    with pytest.raises(ModelError, match=re.escape(str(path))) as caught:
        OnnxEntailment(packed_folder, tmp_path).load()
    assert "\n" not in str(caught.value)


def test_premise_is_cut(folder, tmp_path):
    """A pair too long loses the end of its premise; the hypothesis stays whole."""
    ids, types = _tokens(OnnxEntailment(folder, tmp_path), ("born " * 100, "marie was born in warsaw"))
    assert (24, 6) == (len(ids), sum(types))


def test_long_hypothesis(folder, tmp_path):
    """Two long texts get half the length each, so some premise is always read."""
    ids, types = _tokens(OnnxEntailment(folder, tmp_path), ("born " * 100, "in " * 100))
    assert 24 == len(ids)
    assert abs(sum(types) - 12) <= 1


def test_onnx_folder(folder, tmp_path):
    """A folder that holds an .onnx file is read as it is, without weights."""
    given = tmp_path / "given"
    given.mkdir()
    for name in ("config.json", "tokenizer.json"):
        (given / name).write_bytes((folder / name).read_bytes())
    (given / "model.onnx").write_bytes(exported(folder, tmp_path, int8=True).read_bytes())
    assert (
        OnnxEntailment(folder, tmp_path).entail(PAIRS).tobytes()
        == OnnxEntailment(given, tmp_path).entail(PAIRS).tobytes()
    )


def test_written_once(folder, tmp_path):
    """The graph is found in the cache the next time, and nothing else is left there."""
    first = exported(folder, tmp_path, int8=True)
    before = first.stat().st_mtime_ns
    assert first == exported(folder, tmp_path, int8=True)
    assert before == first.stat().st_mtime_ns
    assert [first] == list(tmp_path.iterdir())


def test_half_precision(folder, tmp_path):
    """Weights in half precision give nearly the same probabilities."""
    half = write_random_bert(tmp_path / "half", labels=("contradiction", "entailment", "neutral"), dtype=np.float16)
    expected = OnnxEntailment(folder, tmp_path, int8=False).entail(PAIRS)
    assert np.allclose(expected, OnnxEntailment(half, tmp_path, int8=False).entail(PAIRS), atol=0.01)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"model_type": "roberta"}, "is no BERT or MPNet classifier: model_type 'roberta'"),
        ({"id2label": {"0": "positive", "1": "negative"}}, "no entailment model: its labels are positive, negative"),
        ({"num_hidden_layers": 3}, "layer.2.* is missing"),
        ({"hidden_act": "relu"}, "hidden_act 'relu'"),
    ],
)
def test_other_models_refused(tmp_path, change, said):
    """A folder with another kind of model is refused in one line that says what it is."""
    folder = write_random_bert(tmp_path / "m", labels=("entailment", "neutral", "contradiction"))
    config = folder / "config.json"
    config.write_text(json.dumps(json.loads(config.read_text()) | change))
    with pytest.raises(ModelError, match=said) as caught:
        OnnxEntailment(folder, tmp_path)
    assert "\n" not in str(caught.value)


def test_missing_parts(tmp_path):
    """A folder that is not there, or lacks weights or tokeniser, is a ModelError that names it."""
    with pytest.raises(ModelError, match=r"none: its config\.json"):
        OnnxEntailment(tmp_path / "none", tmp_path)
    folder = write_random_bert(tmp_path / "m", labels=("entailment", "neutral", "contradiction"))
    (folder / "tokenizer.json").unlink()
    with pytest.raises(ModelError, match=r"tokenizer\.json"):
        OnnxEntailment(folder, tmp_path).entail([("a", "b")])
    (folder / "model.safetensors").unlink()
    with pytest.raises(ModelError, match=r"no \.safetensors file"):
        OnnxEntailment(folder, tmp_path)


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        (("LABEL_0", "LABEL_1", "LABEL_2"), [0.2, 0.3, 0.5]),
        (("CONTRADICTION", "ENTAILMENT", "NEUTRAL"), [0.3, 0.5, 0.2]),
        (("entailment", "not_entailment"), [0.2, np.nan, np.nan]),
        (("LABEL_0", "LABEL_1"), [0.8, np.nan, np.nan]),
    ],
)
def test_labels(labels, expected):
    """Columns follow the labels' names; what a two-way model does not tell is nan."""
    shares = np.array([[0.2, 0.3, 0.5] if len(labels) == 3 else [0.2, 0.8]], np.float32)
    assert np.allclose(expected, rows(np.log(shares) + 7, order(labels))[0], equal_nan=True)


def test_one_score():
    """A consistency model's score is a sigmoid, and what it does not tell is nan, however large the logit."""
    found = consistency(np.array([0.0, np.log(3), 200.0], np.float32))
    assert np.allclose([[s, np.nan, np.nan] for s in (0.5, 0.75, 1.0)], found, equal_nan=True)


@pytest.mark.parametrize(("name", "most"), [("small", 40e6), ("base", 120e6)])
def test_our_models(tmp_path, name, most):
    """They are small enough, and tell the obvious, of sentences and of triples as GraphEval says them."""
    model = wiring.entailment(Settings(entailment=name, cache=tmp_path))
    folder = SMALL if name == "small" else base()
    assert model is not None
    assert folder is not None
    assert model.model.startswith("claimgraph-entailment-")
    assert sum(path.stat().st_size for path in folder.iterdir()) <= most
    say = VERBALISERS[PRESETS["grapheval"].verbaliser]
    born = "Marie Curie was born in Warsaw in 1867."
    found = model.entail(
        [
            ("A man is playing a guitar on stage.", "A man plays music."),
            (born, say(Triple("Marie Curie", "was born in", "Warsaw"))),
            (born, "Marie Curie was born in Paris."),
            (born, say(Triple("Marie Curie", "was born in", "Paris"))),
        ]
    )
    assert [0, 0, 2, 2] == list(found.argmax(axis=1))


def test_the_larger_model_is_the_default_where_it_is_installed(tmp_path, monkeypatch):
    """Without it the small one reads, and who asks for the larger one by name is told how to install it."""
    named = {name: wiring.entailment(Settings(entailment=name, cache=tmp_path)) for name in ("base", "small")}
    assert named["base"] is not None
    assert named["small"] is not None
    assert named["base"].model == wiring.entailment(Settings(cache=tmp_path)).model
    monkeypatch.setitem(sys.modules, "claimgraph_entailment_base", None)
    assert named["small"].model == wiring.entailment(Settings(cache=tmp_path)).model
    with pytest.raises(ModelError, match=r"pip install \./packages/entailment-base"):
        wiring.entailment(Settings(entailment="base", cache=tmp_path))


def test_setting(folder, tmp_path):
    """The setting names a folder, and its scores are kept; where it says none there is no entailment model."""
    assert None is wiring.entailment(Settings(entailment="none"))
    configured = Settings(entailment=str(folder), cache=tmp_path)
    first, second = wiring.entailment(configured), wiring.entailment(configured)
    assert first is not None
    assert second is not None
    assert first.entail(PAIRS).tobytes() == second.entail(PAIRS).tobytes()
    assert len(PAIRS) == len(ScoreCache(tmp_path / "scores", first.model))


@pytest.mark.parametrize("name", ["/no/such/folder", "./none", "owner/name"])
def test_setting_names_nothing(tmp_path, monkeypatch, name):
    """A folder that is not there, or a hub's model without torch, is one line that names it."""
    monkeypatch.setitem(sys.modules, "transformers", None)
    with pytest.raises(ServiceError, match=name.removeprefix("./")) as caught:
        wiring.entailment(Settings(entailment=name, cache=tmp_path))
    assert "\n" not in str(caught.value)


def test_grapheval_needs_a_model(folder, tmp_path):
    """GraphEval is made with the configured model, and says which setting is in the way."""
    with pytest.raises(InputError, match="CLAIMGRAPH_ENTAILMENT is none"):
        wiring.detector(Settings(entailment="none"), "grapheval")
    found = wiring.detector(Settings(entailment=str(folder), cache=tmp_path), "grapheval", "sentence")
    assert "sentence" == json.loads(found.config)["preset"]

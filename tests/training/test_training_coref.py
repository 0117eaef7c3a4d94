"""What the mention ranker is trained on and packed as: labels, batches, thresholds, the graph. No torch here."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import onnxruntime
import pytest
from oracle_bert import bert_hidden, write_random_bert
from safetensors.numpy import load_file, save_file
from scipy.special import erf

from claimgraph.detect.extraction.coreference.candidates import KINDS, WIDTH
from claimgraph.detect.models.coreference import OnnxCoreference, Window
from claimgraph.detect.models.encoder_onnx import EncoderConfig
from claimgraph.evaluation.coreference import CoreferenceFigures
from claimgraph.evaluation.data.coreference_gold import GoldClusters
from claimgraph.kgstore.model import Span
from training.coref import unpack
from training.coref.batches import cut, numbered, together
from training.coref.example import FALSE, OPEN, RIGHT, Example, read
from training.coref.example import write as keep
from training.coref.examples import examples
from training.coref.graph import build
from training.coref.marked import MarkError, marked, read_marked
from training.coref.measure import Chosen, figures
from training.coref.pack import write
from training.coref.thresholds import GRID, least

TEXT = "Marie Curie met Niels Bohr. She wrote it. Curie slept."
DIMENSION, MENTION, HIDDEN = 16, 6, 5


def _span(text: str, said: str) -> Span:
    return Span(text.index(said), text.index(said) + len(said))


def _labelled(gold: GoldClusters) -> dict[tuple[str, str], int]:
    """Labels by anaphor and candidate; "none" by the anaphor itself."""
    return {
        (said[a], said[c]): int(label)
        for one in examples([gold])
        for said in [[one.window.text[start:end] for start, end, _ in one.window.spans.tolist()]]
        for a, c, label in zip(one.window.anaphor, one.window.candidate, one.labels, strict=True)
    }


def test_labels_of_a_document() -> None:
    """What is in one cluster is right; "none" is right for what stands for nothing that was said before."""
    clusters = ((_span(TEXT, "Marie Curie"), _span(TEXT, "She")),)
    found = _labelled(GoldClusters("d", "gum", "d", TEXT, clusters, complete=True))
    assert (RIGHT, FALSE, FALSE) == tuple(found["She", said] for said in ("Marie Curie", "Niels Bohr", "She"))
    assert (FALSE, RIGHT) == (found["it", "Marie Curie"], found["it", "it"])


def test_labels_of_a_row() -> None:
    """Of a row the pronoun alone is asked; who else may be meant is open, and "none" where no name is right."""
    pronoun, bohr = _span(TEXT, "She"), _span(TEXT, "Niels Bohr")
    right = GoldClusters("r", "gap", "r", TEXT, ((_span(TEXT, "Marie Curie"), pronoun),), pronoun, (bohr,), open=True)
    assert {
        ("She", "She"): FALSE,
        ("She", "Marie Curie"): RIGHT,
        ("She", "Niels Bohr"): FALSE,
    } == _labelled(right)
    neither = GoldClusters("r", "gap", "r", TEXT, (), pronoun, (bohr,), open=True)
    assert (OPEN, OPEN, FALSE) == tuple(
        _labelled(neither)["She", said] for said in ("She", "Marie Curie", "Niels Bohr")
    )


def test_marks_of_a_text() -> None:
    """Marks of one number are a cluster, nested ones too; 0 and what is said once stand for nothing."""
    gold = marked("[3 [1 Mara] and [2 Otto]] met. [3 They] left. [0 It] rained on [1 her]. [4 A dog] ran.", "a text")
    assert "Mara and Otto met. They left. It rained on her. A dog ran." == gold.text
    found = sorted([gold.text[span.start : span.end] for span in cluster] for cluster in gold.clusters)
    assert [["Mara", "her"], ["Mara and Otto", "They"]] == found
    assert (True, True, None) == (gold.complete, gold.usable, gold.asked)


@pytest.mark.parametrize("text", ["[1 Mara met.", "Mara] met.", "[Mara] met.", "[1 ] met."])
def test_wrong_marks_are_named(text: str) -> None:
    """A bracket without its other half, number or words is one line."""
    with pytest.raises(MarkError):
        marked(text, "a text")


def test_the_texts_at_hand_are_well_marked() -> None:
    """Every file of texts is read, and every text has an anaphor that stands for something said before."""
    files = sorted((Path(marked.__code__.co_filename).parent / "texts").glob("*.txt"))
    golds = [gold for file in files for gold in read_marked(file)]
    assert len({gold.id for gold in golds}) == len(golds) > 0
    assert not [gold.id for gold in golds if not gold.clusters]


def _scorer() -> dict[str, np.ndarray]:
    chance = np.random.default_rng(3)
    shapes = {
        "mention.weight": (MENTION, 3 * DIMENSION), "mention.bias": (MENTION,), "left.weight": (HIDDEN, MENTION),
        "left.bias": (HIDDEN,), "right.weight": (HIDDEN, MENTION), "product.weight": (HIDDEN, MENTION),
        "features.weight": (WIDTH * len(KINDS), HIDDEN), "inner.weight": (HIDDEN, HIDDEN), "inner.bias": (HIDDEN,),
        "score.weight": (1, HIDDEN), "score.bias": (1,),
    }  # fmt: skip
    return {name: chance.normal(0, 0.3, shape).astype(np.float32) for name, shape in shapes.items()}


@pytest.fixture
def ranker(tmp_path: Path) -> Path:
    """A folder with a small random ranker as training.coref.train writes it."""
    folder = write_random_bert(tmp_path / "ranker", ["a", "b"])
    found = load_file(folder / "model.safetensors")
    save_file(
        {k.replace("bert.", "encoder.", 1): v for k, v in found.items()} | _scorer(), folder / "model.safetensors"
    )
    return folder


def _gelu(x: np.ndarray) -> np.ndarray:
    return x * (1 + erf(x / np.sqrt(2))) / 2


def test_the_graph_scores_as_defined(ranker: Path, tmp_path: Path) -> None:
    """The graph's scores are those of the definition: mentions, their product and features through two layers."""
    plain = write_random_bert(tmp_path / "plain", ["a", "b"])
    ids, w = [2, 4, 5, 8, 6, 3], _scorer()
    at, a, c = np.array([[1, 2, 1], [3, 3, 3], [4, 5, 5]]), np.array([1, 1, 2]), np.array([1, 0, 1])
    rows = np.array([[0, 50], [3, WIDTH + 7], [9, 2 * WIDTH + 1]])
    tokens = bert_hidden(plain, ids, [0] * len(ids))[at].reshape(3, -1)
    spans = _gelu(tokens @ w["mention.weight"].T + w["mention.bias"])
    pair = spans[a] @ w["left.weight"].T + w["left.bias"] + spans[c] @ w["right.weight"].T
    pair += (spans[a] * spans[c]) @ w["product.weight"].T + w["features.weight"][rows].sum(axis=1)
    inner = _gelu(_gelu(pair) @ w["inner.weight"].T + w["inner.bias"])
    expected = (inner @ w["score.weight"].T + w["score.bias"])[:, 0]
    model = build(EncoderConfig(2, 4, 1e-12), load_file(ranker / "model.safetensors"), int8=False)
    feed = {"input_ids": np.array([ids]), "places": at, "anaphor": a, "candidate": c, "features": rows}
    [found] = onnxruntime.InferenceSession(model.SerializeToString()).run(None, feed)
    assert expected == pytest.approx(found, abs=1e-4)


def test_what_is_packed_loads(ranker: Path, tmp_path: Path) -> None:
    """The packed folder is a model: chances of an anaphor sum to 1, and thresholds and name are its own."""
    write(ranker, tmp_path / "out", "3", {"he": 0.7})
    model = OnnxCoreference(tmp_path / "out", threads=1)
    numbers = np.array([1, 1, 0]), np.array([1, 0, 0])
    window = Window("marie was born", np.array([[0, 5, 0], [6, 9, 6]]), *numbers, np.zeros((3, 2), np.int64))
    [found], empty = model.chances([window]), Window("marie", np.zeros((0, 3), np.int64), *np.zeros((3, 0), np.int64))
    assert [1.0, 1.0] == [pytest.approx(found[:2].sum()), pytest.approx(found[2])]
    assert (0, 0.7, "claimgraph-coreference-3") == (
        len(model.chances([empty])[0]),
        model.thresholds["he"],
        model.model[:24],
    )


def test_what_is_packed_can_be_unpacked(ranker: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All names and shapes; values within what rounding to 7 bits takes, those of the scorer as they were."""
    write(ranker, tmp_path / "packed", "3", {})
    monkeypatch.setattr(sys, "argv", ["", "--packed", str(tmp_path / "packed"), "--out", str(tmp_path / "start")])
    unpack.main()
    before, after = (load_file(folder / "model.safetensors") for folder in (ranker, tmp_path / "start"))
    before = {name: value for name, value in before.items() if not name.startswith(("encoder.pooler", "classifier"))}
    assert {name: value.shape for name, value in before.items()} == {name: one.shape for name, one in after.items()}
    for name, value in before.items():
        most = np.abs(value).max() / 63 if name.startswith("encoder.") else 0
        assert np.abs(value - after[name]).max() <= most, name


def test_batches_keep_what_is_theirs(ranker: Path) -> None:
    """Examples in a batch keep their tokens and pairs, anaphors are numbered through, and an epoch has each once."""
    gold = GoldClusters("d", "gum", "d", TEXT, ((_span(TEXT, "Marie Curie"), _span(TEXT, "She")),), complete=True)
    data = numbered([*examples([gold])] * 3, ranker / "tokenizer.json")
    batch = together(data[:2])
    count, mentions = len(data[0].anaphor), len(data[0].places)
    assert (batch.anaphor[count:] == data[0].anaphor + mentions).all()
    assert (batch.places[mentions:] == data[0].places + batch.ids.shape[1]).all()
    assert len(set(batch.group.tolist())) == 2 * len(set(data[0].anaphor.tolist()))
    assert [0, 1, 2] == sorted(row for rows in cut(data, 40, 0) for row in rows)


def _precise(precision: float, answered: int = 50) -> CoreferenceFigures:
    return CoreferenceFigures(100, answered, 0, 0, precision, None, None, None)


def test_the_least_threshold_that_holds() -> None:
    """It is the least from which on the precision stays; few answers say nothing; the greatest where none holds."""
    rising = {one: _precise(0.5 + at / 20) for at, one in enumerate(GRID)}
    assert GRID[8] == least(rising, "they")
    assert GRID[-1] == least(dict.fromkeys(GRID, _precise(0.1)), "it")
    assert GRID[-1] == least(dict.fromkeys(GRID, _precise(1.0, answered=3)), "it")
    assert GRID[-1] == least(dict.fromkeys(GRID, None), "it")


def test_figures_of_rows() -> None:
    """A name is meant where nothing is likelier; choice looks at the two names alone."""
    found = figures([Chosen(0.5, 0.3, 0.2), Chosen(0.2, 0.1, 0.7), Chosen(0.1, 0.8, 0.1), Chosen(None, 0.9, 0.1)])
    assert (4, 3, 0.6667) == (found["rows"], found["with a right name"], found["choice"])
    assert found["f1"] == round(2 * 1 / (1 + 2 + 3), 4)


def test_examples_are_kept_as_arrays(tmp_path: Path) -> None:
    """What was written is read again, without a pickle."""
    window = Window("Ann knows Bob.", *(np.arange(6, dtype=np.int64).reshape(2, 3) + n for n in range(4)))
    made = [Example("made", n, window, ("he", "it"), np.array([1, -1], np.int8)) for n in range(2)]
    keep(tmp_path / "examples", made)
    for before, after in zip(made, read(tmp_path / "examples"), strict=True):
        assert (before.source, before.fold, before.kinds) == (after.source, after.fold, after.kinds)
        assert before.labels.tolist() == after.labels.tolist()
        assert "Ann knows Bob." == after.window.text
        for name in ("spans", "anaphor", "candidate", "features"):
            assert getattr(before.window, name).tolist() == getattr(after.window, name).tolist()

"""Entailment models through torch, as tiny models made on the spot: a BERT classifier, and a T5 that answers 1 or 0."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from claimgraph.detect.models.entailment_torch import SequenceEntailment, TransformersEntailment, load
from claimgraph.kgstore.errors import ModelError
from claimgraph.kgstore.extras import missing

pytestmark = [
    pytest.mark.nightly,
    pytest.mark.skipif(bool(missing("torch")), reason="the extra torch is not installed"),
]
WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "anna", "sang", "wrote"]
PAIRS = [("anna sang", "anna wrote"), ("anna wrote anna sang", "anna sang"), ("sang", "anna")]


def _bert(folder: Path, labels: list[str]) -> Path:
    """A BERT classifier of those classes, with weights large enough to tell pairs apart."""
    import torch
    from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast

    folder.mkdir()
    (folder / "vocab.txt").write_text("\n".join(WORDS))
    BertTokenizerFast(vocab=str(folder / "vocab.txt")).save_pretrained(folder)
    torch.manual_seed(0)
    size: dict[str, Any] = {"vocab_size": len(WORDS), "hidden_size": 16, "num_hidden_layers": 1}
    named = dict(enumerate(labels))
    config = BertConfig(
        **size, num_attention_heads=2, intermediate_size=16, initializer_range=1.0, id2label=named, label2id=None
    )
    BertForSequenceClassification(config).save_pretrained(folder)
    return folder


def _t5(folder: Path, words: list[str]) -> Path:
    """A T5 whose vocabulary is those words."""
    import torch
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast, T5Config, T5ForConditionalGeneration

    folder.mkdir()
    tokenizer = Tokenizer(models.WordLevel({word: at for at, word in enumerate(words)}, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, unk_token="<unk>", pad_token="<pad>", eos_token="</s>"
    ).save_pretrained(folder)
    torch.manual_seed(0)
    T5ForConditionalGeneration(
        T5Config(vocab_size=len(words), d_model=16, d_kv=8, d_ff=16, num_layers=1, num_heads=2, initializer_factor=4.0)
    ).save_pretrained(folder)
    return folder


T5_WORDS = ["<pad>", "</s>", "<unk>", "1", "0", "premise", "hypothesis", ":", "anna", "sang", "wrote"]


def test_a_classifier_is_read_by_its_labels(tmp_path: Path) -> None:
    """Rows sum to 1, pairs are told apart, alone as in a batch; classes in another order give the same scores."""
    model = load(str(_bert(tmp_path / "bert", ["entailment", "neutral", "contradiction"])))
    assert isinstance(model, TransformersEntailment)
    found = model.entail(PAIRS)
    assert (3, 3) == found.shape
    assert np.allclose(1, found.sum(axis=1), atol=1e-5)
    assert np.ptp(found, axis=0).max() > 0.01
    assert np.allclose(found[1], model.entail(PAIRS[1:2])[0], atol=1e-5)
    turned = load(str(_bert(tmp_path / "turned", ["contradiction", "entailment", "neutral"])))
    assert np.allclose(found, turned.entail(PAIRS)[:, [2, 0, 1]], atol=1e-5)


def test_a_model_of_one_score_tells_consistency_alone(tmp_path: Path) -> None:
    """As HHEM-1.0: P in [0, 1] of each pair, and no contradiction."""
    found = load(str(_bert(tmp_path / "bert", ["LABEL_0"]))).entail(PAIRS)
    assert ((found[:, 0] >= 0) & (found[:, 0] <= 1)).all()
    assert np.isnan(found[:, 1:]).all()


def test_classes_that_are_no_entailment_are_refused(tmp_path: Path) -> None:
    """One line."""
    with pytest.raises(ModelError, match="positive"):
        load(str(_bert(tmp_path / "bert", ["positive", "negative", "mixed"])))


def test_a_sequence_model_answers_one_or_zero(tmp_path: Path) -> None:
    """As TRUE: P("1") over both answers, alone as in a batch, and no contradiction."""
    model = load(str(_t5(tmp_path / "t5", T5_WORDS)))
    assert isinstance(model, SequenceEntailment)
    found = model.entail(PAIRS)
    assert ((found[:, 0] >= 0) & (found[:, 0] <= 1)).all()
    assert np.ptp(found[:, 0]) > 0.001
    assert np.isnan(found[:, 1:]).all()
    assert np.allclose(found[1, 0], model.entail(PAIRS[1:2])[0, 0], atol=1e-5)


def test_answers_with_one_first_token_are_refused(tmp_path: Path) -> None:
    """A vocabulary without 1 and 0 cannot answer."""
    words = [word for word in T5_WORDS if word not in "10"]
    with pytest.raises(ModelError, match="cannot tell its answers"):
        load(str(_t5(tmp_path / "t5", words))).entail(PAIRS)

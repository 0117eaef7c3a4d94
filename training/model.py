"""The classifier in torch: read from a folder, and its weights in half precision as they are kept."""

from __future__ import annotations

import json
import re
from pathlib import Path

import torch
from safetensors.torch import load_file
from transformers import BertConfig, BertForSequenceClassification, MPNetConfig, MPNetForSequenceClassification
from transformers.modeling_outputs import SequenceClassifierOutput

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
COPIED = ("config.json", "tokenizer.json")
_FIXED = re.compile(r"\w+\.embeddings\.|mpnet\.encoder\.relative_attention_bias\.")
_LAYER = re.compile(r"\w+\.encoder\.layer\.(\d+)\.")


class MPNetClassifier(MPNetForSequenceClassification):
    """MPNet, whose last layer computes only the first token's row, which is all that the head reads.

    Attention bias and padding are added up once for all layers.
    """

    def forward(
        self, input_ids: torch.Tensor, attention_mask: torch.Tensor, **_types: torch.Tensor
    ) -> SequenceClassifierOutput:
        """Logits of shape (n, 3) from ids and mask of shape (n, width). MPNet has no types: they are not read."""
        hidden = self.mpnet.embeddings(input_ids)
        *layers, last = self.mpnet.encoder.layer
        bias = self.mpnet.encoder.compute_position_bias(hidden)
        bias = bias.masked_fill(attention_mask[:, None, None, :] == 0, torch.finfo(bias.dtype).min)
        for layer in layers:
            hidden = layer(hidden, position_bias=bias)[0]
        mixed = _first(last.attention.attn, hidden, bias[:, :, :1])
        mixed = last.attention.LayerNorm(mixed + hidden[:, :1])
        return SequenceClassifierOutput(logits=self.classifier(last.output(last.intermediate(mixed), mixed)))


def _first(attention: torch.nn.Module, hidden: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
    """What the first token attends to, shape (n, 1, wide); `bias` of shape (n, heads, 1, width)."""
    split = (len(hidden), -1, attention.num_attention_heads, attention.attention_head_size)
    q, k, v = (
        part(rows).view(split).transpose(1, 2)
        for part, rows in ((attention.q, hidden[:, :1]), (attention.k, hidden), (attention.v, hidden))
    )
    scores = q @ k.transpose(-1, -2) / attention.attention_head_size**0.5 + bias
    return attention.o((scores.softmax(dim=-1).to(v.dtype) @ v).transpose(1, 2).flatten(2))


def classifier(folder: Path, dropout: float = 0.0) -> torch.nn.Module:
    """A BERT or an MPNet, as config.json says, with the folder's weights in float32.

    BERT's attention is written out where there is no GPU: the fused one is slow backwards on a processor.
    """
    told = json.loads((folder / "config.json").read_text())
    config = (MPNetConfig if told["model_type"] == "mpnet" else BertConfig)(**told)
    config.hidden_dropout_prob = config.classifier_dropout = config.attention_probs_dropout_prob = dropout
    config._attn_implementation = "sdpa" if torch.cuda.is_available() and told["model_type"] == "bert" else "eager"
    model = (MPNetClassifier if told["model_type"] == "mpnet" else BertForSequenceClassification)(config)
    [file] = folder.glob("*.safetensors")
    missing, surplus = model.load_state_dict({k: v.float() for k, v in load_file(file).items()}, strict=False)
    if wrong := [name for name in [*missing, *surplus] if "position_ids" not in name]:
        raise ValueError(f"{file}: {', '.join(wrong)}")
    return model


def freeze(model: torch.nn.Module, layers: int) -> None:
    """Leave the embeddings, MPNet's attention bias, and that many of the lowest layers as they are."""
    for name, parameter in model.named_parameters():
        layer = _LAYER.match(name)
        if _FIXED.match(name) or (layer and int(layer[1]) < layers):
            parameter.requires_grad_(False)


def half(model: torch.nn.Module) -> dict[str, torch.Tensor]:
    """All weights by name, in half precision."""
    return {name: value.half().cpu().contiguous() for name, value in model.state_dict().items()}

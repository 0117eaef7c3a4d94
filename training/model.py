"""The classifier in torch: read from a folder, and its weights in half precision as they are kept."""

from __future__ import annotations

from pathlib import Path

import torch
from safetensors.torch import load_file
from transformers import BertConfig, BertForSequenceClassification

COPIED = ("config.json", "tokenizer.json")


def classifier(folder: Path) -> BertForSequenceClassification:
    """With the folder's weights in float32, and no dropout: no pair is seen more than a few times.

    Attention is written out where there is no GPU: the fused one is slow backwards on a processor.
    """
    config = BertConfig.from_json_file(folder / "config.json")
    config.hidden_dropout_prob = config.classifier_dropout = config.attention_probs_dropout_prob = 0.0
    config._attn_implementation = "sdpa" if torch.cuda.is_available() else "eager"
    model = BertForSequenceClassification(config)
    [file] = folder.glob("*.safetensors")
    missing, surplus = model.load_state_dict({k: v.float() for k, v in load_file(file).items()}, strict=False)
    if wrong := [name for name in [*missing, *surplus] if "position_ids" not in name]:
        raise ValueError(f"{file}: {', '.join(wrong)}")
    return model


def half(model: torch.nn.Module) -> dict[str, torch.Tensor]:
    """All weights by name, in half precision."""
    return {name: value.half().cpu().contiguous() for name, value in model.state_dict().items()}

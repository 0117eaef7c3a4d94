"""The mention ranker in torch: the lower layers of a BERT, mention vectors, and a scorer of pairs.

A mention is its first, last and head token; a pair is both mentions, their product and the features' rows. "None" is
the pair of an anaphor with itself. The embeddings of the encoder stay as they are, so that its table can be that of the
entailment model, and so do its lowest layers: on two cores what they make of a text is worked out once.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from torch import nn
from transformers import BertConfig, BertModel

from claimgraph.detect.extraction.coreference.candidates import KINDS, WIDTH

MENTION = 192
HIDDEN = 160


class Ranker(nn.Module):
    """Scores of pairs, which a softmax over each anaphor's pairs makes chances."""

    def __init__(self, config: BertConfig, frozen: int, dropout: float = 0.2) -> None:
        """The embeddings and the `frozen` lowest layers are not trained."""
        super().__init__()
        self.frozen = frozen
        self.encoder = BertModel(config, add_pooling_layer=False)
        self.encoder.embeddings.requires_grad_(False)
        self.encoder.encoder.layer[:frozen].requires_grad_(False)
        self.mention = nn.Linear(3 * config.hidden_size, MENTION)
        self.left = nn.Linear(MENTION, HIDDEN)
        self.right = nn.Linear(MENTION, HIDDEN, bias=False)
        self.product = nn.Linear(MENTION, HIDDEN, bias=False)
        self.features = nn.EmbeddingBag(WIDTH * len(KINDS), HIDDEN, mode="sum")
        self.inner = nn.Linear(HIDDEN, HIDDEN)
        self.score = nn.Linear(HIDDEN, 1)
        self.drop = nn.Dropout(dropout)
        nn.init.normal_(self.features.weight, std=0.05)

    @torch.no_grad()
    def lower(self, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """What the embeddings and the frozen layers make of token ids, shape (n, width, hidden)."""
        hidden: torch.Tensor = self.encoder.embeddings(input_ids=ids)
        return self._through(hidden, mask, 0, self.frozen)

    def forward(
        self,
        hidden: torch.Tensor,
        mask: torch.Tensor,
        places: torch.Tensor,
        anaphor: torch.Tensor,
        candidate: torch.Tensor,
        features: torch.Tensor,
    ) -> torch.Tensor:
        """Shape (pairs,), from what `lower` gives."""
        with torch.autocast(hidden.device.type, torch.bfloat16, enabled=self.training):
            hidden = self._through(hidden, mask, self.frozen, len(self.encoder.encoder.layer))
        tokens = hidden.float().flatten(0, 1)[places].flatten(1)
        spans = self.drop(nn.functional.gelu(self.mention(self.drop(tokens))))
        pair = self.left(spans)[anaphor] + self.right(spans)[candidate]
        pair = pair + self.product(spans[anaphor] * spans[candidate]) + self.features(features)
        inner = nn.functional.gelu(self.inner(self.drop(nn.functional.gelu(pair))))
        scored: torch.Tensor = self.score(inner).squeeze(1)
        return scored

    def _through(self, hidden: torch.Tensor, mask: torch.Tensor, first: int, last: int) -> torch.Tensor:
        seen = mask[:, None, None, :].bool()
        for layer in self.encoder.encoder.layer[first:last]:
            found = layer(hidden, seen)
            hidden = found[0] if isinstance(found, tuple) else found
        return hidden


def started(folder: Path, layers: int, frozen: int, dropout: float = 0.1) -> Ranker:
    """With the weights of a ranker in `folder`, or the lower layers of a classifier there and a scorer by chance."""
    config = BertConfig.from_json_file(folder / "config.json")
    config.num_hidden_layers = layers
    config.hidden_dropout_prob, config.attention_probs_dropout_prob = dropout, 0.0
    config._attn_implementation = "sdpa"
    ranker = Ranker(config, frozen)
    [file] = folder.glob("*.safetensors")
    weights = {k.replace("bert.", "encoder.", 1): v.float() for k, v in load_file(file).items()}
    missing, _ = ranker.load_state_dict(weights, strict=False)
    if wrong := [name for name in missing if name.startswith("encoder.")]:
        raise ValueError(f"{file}: {', '.join(wrong)}")
    return ranker


def save(ranker: Ranker, start: Path, out: Path) -> None:
    """The ranker's folder: weights in half precision, config.json with its layers, and the start's tokenizer.json."""
    save_file({k: v.half().cpu().contiguous() for k, v in ranker.state_dict().items()}, out / "model.safetensors")
    config = json.loads((start / "config.json").read_text()) | {"num_hidden_layers": len(ranker.encoder.encoder.layer)}
    (out / "config.json").write_text(json.dumps(config, indent=1) + "\n")
    shutil.copyfile(start / "tokenizer.json", out / "tokenizer.json")


def loss_of(scores: torch.Tensor, labels: torch.Tensor, group: torch.Tensor) -> torch.Tensor:
    """-log of the chance of what is right, against all that is known to be wrong; the mean over anaphors.

    Where nothing right is known it is that of all that is not known to be wrong. An anaphor's open pairs otherwise
    take no part.
    """
    count = int(group.max()) + 1
    right, wrong = labels == 1, labels == 0
    found = torch.zeros(count, device=scores.device).index_add_(0, group, right.float()) > 0
    good = right | (~found[group] & (labels == -1))
    return (_summed(scores, good | wrong, group, count) - _summed(scores, good, group, count)).mean()


def _summed(scores: torch.Tensor, chosen: torch.Tensor, group: torch.Tensor, count: int) -> torch.Tensor:
    """log of the summed exponentials of each anaphor's chosen scores."""
    most = torch.full((count,), -1e4, device=scores.device).scatter_reduce(0, group, scores.detach(), "amax")
    powers = torch.exp(scores - most[group]) * chosen
    return torch.log(torch.zeros(count, device=scores.device).index_add(0, group, powers) + 1e-12) + most

"""Train the mention ranker: `python -m training.coref.train --examples FILE --start FOLDER --out FOLDER`.

START is a BERT classifier, whose lower layers are taken, or what another run of this wrote, to go on from. The loss is
that of the right candidates together against the wrong ones and "none". A tenth of the documents, by hash, is never
trained on; another tenth is left out too, on which thresholds are chosen. AdamW, a short warm-up, then a linear fall to
zero. Deterministic for a seed on one core.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Sequence
from pathlib import Path

import torch
from torch.nn.utils.rnn import pad_sequence

from training.coref.batches import Batch, Read, cut, numbered, together
from training.coref.example import Example, read
from training.coref.ranker import Ranker, loss_of, save, started
from training.model import DEVICE
from training.pair import fold

SOURCES = ("gum", "litbank", "craft", "gap", "knowref", "winobias", "written", "later")
EVERY = 50
AT_ONCE = 2048
"""Tokens that the frozen layers read together."""


def main() -> None:
    """Train, and write the weights in half precision."""
    args = _arguments()
    args.out.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(args.seed)
    ranker = started(args.start, args.layers, args.frozen).to(DEVICE)
    usable = [one for one in read(args.examples) if one.trained and _kept(one)]
    taken = [one for one in usable for _ in range(args.sources.count(one.source))]
    random.Random(args.seed).shuffle(taken)
    data = numbered(taken[args.part :: args.parts], args.start / "tokenizer.json")
    batches = [rows for epoch in range(args.epochs) for rows in cut(data, args.tokens, args.seed + epoch)]
    print(f"{len(data)} windows, {sum(len(one.ids) for one in data)} tokens, {len(batches)} steps", flush=True)
    _run(ranker, data, lowered(ranker, data), batches, args)
    save(ranker, args.start, args.out)


def _kept(example: Example) -> bool:
    """A third of the biomedical windows: they are half of all words and have none of the personal pronouns."""
    return example.source != "craft" or fold(example.window.text, 3) == 0


def inputs(batch: Batch) -> tuple[torch.Tensor, ...]:
    """What the ranker takes."""
    parts = (batch.mask, batch.places, batch.anaphor, batch.candidate, batch.features)
    return tuple(torch.from_numpy(part).to(DEVICE) for part in parts)


def lowered(ranker: Ranker, data: Sequence[Read]) -> list[torch.Tensor]:
    """What the frozen layers make of each example, shape (tokens, hidden): the same in every epoch."""
    ranker.eval()
    found: list[torch.Tensor] = [torch.empty(0)] * len(data)
    for rows in cut(data, AT_ONCE, 0):
        batch = together([data[row] for row in rows])
        ids, mask = (torch.from_numpy(part).to(DEVICE) for part in (batch.ids, batch.mask))
        with torch.autocast(DEVICE, torch.bfloat16):
            made = ranker.lower(ids, mask).bfloat16()
        for row, one in zip(rows, made, strict=True):
            found[row] = one[: len(data[row].ids)].clone()
    return found


def _run(
    ranker: Ranker,
    data: Sequence[Read],
    lower: Sequence[torch.Tensor],
    batches: Sequence[Sequence[int]],
    args: argparse.Namespace,
) -> None:
    optimiser = torch.optim.AdamW(_groups(ranker, args), betas=(0.9, 0.98), weight_decay=0.01)
    rates = [group["lr"] for group in optimiser.param_groups]
    ranker.train()
    begun, total, tokens = time.monotonic(), 0.0, 0
    for step, rows in enumerate(batches[: args.steps]):
        batch = together([data[row] for row in rows])
        for group, rate in zip(optimiser.param_groups, rates, strict=True):
            group["lr"] = rate * min(1.0, (step + 1) / args.warm_up, (len(batches) - step) / len(batches))
        hidden = pad_sequence([lower[row] for row in rows], batch_first=True).float()
        labels, group = (torch.from_numpy(part).to(DEVICE) for part in (batch.labels, batch.group))
        loss = loss_of(ranker(hidden, *inputs(batch)), labels, group)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(ranker.parameters(), 1.0)
        optimiser.step()
        optimiser.zero_grad()
        total += float(loss.item())
        tokens += batch.ids.size
        if (step + 1) % EVERY == 0:
            rate = round(tokens / (time.monotonic() - begun))
            print({"step": step + 1, "loss": round(total / EVERY, 4), "tokens_a_second": rate}, flush=True)
            begun, total, tokens = time.monotonic(), 0.0, 0


def _groups(ranker: Ranker, args: argparse.Namespace) -> list[dict[str, object]]:
    head = [p for name, p in ranker.named_parameters() if not name.startswith("encoder.")]
    encoder = [p for p in ranker.encoder.parameters() if p.requires_grad]
    return [{"params": encoder, "lr": args.rate}, {"params": head, "lr": args.head_rate}]


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--examples", type=Path, required=True, help="file of training.coref.examples")
    parser.add_argument("--start", type=Path, required=True, help="folder with config, tokenizer and weights")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--layers", type=int, default=6, help="of the encoder, from below")
    parser.add_argument("--frozen", type=int, default=3, help="of these layers, from below")
    parser.add_argument(
        "--sources", nargs="+", default=SOURCES, choices=SOURCES, help="one that is named twice is read twice an epoch"
    )
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--steps", type=int, help="stop after so many, while the rate falls as if for all epochs")
    parser.add_argument("--rate", type=float, default=1e-4, help="of the encoder")
    parser.add_argument("--head-rate", type=float, default=1e-3)
    parser.add_argument("--warm-up", type=int, default=100, help="steps in which the rates rise")
    parser.add_argument("--tokens", type=int, default=1024, help="of a batch")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--parts", type=int, default=1, help="of the examples: one a process, see training.average")
    parser.add_argument("--part", type=int, default=0, help="which of them, from 0")
    return parser.parse_args()


if __name__ == "__main__":
    main()

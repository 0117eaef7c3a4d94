"""Train the entailment model on pairs: `python -m training.train --pairs F... --start FOLDER --out FOLDER`.

A BERT or MPNet with a three-way head reads premise and hypothesis as a pair. The loss is cross entropy; where only "not
entailed" is known, it is that of neutral and contradiction together. AdamW, a short warm-up, a constant rate, and a
linear fall to zero over the last part (`--fall`), so that a stage without a fall can be continued by another. The
embeddings are never trained, so that other models may share their table, nor are the lowest layers (`--frozen`), which
makes a step half as dear.

Takes a GPU where there is one, else the cores that OMP_NUM_THREADS allows: beside other work one core is much faster
than two that wait for each other. Products are in bfloat16 where that is faster. Deterministic for a seed on one
core: the order of pairs follows from the seed alone, how many of them are read in `--minutes` from the machine. Killed
at any moment it goes on from the last checkpoint when it is called again with the same arguments. One line a hundred
steps is appended to `log.jsonl` beside the weights, which are written in half precision when all steps are done.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import save_file
from tokenizers import Tokenizer

from training.model import COPIED, DEVICE, classifier, freeze, half
from training.pair import Pair, allowed, read

POOL = 64
"""Batches are cut from as many batches' pairs in order of length, so that next to nothing is padding."""
ENCODED = 4096
"""Pairs tokenised at once: what the tokeniser returns is many times what is kept."""
EVERY = 100
KEPT_EVERY = 600.0
"""Seconds between checkpoints."""


@dataclass(frozen=True, slots=True)
class Read:
    """A pair as token ids, with the ids' types, and the classes that its label allows."""

    ids: NDArray[np.int32]
    types: NDArray[np.int32]
    allowed: tuple[bool, ...]


def main() -> None:
    """Train, or go on training."""
    args = _arguments()
    args.out.mkdir(parents=True, exist_ok=True)
    pairs = [pair for path in args.pairs for pair in read(path)]
    random.Random(args.seed).shuffle(pairs)
    torch.manual_seed(args.seed)
    pairs = pairs[args.part :: args.parts]
    data = tokenised(pairs, args.start / "tokenizer.json", args.tokens)
    batches = list(_batches(data, args))
    model = classifier(args.start, args.dropout).to(DEVICE)
    freeze(model, args.frozen)
    optimiser = torch.optim.AdamW(_groups(model), lr=args.rate, betas=(0.9, 0.98), fused=True)
    kept = args.out / "checkpoint.pt"
    step, spent = _load(kept, model, optimiser)
    print(f"{len(pairs)} pairs, {len(batches)} steps, from step {step}", flush=True)
    _run(model, optimiser, data, batches, step, spent, args)
    save_file(half(model), args.out / "model.safetensors")
    for name in COPIED:
        shutil.copyfile(args.start / name, args.out / name)
    kept.unlink(missing_ok=True)


def tokenised(pairs: Sequence[Pair], tokenizer: Path, tokens: int) -> list[Read]:
    """As the model reads them: of a pair that is too long the premise loses its end."""
    reader = Tokenizer.from_file(str(tokenizer))
    reader.no_padding()
    reader.enable_truncation(tokens, strategy="longest_first")
    read: list[Read] = []
    for start in range(0, len(pairs), ENCODED):
        some = pairs[start : start + ENCODED]
        found = reader.encode_batch([(pair.premise, pair.hypothesis) for pair in some])
        read += [
            Read(np.array(one.ids, np.int32), np.array(one.type_ids, np.int32), allowed(pair.label))
            for one, pair in zip(found, some, strict=True)
        ]
    return read


@cache
def in_bf16() -> bool:
    """Whether products are faster in bfloat16: on a GPU, and on a processor where one product is, best of three."""
    if DEVICE == "cuda" or not torch.ops.mkldnn._is_mkldnn_bf16_supported():
        return DEVICE == "cuda"
    took = {}
    for kind in (torch.float32, torch.bfloat16):
        left, right = torch.ones(1024, 768, dtype=kind), torch.ones(768, 3072, dtype=kind)
        times = []
        for _ in range(3):
            begun = time.perf_counter()
            left @ right
            times.append(time.perf_counter() - begun)
        took[kind] = min(times)
    return took[torch.bfloat16] < took[torch.float32]


def loss_of(logits: torch.Tensor, may: torch.Tensor) -> torch.Tensor:
    """-log of the sum of the allowed classes' probabilities, the mean over pairs; both of shape (n, 3)."""
    logged = torch.log_softmax(logits, dim=1)
    return -torch.logsumexp(logged.masked_fill(~may, -torch.inf), dim=1).mean()


def padded(some: Sequence[Read]) -> dict[str, torch.Tensor]:
    """What the model takes: ids, types and mask, shape (n, longest)."""
    found = np.zeros((3, len(some), max(len(one.ids) for one in some)), np.int64)
    for row, one in enumerate(some):
        found[:, row, : len(one.ids)] = one.ids, one.types, np.ones_like(one.ids)
    names = ("input_ids", "token_type_ids", "attention_mask")
    return dict(zip(names, torch.from_numpy(found).to(DEVICE), strict=True))


def _run(
    model: torch.nn.Module,
    optimiser: torch.optim.Optimizer,
    data: Sequence[Read],
    batches: Sequence[Sequence[int]],
    step: int,
    spent: float,
    args: argparse.Namespace,
) -> None:
    model.train()
    begun = saved = time.monotonic()
    first = begun - spent
    seen, total = 0, torch.zeros((), device=DEVICE)
    for number in range(step, len(batches)):
        done = max(number / len(batches), (time.monotonic() - first) / 60 / args.minutes)
        if done >= 1:
            break
        some = [data[row] for row in batches[number]]
        for group in optimiser.param_groups:
            group["lr"] = args.rate * min((number + 1) / args.warm_up, _share(done, args.fall))
        total += _stepped(model, optimiser, some) * len(some)
        seen += len(some)
        if (number + 1) % EVERY == 0 or number + 1 == len(batches):
            rate = seen / (time.monotonic() - begun)
            line = {"step": number + 1, "loss": round(float(total) / seen, 4), "pairs_a_second": round(rate, 1)}
            with (args.out / "log.jsonl").open("a") as log:
                log.write(json.dumps(line) + "\n")
            print(line, flush=True)
            begun, seen, total = time.monotonic(), 0, torch.zeros_like(total)
        if time.monotonic() - saved > KEPT_EVERY:
            saved = time.monotonic()
            _save(args.out / "checkpoint.pt", model, optimiser, number + 1, saved - first)


def _stepped(model: torch.nn.Module, optimiser: torch.optim.Optimizer, some: Sequence[Read]) -> torch.Tensor:
    """One step on a batch; its loss before it."""
    with torch.autocast(DEVICE, torch.bfloat16, enabled=in_bf16()):
        logits = model(**padded(some)).logits.float()
    loss = loss_of(logits, torch.tensor([one.allowed for one in some], device=DEVICE))
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimiser.step()
    optimiser.zero_grad()
    return loss.detach()


def _batches(data: Sequence[Read], args: argparse.Namespace) -> Iterator[list[int]]:
    """Rows by batch for all epochs: of at most `tokens_at_once` tokens with padding, `pairs_at_once` pairs."""
    chance = random.Random(args.seed)
    left = round(args.epochs * len(data))
    while left > 0:
        order = list(range(len(data)))
        chance.shuffle(order)
        order, left = order[:left], left - len(order)
        pool = POOL * args.pairs_at_once
        cut: list[list[int]] = []
        for start in range(0, len(order), pool):
            some = sorted(order[start : start + pool], key=lambda row: len(data[row].ids))
            part = list(_cut(some, data, args))
            chance.shuffle(part)
            cut += part
        yield from cut


def _cut(rows: Sequence[int], data: Sequence[Read], args: argparse.Namespace) -> Iterator[list[int]]:
    batch: list[int] = []
    for row in rows:
        tokens = (len(batch) + 1) * len(data[row].ids)
        if batch and (len(batch) == args.pairs_at_once or tokens > args.tokens_at_once):
            yield batch
            batch = []
        batch.append(row)
    if batch:
        yield batch


def _share(done: float, fall: float) -> float:
    """Of the full rate after that share of the training."""
    return min(1.0, (1 - done) / fall) if fall else 1.0


def _groups(model: torch.nn.Module) -> list[dict[str, Any]]:
    """Matrices decay, biases and norms do not."""
    parts = [part for part in model.parameters() if part.requires_grad]
    return [
        {"params": [p for p in parts if p.ndim > 1], "weight_decay": 0.01},
        {"params": [p for p in parts if p.ndim < 2], "weight_decay": 0.0},
    ]


def _save(path: Path, model: torch.nn.Module, optimiser: torch.optim.Optimizer, step: int, spent: float) -> None:
    written = path.with_suffix(".part")
    state = {
        "model": model.state_dict(),
        "optimiser": optimiser.state_dict(),
        "step": step,
        "spent": spent,
    }
    torch.save(state, written)
    written.replace(path)


def _load(path: Path, model: torch.nn.Module, optimiser: torch.optim.Optimizer) -> tuple[int, float]:
    """The step to go on from, and the seconds spent before it."""
    if not path.exists():
        return 0, 0.0
    state = torch.load(path, map_location=DEVICE, weights_only=True)
    model.load_state_dict(state["model"])
    optimiser.load_state_dict(state["optimiser"])
    return int(state["step"]), float(state["spent"])


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--pairs", type=Path, nargs="+", required=True, help="files of training.nli, ...; one named twice is read twice"
    )
    parser.add_argument("--start", type=Path, required=True, help="folder with config, tokenizer and weights")
    parser.add_argument("--out", type=Path, required=True, help="folder for checkpoint, log and weights")
    parser.add_argument("--epochs", type=float, default=1.0)
    parser.add_argument("--rate", type=float, default=5e-5)
    parser.add_argument("--warm-up", type=int, default=30, help="steps in which the rate rises from 0")
    parser.add_argument("--fall", type=float, default=0.0, help="share of the steps in which the rate falls to 0")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="end after that time, if before the epochs")
    parser.add_argument("--frozen", type=int, default=4, help="lowest layers that are not trained")
    parser.add_argument("--tokens", type=int, default=192, help="of a pair; what is longer is cut")
    parser.add_argument("--tokens-at-once", type=int, default=2560, help="of a batch")
    parser.add_argument("--pairs-at-once", type=int, default=64, help="of a batch, at most")
    parser.add_argument("--dropout", type=float, default=0.0, help="worth it where pairs are read many times")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--parts", type=int, default=1, help="of the pairs: one a process, see training.average")
    parser.add_argument("--part", type=int, default=0, help="which of them, from 0")
    return parser.parse_args()


if __name__ == "__main__":
    main()

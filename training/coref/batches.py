"""Examples as arrays: token ids, the tokens of mentions, pairs with their features and labels. No torch here."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from claimgraph.detect.models.coreference import MAX_TOKENS, Ints, places
from training.coref.example import Example

POOL = 32
"""Batches are cut from as many batches' examples in order of length, so that little is padding."""


@dataclass(frozen=True, slots=True)
class Read:
    """An example in numbers. `places`: first, last and head token of each mention, shape (mentions, 3)."""

    ids: list[int]
    places: Ints
    anaphor: Ints
    candidate: Ints
    features: Ints
    labels: NDArray[np.int8]


def numbered(examples: Sequence[Example], tokenizer: Path) -> list[Read]:
    """The examples as the model reads them, in order."""
    reader = Tokenizer.from_file(str(tokenizer))
    reader.no_padding()
    reader.enable_truncation(MAX_TOKENS)
    found = reader.encode_batch([example.window.text for example in examples])
    return [_numbered(example, one.ids, one.offsets) for example, one in zip(examples, found, strict=True)]


def _numbered(example: Example, ids: list[int], offsets: list[tuple[int, int]]) -> Read:
    window = example.window
    at = places(window.spans, offsets)
    return Read(ids, at, window.anaphor, window.candidate, window.features, example.labels)


@dataclass(frozen=True, slots=True)
class Batch:
    """Several examples together: `ids` and `mask` of shape (n, width); mentions and anaphors are numbered through.

    `places` counts tokens through the padded rows. `group`: the number of each pair's anaphor among all, from 0.
    """

    ids: Ints
    mask: Ints
    places: Ints
    anaphor: Ints
    candidate: Ints
    features: Ints
    labels: NDArray[np.int8]
    group: Ints


def together(some: Sequence[Read]) -> Batch:
    """One batch of the examples."""
    width = max(len(one.ids) for one in some)
    ids = np.array([one.ids + [0] * (width - len(one.ids)) for one in some], np.int64)
    mask = np.array([[1] * len(one.ids) + [0] * (width - len(one.ids)) for one in some], np.int64)
    before = np.cumsum([0, *(len(one.places) for one in some)])[:-1]
    places = np.concatenate([one.places + row * width for row, one in enumerate(some)])
    anaphor = np.concatenate([one.anaphor + more for one, more in zip(some, before, strict=True)])
    candidate = np.concatenate([one.candidate + more for one, more in zip(some, before, strict=True)])
    features = np.concatenate([one.features for one in some])
    labels = np.concatenate([one.labels for one in some])
    group = np.cumsum(np.concatenate([[0], anaphor[1:] != anaphor[:-1]]).astype(np.int64))
    return Batch(ids, mask, places, anaphor, candidate, features, labels, group)


def cut(data: Sequence[Read], tokens: int, seed: int) -> Iterator[list[int]]:
    """Rows by batch for one epoch, each of at most `tokens` tokens with padding."""
    chance = random.Random(seed)
    order = list(range(len(data)))
    chance.shuffle(order)
    size = POOL * max(1, tokens * len(data) // max(1, sum(len(one.ids) for one in data)))
    cuts: list[list[int]] = []
    for start in range(0, len(order), size):
        cuts += _by_length(sorted(order[start : start + size], key=lambda row: len(data[row].ids)), data, tokens)
    chance.shuffle(cuts)
    yield from cuts


def _by_length(rows: Sequence[int], data: Sequence[Read], tokens: int) -> Iterator[list[int]]:
    batch: list[int] = []
    for row in rows:
        if batch and (len(batch) + 1) * len(data[row].ids) > tokens:
            yield batch
            batch = []
        batch.append(row)
    if batch:
        yield batch

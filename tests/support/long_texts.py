"""Texts of any length with their claims, and models that cost nothing: what long texts cost beside models."""

from __future__ import annotations

import hashlib
import random
import zlib

import numpy as np

from claimgraph.detect.check_input import Case
from claimgraph.detect.extraction.claim_kg import claim_kg
from claimgraph.evidence.evidence_set import passages_of
from claimgraph.kgstore.identity import claim_id, document_id
from claimgraph.kgstore.model import Claim, Document, Extraction, Span

_VERBS = ("founded", "joined", "left", "praised", "visited", "described")


class HashedWords:
    """An embedder without a model: a text is the sum of its words' numbers."""

    model = "words"

    def embed(self, texts):
        """Unit vectors by words."""
        found = np.full((len(texts), 64), 0.01, np.float32)
        for row, text in enumerate(texts):
            for word in text.lower().split():
                found[row, zlib.crc32(word.encode()) % 64] += 1
        return found / np.linalg.norm(found, axis=1, keepdims=True)


class HashedPairs:
    """An entailment model without a model: any answers, the same for the same pair."""

    model = "pairs"

    def entail(self, pairs):
        """Probabilities by the pair's hash."""
        digests = [hashlib.md5(repr(pair).encode()).digest()[:3] for pair in pairs]
        found = np.array([list(digest) for digest in digests], np.float32).reshape(-1, 3) + 1
        return found / found.sum(axis=1, keepdims=True)


def reading(sentences, seed):
    """An extraction of a text of so many sentences, a claim each: names that grow with the text, and six verbs."""
    rng = random.Random(seed)
    parts, claims, start = [], [], 0
    for number in range(sentences):
        words = (f"Ann{rng.randrange(number + 1)}", rng.choice(_VERBS), f"Club{number} in {1900 + number % 100}")
        text = f"{' '.join(words)}."
        parts.append((text, words, Span(start, start + len(text))))
        start += len(text) + 1
    document = Document(document_id(joined := " ".join(text for text, *_ in parts)), joined)
    for text, words, span in parts:
        key = claim_id(document.id, span.start, span.end, *words)
        claims.append(Claim(key, document.id, *words, text=text, span=span, statement=text))
    return Extraction(document, tuple(span for *_, span in parts), tuple(claims))


def long_case(sentences):
    """A text and a context of so many sentences each, most of them alike."""
    ours, theirs = reading(sentences, 1), reading(sentences, 2)
    passages = passages_of(theirs.document, theirs.sentences, "context")
    facts = claim_kg(theirs, "context")
    return Case(ours.claims, facts, passages, True, ours.document.text, ours.sentences)

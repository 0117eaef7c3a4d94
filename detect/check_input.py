"""What every detection method is given and gives back: one document's claims beside their evidence, many at a time.

Methods take many cases in one call, so that embeddings and model scores are computed in one batched stream over all
documents. One call a document was rejected: an entailment model then runs on batches of three pairs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from claimgraph.kgstore.model import Claim, Finding, Link, Passage, Span, Subgraph


@dataclass(frozen=True, slots=True)
class Case:
    """One document beside what it is checked against.

    `text` and `sentences` are the document's; `passages` are the sentences of a context in order, or descriptions of
    entities; `closed` says that facts and passages are all there is. `links` is None where nothing was to be linked.
    `incomplete` are ids of entities of whose facts only a part was fetched. `graph` is the claim KG, its facts parallel
    to the claims; None where the claims' words are all there is.
    """

    claims: tuple[Claim, ...]
    facts: Subgraph
    passages: tuple[Passage, ...]
    closed: bool
    text: str = ""
    sentences: tuple[Span, ...] = ()
    links: tuple[Link, ...] | None = None
    incomplete: frozenset[str] = frozenset()
    graph: Subgraph | None = None


@dataclass(frozen=True, slots=True)
class Linked:
    """What a claim's ends were linked to: entity ids by role (one a graph, where graphs know a thing by ids of their
    own), and whether the subject was looked for in vain."""

    ids: Mapping[str, frozenset[str]]
    subject_is_nil: bool


def linked(claim: Claim, links: Sequence[Link] | None) -> Linked:
    """What one claim's ends were linked to."""
    ours = [link for link in links or () if link.claim == claim.id]
    found = [(link.role, link.entity.id) for link in ours if link.entity]
    ids = {role: frozenset(key for other, key in found if other == role) for role, _ in found}
    return Linked(ids, any(link.role == "subject" and link.entity is None for link in ours))


class Detector(Protocol):
    """A method with its preset. `config` is JSON that fixes the findings for given input; it names preset and models,
    and as `notes` what a reader must know of them.

    Each finding has the signal (`name`, "hallucination"): how much speaks for a hallucination, in [0, 1], None where
    the method could not tell.
    """

    name: str
    config: str

    def detect(self, cases: Sequence[Case]) -> list[list[Finding]]:
        """One list a case, in order, with one finding a claim, in order."""
        ...

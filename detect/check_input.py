"""Define the input and output of every detection method: the claims of many documents beside their evidence.

Methods take many cases in one call, so that embeddings and model scores are computed in one batched stream over all
documents. One call per document was rejected: an entailment model would run on batches of three pairs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from claimgraph.kgstore.model import Claim, Finding, Link, Passage, Span, Subgraph


@dataclass(frozen=True, slots=True)
class Case:
    """A document and the evidence that it is checked against.

    `text` and `sentences` are the document's; `passages` are the sentences of a context in order, or descriptions of
    entities; `closed` says that facts and passages are the complete evidence. `links` is None where nothing was to be
    linked. `incomplete` are ids of entities of which only a part of the facts was fetched. `graph` is the claim KG, its
    facts parallel to the claims; None where only the claims' words are known. `given`: claims and facts were given as
    triples, not read from texts.
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
    given: bool = False


@dataclass(frozen=True, slots=True)
class Linked:
    """The links of a claim: entity ids by role (one per graph, where graphs use ids of their own), and whether linking
    the subject gave NIL.
    """

    ids: Mapping[str, frozenset[str]]
    subject_is_nil: bool


def linked(claim: Claim, links: Sequence[Link] | None) -> Linked:
    """Return the links of one claim."""
    return all_linked([claim], links)[0]


def all_linked(claims: Sequence[Claim], links: Sequence[Link] | None) -> list[Linked]:
    """Return the links of each claim."""
    groups: dict[str, list[Link]] = {}
    for link in links or ():
        groups.setdefault(link.claim, []).append(link)
    return [_linked(groups.get(claim.id, ())) for claim in claims]


def _linked(ours: Sequence[Link]) -> Linked:
    found = [(link.role, link.entity.id) for link in ours if link.entity]
    ids = {role: frozenset(key for other, key in found if other == role) for role, _ in found}
    return Linked(ids, any(link.role == "subject" and link.entity is None for link in ours))


class Detector(Protocol):
    """A detection method with its preset. `config` is JSON that determines the findings for given input: it names
    preset and models, and has caveats for the reader as `notes`.

    Each finding has the signal (`name`, "hallucination"): the strength of the evidence for a hallucination, in [0, 1],
    None where the method could not decide.
    """

    name: str
    config: str

    def detect(self, cases: Sequence[Case]) -> list[list[Finding]]:
        """Return one list per case, in order, with one finding per claim, in order."""
        ...

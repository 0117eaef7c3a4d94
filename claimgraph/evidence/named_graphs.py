"""Stored graphs for KGR by a language model: entities are looked up by the names that the model gives.

A name is linked in the claim's place: as its subject or as its object, whichever it is written in, so linking sees what
it always sees. A name that is written in neither is none of the claim's, whoever gave it, and is not looked up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from claimgraph.detect.text.words import content
from claimgraph.evidence.graphs import StoredGraphs
from claimgraph.kgstore.model import Claim, Link, Subgraph

_ROLES = ("subject", "object")


class NamedGraphs:
    """Implements claimgraph.detect.repair.kgr.llm_stages.Graphs over stored graphs."""

    def __init__(self, known: StoredGraphs) -> None:
        self._known, self.scope = known, known.scope
        self.versions: Mapping[str, str] = known.versions

    def named(self, claims: Sequence[Claim], names: Sequence[Sequence[str]]) -> tuple[Link, ...]:
        """Return links of the named entities by claim, role and name, in the given order; dates and numbers have none.

        One NIL stands for a role of whose names no graph knows any, and as subject for a claim that has no name.
        """
        asked = [
            (claim, role, _in_place(claim, role, name, at))
            for claim, given in zip(claims, names, strict=True)
            for at, name in enumerate(given)
            if (role := _role(claim, name))
        ]
        links = self._known.links([place for _, _, place in asked])
        found: dict[tuple[str, str], list[Link]] = {}
        for claim, role, place in asked:
            mine = [replace(one, claim=claim.id) for one in links if (one.claim, one.role) == (place.id, role)]
            found.setdefault((claim.id, role), []).extend(mine)
        return tuple(link for claim in claims for link in _of(claim, found))

    def facts(self, claims: Sequence[Claim], links: Sequence[Link]) -> Subgraph:
        """Return the facts between and around the linked entities."""
        return self._known.facts(claims, links)

    def incomplete(self, links: Sequence[Link]) -> frozenset[str]:
        """Return the linked entities of whose facts only a part was fetched."""
        return self._known.incomplete(links)


def _in_place(claim: Claim, role: str, name: str, at: int) -> Claim:
    """Return the claim with the name alone as one of its ends, under an id of its own."""
    subject, object = (name, claim.object) if role == "subject" else (claim.subject, name)
    return replace(claim, id=f"{claim.id}/{at}", subject=subject, object=object)


def _role(claim: Claim, name: str) -> str | None:
    """Return the role whose words have more of the name's, ties to the subject; None where neither has any."""
    words = set(content(name))
    said = {"subject": claim.subject, "object": claim.object}
    shared = {role: len(words & set(content(said[role]))) for role in _ROLES}
    best = max(_ROLES, key=lambda role: shared[role])
    return best if shared[best] else None


def _of(claim: Claim, found: dict[tuple[str, str], list[Link]]) -> list[Link]:
    """Return the links of one claim; of a role's NILs the first, where nothing else is there."""
    kept: list[Link] = []
    for role in _ROLES:
        ours = list({one.entity.id if one.entity else None: one for one in found.get((claim.id, role), ())}.values())
        kept += [one for one in ours if one.entity] or ours[:1]
    return kept or [Link(claim.id, "subject", claim.subject, None, 0.0, 0.0)]

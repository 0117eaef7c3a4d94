"""Link mentions to entities or NIL: find the node of the world graphs that a claim is about.

Candidates come from the full-text index and are scored by their features (features.py). A mention without candidates
is a recorded NIL, since a wrong link turns into a wrong verdict. Over several graphs that keep their own ids, equal
entities tie (`wd:Q90` and `dbr:Paris`) and the smaller id wins: to have the best of each graph, link once for each.
Embedding all entities was rejected: a world graph has millions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from claimgraph.kgstore.model import Claim, Embedder, Entity, Link, Span
from claimgraph.kgstore.store import EntityIndex
from claimgraph.kgstore.values import literals
from claimgraph.retrieval.linking.candidates import CANDIDATES, EntityMention
from claimgraph.retrieval.linking.features import FEATURES, FeatureTable, logistic, tables
from claimgraph.retrieval.linking.name_similarity import Words, name_words
from claimgraph.retrieval.linking.short_names import full_names, of_person

NIL_BELOW = 0.5
"""A best score below this is NIL: more likely wrong than right."""

_CONTEXT = {
    "one": -8.18,
    "like": 0.19,
    "exact": 3.13,
    "sole": 2.63,
    "alias": -0.03,
    "case": -1.0,
    "verbatim": 0.76,
    "context": 5.35,
    "prior": 0.33,
}
WEIGHTS: Mapping[str, Mapping[str, float]] = {
    "name": {"one": -5.75, "like": 1.49, "exact": 5.23, "alias": -0.74, "case": -1.33, "verbatim": 0.74},
    "context": _CONTEXT,
    "types": {**_CONTEXT, "agreement": 1.0},
}
"""Weights of the features by preset: each has those of the preset before it and one kind more.

Those of "name" and "context" are fitted. FewRel is too easy to fit that of "agreement" (0.1 to 1.2 on its parts): it is
set so that it separates the rivals of a name and changes nothing else.
"""

DEFAULT = "types"


@dataclass(frozen=True, slots=True)
class Candidate:
    """An entity that a text may name; `score` in [0, 1], `span` the code points of a question that name it."""

    entity: Entity
    score: float
    span: Span | None = None


class _Role(NamedTuple):
    claim: Claim
    role: str
    text: str

    @property
    def key(self) -> tuple[str, Words]:
        return self.claim.document, name_words(self.text)


def rank(
    mention: str,
    sentence: str,
    index: EntityIndex,
    embedder: Embedder,
    limit: int = CANDIDATES,
    preset: str = DEFAULT,
) -> list[Candidate]:
    """Return at most `limit` entities the mention may mean in its sentence, best first; ties go to the smaller id."""
    [table] = tables([EntityMention(mention, (sentence,))], index, embedder)
    return ranked(table, preset)[:limit]


def link(claims: Sequence[Claim], index: EntityIndex, embedder: Embedder, preset: str = DEFAULT) -> list[Link]:
    """Return links of subject and object of each claim, in that order; an object that is a date or a quantity has none.

    Claims of one document are linked together: equal names are one mention, and a surname or an acronym takes the link
    of the full name before it. Score and margin are of the best candidate; a link is made from NIL_BELOW on, ties going
    to the smaller id.
    """
    roles = [_Role(claim, role, text) for claim in claims for role, text in _arguments(claim)]
    found: dict[tuple[str, Words], list[Candidate]] = {}
    for document in dict.fromkeys(role.claim.document for role in roles):
        found |= _linked([role for role in roles if role.claim.document == document], index, embedder, preset)
    return [_best(role, found[role.key]) for role in roles]


def ranked(table: FeatureTable, preset: str = DEFAULT) -> list[Candidate]:
    """Return the candidates of a table with their scores, best first, ties by id."""
    scores = logistic(table.features, WEIGHTS[preset], FEATURES)
    found = [Candidate(one.entity, float(score)) for one, score in zip(table.named, scores, strict=True)]
    return sorted(found, key=lambda candidate: (-candidate.score, candidate.entity.id))


def _arguments(claim: Claim) -> Iterable[tuple[str, str]]:
    yield "subject", claim.subject
    if literals.parse(claim.object) is None:
        yield "object", claim.object


def _linked(
    roles: Sequence[_Role], index: EntityIndex, embedder: Embedder, preset: str
) -> dict[tuple[str, Words], list[Candidate]]:
    """Return the candidates of each name of one document."""
    groups: dict[tuple[str, Words], list[_Role]] = {}
    for role in sorted(roles, key=_place):
        groups.setdefault(role.key, []).append(role)
    mentions = [_mention(group) for group in groups.values()]
    found = [ranked(table, preset) for table in tables(mentions, index, embedder)]
    by_name = {mention.text: candidates for mention, candidates in zip(mentions, found, strict=True)}
    short = full_names(list(by_name), lambda name: _may_be_person(by_name[name], index))
    return {key: by_name[short.get(mention.text, mention.text)] for key, mention in zip(groups, mentions, strict=True)}


def _place(role: _Role) -> int:
    span = role.claim.subject_span if role.role == "subject" else role.claim.object_span
    return (span or role.claim.span).start


def _mention(group: Sequence[_Role]) -> EntityMention:
    first = group[0]
    sentences = tuple(dict.fromkeys(role.claim.text for role in group))
    return EntityMention(first.text, sentences, first.role, first.claim.predicate)


def _may_be_person(candidates: Sequence[Candidate], index: EntityIndex) -> bool:
    """Return whether the best candidate's relations are a person's, or say nothing about its type."""
    if not candidates or candidates[0].score < NIL_BELOW:
        return True
    relations = [relation.name for relation in index.relations([candidates[0].entity.id], away=True)]
    return of_person(relations) or not relations


def _best(role: _Role, candidates: Sequence[Candidate]) -> Link:
    best = candidates[0].score if candidates else 0.0
    second = candidates[1].score if len(candidates) > 1 else 0.0
    entity = candidates[0].entity if best >= NIL_BELOW else None
    return Link(role.claim.id, role.role, role.text, entity, best, best - second)

"""Fetch the facts between and around the linked entities of a text, which its claims are checked against.

Facts between come first: those that join two linked entities, and paths of two facts between the ends of a claim. A hub
has millions of facts around it and a claim needs a few, so its relations are ranked by similarity to the claims about
it, and facts are fetched by relation until there are enough. The first facts by id were rejected: a country's capital
comes after thousands of its citizens. Eight queries a text, whatever its length.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from claimgraph.kgstore.model import Claim, Fact, Link, Subgraph
from claimgraph.kgstore.store import NeighbourIndex, Relation

AROUND = 50
"""Most facts fetched around an entity in each direction."""
SAMPLE = 10
"""Facts fetched of a relation that has more than there is room for."""
HUB = 20_000
"""An entity in more facts than this is walked outwards only: counting its incoming facts would take seconds."""
THROUGH = 500
"""Most neighbours searched for paths."""
CONTAINERS = ("wd:P17", "wd:P131", "dbo:country")
"""Relations of what an end's neighbours lie in: country, administrative unit."""
PATHS = 8
"""Second facts of paths kept for a pair of ends in each direction."""

Nearness = Callable[[Sequence[Claim], Sequence[str]], NDArray[np.float32]]
"""Similarity of claims with relation names: shape (claims, relations), in [-1, 1]."""


def neighbourhood(claims: Sequence[Claim], links: Sequence[Link], view: NeighbourIndex, nearness: Nearness) -> Subgraph:
    """Return facts between and around the entities that the claims are linked to; empty where nothing is linked.

    Around: up to AROUND facts an entity and direction, whole relations in the order of their nearness to a claim that
    names the entity (ties by predicate id), SAMPLE of those with more facts than there is room for, and one fact of
    each relation that both ends of a claim have. Paths: of claims whose ends are both linked, through a neighbour
    fetched so.
    """
    about = _claims_about(claims, links)
    entities = sorted(about)
    if not entities:
        return Subgraph({}, ())
    between = view.facts_joining(entities, entities)
    pairs = _pairs(links)
    around = _around(claims, about, pairs, view, nearness)
    paths = _paths(pairs, around, view)
    return view.subgraph([*between, *around, *paths])


def _claims_about(claims: Sequence[Claim], links: Sequence[Link]) -> dict[str, list[int]]:
    """Return the rows of the claims that name each entity."""
    row = {claim.id: at for at, claim in enumerate(claims)}
    about: dict[str, list[int]] = defaultdict(list)
    for link in links:
        if link.entity:
            about[link.entity.id].append(row[link.claim])
    return about


def _around(
    claims: Sequence[Claim],
    about: Mapping[str, Sequence[int]],
    pairs: set[tuple[str, str]],
    view: NeighbourIndex,
    nearness: Nearness,
) -> list[Fact]:
    degrees = view.degrees(sorted(about))
    walked = {True: sorted(about), False: [entity for entity in sorted(about) if degrees.get(entity, 0) <= HUB]}
    found = {away: view.relations(entities, away=away) for away, entities in walked.items()}
    names = sorted({relation.name for relations in found.values() for relation in relations})
    near = nearness(claims, names)
    column = {name: at for at, name in enumerate(names)}
    facts: list[Fact] = []
    for away, relations in found.items():
        score = {r: float(near[about[r.entity], column[r.name]].max()) for r in relations}
        whole, sampled = _chosen(score)
        facts += view.facts_along(whole, away=away, limit=AROUND) if whole else []
        facts += view.facts_along(sampled, away=away, limit=SAMPLE) if sampled else []
    kinds = _kinds(pairs, found, facts)
    return facts + (view.facts_along(kinds, away=False, limit=1) if kinds else [])


_Wanted = list[tuple[str, Sequence[str]]]


def _kinds(
    pairs: set[tuple[str, str]], found: Mapping[bool, Sequence[Relation]], facts: Sequence[Fact]
) -> list[tuple[str, Sequence[str]]]:
    """Return relations of one end of a claim that also lead into the other end and are not among the facts.

    One fact of each shows that the other end is of the kind that the relation takes.
    """
    out, into = (_predicates(found[away]) for away in (True, False))
    seen = {(fact.object, fact.predicate) for fact in facts}
    missing = {(o, p) for s, o in pairs for p in out.get(s, set()) & into.get(o, set())} - seen
    return [(entity, [predicate]) for entity, predicate in sorted(missing)]


def _predicates(relations: Sequence[Relation]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for relation in relations:
        found[relation.entity].add(relation.predicate)
    return found


def _chosen(score: Mapping[Relation, float]) -> tuple[_Wanted, _Wanted]:
    """Return the predicates to fetch whole, and those to fetch a sample of, by entity."""
    whole: dict[str, list[str]] = defaultdict(list)
    sampled: _Wanted = []
    room: dict[str, int] = {}
    for relation in sorted(score, key=lambda r: (r.entity, -score[r], r.predicate)):
        left = room.get(relation.entity, AROUND)
        if relation.facts <= left:
            whole[relation.entity].append(relation.predicate)
        elif left >= SAMPLE:
            sampled.append((relation.entity, [relation.predicate]))
        else:
            continue
        room[relation.entity] = left - (relation.facts if relation.facts <= left else SAMPLE)
    return list(whole.items()), sampled


def _pairs(links: Sequence[Link]) -> set[tuple[str, str]]:
    """Return linked subject and object of each claim, in both orders."""
    ends: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for link in links:
        if link.entity:
            ends[link.claim][link.role].append(link.entity.id)
    found = {(s, o) for roles in ends.values() for s in roles["subject"] for o in roles["object"] if s != o}
    return found | {(o, s) for s, o in found}


def _paths(pairs: set[tuple[str, str]], around: Sequence[Fact], view: NeighbourIndex) -> Iterator[Fact]:
    """Yield facts from a neighbour of one end of a claim into the other end, and into what it lies in."""
    beside: dict[str, dict[str, None]] = defaultdict(dict)
    for fact in around:
        beside[fact.subject][fact.object] = None
        beside[fact.object][fact.subject] = None
    ends = {end for pair in pairs for end in pair}
    places = sorted({fact.object for fact in around if fact.subject in ends} - ends)[:THROUGH]
    if places:
        yield from view.facts_along([(place, CONTAINERS) for place in places], away=True, limit=PATHS)
    through = dict.fromkeys(other for end in sorted(ends) for other in beside[end] if other not in ends)
    if not through:
        return
    joins: dict[str, list[Fact]] = defaultdict(list)
    for fact in view.facts_joining(list(islice(through, THROUGH)), sorted(ends)):
        joins[fact.object].append(fact)
    for one, other in sorted(pairs):
        yield from islice((fact for fact in joins[other] if fact.subject in beside[one]), PATHS)

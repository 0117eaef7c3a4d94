"""A small world whose facts follow from each other, as arrays; and a slow, obvious oracle of its paths."""

from __future__ import annotations

from random import Random

from claimgraph.kgstore.arrays.export import assemble
from claimgraph.kgstore.arrays.graph import GraphArrays
from claimgraph.kgstore.naming import relation_name

Fact = tuple[str, str, str]

COUNTRIES, CITIES, PEOPLE = 4, 12, 160


def world(seed: int = 0) -> list[Fact]:
    """People are born in a city, are citizens of its country, speak its language, and work as one or two things."""
    random = Random(seed)
    facts = [(f"city{i}", "located_in", f"country{i % COUNTRIES}") for i in range(CITIES)]
    for i in range(PEOPLE):
        city = random.randrange(CITIES)
        country = city % COUNTRIES
        facts += [
            (f"person{i}", "birth_place", f"city{city}"),
            (f"person{i}", "citizen_of", f"country{country}"),
            (f"person{i}", "speaks", f"language{country}"),
        ]
        facts += [(f"person{i}", "works_as", f"job{job}") for job in random.sample(range(6), random.choice((1, 2)))]
        facts.append((f"person{i}", "befriends", f"person{random.randrange(PEOPLE)}"))
    return sorted(set(facts))


def arrays(facts: list[Fact], graph: str = "w") -> GraphArrays:
    """Facts as arrays; ids are `graph:key`, names the keys."""
    ids = [(f"{graph}:{s}", f"{graph}:{p}", f"{graph}:{o}") for s, p, o in facts]
    names = {f"{graph}:{end}": end for fact in facts for end in (fact[0], fact[2])}
    relations = {key: relation_name(key) for _, key, _ in ids}
    return assemble("v1", [(f"f{i:05}", *fact) for i, fact in enumerate(ids)], names, relations)


def oracle_paths(
    facts: set[tuple[int, int, int]], predicates: int, fact: tuple[int, int, int]
) -> set[tuple[int, int, int]]:
    """First relation, second relation, node between of the paths from a fact's subject to its object, -1 for none."""
    steps = {(s, p, o) for s, p, o in facts} | {(o, p + predicates, s) for s, p, o in facts}
    subject, predicate, object = fact
    found = {(r, -1, -1) for a, r, b in steps if (a, b) == (subject, object) and r != predicate}
    for a, first, middle in steps:
        if a == subject and middle not in (subject, object):
            found |= {(first, r, middle) for m, r, b in steps if (m, b) == (middle, object)}
    return found

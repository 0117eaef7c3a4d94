"""Groups of pairs whose premises are facts of a graph, said as the detectors say them, and whose claims are triples."""

from __future__ import annotations

import gzip
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from claimgraph.detect.compare.relations import VERBALISERS, sentence
from claimgraph.detect.text.words import content
from claimgraph.kgstore.model import Triple
from training.pair import NOT_ENTAILMENT, Pair, rows
from training.relations import INVERSE, ONE_VALUE, SYMMETRIC, confused, said
from training.sentences import Group

SOURCE = "made-graph"
LENGTHS = ((20, 60), (60, 90), (60, 90))
"""Words of a premise: the detectors' windows of facts have 90."""
BETWEEN_SAME = 0.05
"""A relation whose heads are tails of it too, at least so many, is one between things of a kind."""
EACH = 3
"""Claims made of an entity at most."""


@dataclass(frozen=True, slots=True)
class Graph:
    """`facts` to make pairs from, and all that is `known` to hold, of which the facts are a part."""

    name: str
    facts: Mapping[str, Sequence[Triple]]
    known: frozenset[Triple]


def graph(name: str, train: Iterable[Triple], known: Iterable[Triple]) -> Graph:
    """With the facts by their heads."""
    by_head = defaultdict(list)
    for fact in train:
        by_head[fact.subject].append(fact)
    return Graph(name, by_head, frozenset(known) | frozenset(fact for some in by_head.values() for fact in some))


def codex(folder: Path) -> Graph:
    """CoDEx-M to make pairs from; known is also what CoDEx-S and the labelled triples say."""
    labels = {row["qid"]: row["label"] or "" for row in rows(folder / "codex" / "entities.jsonl.gz")}
    with (folder / "codex" / "relations.jsonl").open() as file:
        labels |= _relations(file)
    facts = list(_read(folder / "codex" / "codex_m_triples.tsv.gz", labels))
    more = [fact for name in ("codex_s_triples", "codex_m_classification", "codex_s_classification")
            for _, fact in _read(folder / "codex" / f"{name}.tsv.gz", labels)]  # fmt: skip
    return graph("codex", (fact for split, fact in facts if split == "train"), [*(fact for _, fact in facts), *more])


def dbpedia(folder: Path) -> Graph:
    """DBpedia50, names as they are read."""
    facts = list(_read(folder / "dbpedia50" / "triples.tsv.gz", None))
    return graph("dbpedia", (fact for split, fact in facts if split == "train"), (fact for _, fact in facts))


def freebase(folder: Path) -> Graph:
    """FB15k-237, those relations that can be said."""
    labels = {row["mid"]: row["label"] or "" for row in rows(folder / "fb15k237" / "entities.jsonl.gz")}
    facts = list(_read(folder / "fb15k237" / "triples.tsv.gz", labels))
    return graph("freebase", (fact for split, fact in facts if split == "train"), (fact for _, fact in facts))


def _relations(lines: Iterable[str]) -> dict[str, str]:
    return {row["pid"]: row["label"] for row in map(json.loads, lines)}


def _read(path: Path, labels: Mapping[str, str] | None) -> Iterator[tuple[str, Triple]]:
    """Split and triple of each row that can be said; what is labelled false is left out."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        next(file)
        for line in file:
            head, relation, tail, split, *label = line.rstrip("\n").split("\t")
            if labels is None:
                names = head.replace("_", " "), said(relation), tail.replace("_", " ")
            else:
                names = labels.get(head, ""), said(labels.get(relation, relation)), labels.get(tail, "")
            if names[0] and names[1] and names[2] and label != ["0"] and len(" ".join(map(str, names))) < 150:
                yield split, Triple(names[0], names[1], names[2])


def groups(source: Graph, most: int, random: Random) -> Iterator[Group]:
    """Of so many entities at most."""
    maker = _Maker(source, random)
    heads = sorted(head for head, facts in source.facts.items() if len(facts) > 1)
    random.shuffle(heads)
    for head in heads[:most]:
        yield from maker.of(head)


class _Maker:
    def __init__(self, source: Graph, random: Random) -> None:
        self._graph = source
        self._random = random
        self._heads = sorted(source.facts)
        tails, heads = defaultdict(set), defaultdict(set)
        for fact in source.known:
            tails[fact.predicate].add(fact.object)
            heads[fact.predicate].add(fact.subject)
        self._tails = {relation: sorted(some) for relation, some in tails.items()}
        self._even = {
            r for r in tails if len(tails[r] & heads[r]) >= BETWEEN_SAME * len(tails[r]) and r not in SYMMETRIC
        }

    def of(self, head: str) -> Iterator[Group]:
        """Claims of an entity with an even choice of its relations, for occupations are a third of all facts."""
        facts = self._graph.facts[head]
        relations = sorted({fact.predicate for fact in facts})
        for relation in self._random.sample(relations, min(EACH, len(relations))):
            fact = self._random.choice([one for one in facts if one.predicate == relation])
            say = VERBALISERS[self._random.choice(["joined", "sentence"])]
            premise = self._premise(fact)
            others = [self._swapped, self._swapped, self._missing, self._turned, self._related]
            self._random.shuffle(others)
            for make in others:
                if made := make(fact, premise):
                    document = f"{self._graph.name}:{head}"
                    yield [Pair(" ".join(map(sentence, p)), say(c), label, SOURCE, document) for p, c, label in made]
                    break

    def _premise(self, fact: Triple) -> list[Triple]:
        """The fact among others of its head, and of entities that have the same relation."""
        least, most = self._random.choice(LENGTHS)
        wanted = self._random.randint(least, most)
        found = [one for one in self._graph.facts[fact.subject] if one != fact]
        self._random.shuffle(found)
        if self._random.random() < 0.5 or len(found) < 4:
            found = [*found[:6], *self._alike(fact)]
        self._random.shuffle(found)
        kept, size = [fact], _size(fact)
        for one in found:
            if size + _size(one) <= wanted:
                kept.append(one)
                size += _size(one)
        self._random.shuffle(kept)
        return kept

    def _alike(self, fact: Triple) -> list[Triple]:
        """Facts of other entities, a part of which have the relation too."""
        found: list[Triple] = []
        for head in self._random.sample(self._heads, 12):
            facts = self._graph.facts[head]
            same = [one for one in facts if one.predicate == fact.predicate]
            found += (same or self._random.sample(facts, 1))[:2] if head != fact.subject else []
        return found

    def _swapped(self, fact: Triple, premise: Sequence[Triple]) -> list[tuple[list[Triple], Triple, str]] | None:
        """Another tail, if it can be one that the premise names; and the same in a premise that says so."""
        near = sorted({one.object for one in premise if one.predicate == fact.predicate} - {fact.object})
        far = self._random.sample(self._tails[fact.predicate], min(12, len(self._tails[fact.predicate])))
        others = [Triple(fact.subject, fact.predicate, tail) for tail in [*near[:2], *far]]
        fitting = [one for one in others if self._false(one, fact) and not _hinted(one, premise)]
        if not fitting:
            return None
        wrong = fitting[0]
        label = "contradiction" if fact.predicate in ONE_VALUE else NOT_ENTAILMENT
        other = [wrong if one == fact else one for one in premise]
        made = [(list(premise), fact, "entailment"), (list(premise), wrong, label)]
        return [*made, (other, wrong, "entailment"), (other, fact, label)] if self._random.random() < 0.5 else made

    def _false(self, triple: Triple, fact: Triple) -> bool:
        """Whether nothing known says so, and the new tail is no other name of the old."""
        return triple not in self._graph.known and not set(content(triple.object)) & set(content(fact.object))

    def _missing(self, fact: Triple, premise: Sequence[Triple]) -> list[tuple[list[Triple], Triple, str]] | None:
        """A premise without the fact, in which no other ties its ends together."""
        rest = [one for one in premise if {one.subject, one.object} != {fact.subject, fact.object}]
        if sum(map(_size, rest)) < 12 or _hinted(fact, rest):
            return None
        return [(list(premise), fact, "entailment"), (rest, fact, "neutral")]

    def _turned(self, fact: Triple, premise: Sequence[Triple]) -> list[tuple[list[Triple], Triple, str]] | None:
        turned = Triple(fact.object, fact.predicate, fact.subject)
        if fact.predicate not in self._even or turned in self._graph.known:
            return None
        other = [turned if one == fact else one for one in premise]
        made = [(list(premise), fact, "entailment"), (list(premise), turned, NOT_ENTAILMENT)]
        if inverse := INVERSE.get(fact.predicate):
            made.append((list(premise), Triple(fact.object, inverse, fact.subject), "entailment"))
        return [*made, (other, turned, "entailment"), (other, fact, NOT_ENTAILMENT)]

    def _related(self, fact: Triple, premise: Sequence[Triple]) -> list[tuple[list[Triple], Triple, str]] | None:
        """Another relation between the same ends."""
        wrong = [Triple(fact.subject, other, fact.object) for other in confused(fact.predicate)]
        wrong = [one for one in wrong if one not in self._graph.known]
        if not wrong:
            return None
        other = self._random.choice(wrong)
        changed = [other if one == fact else one for one in premise]
        made = [(list(premise), fact, "entailment"), (list(premise), other, NOT_ENTAILMENT)]
        return [*made, (changed, other, "entailment"), (changed, fact, NOT_ENTAILMENT)]


def _hinted(fact: Triple, premise: Sequence[Triple]) -> bool:
    """Whether one like it is among them: a stage actor is an actor."""
    alike = (one for one in premise if (one.subject, one.predicate) == (fact.subject, fact.predicate))
    return any(set(content(one.object)) & set(content(fact.object)) for one in alike)


def _size(fact: Triple) -> int:
    return len(sentence(fact).split())

"""Synthetic drafts with known wrong facts: `python benchmarks/retrofit_drafts.py FOLDER OUT [--seed 0] [--n 200]`.

FOLDER holds codex_m_triples.tsv.gz, entities.jsonl.gz and relations.jsonl as CoDEx has them; OUT is the file of drafts
(claimgraph/evaluation/made/drafts.py says what a line is). Each draft is 4 to 10 sentences about one or two subjects, 1
to 4 of their facts wrong. A wrong object is one that the relation has elsewhere, of the same subject at some share, and
of a type of the right one; it is none of the graph's objects for subject and relation in either direction, has no word
in common with one, and does not contain it nor lie in it as far as the graph knows. Every other draft starts from a
relation taken at random, so that rare relations occur; all else is as frequent as it is in the graph. A subject or an
object has a name that no other entity has. CoDEx has no literals, so the drafts say none. Same arguments, same bytes.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import itertools
import json
import re
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any

from retrofit_wording import Phrasing, Placed, Said, Subject, described, paragraph

from claimgraph.evaluation.made.drafts import DraftFact, MadeDraft, Right, to_line
from claimgraph.kgstore import identity
from claimgraph.kgstore.model import Span
from claimgraph.kgstore.naming import same_name

Row = tuple[str, str, str]
"""Subject, relation and object as CoDEx's ids."""

WORDINGS = {"usual": "retrofit_templates.toml", "other": "retrofit_templates_other.toml"}
"""The second shares no template with the first: wordings are held out with it, as facts are with another seed."""
SWAPPED = 0.3
"""Share of wrong objects that are, where there is such a one, another object of the same subject."""
ALIASED = 0.1
"""Share of objects that are called by another of their names, where no other entity has it."""
TWO_SUBJECTS = 0.4
MOST_OF_A_RELATION = 2
_TRIES = 1000
SENTENCES = (4, 10)
_CONTAINING = ("P131", "P17", "P361", "P30", "P749")
_QUESTIONS = ("What is known about {}?", "Tell me about {}.", "What can you say about {}?", "Who or what is {}?")
_SMALL = {"of", "the", "and", "in", "de", "la", "people"}


class World:
    """CoDEx's facts with what is needed to say them and to say them wrongly."""

    def __init__(self, folder: Path, graph: str, wording: str) -> None:
        self.graph = graph
        with gzip.open(folder / "entities.jsonl.gz", "rt", encoding="utf-8") as file:
            self.entities: dict[str, dict[str, Any]] = {row["qid"]: row for row in map(json.loads, file)}
        with (folder / "relations.jsonl").open(encoding="utf-8") as file:
            self.relations = {row["pid"]: row["label"] for row in map(json.loads, file)}
        with gzip.open(folder / "codex_m_triples.tsv.gz", "rt", encoding="utf-8") as file:
            self.rows: list[Row] = [(h, r, t) for h, r, t, *_ in csv.reader(file, delimiter="\t") if r != "relation"]
        templates = tomllib.loads((Path(__file__).parent / WORDINGS[wording]).read_text(encoding="utf-8"))
        self.phrasings = {
            relation: {kind: Phrasing(**{key: tuple(said) for key, said in row.items()}) for kind, row in kinds.items()}
            for relation, kinds in templates.items()
        }
        self.objects: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
        self.containing: defaultdict[str, set[str]] = defaultdict(set)
        for head, relation, tail in self.rows:
            self.objects[head, relation].add(tail)
            if relation in _CONTAINING:
                self.containing[head].add(tail)

    def types(self, key: str) -> list[str]:
        """What the entity is said to be an instance of."""
        return list(self.entities[key]["types"] or ())

    @cached_property
    def names(self) -> dict[str, str]:
        """Names that can be written and that no other entity has as its own."""
        labels = {key: row["label"] for key, row in self.entities.items() if row["label"]}
        count = Counter(map(same_name, labels.values()))
        return {key: name for key, name in labels.items() if count[same_name(name)] == 1 and _written(name)}

    @cached_property
    def aliases(self) -> dict[str, list[str]]:
        """Other names that belong to one entity only."""
        every = Counter(same_name(name) for key in self.entities for name in {*self.called(key)})
        return {
            key: [n for n in self.called(key)[1:] if every[same_name(n)] == 1 and _written(n) and n[0].isupper()]
            for key in self.names
        }

    def called(self, key: str) -> list[str]:
        """All names of an entity, its own first; none twice."""
        row = self.entities[key]
        return list(dict.fromkeys(name for name in (row["label"], *(row["aliases"] or ())) if name))

    def phrasing(self, row: Row) -> Phrasing | None:
        """How a fact is said; None where it is not."""
        kinds, types = self.phrasings.get(row[1], {}), self.types(row[0])
        work = any(re.search(r"\bfilms?\b|\bseries\b|\bminiseries\b", name) for name in types)
        kind = "person" if "human" in types else "work" if work else "any"
        found = kinds.get(kind, None if kind == "person" and "work" in kinds else kinds.get("any"))
        return found if found and self.names.get(row[2]) not in found.unless else None

    @cached_property
    def sayable(self) -> dict[str, list[Row]]:
        """The facts that can be said, by subject; only subjects with four and more."""
        found: defaultdict[str, list[Row]] = defaultdict(list)
        for row in sorted(self.rows):
            if row[0] in self.names and row[2] in self.names and row[0] != row[2] and self.phrasing(row):
                found[row[0]].append(row)
        return {key: rows for key, rows in found.items() if len(rows) >= 4}

    @cached_property
    def by_relation(self) -> dict[str, list[Row]]:
        """The sayable facts by relation."""
        found: defaultdict[str, list[Row]] = defaultdict(list)
        for row in (row for rows in self.sayable.values() for row in rows):
            found[row[1]].append(row)
        return dict(sorted(found.items()))

    def within(self, key: str) -> set[str]:
        """What contains an entity, three steps up, and itself."""
        found = {key}
        for _ in range(3):
            found |= {above for one in found for above in self.containing.get(one, ())}
        return found

    @cached_property
    def range(self) -> dict[str, list[str]]:
        """The named objects of each relation, as often as they are one."""
        found: defaultdict[str, list[str]] = defaultdict(list)
        for _, relation, tail in sorted(self.rows):
            if tail in self.names:
                found[relation].append(tail)
        return found

    def wrong(self, row: Row, taken: set[str], pick: Random) -> str | None:
        """An object that makes the fact false; None where none is found."""
        own = {tail for _, _, tail in self.sayable[row[0]]} & set(self.range[row[1]])
        swaps = [key for key in sorted(own) if self._false(row, key) and key not in taken]
        if swaps and pick.random() < SWAPPED:
            return pick.choice(swaps)
        for _ in range(60):
            key = pick.choice(self.range[row[1]])
            if key not in taken and self._false(row, key):
                return key
        return None

    def _false(self, row: Row, key: str) -> bool:
        right = self.objects[row[0], row[1]]
        if not set(self.types(key)) & set(self.types(row[2])):
            return False
        if key in right or row[0] in (key, *self.objects.get((key, row[1]), ())):
            return False
        if any(key in self.within(one) or one in self.within(key) for one in right):
            return False
        words = {word for one in right for name in self.called(one) for word in same_name(name).split()}
        return not (words - _SMALL) & {word for name in self.called(key) for word in same_name(name).split()}


def _written(name: str) -> bool:
    """Whether a text could hold the name as it is: letters, and no sentence's end."""
    whole = len(name) > 2 and re.fullmatch(r"[^\W\d_][\w .,'’&-]*[\w]", name) is not None and name.count(",") < 2
    return whole and not re.search(r"\w{4,}\. ", name)


def drafts(world: World, seed: int) -> Iterator[MadeDraft]:
    """Drafts without end. Raises SystemExit where the graph says too little to make one."""
    pick = Random(f"retrofit-{seed}")
    for number in itertools.count():
        tries = (_draft(world, f"{seed}-{number}", pick) for _ in range(_TRIES))
        found = next(filter(None, tries), None)
        if found is None:
            raise SystemExit(f"{_TRIES} tries gave no draft: the graph says too little about too few named things")
        yield found


def _draft(world: World, key: str, pick: Random) -> MadeDraft | None:
    rows = _chosen(world, pick)
    wrong = _wrong(world, rows, pick)
    if not wrong:
        return None
    text, facts, sentences = "", [], 0
    for subject in dict.fromkeys(row[0] for row in rows):
        ours = [(row, wrong.get(row)) for row in rows if row[0] == subject]
        said = [Said(_phrasing(world, row), row[1], _called(world, other or row[2], pick)) for row, other in ours]
        words, places, count = paragraph(_subject(world, subject), said, pick)
        start = len(text) + bool(text)
        text += (" " if text else "") + words
        sentences += count
        facts += [
            _fact(world, row, other, place, start, text) for (row, other), place in zip(ours, places, strict=True)
        ]
    if not SENTENCES[0] <= sentences <= SENTENCES[1]:
        return None
    names = " and ".join(dict.fromkeys(fact.subject for fact in facts))
    return MadeDraft(key, world.graph, pick.choice(_QUESTIONS).format(names), text, tuple(facts))


def _chosen(world: World, pick: Random) -> list[Row]:
    """The facts of one or two subjects, each subject's in the order in which a text would say them."""
    if pick.random() < 0.5:
        first = pick.choice(world.by_relation[pick.choice(list(world.by_relation))])
    else:
        first = pick.choice(world.sayable[pick.choice(list(world.sayable))])
    two = pick.random() < TWO_SUBJECTS
    found = _about(world, first, pick.randint(2, 6) if two else pick.randint(4, 12), pick)
    if two:
        near = [tail for _, _, tail in found if tail in world.sayable]
        other = pick.choice(near if near and pick.random() < 0.5 else list(world.sayable))
        if other != first[0]:
            found += _about(world, pick.choice(world.sayable[other]), pick.randint(2, 6), pick)
    return found


def _about(world: World, first: Row, count: int, pick: Random) -> list[Row]:
    found, rest = [first], [row for row in world.sayable[first[0]] if row != first]
    pick.shuffle(rest)
    for row in rest:
        if len(found) < count and sum(one[1] == row[1] for one in found) < MOST_OF_A_RELATION:
            found.append(row)
    order = list(world.phrasings)
    return sorted(found, key=lambda row: order.index(row[1]))


def _wrong(world: World, rows: list[Row], pick: Random) -> dict[Row, str]:
    """One to four of the facts, at most half of them, with the objects that they get."""
    wanted = min(pick.randint(1, 4), len(rows) // 2)
    found: dict[Row, str] = {}
    for row in pick.sample(rows, len(rows)):
        other = world.wrong(row, set(found.values()), pick) if len(found) < wanted else None
        if other:
            found[row] = other
    return found


def _phrasing(world: World, row: Row) -> Phrasing:
    found = world.phrasing(row)
    assert found is not None
    return found


def _called(world: World, key: str, pick: Random) -> str:
    aliases = world.aliases[key]
    return pick.choice(aliases) if aliases and pick.random() < ALIASED else world.names[key]


def _subject(world: World, key: str) -> Subject:
    row = world.entities[key]
    return described(world.names[key], world.types(key), row["description"] or "", row["extract"] or "")


def _fact(world: World, row: Row, other: str | None, place: Placed, start: int, text: str) -> DraftFact:
    subject, relation, object = row
    span, subject_span, object_span = (Span(start + a, start + b) for a, b in (place.span, place.subject, place.object))
    ids = [identity.graph_entity_id(world.graph, key) for key in (subject, object, other or object)]
    predicate = identity.predicate_id(world.graph, relation)
    right = sorted(world.objects[subject, relation])
    return DraftFact(
        world.names[subject],
        ids[0],
        world.relations[relation],
        predicate,
        world.names[object],
        ids[1],
        identity.fact_id(world.graph, ids[0], predicate, ids[1]),
        span,
        subject_span,
        text[object_span.start : object_span.end],
        object_span,
        other is not None,
        ids[2],
        tuple(
            Right(identity.graph_entity_id(world.graph, key), tuple(world.called(key)))
            for key in right
            if world.called(key)
        ),
    )


def main() -> None:
    """Write the drafts."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--graph", default="codexm", help="name under which CoDEx-M is ingested")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--wording", choices=sorted(WORDINGS), default="usual", help="which templates")
    parser.add_argument("--n", type=int, default=200)
    given = parser.parse_args()
    found = drafts(World(given.folder, given.graph, given.wording), given.seed)
    given.out.write_text("".join(f"{to_line(next(found))}\n" for _ in range(given.n)), encoding="utf-8")


if __name__ == "__main__":
    main()

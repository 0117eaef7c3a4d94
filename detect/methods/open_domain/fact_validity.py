"""Say when a stored fact held: by its start, its end, and its point in time.

Wikidata keeps former values beside present ones and measures beside the year of each, so facts of one relation are no
rivals before it is known which of them hold at the time that a claim speaks of. No clock is read: what ended had ended
when the fact was fetched.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from claimgraph.kgstore.model import Fact, Literal, Node
from claimgraph.kgstore.values.dates import Date, Day, dates_in

PREFERRED, DEPRECATED = "preferred", "deprecated"
_ENDLESS: Day = (99999, 12, 31)


@dataclass(frozen=True, slots=True)
class Validity:
    """First and last day a fact held, each as precise as it is known, and the points in time it was said of.

    `ended` is whether it had ended, also where nobody knows when.
    """

    start: Date | None
    end: Date | None
    points: tuple[Date, ...]
    ended: bool

    @property
    def known(self) -> bool:
        """Whether anything is known of its time."""
        return self.start is not None or self.end is not None or bool(self.points) or self.ended

    def holds(self, first: Day, last: Day) -> bool | None:
        """Return whether it held on some day from `first` to `last`; None where nothing is known of its time."""
        if self.points and self.start is None and self.end is None:
            return any(point.span[0] <= last and first <= point.span[1] for point in self.points)
        if self.start is not None and last < self.start.span[0]:
            return False
        if self.end is not None and self.end.span[1] < first:
            return False
        return True if self.start is not None or self.end is not None else None

    @property
    def words(self) -> str:
        """The time in words: "from 2005 to 2021", "in 2010", "until 1994"; empty where it is not known."""
        if self.start and self.end:
            return f"from {self.start.value} to {self.end.value}"
        if self.start:
            return f"from {self.start.value} on"
        if self.end:
            return f"until {self.end.value}"
        return f"in {', '.join(point.value for point in self.points)}" if self.points else ""


def validity(fact: Fact) -> Validity:
    """Return when a fact held, by its bounds and qualifiers."""
    return _validity(
        fact.valid_from, fact.valid_to, fact.qualifiers, fact.retrieved_at and str(fact.retrieved_at.date())
    )


@lru_cache(maxsize=65536)
def _validity(start: str | None, end: str | None, qualifiers: str | None, retrieved: str | None) -> Validity:
    said: Mapping[str, Any] = json.loads(qualifiers) if qualifiers else {}
    points = said.get("point in time", ())
    dated = [found for text in ([points] if isinstance(points, str) else points) if (found := _date(text))]
    until, seen = _date(end), _date(retrieved)
    over = "end time" in said or (until is not None and (seen is None or until.span[0] <= seen.span[1]))
    return Validity(_date(start) or _date(_one(said, "start time")), until, tuple(dated), over)


def qualifier(fact: Fact, name: str) -> str | None:
    """Return the first value of a fact's qualifier of that name."""
    return _one(json.loads(fact.qualifiers), name) if fact.qualifiers else None


def _one(said: Mapping[str, Any], name: str) -> str | None:
    value = said.get(name)
    return str(value[0] if isinstance(value, list) else value) if value else None


def _date(text: str | None) -> Date | None:
    found = next(dates_in(text), None) if text else None
    return found[2] if found else None


def dropped(facts: Sequence[Fact], nodes: Mapping[str, Node], first: Day, last: Day) -> frozenset[str]:
    """Return ids of the facts that did not hold on any day from `first` to `last`.

    Of a measure that was taken at times, those without one, too, where another was taken then.
    """
    held = {fact.id: validity(fact).holds(first, last) for fact in facts}
    measured = {(f.subject, f.predicate) for f in facts if held[f.id] and is_measure(nodes[f.object])}
    return frozenset(
        f.id for f in facts if held[f.id] is False or (held[f.id] is None and (f.subject, f.predicate) in measured)
    )


def dropped_now(facts: Sequence[Fact], nodes: Mapping[str, Node]) -> frozenset[str]:
    """Return ids of the facts that no longer hold: those that ended, those with a preferred rival, and measures older
    than another of the same relation.
    """
    found = {fact.id for fact in facts if validity(fact).ended}
    groups: dict[tuple[str, str, str], list[Fact]] = defaultdict(list)
    for fact in facts:
        if fact.id not in found:
            groups[fact.graph, fact.subject, fact.predicate].append(fact)
    for rivals in groups.values():
        best = [fact for fact in rivals if fact.rank == PREFERRED] or _latest(rivals, nodes)
        found.update(fact.id for fact in rivals if fact not in best)
    return frozenset(found)


def is_measure(node: Node) -> bool:
    """Return whether a value is an amount, which is true of the time it was taken at."""
    return isinstance(node, Literal) and node.datatype == "quantity"


def _latest(rivals: Sequence[Fact], nodes: Mapping[str, Node]) -> Sequence[Fact]:
    times = [max((point.span for point in validity(fact).points), default=None) for fact in rivals]
    known = [time for time in times if time]
    if not known or not all(is_measure(nodes[fact.object]) for fact in rivals):
        return rivals
    return [fact for fact, time in zip(rivals, times, strict=True) if time == max(known)]

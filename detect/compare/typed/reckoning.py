"""Tell whether a number follows from two that a text gives: as their sum, difference or share, or as years between."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import combinations, permutations

from claimgraph.detect.compare.typed.sentence import Value
from claimgraph.kgstore.values.dates import Date
from claimgraph.kgstore.values.quantities import Quantity


def reckonable(value: Value, known: Collection[Value]) -> bool:
    """Return whether the value may be reckoned from two of the known ones, in its precision."""
    said = value.parsed
    if not isinstance(said, Quantity):
        return False
    made = [*_of_numbers(said, known), *_of_years(known)]
    return any(abs(one - said.number) <= max(said.spread, 0.005 * abs(one)) for one in made)


def _of_numbers(said: Quantity, known: Collection[Value]) -> Iterator[float]:
    """Yield sums and differences of what has the unit, shares of it, and what part one is of another."""
    numbers = [v.parsed for v in known if isinstance(v.parsed, Quantity)]
    for a, b in permutations(numbers, 2):
        if a.unit == b.unit == said.unit:
            yield from (a.number + b.number, abs(a.number - b.number))
        if a.unit == "%" and b.unit == said.unit:
            yield a.number * b.number / 100
        if said.unit == "%" and a.unit == b.unit and b.number:
            yield 100 * a.number / b.number


def _of_years(known: Collection[Value]) -> Iterator[float]:
    """Yield the whole years between two dates."""
    years = [v.parsed.span[0][0] for v in known if isinstance(v.parsed, Date) and not v.parsed.any_year]
    for first, last in combinations(sorted(years), 2):
        yield from (last - first, last - first - 1)

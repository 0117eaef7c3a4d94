"""Tell whether a value follows from two that a text gives: their sum, difference or share, the years between two dates,
or the year that lies some years from a date.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import combinations, permutations

from claimgraph.detect.compare.typed.sentence import Value
from claimgraph.kgstore.values.dates import Date
from claimgraph.kgstore.values.quantities import Quantity


def reckonable(value: Value, known: Collection[Value]) -> bool:
    """Return whether the value may be reckoned from two of the known ones, in its precision."""
    said = value.parsed
    if isinstance(said, Date):
        return said.precision == "year" and said.span[0][0] in _years_away(known)
    made = [*_of_numbers(said, known), *_of_years(known)]
    return any(abs(one - said.number) <= max(said.spread, 0.005 * abs(one)) for one in made)


def _of_numbers(said: Quantity, known: Collection[Value]) -> Iterator[float]:
    """Yield sums and differences of what has the unit, shares of it, and what part one is of another."""
    numbers = [v.parsed for v in known if isinstance(v.parsed, Quantity)]
    for a, b in permutations(numbers, 2):
        if a.unit == said.unit and b.unit in (a.unit, None):  # "249 euros, 30 more than"
            yield from (a.number + b.number, abs(a.number - b.number))
        if a.unit == "%" and b.unit == said.unit:
            yield a.number * b.number / 100
        if said.unit == "%" and a.unit == b.unit and b.number:
            yield 100 * a.number / b.number


def _of_years(known: Collection[Value]) -> Iterator[float]:
    """Yield the whole years between two dates."""
    for first, last in combinations(sorted(_years(known)), 2):
        yield from (last - first, last - first - 1)


def _years_away(known: Collection[Value]) -> set[float]:
    """Return the years that lie as many years after or before a date as a duration has."""
    spells = [v.parsed.number / 12 for v in known if isinstance(v.parsed, Quantity) and v.parsed.unit == "month"]
    return {year + sign * spell for year in _years(known) for spell in spells for sign in (1, -1)}


def _years(known: Collection[Value]) -> list[int]:
    return [v.parsed.span[0][0] for v in known if isinstance(v.parsed, Date) and not v.parsed.any_year]

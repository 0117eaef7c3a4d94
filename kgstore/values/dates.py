"""Read dates with the precision they were written with.

A date is the interval of days it may mean, so "in 1879" holds "14 March 1879" and neither is wrong. Years count 1 BC as
-1; there is no year 0, which marks a day or month "of any year". dateutil was rejected: it fills missing parts from
today's date, and knows neither BC nor decades. Slashed dates (3/4/1990) are not read: which number is the month differs
by country.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

Day = tuple[int, int, int]
"""Year (negative: BC; 0: any), month, day."""


@dataclass(frozen=True, slots=True)
class Date:
    """The days from `first` to `last`, both included, as written.

    `precision`: day, month, year, decade, century or interval (of years). `modifier`: None, "about" (five years either
    way), "before" or "after".
    """

    first: Day
    last: Day
    precision: str
    modifier: str | None = None

    @property
    def span(self) -> tuple[Day, Day]:
        """First and last day it may mean, the modifier applied."""
        (year, month, day), (last_year, last_month, last_day) = self.first, self.last
        if self.modifier == "about":
            return (_step(year, -5), month, day), (_step(last_year, 5), last_month, last_day)
        if self.modifier == "before":
            return (-99999, 1, 1), self.last
        return self.first, ((99999, 12, 31) if self.modifier == "after" else self.last)

    @property
    def any_year(self) -> bool:
        """Whether only a month or a day of the year was said."""
        return self.first[0] == 0

    @property
    def value(self) -> str:
        """Normal form: "1879-03-14", "1879-03", "1879", "-0044", "1990s", "19th century", "--03-14", "1990/1995"."""
        return f"{self.modifier} {self._bare}" if self.modifier else self._bare

    @property
    def _bare(self) -> str:
        year, month, day = self.first
        if self.precision == "interval":
            return f"{_iso(year)}/{_iso(self.last[0])}"
        if self.precision == "decade":
            return f"{min(abs(year), abs(self.last[0]))}s" + (" BC" if year < 0 else "")
        if self.precision == "century":
            number = (abs(self.last[0] if year > 0 else year) + 99) // 100
            return f"{number}{ordinal_ending(number)} century" + (" BC" if year < 0 else "")
        parts = {"year": [], "month": [month], "day": [month, day]}[self.precision]
        if self.precision == "year" and year > 2100:
            return f"AD {year}"
        return "-".join([_iso(year) if year else "-", *(f"{part:02}" for part in parts)])


def ordinal_ending(number: int) -> str:
    """Return "st", "nd", "rd" or "th"."""
    return "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")


def dates_in(text: str) -> Iterator[tuple[int, int, Date]]:
    """Yield (start, end, date) for every date written in the text, in order, without overlaps.

    A bare number from 1000 to 2100 counts as a year where the words beside it indicate one, or where it is the whole
    text.
    """
    for match in _PATTERN.finditer(text):
        form = next(name for name, _, _ in _FORMS if match[name] is not None)
        if form == "year" and not _reads_as_year(text, match):
            continue
        date = next(reader for name, _, reader in _FORMS if name == form)(match)
        if date is not None:
            yield _modified(text, match.start(), match.end(), date)


_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_NTH = tuple(
    re.findall(
        r"\S+",
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
        "fifteenth sixteenth seventeenth eighteenth nineteenth twentieth twenty-first",
    )
)
_MONTH = (
    "(?P<month_{0}>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|"
    r"oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_DAY = r"(?P<day_{0}>3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?"
_ERA = r"(?:\s*(?P<era_{0}>BCE?|B\.C\.(?:E\.)?|CE|AD|A\.D\.)(?![A-Za-z]))"
_YEAR = r"(?P<year_{0}>\d{{3,4}})(?![\d,:]*\d)" + _ERA + "?"
_LATE = r"(?:(?:early|mid|late)[\s-]+)?"
_NOT_A_YEAR = r"(?![\d,:]*\d|\.\d|\s*(?:%|percent|per\s+cent|[a-z]+illion|thousand|hundred|dozen)\b)"


def _point(year: int, month: int | None, day: int | None) -> Date | None:
    """Return a day, month or year; None where the calendar has no such day."""
    if month is None:
        return Date((year, 1, 1), (year, 12, 31), "year") if year else None
    if not 1 <= month <= 12:
        return None
    days = 29 if not year and month == 2 else monthrange(abs(year) or 2000, month)[1]
    if day is None:
        return Date((year, month, 1), (year, month, days), "month")
    return Date((year, month, day), (year, month, day), "day") if 1 <= day <= days else None


def _named(match: re.Match[str], name: str) -> Date | None:
    """Return a date with a month in words."""
    groups = match.groupdict()
    year, day = groups.get(f"year_{name}"), groups.get(f"day_{name}")
    era = groups.get(f"era_{name}")
    return _point(_signed(year, era) if year else 0, _month(groups[f"month_{name}"]), int(day) if day else None)


def _iso_date(match: re.Match[str]) -> Date | None:
    month, day = int(match["isomonth"]), match["isoday"]
    if month == 0 or day == "00":  # Wikidata writes a year as 1879-00-00
        month, day = month or 0, None
    return _point(int(match["isoyear"]), month or None, int(day) if day else None)


def _any_year(match: re.Match[str]) -> Date | None:
    return _point(0, int(match["anymonth"]), int(match["anyday"]) if match["anyday"] else None)


def _interval(low: int, high: int) -> Date | None:
    return Date((low, 1, 1), (high, 12, 31), "interval") if low and high and low < high else None


def _years(match: re.Match[str]) -> Date | None:
    low, high = match["low"], match["high"]
    return _interval(_signed(low, None), _signed(low[:2] + high if len(high) == 2 else high, None))


def _decade(match: re.Match[str]) -> Date | None:
    number, era = int(match["decade"]), match["era_decade"]
    if era and era.upper().startswith("B"):
        return Date((-number - 9, 1, 1), (-(number or 1), 12, 31), "decade")
    if number and number % 100 == 0 and number < 2000:  # "the 1800s" are a hundred years
        return Date((number, 1, 1), (number + 100, 12, 31), "century")
    return Date((number, 1, 1), (number + 9, 12, 31), "decade") if number >= 100 else None  # "in his 60s" is an age


def _century(match: re.Match[str]) -> Date | None:
    number = int(match["nth"]) if match["nth"] else _NTH.index(match["nthword"].lower()) + 1
    if not number:
        return None
    if (match["era_century"] or "").upper().startswith("B"):
        return Date((-100 * number, 1, 1), (-100 * number + 99, 12, 31), "century")
    return Date((max(100 * (number - 1), 1), 1, 1), (100 * number, 12, 31), "century")


def _bare_year(match: re.Match[str]) -> Date | None:
    number = match["ad"] or match["number"]
    return _point(_signed(number, match["era_era"]), None, None)


_Reader = Callable[[re.Match[str]], Date | None]
_FORMS: tuple[tuple[str, str, _Reader], ...] = (
    ("iso", r"\+?(?P<isoyear>-?\d{4,5})-(?P<isomonth>0\d|1[0-2])(?:-(?P<isoday>\d\d)(?:T[\d:.]+(?:Z|[+-][\d:]+)?)?)?"
            r"(?![\d-]|\s+(?:season|campaign|school|academic))", _iso_date),
    ("any", r"--(?P<anymonth>\d\d)(?:-(?P<anyday>\d\d))?", _any_year),
    ("span", r"(?P<first>-?\d{4})/(?P<last>-?\d{4})", lambda m: _interval(int(m["first"]), int(m["last"]))),
    ("dmy", _DAY.format("dmy") + r"\s+(?:of\s+)?" + _MONTH.format("dmy") + r",?\s+" + _YEAR.format("dmy"),
     lambda m: _named(m, "dmy")),
    ("mdy", _MONTH.format("mdy") + r"\s+" + _DAY.format("mdy") + r"\s*,?\s+" + _YEAR.format("mdy"),
     lambda m: _named(m, "mdy")),
    ("my", _MONTH.format("my") + r",?\s+(?:of\s+)?" + _YEAR.format("my"), lambda m: _named(m, "my")),
    ("dm", _DAY.format("dm") + r"\s+(?:of\s+)?" + _MONTH.format("dm"), lambda m: _named(m, "dm")),
    ("md", _MONTH.format("md") + r"\s+" + _DAY.format("md") + r"(?![\d:.,]*\d)", lambda m: _named(m, "md")),
    ("decades", _LATE + r"(?P<decade>\d{1,3}0)['’]?s" + _ERA.format("decade") + "?", _decade),
    ("centuries", _LATE + r"(?:(?P<nth>\d{1,3})(?:st|nd|rd|th)|(?P<nthword>" + "|".join(reversed(_NTH))
     + r"))[\s-]century" + _ERA.format("century") + "?", _century),
    ("years", r"(?:(?:between|from)\s+)?(?P<low>[12]\d{3})\s*(?:[-–—]|to|and|until)\s*(?P<high>[12]\d{3}|\d\d)"
     + _NOT_A_YEAR, _years),
    ("era", r"(?:AD\s+(?P<ad>\d{1,4})|(?P<number>\d{1,4})" + _ERA.format("era") + ")", _bare_year),
    ("negative", r"(?P<bc>-\d{4})" + _NOT_A_YEAR, lambda m: _point(int(m["bc"]), None, None)),
    ("year", r"(?P<plain>\d{4})" + _NOT_A_YEAR, lambda m: _point(int(m["plain"]), None, None)),
)  # fmt: skip
_PATTERN = re.compile(
    r"(?<![\w.,$£€¥/-])(?:" + "|".join(f"(?P<{name}>{form})" for name, form, _ in _FORMS) + r")(?!\w)", re.IGNORECASE
)
_YEAR_BEFORE = re.compile(
    r"(?:\b(?:in|since|by|from|until|till|of|during|early|late|mid|after|before|circa|year|spring|summer|autumn|fall|"
    r"winter|to|between)|[(–—-])\s*$",
    re.IGNORECASE,
)
_NEAR = 24
"""Characters before a number in which a word says what it is."""
_YEAR_AFTER = re.compile(
    r"\s*(?:$|[)\].,;:!?–—-]|(?:and|when|to|as|with|at|the|for|after|before|by|in|on|he|she|it|they|was)\b)"
)
_MODIFIERS = (
    ("before", re.compile(r"\b(?:before|until|till|by|prior to|earlier than)\s+$", re.IGNORECASE)),
    ("after", re.compile(r"\b(?:after|later than)\s+$", re.IGNORECASE)),
    ("about", re.compile(r"(?:\b(?:about|around|approximately|roughly|circa|c\.|ca\.)|~)\s*$", re.IGNORECASE)),
)


def _reads_as_year(text: str, match: re.Match[str]) -> bool:
    if not 1000 <= int(match["plain"]) <= 2100:
        return match[0] == text.strip() and text.strip().startswith("0")  # 0044 is a year in normal form
    return bool(
        _YEAR_BEFORE.search(text, max(0, match.start() - _NEAR), match.start()) or _YEAR_AFTER.match(text, match.end())
    )


def _modified(text: str, start: int, end: int, date: Date) -> tuple[int, int, Date]:
    for modifier, pattern in _MODIFIERS:
        found = pattern.search(text[max(0, start - 20) : start])
        if found:
            return start - len(found[0]), end, replace(date, modifier=modifier)
    return start, end, date


def _month(name: str) -> int:
    return _MONTHS.index(name[:3].lower()) + 1


def _signed(digits: str, era: str | None) -> int:
    return -int(digits) if era and era.upper().startswith("B") else int(digits)


def _iso(year: int) -> str:
    return f"-{-year:04}" if year < 0 else f"{year:04}"


def _step(year: int, by: int) -> int:
    """Return the year `by` years later, over the missing year 0; a day of any year stays one."""
    moved = year + by
    if not year or ((year < 0) == (moved < 0) and moved):
        return moved if year else 0
    return moved + (1 if by > 0 else -1)

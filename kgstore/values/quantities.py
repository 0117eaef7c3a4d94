"""Read numbers, measures, money, shares and ranks as they are written.

A quantity is the interval of values it may mean: half a unit of its last written digit either way ("1.2 million" is
1.15 to 1.25 million), a tenth either way after "about", open-ended after "at least". Measures are kept in the base unit
of their dimension. pint was rejected: it brings hundreds of units that texts never use, and reads no text. Currencies
are distinguished but never converted: the rate of the day is not in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from math import inf

from claimgraph.kgstore.values.dates import ordinal_ending
from claimgraph.kgstore.values.units import MONEY, UNITS


@dataclass(frozen=True, slots=True)
class Quantity:
    """A value, or an interval where `upper` is given, in a base unit (None: a bare number).

    `spread` is half a unit of the last digit written, in the base unit. `modifier`: None, "about", "at least",
    "more than", "at most" or "less than". Ranks have the unit "rank", shares "%", times of day "o'clock" (minutes), and
    results such as "3-1" the unit "score", with the greater number first.
    """

    number: float
    upper: float | None = None
    unit: str | None = None
    spread: float = 0.5
    modifier: str | None = None

    @property
    def core(self) -> tuple[float, float]:
        """Lowest and highest value that was named, the modifier applied."""
        low, high = self.number, self.number if self.upper is None else self.upper
        if self.modifier == "about":
            return low - abs(low) / 10, high + abs(high) / 10
        if self.modifier in ("at least", "more than"):
            return low, inf
        return (-inf, high) if self.modifier in ("at most", "less than") else (low, high)

    @property
    def span(self) -> tuple[float, float]:
        """The core, widened by what rounding may hide."""
        low, high = self.core
        return low - self.spread, high + self.spread

    @property
    def value(self) -> str:
        """Normal form without the unit: "5,000", "3 to 5", "at least 3", "3rd", "21:45"."""
        if self.unit == "score":
            return f"{self.number:g}-{self.upper:g}"
        shown = self._shown(self.number) + ("" if self.upper is None else f" to {self._shown(self.upper)}")
        return f"{self.modifier} {shown}" if self.modifier else shown

    def _shown(self, number: float) -> str:
        if self.unit == "rank":
            return f"{int(number)}{ordinal_ending(int(number))}"
        if self.unit == "o'clock":
            return f"{int(number) // 60:02}:{int(number) % 60:02}"
        if 1000 <= abs(number) < 10000:  # without its comma it would read as a year
            return f"{int(number):,}" if number == int(number) else f"{number:,.12g}"
        return format(Decimal(f"{number:.12g}"), "f")


def quantities_in(text: str) -> Iterator[tuple[int, int, Quantity]]:
    """Yield (start, end, quantity) for every quantity written in the text, in order, without overlaps.

    Parts of one measure are one: "3 hours and 30 minutes", "5 ft 10 in".
    """
    last: tuple[int, int, Quantity] | None = None
    for match in _PATTERN.finditer(text):
        found = _read(match)
        if found is None or _is_pronoun(text, match) or (last and match.start() < last[1]):
            continue
        whole = _joined(last[2], text[last[1] : match.start()], found) if last else None
        if last and whole:
            last = last[0], match.end(), whole
            continue
        if last:
            yield last
        last = _with_inches(text, match.start(), match.end(), found)
    if last:
        yield last


def _joined(first: Quantity, between: str, second: Quantity) -> Quantity | None:
    """Return the sum where the second is less than the unit that the first was written in, and follows at once."""
    plain = first.upper is None is second.upper and second.modifier is None
    if first.unit not in ("m", "kg", "s", "month") or first.unit != second.unit or not plain:
        return None
    if not _AND.fullmatch(between) or not 0 < second.number < 2 * first.spread:
        return None
    return replace(first, number=_tidy(first.number + second.number), spread=second.spread)


def _with_inches(text: str, start: int, end: int, found: Quantity) -> tuple[int, int, Quantity]:
    """Extend feet by inches; elsewhere "in" is a preposition."""
    inches = _INCHES.match(text, end) if found.unit == "m" and found.spread == _FOOT / 2 else None
    whole = _joined(found, "", Quantity(int(inches[1]) * 0.0254, unit="m", spread=0.0127)) if inches else None
    return (start, inches.end(), whole) if inches and whole else (start, end, found)


_SCORE = re.compile(r"\d{1,3}[-–]\d{1,3}")
"""Greater number first: "3-1". The other way round it may be an interval, and is read as one."""
_DASHED = re.compile(r"[-–]\d")
_AND = re.compile(r"(?:\s*,)?\s*(?:and\s+)?")
_FOOT = 0.3048
_INCHES = re.compile(r"\s*(\d{1,2})\s?(?:ins?\b|[\"″])")


_WORDS = {
    word: int(number)
    for word, number in re.findall(
        r"\b(\w+) (\w+)",
        "zero 0 one 1 two 2 three 3 four 4 five 5 six 6 seven 7 eight 8 nine 9 ten 10 eleven 11 twelve 12 thirteen 13 "
        "fourteen 14 fifteen 15 sixteen 16 seventeen 17 eighteen 18 nineteen 19 twenty 20 thirty 30 forty 40 fifty 50 "
        "sixty 60 seventy 70 eighty 80 ninety 90",
    )
}
_SCALES = {"hundred": 1e2, "thousand": 1e3, "k": 1e3, "million": 1e6, "mn": 1e6, "m": 1e6, "billion": 1e9, "bn": 1e9,
           "b": 1e9, "trillion": 1e12, "tn": 1e12, "dozen": 12}  # fmt: skip
_RANKS = tuple(
    re.findall(
        r"\S+",
        "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth "
        "fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth",
    )
)
_MODIFIERS = {
    "about": r"about|around|approximately|approx\.?|roughly|some|circa|nearly|almost|an estimated|close to|~",
    "at least": r"at least|a minimum of|not? less than|not? fewer than|≥",
    "more than": r"more than|over|above|in excess of|upwards of|>",
    "at most": r"at most|up to|a maximum of|not? more than|≤",
    "less than": r"less than|fewer than|under|below|<",
}


def _spelled(spellings: Iterable[str]) -> str:
    """Return a pattern for any of the spellings, longest first; words of three letters and more may take an s."""
    ordered = sorted(spellings, key=lambda s: (-len(s), s))
    return "|".join(
        re.escape(s).replace(r"\ ", r"\s+") + ("s?" if s[-1].isalpha() and len(s) > 2 else "") for s in ordered
    )


_WORD = "|".join(sorted(_WORDS, key=len, reverse=True))
_SCALE = "hundred|thousand|million|billion|trillion|dozen"
_NUMBER = (
    r"(?:(?P<digits{0}>[-−]?(?:\d{{1,3}}(?:,\d{{3}})+|\d+)(?:\.\d+)?)(?P<plus{0}>½|[\s-]+and[\s-]+a[\s-]+half\b)?"
    r"(?:(?P<short{0}>\s*(?:k|mn?|bn?|tn))(?![\w/²])|[\s-]+(?P<scale{0}>"
    + _SCALE
    + r")s?\b|\s*±(?P<spread{0}>[\d.]+))?"
    r"|(?P<words{0}>(?:half\s+an?|an?(?=[\s-]+(?:"
    + _SCALE
    + r"))|"
    + _WORD
    + r")(?:[\s-]+(?:and[\s-]+a[\s-]+half|(?:and\s+)?(?:"
    + _WORD
    + "|"
    + _SCALE
    + r")))*)\b)"
)
_SIGN = r"(?P<sign{0}>" + "|".join(re.escape(s) for s in ("US$", "A$", "C$", "$", "£", "€", "¥", "₹")) + r")\s*"
_AMOUNT = "(?:" + _SIGN + ")?" + _NUMBER
_PATTERN = re.compile(
    r"(?<![\w.,$£€¥₹-])(?:(?P<modifier>" + "|".join(_MODIFIERS.values()) + r")(?:(?<=[~<>≤≥])\s*|\s+)(?:the\s+)?)?(?:"
    r"(?P<hour>[01]?\d|2[0-3])(?:[:.](?P<minute>[0-5]\d))?\s*(?P<half>[ap])\.?m\b\.?"
    r"|(?P<hour24>[01]?\d|2[0-3]):(?P<minute24>[0-5]\d)(?![\d:])"
    r"|(?P<rank>\d+)(?:st|nd|rd|th)\b|(?P<rankword>" + "|".join(_RANKS[1:]) + r")\b"
    r"|(?:(?P<between>between|from)\s+|(?P<aged>aged\s+))?" + _AMOUNT.format("")
    + r"(?:\s*(?(between)(?:and|to)\b|(?:[-–—]|to\b))\s*" + _AMOUNT.format("2") + r")?"
    r"(?:[\s-]*(?P<unit>" + _spelled([*UNITS, *(s for s in MONEY if s[-1].isalpha())]) + r")(?![\w²/]))?"
    r")(?!\w|[.,]\d)", re.IGNORECASE)  # fmt: skip
_PRONOUN_BEFORE = re.compile(r"\b(?:no|the|this|that|which|each|any|every|some|only|at|another)\s+$", re.IGNORECASE)
_NEAR = 24
"""Characters before a number in which a word may make it a pronoun."""
_PRONOUN_AFTER = re.compile(r"\s+(?:of|another|thing|more)\b", re.IGNORECASE)
_UNITS_FOLDED = {spelling.casefold(): unit for spelling, unit in UNITS.items()}
_MONEY_FOLDED = {spelling.casefold(): code for spelling, code in MONEY.items()}


def _read(match: re.Match[str]) -> Quantity | None:
    modifier = _modifier(match["modifier"])
    if match["rank"] or match["rankword"]:
        rank = int(match["rank"][:15]) if match["rank"] else _RANKS.index(match["rankword"].lower())
        return Quantity(rank, unit="rank", spread=0.0, modifier=modifier)
    if match["half"] or match["hour24"]:
        return _clock(match, modifier)
    low, high = _amount(match, ""), _amount(match, "2")
    if low is None:
        return None
    if high is None:
        return None if match["digits2"] or match["words2"] else _in_base_unit(match, low, None, modifier)
    if low.number >= high.number and _SCORE.fullmatch(match[0]) and not _DASHED.match(match.string, match.end()):
        return Quantity(low.number, high.number, "score", 0.0)
    if low.scale == 1 and high.number > low.number:  # "3 to 5 million"
        low = _Amount(low.number * high.scale, low.spread * high.scale, high.scale)
    return _in_base_unit(match, low, high, modifier) if low.number < high.number else None


@dataclass(frozen=True, slots=True)
class _Amount:
    number: float
    spread: float
    scale: float


def _amount(match: re.Match[str], which: str) -> _Amount | None:
    """Return one number with its scale word; None for none, or for one too large to hold."""
    if match[f"words{which}"]:
        return _in_words(match[f"words{which}"].lower(), bool(match["unit"]))
    digits = (match[f"digits{which}"] or "").replace(",", "").replace("−", "-")
    if not digits or len(digits) > 40:
        return None
    short = (match[f"short{which}"] or "").strip().lower()
    if short in ("m", "b") and not match[f"sign{which}"] and not match["sign"]:
        short = ""
    scale = _SCALES.get((match[f"scale{which}"] or short).lower(), 1.0)
    plus = 0.5 if match[f"plus{which}"] else 0.0
    last = 0.1 if plus else 10.0 ** -len(digits.partition(".")[2])
    written = match[f"spread{which}"]
    return _Amount(_tidy((float(digits) + plus) * scale), float(written) if written else last * scale / 2, scale)


def _in_words(words: str, measured: bool) -> _Amount | None:
    """Return "twenty-one", "two hundred and five", "half a million", "two and a half"; "a" alone is no number, and
    "half a" only of a unit.
    """
    tokens = re.findall(r"[a-z]+", words.replace("half an", "half").replace("half a", "half"))
    total, current, scale = 0.0, 0.0, 1.0
    for token in tokens:
        if token in _SCALES:
            scale = _SCALES[token]
            current = (current or 1) * scale
            if scale >= 1000:
                total, current = total + current, 0.0
        elif token in _WORDS:
            current, scale = current + _WORDS[token], 1.0
        elif token == "half":
            current += 0.5
    if tokens in (["a"], ["an"]) or (tokens == ["half"] and not measured):
        return None
    return _Amount(total + current, scale / (20 if "half" in tokens else 2), scale)


def _in_base_unit(match: re.Match[str], low: _Amount, high: _Amount | None, modifier: str | None) -> Quantity:
    unit, factor, offset = _unit(match, low)
    upper = None if high is None else _tidy(high.number * factor + offset)
    spread = _tidy((low if high is None else high).spread * factor)
    return Quantity(_tidy(low.number * factor + offset), upper, unit, spread, modifier)


def _unit(match: re.Match[str], amount: _Amount) -> tuple[str | None, float, float]:
    spelled = " ".join((match["unit"] or "").casefold().split())
    if match["sign"] or match["sign2"]:
        return MONEY[(match["sign"] or match["sign2"]).upper()], 1.0, 0.0
    if not spelled:
        metres = (match["short2"] or match["short"] or "").strip() == "m"
        return ("m", 1.0, 0.0) if metres else UNITS["year"] if match["aged"] else (None, 1.0, 0.0)
    for form in (spelled, spelled.removesuffix("s")):
        if form == "pound" and amount.scale > 1:
            return "GBP", 1.0, 0.0
        if form in _UNITS_FOLDED:
            return _UNITS_FOLDED[form]
        if form in _MONEY_FOLDED:
            return _MONEY_FOLDED[form], 1.0, 0.0
    return None, 1.0, 0.0


def _clock(match: re.Match[str], modifier: str | None) -> Quantity | None:
    if match["hour24"]:
        return Quantity(60 * int(match["hour24"]) + int(match["minute24"]), unit="o'clock", modifier=modifier)
    hour = int(match["hour"]) % 12 + (12 if match["half"].lower() == "p" else 0)
    return Quantity(60 * hour + int(match["minute"] or 0), unit="o'clock", modifier=modifier)


def _modifier(words: str | None) -> str | None:
    return next((name for name, p in _MODIFIERS.items() if words and re.fullmatch(p, words, re.IGNORECASE)), None)


def _is_pronoun(text: str, match: re.Match[str]) -> bool:
    """Return whether the match is no number: "one of them", "at first"."""
    if match["unit"] or (match[0].lower() not in ("one", "first", "second")):
        return False
    before = max(0, match.start() - _NEAR)
    return bool(_PRONOUN_BEFORE.search(text, before, match.start()) or _PRONOUN_AFTER.match(text, match.end()))


def _tidy(number: float) -> float:
    """Round to twelve significant digits: unit factors must not leave a tail."""
    return float(f"{number:.12g}")

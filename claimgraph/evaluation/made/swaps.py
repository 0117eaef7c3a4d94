"""Replace a name, number or date by another of its type: from the same text where there is one, else from a short list.

A value of the same text is the likelier mistake of a summariser, and the harder one to find. Never a value that is
equal to or compatible with the old one, nor a name that may mean the same thing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from claimgraph.detect.text.words import folded, is_country, same_name
from claimgraph.kgstore.model import Span
from claimgraph.kgstore.values import literals
from claimgraph.kgstore.values.dates import Date
from claimgraph.kgstore.values.literals import Comparison, Parsed
from claimgraph.kgstore.values.quantities import Quantity

if TYPE_CHECKING:
    from claimgraph.detect.text.parse import Paragraph

_NAMES = {
    "PERSON": ("Thomas Keller", "Helen Marsh", "Peter Lindqvist", "Maria Okafor", "Weber", "Sutherland"),
    "GPE": ("Oslo", "Lisbon", "Nairobi", "Toronto", "Peru", "Portugal", "Albania"),
    "LOC": ("Lake Victoria", "Siberia", "Lapland"),
    "ORG": ("Norvik Industries", "Halden Group", "Orion"),
    "NORP": ("Norwegian", "Portuguese", "Kenyan", "Canadian"),
    "FAC": ("Victoria Station", "Karlsplatz"),
    "EVENT": ("Midsummer Games",),
}
_ALIASES = ({"us", "u.s", "usa", "u.s.a", "america", "united states", "american"}, {"uk", "u.k", "britain", "british"})
_MONTHS = tuple(re.findall(r"\w+", "January March May July August October December"))
_DAYS = tuple(re.findall(r"\w+", "Monday Tuesday Wednesday Thursday Friday Saturday Sunday"))
_WORDS = tuple(re.findall(r"\w+", "two three four five six seven eight nine ten eleven twelve twenty thirty fifty"))
_RANKS = tuple(re.findall(r"\w+", "second third fourth fifth sixth seventh eighth ninth tenth"))
_MONTH = r"\b(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|" \
         r"Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\b\.?"  # fmt: skip


@dataclass(frozen=True, slots=True)
class Change:
    """New words for a span of the text."""

    span: Span
    words: str
    kind: str


@dataclass(frozen=True, slots=True)
class _Name:
    span: Span
    words: str
    label: str
    tag: str
    sentence: int
    article: str

    @property
    def shape(self) -> tuple[object, ...]:
        """Properties that another name must share to fit the same place."""
        return self.label, self.tag, *_size(self.words)


def entity_swaps(parsed: Sequence[Paragraph], random: Random) -> Iterator[Change]:
    """Yield each name of a person, place, organisation, people or event replaced by one of its kind from another
    sentence.
    """
    names = [name for paragraph in parsed for name in _names(paragraph)]
    for name in names:
        others = [n.words for n in names if n.shape == name.shape and n.sentence != name.sentence]
        listed = [w for w in _NAMES[name.label] if _size(w) == _size(name.words)] or _NAMES[name.label]
        pool = _other(name, others) or (_other(name, listed) if name.tag in ("NNP", "JJ") else [])
        if pool:
            yield Change(name.span, random.choice(pool), "entity")


def _size(name: str) -> tuple[bool, bool]:
    """Return whether a name has several words, and whether it is a country's: "Germany" is no town."""
    return " " in name, is_country(name)


def _names(paragraph: Paragraph) -> Iterator[_Name]:
    """Yield names without a leading article and a trailing "'s"."""
    for found in paragraph.doc.ents:
        words = [t for t in found if t.tag_ != "POS" and not (t.i == found.start and t.lower_ in ("the", "a", "an"))]
        if found.label_ not in _NAMES or not words or not all(t.text[:1].isupper() for t in (words[0], words[-1])):
            continue
        if (words[-1].tag_ == "JJ") != (found.label_ == "NORP"):
            continue
        span = paragraph.cover(words)
        sentence = paragraph.starts[found.sent.start]
        article = _article(paragraph.text, span.start)
        yield _Name(span, paragraph.text[span.start : span.end], found.label_, words[-1].tag_, sentence, article)


def _other(name: _Name, candidates: Sequence[str]) -> list[str]:
    return [c for c in dict.fromkeys(candidates) if not _may_be_same(name.words, c) and _takes(name.article, c)]


def _article(text: str, start: int) -> str:
    """Return the indefinite article before a place, in lower case, or ""."""
    found = re.search(r"\b(an?)\s$", text[max(0, start - 4) : start], re.IGNORECASE)
    return found[1].lower() if found else ""


def _takes(article: str, words: str) -> bool:
    """Return whether the words may follow that indefinite article."""
    vowel = re.match(r"[aeio]|u(?!ni|s)|8|1[18]\b", words, re.IGNORECASE) and not words.lower().startswith("eu")
    return not article or (article == "an") == bool(vowel)


def _may_be_same(a: str, b: str) -> bool:
    if same_name(a, b) or set(folded(a).split()) & set(folded(b).split()):
        return True
    short, long = sorted((a.replace(".", ""), b), key=len)
    acronym = short.isupper() and short == "".join(w[0] for w in long.split() if w[0].isupper())
    return acronym or any({folded(a), folded(b)} <= known for known in _ALIASES)


def number_swaps(text: str, random: Random) -> Iterator[Change]:
    """Yield each number replaced by another in the same unit. One is left alone: its noun is singular."""
    yield from _value_swaps(text, random, "number", _fits_number, _numbers)


def date_swaps(text: str, random: Random) -> Iterator[Change]:
    """Yield each date replaced by another of the same precision, and each day of the week by another."""
    yield from _value_swaps(text, random, "date", _fits_date, _dates)
    for found in re.finditer(r"\b(?:" + "|".join(_DAYS) + r")\b", text):
        yield Change(Span(*found.span()), random.choice([day for day in _DAYS if day != found[0]]), "date")


def _value_swaps(
    text: str,
    random: Random,
    kind: str,
    fits: Callable[[Parsed, Parsed], bool],
    listed: Callable[[str], Iterator[str]],
) -> Iterator[Change]:
    values = [(span, text[span.start : span.end], value) for span, value in literals.literals_in(text)]
    for span, words, value in values:
        if not fits(value, value):
            continue
        others = [w for _, w, v in values if fits(value, v) and w[:1].isalpha() == words[:1].isalpha()]
        article = _article(text, span.start)
        choices = (_different(value, some, article) for some in (others, listed(words)))
        if pool := next(filter(None, choices), None):
            new = random.choice(pool)
            yield Change(span, new[:1].upper() + new[1:] if words[:1].isupper() else new, kind)


def _different(value: Parsed, candidates: Iterable[str], article: str) -> list[str]:
    """Return the candidates of the value's type that exclude it."""
    parsed = [(words, literals.parse(words)) for words in dict.fromkeys(candidates) if _takes(article, words)]
    return [w for w, p in parsed if p and _same_type(value, p) and literals.compare(value, p) is Comparison.DIFFERENT]


def _same_type(a: Parsed, b: Parsed) -> bool:
    """Return whether two values are of one type: both dates, or quantities in one unit."""
    if isinstance(a, Quantity) and isinstance(b, Quantity):
        return a.unit == b.unit
    return isinstance(a, Date) and isinstance(b, Date) and a.precision == b.precision and a.any_year == b.any_year


def _fits_number(value: Parsed, other: Parsed) -> bool:
    if not isinstance(value, Quantity) or not isinstance(other, Quantity) or not _same_type(value, other):
        return False
    near = value.unit is not None or value.number <= 10 * other.number <= 100 * value.number
    return near and value.modifier is None is other.modifier and 1 not in (value.number, other.number)


def _fits_date(value: Parsed, other: Parsed) -> bool:
    return isinstance(value, Date) and _same_type(value, other) and value.modifier == other.modifier


def _numbers(words: str) -> Iterator[str]:
    """Yield the words with another first number in them, written alike."""
    if found := re.search(r"(?<!\d)\d+(?:st|nd|rd|th)\b", words):
        yield from (words[: found.start()] + f"{nth}th" + words[found.end() :] for nth in range(4, 10))
    elif found := re.search(r"\d[\d,]*(?:\.\d+)?", words):
        number, places = float(found[0].replace(",", "")), len(found[0].partition(".")[2])
        for factor in (0.4, 0.5, 2, 3):
            changed = f"{number * factor:,.{places}f}" if "," in found[0] else f"{number * factor:.{places}f}"
            yield words[: found.start()] + changed + words[found.end() :]
    for listed in (_WORDS, _RANKS):
        if found := re.search(r"\b(?:" + "|".join(listed) + r")\b", words, re.IGNORECASE):
            yield from (words[: found.start()] + word + words[found.end() :] for word in listed)


def _dates(words: str) -> Iterator[str]:
    """Yield the words with another year, or another month where they have no year."""
    if found := re.search(r"\d{3,4}", words):
        for by in (-30, -20, -10, 10, 20, 30) if words.endswith("s") else (-12, -7, -3, -2, 2, 3, 7):
            yield f"{words[: found.start()]}{int(found[0]) + by}{words[found.end() :]}"
    elif found := re.search(_MONTH, words, re.IGNORECASE):
        yield from (words[: found.start()] + month + words[found.end() :] for month in _MONTHS)
    elif found := re.search(r"\b1\dth\b", words):
        yield from (words[: found.start()] + nth + words[found.end() :] for nth in ("12th", "15th", "17th", "19th"))

"""Scenes filled in: values of their variables, names of their slots, wordings, numbers in words."""

from __future__ import annotations

import re
from fractions import Fraction
from random import Random

from training.formulas import Value, computed, holds, number
from training.scene import Scene, SceneError, Variable
from training.scene_names import Names, Person

TRIES = 2000
"""Draws of all variables before a scene's conditions count as unsatisfiable."""
_SLOT = re.compile(r"\{([^{}]*)\}")
_WORDING = re.compile(r"\[([^\[\]]*)\]")
_NAMED = re.compile(r"(p|town|country|river|org|school|product|month|weekday)([1-5])$")
_ARTICLE = re.compile(
    r"(?<![\w'])((?:[A-Z]\w* )?)([Aa])n? "
    r"(?=(8|11\b|18\b|hour|honest|heir)|(?:uni|use|uti|eu|one\b|once\b)|([aeiou])|[a-z\d])"
)
_MONTHS = "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November"
_WEEKDAYS = "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"
_ORDERED = {"month": (*_MONTHS, "December"), "weekday": _WEEKDAYS}
_SMALL = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_IRREGULAR = {"one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth"}
_IRREGULAR |= {"twelve": "twelfth", "twenty": "twentieth"}


class Filling:
    """A scene with values drawn; SceneError where its conditions cannot hold."""

    def __init__(self, scene: Scene, random: Random, names: Names | None = None) -> None:
        self._scene, self._random = scene, random
        self._names = names or Names(random)
        self._named: dict[str, str | Person] = {}
        self._known = self._drawn()

    def text(self, written: str, line: int) -> str:
        """With all slots filled in; SceneError where one cannot be."""
        try:
            found = self._filled(written)
        except (ValueError, ZeroDivisionError) as error:
            raise SceneError(line, str(error)) from None
        if wrong := re.search(r"[\[\]{}|@]", found):
            raise SceneError(line, f"'{wrong[0]}' is left over in '{found}'")
        return _with_articles(found)

    def _drawn(self) -> dict[str, Value]:
        for _ in range(TRIES):
            known: dict[str, Value] = {}
            try:
                for variable in self._scene.variables:
                    known[variable.name] = self._value(variable, known)
                if all(holds(condition, known) for condition in self._scene.conditions):
                    return known
            except (ValueError, ZeroDivisionError) as wrong:
                raise SceneError(self._scene.line, str(wrong)) from None
        raise SceneError(self._scene.line, "the conditions never hold")

    def _value(self, variable: Variable, known: dict[str, Value]) -> Value:
        if variable.formula is not None:
            return computed(variable.formula, known)
        if variable.least is not None and variable.most is not None:
            return Fraction(self._random.randint(variable.least, variable.most))
        return number(self._random.choice(variable.values))

    def _filled(self, written: str) -> str:
        """Wordings first, the innermost before the others; then slots, whose values may hold slots and wordings."""
        while found := _WORDING.search(written):
            written = written[: found.start()] + self._random.choice(found[1].split("|")) + written[found.end() :]
        return _SLOT.sub(lambda slot: self._slot(slot[1].strip()), written)

    def _slot(self, slot: str) -> str:
        if slot.endswith("^"):
            found = self._slot(slot[:-1])
            return found[:1].upper() + found[1:]
        inner, _, form = slot.partition(":")
        if form:
            return _formed(computed(inner, self._known), form)
        value = self._known.get(slot)
        if isinstance(value, str):
            return self._filled(value)
        if value is not None:
            return _plain(value)
        name, _, part = slot.partition(".")
        if _NAMED.match(name):
            return self._name(name, part)
        return _plain(computed(slot, self._known))

    def _name(self, name: str, part: str) -> str:
        kind = name[:-1]
        if name not in self._named:
            self._add(kind, name)
        found = self._named[name]
        if isinstance(found, Person):
            return found.word(part) if part else f"{found.first} {found.last}"
        if part:
            raise ValueError(f"a {kind} has no '{part}'")
        return found

    def _add(self, kind: str, name: str) -> None:
        if kind == "p":
            self._named[name] = self._names.person(self._scene.genders.get(name))
        elif kind in _ORDERED:
            most = max(map(int, re.findall(rf"\b{kind}([1-5])\b", self._scene.text)))
            chosen = sorted(self._random.sample(range(len(_ORDERED[kind])), most))
            self._named |= {f"{kind}{at}": _ORDERED[kind][row] for at, row in enumerate(chosen, start=1)}
        else:
            self._named[name] = self._names.of(kind)


def in_words(value: int) -> str:
    """A number from 0 to 999: `four hundred and twelve`."""
    if value < 20:
        return _SMALL[value]
    if value < 100:
        return _TENS[value // 10 - 2] + (f"-{_SMALL[value % 10]}" if value % 10 else "")
    return f"{_SMALL[value // 100]} hundred" + (f" and {in_words(value % 100)}" if value % 100 else "")


def _formed(value: Fraction, form: str) -> str:
    if value.denominator != 1 or value < 0:
        raise ValueError(f"{_plain(value)} cannot be written as '{form}'")
    whole = int(value)
    if form == "year":
        return str(whole)
    if form in ("words", "Words") and whole < 1000:
        return in_words(whole).capitalize() if form == "Words" else in_words(whole)
    if form in ("ordinal", "Ordinal") and whole:
        found = _ordinal(whole)
        return found.capitalize() if form == "Ordinal" else found
    raise ValueError(f"{whole} cannot be written as '{form}'")


def _ordinal(value: int) -> str:
    """In words up to twentieth, then 21st."""
    if value <= 20:
        return _IRREGULAR.get(in_words(value), f"{in_words(value)}th")
    ending = "th" if value % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(value % 10, "th")
    return f"{value:,}{ending}"


def _plain(value: Fraction) -> str:
    """In digits, with a comma for thousands; ValueError where two decimals do not do."""
    if value.denominator == 1:
        return f"{int(value):,}"
    if (value * 100).denominator != 1:
        raise ValueError(f"{value} has more than two decimals")
    return f"{float(value):,.2f}".rstrip("0")


def _with_articles(text: str) -> str:
    """`a` and `an` as the word after them has it, where that begins with a small letter or a number.

    A capital after a word with a capital belongs to a name: Hoi An.
    """

    def right(found: re.Match[str]) -> str:
        if found[1] and found[2] == "A":
            return found[0]
        return f"{found[1]}{found[2]}{'n ' if found[3] or found[4] else ' '}"

    return _ARTICLE.sub(right, text)

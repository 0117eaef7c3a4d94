"""Names that stand in for a scene's slots: persons of many origins with their gender, places, companies, products."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from random import Random

DRAWN = 20
"""Coined names of which one is taken that is new."""
_LISTED = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
_FEMALE = {
    "he": "she",
    "him": "her",
    "his": "her",
    "himself": "herself",
    "man": "woman",
    "son": "daughter",
    "father": "mother",
    "brother": "sister",
    "husband": "wife",
}


@dataclass(frozen=True, slots=True)
class Person:
    """`gender`: "f" or "m"."""

    first: str
    last: str
    gender: str

    def word(self, name: str) -> str:
        """The word for a slot's part: first, last, or a pronoun or noun of the gender, with a capital as it has."""
        if name in ("first", "last"):
            return self.first if name == "first" else self.last
        male = name.lower()
        if male not in _FEMALE:
            raise ValueError(f"a person has no '{name}'")
        found = _FEMALE[male] if self.gender == "f" else male
        return found.capitalize() if name[0].isupper() else found


class Names:
    """Draws names, none of them twice while there are others."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._taken: set[str] = set()

    def person(self, gender: str | None) -> Person:
        """Of that gender, or of any; first and last name of one origin."""
        gender = gender or self._random.choice("fm")
        origin = self._random.choice(list(_LISTED["people"].values()))
        return Person(self._new(origin[gender]), self._new(origin["last"]), gender)

    def of(self, kind: str) -> str:
        """A town, country, river, org, school or product."""
        if kind in ("town", "country", "river"):
            return self._new(_LISTED[kind])
        named = self._random.sample(_LISTED["town"], DRAWN) if kind == "school" else self._coined()
        return self._new([self._random.choice(_LISTED[kind]).format(name) for name in named])

    def _coined(self) -> list[str]:
        begun, ended = (self._random.choices(part, k=DRAWN) for part in _LISTED["coined"])
        return [first + second for first, second in zip(begun, ended, strict=True)]

    def _new(self, names: list[str]) -> str:
        found = self._random.choice([name for name in names if name not in self._taken] or names)
        self._taken.add(found)
        return found

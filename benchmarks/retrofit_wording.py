"""Facts as English sentences, with the places of their words: the wording half of retrofit_drafts.py.

A subject is its full name first and then a pronoun, its family name, "the actor" or its name again; two facts may share
a sentence, as two predicates, a relative clause or two objects of one relation.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from random import Random

PAIRED, RELATIVE = 0.3, 0.15
"""Shares of sentences, where a second fact is there, that say it too."""

_BOTH = -2
"""The number of the fact for the subject of two."""

_GENITIVE = {"he": "his", "she": "her", "it": "its"}
_MARK = re.compile(r"\{([^}]*)\}")
_HEAD_NOUN = re.compile(r"(?:\band\b|\bwho\b|\bof\b|\bfrom\b|\bin\b|\bby\b|[,(/;]|$)")
_THE = re.compile(
    r"(?:United|Soviet|Holy Roman|Kingdom|Republic|Federal|People's|Democratic|University|Academy|Order|Church|Society"
    r"|Institute|Royal|National|Grand Duchy|Duchy|Union|League|Organi[sz]ation|World|International|European Union"
    r"|Czech|Dominican|Central|African Union|Commonwealth|Group|Council|Netherlands|Philippines|Bahamas|Gambia)\b"
    r"|.*\b(?:Republic|Empire|Federation|Union|Kingdom|States|Party|Academy|Institute|Church|Society|Organi[sz]ation"
    r"|Association|Fund|Bank|Agency|Conservatory|Confederation|Sciences|Netherlands|Emirates|Cemetery)$"
)
_OCCUPATION = re.compile(r"[a-z]+(?:er|or|ist|ian|ess)|poet|model|chef|king|queen")
_NO_THE = re.compile(r"(?:The|A)\b")


@dataclass(frozen=True, slots=True)
class Phrasing:
    """How a relation is said of one kind of subject; see retrofit_templates.toml."""

    vp: tuple[str, ...]
    full: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Subject:
    """What a text calls a subject; `pronoun` is he, she, it or unknown, `family` and `noun` ("the actor") may be."""

    name: str
    person: bool
    pronoun: str | None
    family: str | None
    noun: str | None


@dataclass(frozen=True, slots=True)
class Said:
    """One fact to be said: its phrasing and the name of its object."""

    phrasing: Phrasing
    relation: str
    object: str


@dataclass(slots=True)
class Placed:
    """Where a fact stands: half-open spans of its clause, its subject and its object."""

    span: tuple[int, int]
    subject: tuple[int, int]
    object: tuple[int, int]


@dataclass(slots=True)
class _Sentence:
    """Pieces of text with the number of the fact whose clause they are in, tagged where they are its s or o."""

    pieces: list[tuple[str, str, int]] = field(default_factory=list)

    def add(self, text: str, tag: str = "", fact: int = -1) -> None:
        if text:
            self.pieces.append((text if self.pieces else text[:1].upper() + text[1:], tag, fact))


def described(name: str, types: list[str], description: str, extract: str) -> Subject:
    """What a text may call an entity, from what is known of it."""
    if "human" not in types:
        return Subject(_determined(name), False, "it", None, _noun_of_type(types))
    words = name.split()
    whole = len(words) > 1 and all(re.fullmatch(r"[^\W\d_]+\.?", word) and word[0].isupper() for word in words)
    return Subject(
        name,
        True,
        _pronoun(description, extract),
        words[-1] if whole and len(words[-1]) > 3 else None,
        _noun_of(description),
    )


def paragraph(subject: Subject, facts: list[Said], pick: Random) -> tuple[str, list[Placed], int]:
    """Sentences about one subject that say the facts in order, where each stands, and how many sentences they are."""
    text, places, at, sentences = "", [], 0, 0
    while at < len(facts):
        count = 2 if at + 1 < len(facts) and pick.random() < PAIRED + RELATIVE else 1
        sentence, whole = _sentence(subject, facts[at : at + count], pick, first=at == 0)
        start = len(text) + bool(text)
        text += (" " if text else "") + "".join(piece for piece, _, _ in sentence.pieces)
        places += [_placed(sentence, start, fact, whole) for fact in range(count)]
        at += count
        sentences += 1
    return text, places, sentences


def _sentence(subject: Subject, facts: list[Said], pick: Random, *, first: bool) -> tuple[_Sentence, bool]:
    """A sentence, and whether each of its facts takes all of it."""
    found = _Sentence()
    if len(facts) == 1:
        _single(found, subject, facts[0], pick, first=first)
        return found, True
    one, two = (pick.choice(fact.phrasing.vp) for fact in facts)
    name = _name(subject, pick, first=first, pronouns=True)
    listed = facts[0].relation == facts[1].relation and one.endswith("o}")
    relative = not listed and pick.random() < RELATIVE / (PAIRED + RELATIVE)
    relative = relative and name not in _GENITIVE
    found.add(name, "s", _BOTH)
    found.add(", who " if relative and subject.person else ", which " if relative else " ")
    _fill(found, one, subject, name, facts[0].object, 0)
    found.add(", " if relative else " and ")
    _fill(found, one[one.rindex("{") :] if listed else two, subject, name, facts[1].object, 1)
    found.add(".")
    return found, listed


def _single(found: _Sentence, subject: Subject, fact: Said, pick: Random, *, first: bool) -> None:
    phrasing = fact.phrasing
    template = pick.choice((*phrasing.vp, *phrasing.full))
    if template in phrasing.full:
        name = _name(subject, pick, first=first, pronouns=template.startswith("{s}") or "{s's}" in template)
        _fill(found, template, subject, name, fact.object, 0)
        return
    name = _name(subject, pick, first=first, pronouns=True)
    found.add(name, "s", 0)
    found.add(" ")
    _fill(found, template, subject, name, fact.object, 0)
    found.add(".")


def _name(subject: Subject, pick: Random, *, first: bool, pronouns: bool) -> str:
    """The name at first, then one of what else it is called."""
    if first:
        return subject.name
    asked = pick.choices((subject.pronoun if pronouns else None, subject.family, subject.noun, None), (4, 2, 1, 3))[0]
    return asked or subject.name


def _fill(found: _Sentence, template: str, subject: Subject, name: str, other: str, fact: int) -> None:
    """The template's pieces, its marks filled."""
    at = 0
    for mark in _MARK.finditer(template):
        found.add(template[at : mark.start()], "", fact)
        at = mark.end()
        if mark[1] in ("s", "s's"):
            found.add(name if mark[1] == "s" else _GENITIVE.get(name, f"{name}'s"), "s", fact)
        elif mark[1] in ("o", "a o", "the o"):
            found.add(_article(mark[1], other), "", fact)
            found.add(other, "o", fact)
        else:
            found.add(mark[1].split("|")[{"he": 0, "she": 1}.get(subject.pronoun or "", 2)], "", fact)
    found.add(template[at:], "", fact)


def _article(mark: str, name: str) -> str:
    if mark == "a o":
        return "an " if name[:1].casefold() in "aeiou" and not name.casefold().startswith(("uni", "eu")) else "a "
    return _determined(name).removesuffix(name) if mark == "the o" else ""


def _determined(name: str) -> str:
    """The name, with "the" before it where such names take it."""
    return f"the {name}" if _THE.match(name) and not _NO_THE.match(name) else name


def _placed(sentence: _Sentence, start: int, fact: int, whole: bool) -> Placed:
    tagged: dict[str, tuple[int, int]] = {}
    clause, at = [start] if whole or fact == 0 else [], start
    for text, tag, number in sentence.pieces:
        end = at + len(text)
        if tag and number in (fact, _BOTH):
            tagged[tag] = (at, end)
        if number == fact:
            clause += [at, end]
        at = end
    return Placed((min(clause), at if whole else max(clause)), tagged["s"], tagged["o"])


def _pronoun(description: str, extract: str) -> str | None:
    words = re.findall(r"[a-z]+", extract.casefold())
    he, she = (sum(word in forms for word in words) for forms in (("he", "his", "him"), ("she", "her", "hers")))
    if he == she:
        return "she" if "actress" in description else None
    return "he" if he > she else "she"


def _noun_of(description: str) -> str | None:
    """ "the actor" of "American actor and singer"."""
    words = _HEAD_NOUN.split(description, maxsplit=1)[0].split() if description else []
    return f"the {words[-1]}" if words and _OCCUPATION.fullmatch(words[-1]) else None


def _noun_of_type(types: list[str]) -> str | None:
    for word in ("film", "band", "label", "country", "city", "university", "company"):
        if any(word in name.casefold().split() for name in types):
            return f"the {word}"
    return "the country" if "sovereign state" in types else None

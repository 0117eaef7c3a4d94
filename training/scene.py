"""A scene as it is written: variables, sentences of a context, and claims about it.

training/scenes/README.md has the format.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

KINDS = {"+": "entailment", "-": "contradiction", "?": "neutral"}
"""The label of a claim's line."""
SENTENCES = (2, 16)
_VARIABLE = re.compile(r"\$(\w+)\s*([:=])\s*(.+)$")
_RANGE = re.compile(r"(-?\d+)\s*\.\.\s*(-?\d+)$")
_GENDER = re.compile(r"\$(p[1-5])!([fm])$")
_NEEDED = re.compile(r"\s*@\s*(\d+(?:\s*,\s*\d+)*)$")
_TOP_LEVEL = re.compile(r"\|(?![^\[\]]*\])")
"""A bar that stands in no [wording|wording]."""


@dataclass(frozen=True, slots=True)
class Variable:
    """One of `values`, a whole number from `least` to `most` (both set, or none), or what `formula` comes to."""

    name: str
    values: tuple[str, ...] = ()
    least: int | None = None
    most: int | None = None
    formula: str | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """`needed`: rows of the sentences one needs to see its label, from 0; none for what is not mentioned."""

    label: str
    text: str
    needed: tuple[int, ...]
    line: int


@dataclass(frozen=True, slots=True)
class Scene:
    """`genders`: of p1 to p5 where fixed, "f" or "m". `lines`: of the sentences. `text`: the scene as it is written."""

    phenomenon: str
    line: int
    text: str
    variables: tuple[Variable, ...]
    conditions: tuple[str, ...]
    genders: dict[str, str]
    sentences: tuple[str, ...]
    lines: tuple[int, ...]
    claims: tuple[Claim, ...]


class SceneError(ValueError):
    """What is wrong with a scene, and in which line."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line


def blocks(path: Path) -> Iterator[list[tuple[int, str]]]:
    """The lines of each scene of a file, with their numbers from 1, without comments."""
    some: list[tuple[int, str]] = []
    for number, line in enumerate([*path.read_text(encoding="utf-8").splitlines(), ""], start=1):
        if line.strip() and not line.startswith("#"):
            some.append((number, line.strip()))
        elif not line.strip() and some:
            yield some
            some = []


def parsed(phenomenon: str, lines: list[tuple[int, str]]) -> Scene:
    """The scene of some lines; SceneError where the format is not kept."""
    variables: list[Variable] = []
    conditions: list[str] = []
    genders: dict[str, str] = {}
    sentences: list[tuple[str, int]] = []
    claims: list[Claim] = []
    for number, line in lines:
        kind, text = line[0], line[1:].strip()
        if gender := _GENDER.match(line):
            genders[gender[1]] = gender[2]
        elif kind == "$":
            variables.append(_variable(number, line))
        elif kind == "!":
            conditions.append(text)
        elif kind == "=":
            sentences.append((text, number))
        elif kind in KINDS:
            claims.append(_claim(number, KINDS[kind], text))
        else:
            raise SceneError(number, f"a line begins with $ ! = + - ? or #, not with '{kind}'")
    first = lines[0][0]
    whole = "\n".join(line for _, line in lines)
    scene = Scene(
        phenomenon,
        first,
        whole,
        tuple(variables),
        tuple(conditions),
        genders,
        tuple(text for text, _ in sentences),
        tuple(number for _, number in sentences),
        tuple(claims),
    )
    _checked(scene)
    return scene


def _variable(number: int, line: str) -> Variable:
    found = _VARIABLE.match(line)
    if not found:
        raise SceneError(number, "a variable is '$name: values', '$name: 2..9' or '$name = formula'")
    name, how, rest = found[1], found[2], found[3].strip()
    if how == "=":
        return Variable(name, formula=rest)
    if span := _RANGE.match(rest):
        if int(span[1]) > int(span[2]):
            raise SceneError(number, f"the range {rest} is empty")
        return Variable(name, least=int(span[1]), most=int(span[2]))
    values = tuple(value.strip() for value in _TOP_LEVEL.split(rest))
    if not all(values):
        raise SceneError(number, "a value is empty")
    return Variable(name, values)


def _claim(number: int, label: str, text: str) -> Claim:
    found = _NEEDED.search(text)
    needed = tuple(int(row) - 1 for row in found[1].split(",")) if found else ()
    text = text[: found.start()] if found else text
    if "@" in text:
        raise SceneError(number, "after @ stand numbers of sentences, at the end of the line")
    if (label == "neutral") is bool(needed):
        raise SceneError(number, "a claim with + or - names its sentences after @, one with ? names none")
    return Claim(label, text, needed, number)


def _checked(scene: Scene) -> None:
    """SceneError where parts of a scene are missing or out of range."""
    least, most = SENTENCES
    if not least <= len(scene.sentences) <= most:
        raise SceneError(scene.line, f"a context has {least} to {most} sentences (=), not {len(scene.sentences)}")
    for mark, label in KINDS.items():
        if label not in {claim.label for claim in scene.claims}:
            raise SceneError(scene.line, f"no claim with {mark}")
    for claim in scene.claims:
        if not set(claim.needed) <= set(range(len(scene.sentences))):
            raise SceneError(claim.line, f"there are {len(scene.sentences)} sentences only")

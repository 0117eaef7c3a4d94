"""What language models answer in the stages of KGR, and how it is read: names, numbers of facts, a verdict, a text."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import json_repair

from detect.structured import Form
from kgstore.model import Outcome

_NAMES = 8
"""Entities of one claim that are looked up."""
_LONGEST = 300
"""Characters of a name, a reason or a suggestion that are kept."""

_OUTCOMES = {
    "supported": Outcome.SUPPORTED,
    "refuted": Outcome.REFUTED,
    "not enough": Outcome.NOT_ENOUGH_INFO,
}


@dataclass(frozen=True, slots=True)
class Judged:
    """A verdict as the model gave it: `facts` are numbers as given, from 1 on; suggestion and reason may be empty."""

    outcome: Outcome
    facts: tuple[int, ...]
    suggestion: str
    reason: str


def _list_of(kind: str, key: str) -> dict[str, Any]:
    return {key: {"type": "array", "items": {"type": kind}}}


def _schema(properties: dict[str, Any]) -> str:
    shape = {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}
    return json.dumps(shape)


def _names(answer: str) -> tuple[str, ...]:
    given = _field(answer, "entities")
    if not isinstance(given, list):
        raise ValueError("entities must be a list of names")
    found = (_line(name) for name in given if isinstance(name, str))
    return tuple(dict.fromkeys(name for name in found if name))[:_NAMES]


def _numbers(answer: str) -> tuple[int, ...]:
    return _whole(_field(answer, "facts"))


def _judged(answer: str) -> Judged:
    said = _line(_field(answer, "verdict")).casefold()
    outcome = next((found for word, found in _OUTCOMES.items() if said.startswith(word)), None)
    if outcome is None:
        raise ValueError('verdict must be "supported", "refuted" or "not enough"')
    rest = _object(answer)
    return Judged(outcome, _whole(rest.get("facts", [])), _line(rest.get("suggestion")), _line(rest.get("reason")))


def _text(answer: str) -> str:
    text = _field(answer, "text")
    if not isinstance(text, str) or not text.strip():
        raise ValueError("text must be the whole text")
    return text.strip()


NAMES = Form(_names, _schema(_list_of("string", "entities")))
"""The entities of a claim, each once, in the order given."""

NUMBERS = Form(_numbers, _schema(_list_of("integer", "facts")))
"""Numbers of facts as given, each once: they may be of no fact."""

JUDGED = Form(
    _judged,
    _schema(
        {
            "reason": {"type": "string"},
            "verdict": {"type": "string", "enum": list(_OUTCOMES)},
            **_list_of("integer", "facts"),
            "suggestion": {"type": "string"},
        }
    ),
)
"""The verdict on one claim."""

TEXT = Form(_text, _schema({"text": {"type": "string"}}))
"""A text, without space around it, not empty."""


def _field(answer: str, key: str) -> Any:
    found = _object(answer)
    if key not in found:
        raise ValueError(f"the object has no {key!r}")
    return found[key]


def _object(answer: str) -> dict[str, Any]:
    """The JSON object in an answer, whatever stands around it."""
    found = json_repair.loads(answer[answer.find("{") :]) if "{" in answer else None
    if not isinstance(found, dict):
        raise ValueError("the answer is no JSON object")
    return found


def _whole(given: Any) -> tuple[int, ...]:
    """Whole numbers of a list, written as numbers or as digits; others in it are left out."""
    if not isinstance(given, Sequence) or isinstance(given, str):
        raise ValueError("facts must be a list of numbers")
    digits = (str(number) for number in given if isinstance(number, int | str) and not isinstance(number, bool))
    return tuple(dict.fromkeys(int(number) for number in digits if number.isdecimal() and len(number) < 7))


def _line(said: Any) -> str:
    return " ".join(said.split())[:_LONGEST] if isinstance(said, str) else ""

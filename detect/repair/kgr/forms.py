"""Define the forms of answers in the stages of KGR, and read them: names, numbers of facts, a verdict, a text."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from claimgraph.detect.prompting.forms import json_form
from claimgraph.kgstore.model import Outcome

_NAMES = 8
"""Most entities of one claim that are looked up."""
_LONGEST = 300
"""Most characters kept of a name, a reason or a suggestion."""
_DIGITS = 7
"""A number with this many digits is no fact's."""

_OUTCOMES = {
    "supported": Outcome.SUPPORTED,
    "refuted": Outcome.REFUTED,
    "not enough": Outcome.NOT_ENOUGH_INFO,
}


@dataclass(frozen=True, slots=True)
class ModelVerdict:
    """A verdict as the model gave it: `facts` are numbers as given, from 1 on; suggestion and reason may be empty."""

    outcome: Outcome
    facts: tuple[int, ...]
    suggestion: str
    reason: str


def _names(value: Any) -> tuple[str, ...]:
    given = value["entities"]
    if not isinstance(given, list):
        raise ValueError("entities must be a list of names")
    found = (_line(name) for name in given)
    return tuple(dict.fromkeys(name for name in found if name))[:_NAMES]


def _numbers(value: Any) -> tuple[int, ...]:
    return _whole(value["facts"])


def _judged(value: Any) -> ModelVerdict:
    said = _line(value["verdict"]).casefold().replace("_", " ")
    outcome = next((found for word, found in _OUTCOMES.items() if said.startswith(word)), None)
    if outcome is None:
        raise ValueError('verdict must be "supported", "refuted" or "not enough"')
    return ModelVerdict(
        outcome, _whole(value.get("facts", [])), _line(value.get("suggestion")), _line(value.get("reason"))
    )


def _text(value: Any) -> str:
    text = value["text"]
    if not isinstance(text, str) or not text.strip():
        raise ValueError("text must be the whole text")
    return text.strip()


def _whole(given: Any) -> tuple[int, ...]:
    """Return the whole numbers of a list, each once, written as numbers or as digits; other items are ignored."""
    if not isinstance(given, list):
        raise ValueError("facts must be a list of numbers")
    digits = (str(one).strip(" .[]()#") for one in given if isinstance(one, int | str) and not isinstance(one, bool))
    return tuple(dict.fromkeys(int(number) for number in digits if number.isdecimal() and len(number) < _DIGITS))


def _line(said: Any) -> str:
    return " ".join(said.split())[:_LONGEST] if isinstance(said, str) else ""


def _list_of(kind: str) -> dict[str, Any]:
    return {"type": "array", "items": {"type": kind}}


def _schema(**properties: dict[str, Any]) -> str:
    shape = {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}
    return json.dumps(shape)


NAMES = json_form(_schema(entities=_list_of("string")), _names)
"""The entities of a claim, each once, in the order given."""

NUMBERS = json_form(_schema(facts=_list_of("integer")), _numbers)
"""Numbers of facts as given, each once: there may be no such fact."""

_WORD = {"type": "string"}
JUDGED = json_form(
    _schema(
        reason=_WORD,
        verdict=_WORD | {"enum": list(_OUTCOMES)},
        facts=_list_of("integer"),
        suggestion=_WORD,
    ),
    _judged,
)
"""The verdict on one claim."""

TEXT = json_form(_schema(text=_WORD), _text)
"""A text, not empty, without space around it."""

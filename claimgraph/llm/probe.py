"""Test whether a language model answers, and whether its server enforces a JSON schema, by one short question.

A list of models was rejected as a test: servers name what they could load, with or without the right key.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from time import perf_counter

from claimgraph.kgstore.errors import ServiceError
from claimgraph.kgstore.model import Message, Request
from claimgraph.llm.client import OpenAIChat

_SCHEMA = {"type": "object", "properties": {"yes": {"type": "boolean"}}, "required": ["yes"]}
_QUESTION = Request(
    (Message("user", "Is water wet?"),),
    max_tokens=256,
    schema=json.dumps(_SCHEMA | {"additionalProperties": False}),
)
"""A value that no model answers unless its server enforces the schema."""


@dataclass(frozen=True, slots=True)
class Probe:
    """The result of the test: `problem` None where it was answered, in `seconds`.

    `schema`: the answer was held to the schema; None where there was no answer.
    """

    problem: str | None
    schema: bool | None
    seconds: float


def probe(base_url: str, model: str, key: str | None, timeout: float) -> Probe:
    """Ask once; a server that is down is tried again at short intervals only. Raises InputError."""
    clock = perf_counter()
    [answer] = OpenAIChat(base_url, model, key, timeout=timeout, pause=0.05).answer([_QUESTION])
    seconds = perf_counter() - clock
    if isinstance(answer, ServiceError):
        return Probe(str(answer), None, seconds)
    return Probe(None, _held(answer), seconds)


def _held(answer: str) -> bool:
    try:
        said = json.loads(answer)
    except ValueError:
        return False
    return isinstance(said, dict) and set(said) == {"yes"} and isinstance(said["yes"], bool)

"""Build a request that an OpenAI-compatible server accepts, and detect which part of it a server refuses.

Servers differ in what they support. A part that one refuses by name is left out or replaced, and asked again: an answer
held to a JSON schema becomes any JSON object, then any text (older servers, DeepSeek); `max_tokens` becomes
`max_completion_tokens` (OpenAI's reasoning models); `seed` (Mistral), `temperature` and `top_p` (reasoning models that
fix their sampling) are left out. Querying a server's abilities was rejected: there is no common way.
"""

from __future__ import annotations

import json
import re
from dataclasses import asdict
from typing import Any

from claimgraph.kgstore.model import Request

_REFUSING = frozenset({400, 404, 422})
_FORMAT = r"response_format|json_schema|json_object|schema|grammar|structured"
_SPOKEN_OF = {
    "json_schema": _FORMAT,
    "json_object": _FORMAT,
    "max_tokens": r"\bmax_tokens\b",
    "seed": r"\bseed\b",
    "temperature": r"\btemperature\b",
    "top_p": r"\btop_p\b",
}
"""Optional parts of a request, and the names that servers use for them."""


def body(model: str, request: Request, without: frozenset[str]) -> dict[str, Any]:
    """Return the request as JSON, with nothing that is in `without`.

    The seed is the sample's number, where anything is sampled, so that samples differ and are reproducible. A JSON
    object is asked for only where the messages mention JSON, as OpenAI demands.
    """
    made: dict[str, Any] = {"model": model, "messages": [asdict(message) for message in request.messages]}
    made |= {"temperature": request.temperature, "top_p": request.top_p}
    if request.temperature > 0:
        made["seed"] = request.sample
    if request.max_tokens is not None:
        limit = "max_completion_tokens" if "max_tokens" in without else "max_tokens"
        made[limit] = request.max_tokens
    if form := _form(request, without):
        made["response_format"] = form
    return {key: value for key, value in made.items() if key not in without}


def refused(code: int, said: str, asked: dict[str, Any]) -> str | None:
    """Return the part of the request that the server's error is about; None where it is about something else."""
    if code not in _REFUSING:
        return None
    about = _parameter(said) or said
    offered = {*asked, asked.get("response_format", {}).get("type")}
    return next((part for part, named in _SPOKEN_OF.items() if part in offered and re.search(named, about)), None)


def _form(request: Request, without: frozenset[str]) -> dict[str, Any] | None:
    if request.schema is None:
        return None
    if "json_schema" not in without:
        held = {"name": "answer", "strict": True, "schema": json.loads(request.schema)}
        return {"type": "json_schema", "json_schema": held}
    spoken_of = any("json" in message.content.lower() for message in request.messages)
    return {"type": "json_object"} if "json_object" not in without and spoken_of else None


def _parameter(said: str) -> str | None:
    """Return the parameter that an error in OpenAI's form is about."""
    try:
        named = json.loads(said)["error"]["param"]
    except (ValueError, LookupError, TypeError, RecursionError):
        return None
    return named if isinstance(named, str) else None

"""Parse a server's answer: the text, or why there is none, and the tokens it counted."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

_THOUGHT = re.compile(r"\s*<think>.*?</think>\s*", re.DOTALL)
_TAG = re.compile("<[^<>]*>")
_HALF = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Completion:
    """An answer: `text`, or None and the reason in `problem`; tokens as the server counted them, None where it did not.

    `without` names the parts of the request that the server refused.
    """

    text: str | None
    problem: str = ""
    tokens_in: int | None = None
    tokens_out: int | None = None
    without: frozenset[str] = frozenset()


def read(data: bytes) -> Completion:
    """Return the answer in a body. Raises ValueError or RecursionError for one that is truncated, or no JSON in
    UTF-8.
    """
    said = json.loads(data.decode())
    try:
        choice = said["choices"][0]
        message = choice["message"]
        text, refusal = message.get("content"), message.get("refusal")
    except (LookupError, TypeError, AttributeError):
        return Completion(None, f"answered no chat completion: {explained(data.decode())}")
    text, problem = _text(text, refusal, choice.get("finish_reason"))
    usage = said.get("usage")
    return Completion(text, problem, _count(usage, "prompt_tokens"), _count(usage, "completion_tokens"))


def explained(said: str) -> str:
    """Return the message of an error in OpenAI's form, else the body without the tags of a page."""
    try:
        message = json.loads(said)["error"]["message"]
    except (ValueError, LookupError, TypeError, RecursionError):
        message = None
    if isinstance(message, str):
        return message
    return _TAG.sub(" ", said) if said.lstrip().startswith("<") else said


def _text(content: Any, refusal: Any, ended: Any) -> tuple[str | None, str]:
    """Return the text, truncated or not, without thoughts at its beginning; or None and why. An empty text is an
    answer.

    Servers that know a reasoning model put its thoughts elsewhere; others leave them in front as <think>...</think>. A
    closing tag without an opening one does not end thoughts: a text under check that has one could cut an answer.
    """
    if isinstance(content, list):
        parts = (part.get("text") for part in content if isinstance(part, dict))
        content = "".join(part for part in parts if isinstance(part, str))
    if isinstance(refusal, str) and refusal and not content:
        return None, f"refused: {refusal}"
    if content is not None and not isinstance(content, str):
        return None, "answered no text"
    text = content or ""
    if thought := _THOUGHT.match(text):
        text = text[thought.end() :]
    if text.lstrip().startswith("<think>"):
        return None, "thought until it was cut off, and answered nothing"
    if not text.strip() and (content is None or ended not in (None, "stop")):
        return None, "answered nothing" + (f" ({ended})" if isinstance(ended, str) else "")
    return _HALF.sub("\ufffd", text), ""


def _count(usage: Any, kind: str) -> int | None:
    found = usage.get(kind) if isinstance(usage, dict) else None
    return found if isinstance(found, int) and not isinstance(found, bool) and found >= 0 else None

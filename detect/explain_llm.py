"""Explanations in a language model's words, and a language model's ratings of explanations.

KEA Explain hands context, output and edit operations to an LLM and prints what it writes. The text is for people:
nothing is read out of it. The texts under check come from anywhere; they can do no more than make an explanation or a
rating worse.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from detect.edits import Edit
from detect.prompts import ask, load
from kgstore.model import ChatModel

CRITERIA = ("Level of Detail", "Completeness of Explanation", "Accuracy and Reliability", "Trustworthiness")
"""Table 4 of KEA Explain; each is rated from 1 (worst) to 5."""


_LIKELY = "The text says what its context does not. " * 12


def explain_llm(context: str, output: str, edits: Sequence[Edit], chat: ChatModel) -> str:
    """The model's explanation of what the edits say is wrong in the output. Raises ServiceError where it fails."""
    said = "\n".join(edit.text for edit in edits)
    values = {"context": context, "summary": output, "explanations": said}
    return ask(chat, load("explanation"), values, likely=_LIKELY).strip()


def rate(context: str, output: str, explanation: str, chat: ChatModel) -> dict[str, int | None]:
    """The model's rating by each criterion, None where its answer has none. Raises ServiceError where it fails."""
    values = {"context": context, "output": output, "explanation": explanation}
    answer = ask(chat, load("explanation_rating"), values, likely="\n".join(f"{name}: 3" for name in CRITERIA))
    return {name: _rating(name, answer) for name in CRITERIA}


def _rating(criterion: str, answer: str) -> int | None:
    found = re.search(rf"^\W*{re.escape(criterion)}\W*:\W*([1-5])\b", answer, re.IGNORECASE | re.MULTILINE)
    return int(found[1]) if found else None

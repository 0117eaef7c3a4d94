"""Explanations in a language model's words, and a language model's ratings of explanations.

KEA Explain hands context, output and edit operations to an LLM and prints what it writes. The text is for people:
nothing is read out of it. The texts under check come from anywhere; they can do no more than make an explanation or a
rating worse.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from claimgraph.detect.explanation.edit_script import Edit
from claimgraph.detect.prompting.forms import needed
from claimgraph.detect.prompting.prompts import load
from claimgraph.detect.prompting.structured import Failed, answered, asked
from claimgraph.kgstore.model import ChatModel

CRITERIA = ("Level of Detail", "Completeness of Explanation", "Accuracy and Reliability", "Trustworthiness")
"""Table 4 of KEA Explain; each is rated from 1 (worst) to 5."""


_TEXT = needed(lambda answer: answer.strip() or None, "there is no text in it")
_LIKELY = "The text says what its context does not. " * 12


def explain_llm(texts: Sequence[tuple[str, str, Sequence[Edit]]], chat: ChatModel) -> list[str | Failed]:
    """For each context and output the model's explanation of what the edits say is wrong. Raises BudgetSpent."""
    prompt = load("explanation")
    items = []
    for context, output, edits in texts:
        values = {"context": context, "summary": output, "explanations": "\n".join(edit.text for edit in edits)}
        items.append((output, prompt.request(values, likely=_LIKELY)))
    return asked(chat, items, _TEXT)


def rate(texts: Sequence[tuple[str, str, str]], chat: ChatModel) -> list[dict[str, int | None] | Failed]:
    """For each context, output and explanation the model's rating by each criterion, None where its answer has none.

    Raises BudgetSpent.
    """
    prompt, likely = load("explanation_rating"), "\n".join(f"{name}: 3" for name in CRITERIA)
    items = [
        (output, prompt.request({"context": context, "output": output, "explanation": said}, likely=likely))
        for context, output, said in texts
    ]
    return answered(chat, items, lambda answer: {name: _rating(name, answer) for name in CRITERIA})


def _rating(criterion: str, answer: str) -> int | None:
    found = re.search(rf"^\W*{re.escape(criterion)}\W*:\W*([1-5])\b", answer, re.IGNORECASE | re.MULTILINE)
    return int(found[1]) if found else None

"""Write explanations by a language model, and rate explanations by a language model.

KEA Explain gives context, output and edit operations to an LLM and prints its answer. The text is for people: nothing
is parsed from it. The texts under check come from anywhere; they can at most make an explanation or a rating worse.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from claimgraph.detect.explanation.edit_script import EditOperation
from claimgraph.detect.prompting.forms import needed
from claimgraph.detect.prompting.prompts import load
from claimgraph.detect.prompting.structured import Failed, answered, asked
from claimgraph.kgstore.model import ChatModel

CRITERIA = ("Level of Detail", "Completeness of Explanation", "Accuracy and Reliability", "Trustworthiness")
"""Table 4 of KEA Explain; each is rated from 1 (worst) to 5."""


_TEXT = needed(lambda answer: answer.strip() or None, "there is no text in it")
_LIKELY = "The text says what its context does not. " * 12


def explain_llm(texts: Sequence[tuple[str, str, Sequence[EditOperation]]], chat: ChatModel) -> list[str | Failed]:
    """Return for each context and output the model's explanation of the errors that the edits name. Raises
    BudgetSpent.
    """
    prompt = load("explanation")
    items = []
    for context, output, edits in texts:
        values = {"context": context, "summary": output, "explanations": "\n".join(edit.text for edit in edits)}
        items.append((output, prompt.request(values, likely=_LIKELY)))
    return asked(chat, items, _TEXT)


def rate(texts: Sequence[tuple[str, str, str]], chat: ChatModel) -> list[dict[str, int | None] | Failed]:
    """Return for each context, output and explanation the model's rating by criterion, None where its answer has none.

    Raises BudgetSpent.
    """
    prompt, likely = load("explanation_rating"), "\n".join(f"{name}: 3" for name in CRITERIA)
    items = [
        (output, prompt.request({"context": context, "output": output, "explanation": said}, likely=likely))
        for context, output, said in texts
    ]
    return answered(chat, items, lambda answer: {name: _rating(name, answer) for name in CRITERIA})


def _rating(criterion: str, answer: str) -> int | None:
    line = rf"^[^\w\n]*{re.escape(criterion)}[^\w\n:]*:\W{{0,40}}([1-5])\b"
    found = re.search(line, answer, re.IGNORECASE | re.MULTILINE)
    return int(found[1]) if found else None

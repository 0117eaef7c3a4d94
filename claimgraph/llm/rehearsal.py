"""Run without a language model to estimate the price: requests are counted, not sent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from claimgraph.kgstore.errors import ServiceError
from claimgraph.kgstore.model import Message, Request
from claimgraph.llm.spending import Spending, asked_tokens, estimated_tokens

RULE = (
    "tokens by letters, digits and signs; answers as long as usual ones, else as long as they may be, else 256 tokens"
)
"""Explains to users how tokens are estimated."""
_ANSWER = 256


class Rehearsal:
    """A ChatModel that asks nobody: it returns likely answers ("" where none is given), and counts in `spending`.

    An equal request counts as cached, and a question repeated with the error of its answer is free: the likely answer
    is valid.
    """

    def __init__(self, model: str, spending: Spending) -> None:
        self.model, self._spending = model, spending
        self._asked: set[Request] = set()
        self._questions: set[tuple[Message, ...]] = set()

    def answer(self, requests: Sequence[Request]) -> list[str | ServiceError]:
        """Return the likely answers, in order."""
        for request in requests:
            self._count(request)
        return [request.likely for request in requests]

    def _count(self, request: Request) -> None:
        bare = replace(request, likely="")
        if bare in self._asked:
            self._spending.remembered()
        elif request.messages[:-2] not in self._questions:
            self._spending.called(asked_tokens(request), _answered_tokens(request), estimated=True)
        self._asked.add(bare)
        self._questions.add(request.messages)


def _answered_tokens(request: Request) -> int:
    return estimated_tokens(request.likely) or request.max_tokens or _ANSWER

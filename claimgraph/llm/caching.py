"""Cache a language model's answers in the store, and look them up there before it is asked.

The store is read and written in the caller's thread alone, once for many requests, never in a client's threads.
"""

from __future__ import annotations

from collections.abc import Sequence

from claimgraph.kgstore import metric_hooks
from claimgraph.kgstore.errors import BudgetSpent, InputError, ServiceError, StoreError
from claimgraph.kgstore.model import ChatModel, Request
from claimgraph.kgstore.store import GraphStore
from claimgraph.kgstore.upkeep import completions
from claimgraph.llm.spending import Spending

TOGETHER = 64
"""Number of requests whose answers are stored together where several are waited for at once."""


class CachedChat:
    """A ChatModel that forwards to another only the requests without a stored answer. Equal requests are asked once.

    Texts are kept, errors never. Where the store takes no writes (read-only, locked, gone) nothing is kept. `together`
    answers are stored at once: those of at most so many requests are lost when a command is killed.
    """

    def __init__(self, chat: ChatModel, store: GraphStore, spending: Spending, *, together: int = TOGETHER) -> None:
        self.model = chat.model
        self._chat, self._store, self._spending, self._together = chat, store, spending, together

    def answer(self, requests: Sequence[Request]) -> list[str | ServiceError]:
        """Return the answers in order; in place of one that failed its error.

        Raises BudgetSpent, which holds the answers so far.
        """
        keys = [completions.key_of(self.model, request) for request in requests]
        found: dict[str, str | ServiceError] = dict(completions.kept(self._store, keys))
        missing = {key: request for key, request in zip(keys, requests, strict=True) if key not in found}
        metric_hooks.looked_up("answers", len(found), len(missing))
        for _ in range(len(requests) - len(missing)):
            self._spending.remembered()
        for start in range(0, len(missing), self._together):
            some = list(missing.items())[start : start + self._together]
            metric_hooks.computed("language", len(some))
            spent, answers = self._asked([request for _, request in some])
            found |= zip((key for key, _ in some), answers, strict=False)
            if spent:
                raise BudgetSpent(str(spent), [found.get(key, spent) for key in keys])
        return [found[key] for key in keys]

    def _asked(self, requests: Sequence[Request]) -> tuple[BudgetSpent | None, Sequence[str | ServiceError]]:
        """Return the answers, stored as far as they came, and the reason why there are no more."""
        spent: BudgetSpent | None = None
        try:
            answers: Sequence[str | ServiceError] = self._chat.answer(requests)
        except BudgetSpent as error:
            spent, answers = error, error.answers
        self._keep({request: text for request, text in zip(requests, answers, strict=False) if isinstance(text, str)})
        return spent, answers

    def _keep(self, answers: dict[Request, str]) -> None:
        try:
            completions.keep(self._store, self.model, answers)
        except (StoreError, InputError):  # a lost cache costs the next run something, a lost run costs all of it
            return

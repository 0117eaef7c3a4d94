"""Ask a language model behind an OpenAI-compatible server several questions at once, and account for all of them."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

from claimgraph.kgstore.errors import BudgetSpent, ServiceError, StoreError
from claimgraph.kgstore.model import Request
from claimgraph.kgstore.net.file_rate_limit import OwnTurns
from claimgraph.kgstore.net.retries import Turns, Unanswered
from claimgraph.llm.completion import Completion
from claimgraph.llm.server import Server
from claimgraph.llm.spending import Spending, asked_tokens, estimated_tokens

if TYPE_CHECKING:
    import httpx

_LOST = 3
"""After this many requests in a row without an answer, each with its retries, the rest of a batch is not asked."""


class OpenAIChat:
    """A ChatModel at `base_url` ("http://127.0.0.1:11434/v1"); `timeout` in seconds, for one attempt at an answer.

    Busy, broken or silent servers are asked again, as Server says; all who share `limiter` wait together. No connection
    outlives a call of answer. Raises InputError for an address that is not http, or a key no header can hold.
    """

    def __init__(
        self,
        base_url: str,
        model: str,
        api_key: str | None = None,
        *,
        timeout: float = 60.0,
        max_concurrency: int = 4,
        limiter: Turns | None = None,
        spending: Spending | None = None,
        pause: float = 1.0,
    ) -> None:
        """At most `max_concurrency` requests are under way; `pause` is the first back-off in seconds."""
        self.model = model
        self._server = Server(base_url, api_key, limiter or OwnTurns(), timeout, pause)
        self._most, self._spending = max_concurrency, spending or Spending()

    def answer(self, requests: Sequence[Request]) -> list[str | ServiceError]:
        """Return the answers in order; in place of one that failed its error.

        A truncated answer is returned as far as it goes. Raises what the limiter raises of a store, and BudgetSpent,
        which holds the answers so far: requests under way when the budget ends are still answered, so at most
        `max_concurrency` exceed it.
        """
        pool = ThreadPoolExecutor(max(1, min(self._most, len(requests))))
        try:
            with self._server.connections() as client:
                batch = _Batch(client)
                answers = list(pool.map(lambda request: self._answered(batch, request), requests))
        finally:
            pool.shutdown(cancel_futures=True)
        if spent := next((answer for answer in answers if isinstance(answer, BudgetSpent)), None):
            raise BudgetSpent(str(spent), answers)
        return answers

    def _answered(self, batch: _Batch, request: Request) -> str | ServiceError:
        if batch.lost >= _LOST:
            return self._server.error(f"is not asked any more: {_LOST} requests in a row failed")
        try:
            self._spending.check()
            completion = self._server.ask(batch.client, self.model, request)
        except BudgetSpent as spent:
            return spent
        except StoreError:  # where turns are taken: no fault of the model
            raise
        except ServiceError as error:
            self._spending.called(failed=True)
            batch.lost += isinstance(error, Unanswered)
            return self._server.error(error.reason) if isinstance(error, Unanswered) else error
        batch.lost = 0
        self._count(request, completion)
        return self._server.error(completion.problem) if completion.text is None else completion.text

    def _count(self, request: Request, completion: Completion) -> None:
        given, got = completion.tokens_in, completion.tokens_out
        self._spending.called(
            asked_tokens(request) if given is None else given,
            estimated_tokens(completion.text or "") if got is None else got,
            estimated=given is None or got is None,
            failed=completion.text is None,
            without=completion.without,
        )


@dataclass(slots=True)
class _Batch:
    """One call of answer: its connections, and the number of requests in a row without an answer."""

    client: httpx.Client
    lost: int = 0

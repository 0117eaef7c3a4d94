"""What a language model answered is not asked again; a rehearsal asks nothing and stores nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from chat_server import serving

from claimgraph.detect.prompting.structured import AnswerForm, Failed, asked
from claimgraph.kgstore.engines.embedded import open_embedded
from claimgraph.kgstore.errors import BudgetSpent, ServiceError
from claimgraph.kgstore.model import Message, Request
from claimgraph.kgstore.store import GraphStore
from claimgraph.kgstore.upkeep.completions import counts
from claimgraph.llm import OpenAIChat, Spending, asked_tokens, estimated_tokens
from claimgraph.llm.caching import TOGETHER, CachedChat
from claimgraph.llm.rehearsal import Rehearsal
from claimgraph.settings import Settings
from claimgraph.wiring import Models, open_store, opened_models


def question(text: str, **given: object) -> Request:
    """A request of one message."""
    return replace(Request((Message("user", text),)), **given)  # type: ignore[arg-type]


def test_each_question_is_asked_once(store: GraphStore) -> None:
    """Equal requests of a batch are one call, those of a later batch none; samples and models differ."""
    with serving(lambda prompt: f"to {prompt}") as server:
        spending = Spending()
        chat = CachedChat(OpenAIChat(server.url, "small", spending=spending), store, spending)
        batch = [question("a"), question("b"), question("a"), question("a", sample=1)]
        expected = ["to a", "to b", "to a", "to a"]
        assert expected == chat.answer(batch) == chat.answer(batch)
        assert ["a", "a", "b"] == sorted(server.prompts)
        assert (3, 5) == (spending.calls, spending.cached)
        other = Spending()
        CachedChat(OpenAIChat(server.url, "large", spending=other), store, other).answer(batch)
        assert (3, 1) == (other.calls, other.cached)
    assert {"large": 3, "small": 3} == counts(store)


def test_errors_are_not_kept(embedded: GraphStore) -> None:
    """What failed is asked again the next time, and what was answered beside it is not."""
    broken = {"b"}
    with serving(lambda prompt: (400, "no", {}) if prompt in broken else prompt) as server:
        chat = CachedChat(OpenAIChat(server.url, "small"), embedded, Spending())
        first = chat.answer([question("a"), question("b")])
        assert "a" == first[0]
        assert isinstance(first[1], ServiceError)
        broken.clear()
        assert ["a", "b"] == chat.answer([question("a"), question("b")])
        assert 3 == len(server.asked)


def test_what_no_store_can_hold_is_answered(embedded: GraphStore) -> None:
    """Half a surrogate pair, which is no Unicode text, costs the cache its answer and nobody anything else."""

    class Odd:
        model = "small"

        def answer(self, requests: Sequence[Request]) -> list[str | ServiceError]:
            return ["\ud800" for _ in requests]

    assert ["\ud800"] == CachedChat(Odd(), embedded, Spending()).answer([question("a")])
    assert {} == counts(embedded)


def test_a_spent_budget_loses_no_answer(embedded: GraphStore) -> None:
    """What was answered before the budget was spent is kept, and told with the error."""
    with serving(lambda prompt: prompt) as server:
        spending = Spending(limit=1)
        paid = OpenAIChat(server.url, "small", max_concurrency=1, spending=spending)
        chat = CachedChat(paid, embedded, spending)
        with pytest.raises(BudgetSpent) as caught:
            chat.answer([question("a"), question("b"), question("a")])
    assert ("a", "a") == caught.value.answers[::2]
    assert {"small": 1} == counts(embedded)
    assert ["a"] == chat.answer([question("a")])


@pytest.mark.parametrize("together", [1, TOGETHER])
def test_what_was_asked_is_kept_as_it_comes(embedded: GraphStore, together: int) -> None:
    """Of many requests those answered before a break are kept: they are asked for in parts."""

    class Breaking:
        model = "small"

        def answer(self, requests: Sequence[Request]) -> list[str | ServiceError]:
            if counts(embedded):
                raise KeyboardInterrupt
            return [request.messages[0].content for request in requests]

    chat = CachedChat(Breaking(), embedded, Spending(), together=together)
    with pytest.raises(KeyboardInterrupt):
        chat.answer([question(str(number)) for number in range(100)])
    assert {"small": together} == counts(embedded)


def test_a_store_that_takes_no_writes_is_read(tmp_path: Path) -> None:
    """With a read-only store what is kept is used, and what is new is answered and not kept."""
    with serving(lambda prompt: prompt) as server:
        with open_embedded(tmp_path) as store:
            CachedChat(OpenAIChat(server.url, "small"), store, Spending()).answer([question("a")])
        with open_embedded(tmp_path, read_only=True) as store:
            chat = CachedChat(OpenAIChat(server.url, "small"), store, Spending())
            assert ["a", "b"] == chat.answer([question("a"), question("b")])
            assert {"small": 1} == counts(store)
        assert ["a", "b"] == server.prompts


def _settings(tmp_path: Path, url: str | None) -> Settings:
    return Settings(store=tmp_path / "store", cache=tmp_path / "cache", llm_base_url=url, llm_model="small")


def test_a_locked_store_costs_only_the_cache(tmp_path: Path) -> None:
    """Models for work without a store keep answers in the settings' one, read it if it is locked, or do without."""
    with serving(lambda prompt: prompt) as server:
        settings = _settings(tmp_path, server.url)
        with opened_models(settings) as models:
            assert ["a"] == models.chat_for("this").answer([question("a")])
        with open_store(settings), opened_models(settings) as models:
            assert ["a", "b"] == models.chat_for("this").answer([question("a"), question("b")])
            assert 1 == models.spending.cached
        (tmp_path / "file").touch()
        with opened_models(replace(settings, store=tmp_path / "file" / "store")) as models:
            assert ["a"] == models.chat_for("this").answer([question("a")])
        assert ["a", "b", "a"] == server.prompts
    with opened_models(_settings(tmp_path, None)) as models:
        assert models.chat is None


def test_a_rehearsal_counts_and_changes_nothing(embedded: GraphStore) -> None:
    """Nobody is asked, likely answers are given, kept ones are used, and tokens are estimated by the stated rule."""
    with serving(lambda _: "real") as server:
        settings = replace(Settings(llm_model="small"), llm_base_url=server.url)
        Models(settings, embedded).chat_for("this").answer([question("known")])
        models = Models(settings, embedded, dry_run=True)
        likely = question("12345678", likely="four"), question("12345678", sample=1, max_tokens=7)
        assert ["real", "four", ""] == models.chat_for("this").answer([question("known"), *likely])
        assert 1 == len(server.asked)
    spent = models.spending
    tokens = sum(map(asked_tokens, likely)), estimated_tokens("four") + 7
    assert (2, 1, *tokens) == (spent.calls, spent.cached, spent.tokens_in, spent.tokens_out)
    assert spent.estimated
    assert {"small": 1} == counts(embedded)


def test_a_rehearsal_does_not_count_second_attempts() -> None:
    """An answer in the wrong form, which nobody gave, is sent back for nothing; an equal question is kept by then."""

    def never(answer: str) -> str:
        raise ValueError(f"no {answer}")

    spending = Spending()
    rehearsal = Rehearsal("small", spending)
    [found] = asked(rehearsal, [("item", question("a"))], AnswerForm(never))
    assert isinstance(found, Failed)
    assert (1, 0) == (spending.calls, spending.cached)
    rehearsal.answer([question("a"), question("a", sample=1)])
    assert (2, 1) == (spending.calls, spending.cached)

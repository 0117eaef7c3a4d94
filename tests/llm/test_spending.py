"""What a run asks of language models, counted."""

from __future__ import annotations

import pytest
from chat_server import completion, serving
from hypothesis import given, settings
from hypothesis import strategies as st

from claimgraph.kgstore.errors import BudgetSpent
from claimgraph.kgstore.model import Message, Request
from claimgraph.llm import OpenAIChat, Spending, asked_tokens, estimated_tokens

ASKED = Request((Message("system", "Be brief."), Message("user", "Is it so?")))


def test_tokens_are_the_servers() -> None:
    """Calls, tokens in and out, and their cost; a refusal is a failed call, and its tokens count."""
    replies = [
        completion(None, usage=(10, 2), message={"refusal": "no"}),
        completion("a", usage=(100, 20)),
        (401, "", {}),
    ]
    spending = Spending(price_in=2.0, price_out=10.0)
    with serving(lambda _: replies.pop()) as server:
        OpenAIChat(server.url, "small", max_concurrency=1, spending=spending).answer([ASKED] * 3)
    assert {
        "calls": 3,
        "cached": 0,
        "failed": 2,
        "tokens_in": 110,
        "tokens_out": 22,
        "estimated": False,
        "without": [],
        "cost": pytest.approx(0.00044),
        "limit": None,
    } == spending.as_json()
    assert "3 calls of the language model, 2 failed, 110 tokens in, 22 out, cost 0.00044" == spending.summary()


@pytest.mark.parametrize("usage", ['{"prompt_tokens": -1}', '{"prompt_tokens": true}', "null", "7", '{"a": 1}'])
def test_tokens_that_no_server_counted_are_estimated(usage: str) -> None:
    """Without a usable count the estimate stands, and the line says so."""
    body = f'{{"choices": [{{"message": {{"content": "It is so."}}}}], "usage": {usage}}}'
    spending = Spending()
    with serving(lambda _: (200, body, {})) as server:
        OpenAIChat(server.url, "small", spending=spending).answer([ASKED])
    assert (asked_tokens(ASKED), estimated_tokens("It is so."), True, None) == (
        spending.tokens_in,
        spending.tokens_out,
        spending.estimated,
        spending.cost,
    )
    assert "1 call of the language model, about 15 tokens in, about 4 out" == spending.summary()


def test_a_limit_ends_the_asking() -> None:
    """Below the limit all is well; from it on the line names the setting; cached answers cost nothing."""
    spending = Spending(limit=10)
    spending.called(5, 4)
    spending.remembered()
    spending.check()
    spending.called(1, 0)
    with pytest.raises(BudgetSpent, match=r"budget of 10 tokens \(CLAIMGRAPH_LLM_BUDGET\) is spent: 10 were used"):
        spending.check()
    assert "2 calls of the language model, 1 more from the cache, 6 tokens in, 4 out" == spending.summary()


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        (" \n", 0),
        ("Marie Curie was born in Warsaw.", 7),
        ("internationalisation", 3),
        ("1867", 4),
        ('[["a", "b"]]', 8),
        ("Варшава", 3),
        ("a\ud83d", 2),
    ],
)
def test_tokens_are_estimated_by_letters_digits_and_signs(text: str, tokens: int) -> None:
    """A token for 7 letters of a word, a digit, 2 signs, or 6 bytes beyond ASCII, each begun one whole."""
    assert tokens == estimated_tokens(text)


@given(st.text(), st.text())
@settings(max_examples=100, deadline=None)
def test_texts_joined_are_no_more_than_their_parts(one: str, other: str) -> None:
    """An estimate never grows by joining, and never shrinks by more than begun tokens."""
    whole, parts = estimated_tokens(one + other), estimated_tokens(one) + estimated_tokens(other)
    assert parts - 1 <= whole <= parts

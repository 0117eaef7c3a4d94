"""What servers take: parts of a request that one refuses are left out or put otherwise, and not offered again."""

from __future__ import annotations

import json
from typing import Any

import pytest
from chat_server import Reply, completion, serving

from claimgraph.kgstore.errors import ServiceError
from claimgraph.kgstore.model import Message, Request
from claimgraph.llm import OpenAIChat, Spending

SCHEMA = '{"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"], "additionalProperties": false}'


def asked(text: str = "As JSON, please.", **others: object) -> Request:
    return Request((Message("user", text),), **others)  # type: ignore[arg-type]


def openai_error(message: str, parameter: str | None) -> Reply:
    return 400, json.dumps({"error": {"message": message, "type": "invalid_request_error", "param": parameter}}), {}


def sent(request: dict[str, Any]) -> dict[str, Any]:
    """What a request asks for beside model, messages and sampling."""
    usual = ("model", "messages", "temperature", "top_p", "path", "headers")
    return {key: value for key, value in request.items() if key not in usual}


def test_all_of_a_request_is_offered() -> None:
    """Schema, limit, and the number of the sample as the seed where anything is drawn; else no seed."""
    with serving(lambda _: "{}") as server:
        drawn = asked(temperature=0.7, top_p=0.9, max_tokens=50, schema=SCHEMA, sample=3)
        OpenAIChat(server.url, "small", max_concurrency=1).answer([drawn, asked(sample=3)])
    form = {"type": "json_schema", "json_schema": {"name": "answer", "strict": True, "schema": json.loads(SCHEMA)}}
    assert {"max_tokens": 50, "seed": 3, "response_format": form} == sent(server.asked[0])
    assert (0.7, 0.9) == (server.asked[0]["temperature"], server.asked[0]["top_p"])
    assert {} == sent(server.asked[1])


def _no_schema(request: dict[str, Any]) -> Reply | None:
    """DeepSeek's way: JSON objects only."""
    if request.get("response_format", {}).get("type") == "json_schema":
        return openai_error("This response_format type is unavailable now", None)
    return None


def _no_format(request: dict[str, Any]) -> Reply | None:
    """Neither way."""
    return (422, '{"detail": "response_format: extra fields"}', {}) if "response_format" in request else None


def _no_grammar(request: dict[str, Any]) -> Reply | None:
    """llama.cpp's way for a schema it cannot turn into a grammar."""
    return openai_error("failed to parse grammar", None) if "response_format" in request else None


@pytest.mark.parametrize(
    ("refuse", "text", "types"),
    [
        (_no_schema, "As JSON, please.", ["json_schema", "json_object", "json_object"]),
        (_no_schema, "As a list.", ["json_schema", None, None]),
        (_no_format, "As JSON, please.", ["json_schema", "json_object", None, None]),
        (_no_grammar, "As JSON, please.", ["json_schema", "json_object", None, None]),
    ],
)
def test_answers_are_held_to_json_as_far_as_a_server_can(refuse: Any, text: str, types: list[str | None]) -> None:
    """A schema, else any object where the messages speak of JSON, else nothing; the second answer begins there."""
    with serving(lambda _: "{}", refuse) as server:
        chat = OpenAIChat(server.url, "small")
        assert ["{}", "{}"] == [chat.answer([asked(text, schema=SCHEMA)])[0] for _ in range(2)]
    assert types == [request.get("response_format", {}).get("type") for request in server.asked]


def test_a_schema_that_is_refused_leaves_others_alone() -> None:
    """What a server makes of one schema says nothing of the next."""

    def refuse(request: dict[str, Any]) -> Reply | None:
        return openai_error("Invalid schema", "response_format") if "odd" in json.dumps(request) else None

    with serving(lambda _: "{}", refuse) as server:
        chat = OpenAIChat(server.url, "small")
        chat.answer([asked(schema='{"type": "odd"}')])
        chat.answer([asked(schema=SCHEMA)])
    assert "json_schema" == server.asked[-1]["response_format"]["type"]


@pytest.mark.parametrize(
    ("part", "error", "instead"),
    [
        ("max_tokens", openai_error("Use 'max_completion_tokens' instead.", "max_tokens"), "max_completion_tokens"),
        ("seed", (422, '{"detail": [{"type": "extra_forbidden", "loc": ["body", "seed"]}]}', {}), None),
        ("temperature", openai_error("'temperature' does not support 0.7 with this model", "temperature"), None),
        ("top_p", openai_error("Unsupported parameter: 'top_p'", None), None),
    ],
)
def test_a_part_that_is_refused_is_left_out(part: str, error: Reply, instead: str | None) -> None:
    """It is said in the account, and not offered again; what can be said otherwise is."""
    spending = Spending()
    with serving(lambda _: "yes", lambda request: error if part in request else None) as server:
        chat = OpenAIChat(server.url, "small", spending=spending)
        drawn = asked(temperature=0.7, max_tokens=50)
        assert [["yes"], ["yes"]] == [chat.answer([drawn]) for _ in range(2)]
    assert [True, False, False] == [part in request for request in server.asked]
    assert not instead or 50 == server.asked[1][instead]
    assert [part] == spending.as_json()["without"]
    assert spending.summary().endswith(f"without {part}: refused")


@pytest.mark.parametrize(
    ("error", "times"),
    [
        (openai_error("This model's context is 8192 tokens", "messages"), 1),
        (openai_error("Your seed money is spent", None), 1),
        (openai_error("max_tokens is too large", "max_tokens"), 2),
        ((403, "no response_format for you", {}), 1),
    ],
)
def test_what_is_refused_for_another_reason_is_an_error(error: Reply, times: int) -> None:
    """An error about something that was not asked for, or that stays, is told, and nothing is learnt from it."""
    with serving(lambda _: error) as server:
        chat = OpenAIChat(server.url, "small")
        [answer] = chat.answer([asked(max_tokens=50)])
        assert isinstance(answer, ServiceError)
        assert times == len(server.asked)
        chat.answer([asked(max_tokens=50)])
    assert "max_tokens" in server.asked[times]


def test_many_refusals_are_met_one_by_one() -> None:
    """A server that refuses everything but the question gets the question."""

    def refuse(request: dict[str, Any]) -> Reply | None:
        extra = next((key for key in request if key not in ("model", "messages", "max_completion_tokens")), None)
        return openai_error(f"no {extra}", extra) if extra else None

    with serving(lambda _: completion("yes"), refuse) as server:
        request = asked(temperature=0.7, max_tokens=5, schema=SCHEMA)
        assert ["yes"] == OpenAIChat(server.url, "small").answer([request])
    assert {"max_completion_tokens": 5} == sent(server.asked[-1])

"""The language model's client against a real server on loopback."""

from __future__ import annotations

import threading
from email.utils import formatdate
from pathlib import Path

import pytest
from chat_server import Reply, serving

from claimgraph import wiring
from claimgraph.llm import OpenAIChat
from claimgraph.settings import load_settings
from kgstore.errors import InputError, ServiceError
from kgstore.model import Message

ASKED = [Message("system", "Be brief."), Message("user", "Say {yes}.")]
KEY = "sk-very-secret"


def test_an_answer_is_given_as_it_came() -> None:
    """The request has model, messages, temperature and top_p, the key in its header; the answer is the text alone."""
    with serving(lambda _: " yes\n") as server:
        assert " yes\n" == OpenAIChat(server.url, "small", KEY).complete(ASKED, temperature=1.0)
        [request] = server.asked
    assert ("/v1/chat/completions", f"Bearer {KEY}") == (request["path"], request["headers"]["Authorization"])
    assert ("small", 1.0, 1.0) == (request["model"], request["temperature"], request["top_p"])
    assert ["system", "user"] == [message["role"] for message in request["messages"]]
    assert "Say {yes}." == request["messages"][1]["content"]


@pytest.mark.parametrize(
    ("reply", "said", "times"),
    [
        ((500, f"broken, key {KEY}", {}), "answered 500: broken, key …", 5),
        ((401, f'{{"error": "wrong key\n{KEY}"}}', {}), "answered 401", 1),
        ((429, "slow down", {"Retry-After": "9999"}), "answered 429: slow down", 1),
        ((200, '{"choices": [{"mess', {}), "no JSON", 5),
        ((200, '{"choices": []}', {}), "no chat completion", 1),
        ((200, '{"choices": [{"message": {"content": null}}]}', {}), "answered nothing", 1),
        ((200, "[]", {}), "no chat completion", 1),
    ],
)
def test_a_failing_server_is_one_line_without_the_key(reply: Reply, said: str, times: int) -> None:
    """Errors of the server and answers that are none become one line; what may pass is asked for once more."""
    with serving(lambda _: reply) as server:
        with pytest.raises(ServiceError) as caught:
            OpenAIChat(server.url, "small", KEY, pause=0.01).complete(ASKED, temperature=0)
        assert times == len(server.asked)
    assert said in str(caught.value)
    assert 1 == len(str(caught.value).splitlines())
    assert KEY not in str(caught.value)


@pytest.mark.parametrize("after", ["0", "0.05", formatdate(0, usegmt=True), "soon"])
def test_a_busy_server_is_asked_again_after_its_pause(after: str) -> None:
    """A Retry-After in seconds, as a date, or unreadable leads to one more request, whose answer counts."""
    replies: list[Reply] = ["yes", (429, "", {"Retry-After": after})]
    with serving(lambda _: replies.pop()) as server:
        assert "yes" == OpenAIChat(server.url, "small", pause=0.01).complete(ASKED, temperature=0)
        assert "Authorization" not in server.asked[0]["headers"]


def test_silence_is_a_timeout() -> None:
    """A server that says nothing is given up after the timeout."""
    done = threading.Event()
    with serving(lambda _: "late" if done.wait(20) else "") as server:
        try:
            with pytest.raises(ServiceError, match=r"gave no answer within 0\.1 s"):
                OpenAIChat(server.url, "small", timeout=0.1).complete(ASKED, temperature=0)
        finally:
            done.set()


def test_nobody_there_is_said() -> None:
    """A closed port is one line; what is no address is the user's error."""
    with serving(lambda _: "") as server:
        url = server.url
    with pytest.raises(ServiceError, match="cannot be reached"):
        OpenAIChat(url, "small", pause=0.01).complete(ASKED, temperature=0)
    for bad in ("localhost:80", "http://", "ftp://x"):
        with pytest.raises(InputError, match="http://"):
            OpenAIChat(bad, "small")


def test_settings_make_the_client() -> None:
    """Without address or model there is no language model; with both there is, and the key is not shown."""
    environ = {"CLAIMGRAPH_LLM_BASE_URL": "http://127.0.0.1:9/v1", "CLAIMGRAPH_LLM_API_KEY": KEY}
    settings = load_settings(environ, Path("/nonexistent"))
    assert wiring.chat(settings) is None
    assert KEY not in repr(settings)
    model = wiring.chat(load_settings({**environ, "CLAIMGRAPH_LLM_MODEL": "small"}, Path("/nonexistent")))
    assert model is not None
    assert "small" == model.model

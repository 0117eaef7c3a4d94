"""The language model's client against a real server on loopback, and everything such a server does wrong."""

from __future__ import annotations

import logging
import subprocess
import sys
import threading
import traceback
from datetime import UTC, datetime, timedelta
from email.utils import formatdate
from pathlib import Path
from time import time

import pytest
from chat_server import Fault, Reply, completion, serving

from claimgraph.kgstore.errors import BudgetSpent, InputError, ServiceError
from claimgraph.kgstore.model import Message, Request
from claimgraph.kgstore.net.file_rate_limit import Limiter
from claimgraph.llm import OpenAIChat, Spending

KEY = "sk-very-secret"
ASKED = Request((Message("system", "Be brief."), Message("user", "Say {yes}.")))


def request(text: str, **others: object) -> Request:
    return Request((Message("user", text),), **others)  # type: ignore[arg-type]


def answered(reply: Reply, asked: Request = ASKED, timeout: float = 20) -> tuple[str | ServiceError, int]:
    """What the client makes of a server that always replies this, and how often it asked."""
    with serving(lambda _: reply) as server:
        [answer] = OpenAIChat(server.url, "small", KEY, timeout=timeout, pause=0.005).answer([asked])
        return answer, len(server.asked)


def test_an_answer_is_given_as_it_came() -> None:
    """The request has model, messages and sampling, the key in its header; the answer is the text alone."""
    with serving(lambda _: " yes\n") as server:
        assert [" yes\n"] == OpenAIChat(server.url + "/", "small", KEY).answer([ASKED])
        [asked] = server.asked
    assert ("/v1/chat/completions", f"Bearer {KEY}") == (asked.pop("path"), asked.pop("headers")["Authorization"])
    messages = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Say {yes}."}]
    assert {"model": "small", "messages": messages, "temperature": 0.0, "top_p": 1.0} == asked


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        ((200, '{"choices": []}', {}), "answered no chat completion"),
        ((200, "[]", {}), "answered no chat completion"),
        ((200, "null", {}), "answered no chat completion"),
        ((200, '{"choices": [{"message": "yes"}]}', {}), "answered no chat completion"),
        ((200, '{"error": {"message": "no such model"}}', {}), "answered no chat completion: no such model"),
        (completion(None), "answered nothing"),
        (completion(" \n", finish_reason="length"), "answered nothing (length)"),
        (completion(None, finish_reason="content_filter"), "answered nothing (content_filter)"),
        (completion(7), "answered no text"),
        (completion({"text": "yes"}), "answered no text"),
        (completion(None, message={"content": None, "refusal": f"I can't {KEY}"}), "refused: I can't …"),
        (completion("<think>Yes or no? Let me"), "thought until it was cut off"),
        ((301, "<html>", {"Location": "http://other/"}), "answered 301: it has moved to http://other/"),
        ((300, "one of two", {}), "answered 300: one of two"),
        ((401, f'{{"error": "wrong key\n{KEY}"}}', {}), 'answered 401: {"error": "wrong key …"}'),
        ((404, '{"error": {"message": "no model \'small\'"}}', {}), "answered 404: no model 'small'"),
        ((413, "<html><head><title>Too large</title></head></html>", {}), "answered 413: Too large"),
        ((429, '{"error": {"message": "pay", "code": "insufficient_quota"}}', {}), "answered 429: pay"),
        ((429, "slow down", {"Retry-After": "9999"}), "answered 429: slow down"),
    ],
)
def test_what_would_be_the_same_again_is_one_line_at_once(reply: Reply, said: str) -> None:
    """Answers that are none, refusals and errors that are not the server's mood are asked for once."""
    answer, times = answered(reply)
    assert isinstance(answer, ServiceError)
    assert 1 == times
    assert f": {said}" in f": {str(answer).split(' ', 5)[-1]}"
    _says_who_without_the_key(answer)


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        ((500, f"broken, key {KEY}", {}), "answered 500: broken, key …"),
        ((502, "<html><body>Bad  Gateway</body></html>", {}), "answered 502: Bad Gateway"),
        ((503, "", {}), "answered 503:"),
        ((429, "slow down", {"Retry-After": "0"}), "answered 429: slow down"),
        ((200, '{"choices": [{"mess', {}), 'answered no JSON: {"choices": [{"mess'),
        ((200, "", {}), "answered no JSON"),
        ((200, "[" * 100_000, {}), "answered no JSON"),
        ((200, "<html>Log <b>in</b></html>", {"Content-Type": "text/html"}), "answered no JSON: Log in"),
        ((200, b'{"choices": [{"message": {"content": "\xff\xfe"}}]}', {}), "answered bytes that are no UTF-8"),
        (Fault("cut", b'{"choices": [{"mess'), "cannot be reached"),
        (Fault("reset"), "cannot be reached"),
        (Fault("reset", b'{"choices": [{"mess'), "cannot be reached"),
    ],
)
def test_what_fails_always_is_one_line_after_five_attempts(reply: Reply, said: str) -> None:
    """A server that is busy, broken or cut off is asked again with pauses, and then its last words are told."""
    answer, times = answered(reply)
    assert isinstance(answer, ServiceError)
    assert (5, True) == (times, said in str(answer))
    _says_who_without_the_key(answer)


@pytest.mark.parametrize("fault", [Fault("silence"), Fault("trickle", b" ")])
def test_silence_ends(fault: Fault) -> None:
    """A server that says nothing, or next to nothing, is given up: each attempt after the timeout, all after three."""
    answer, times = answered(fault, timeout=0.3)
    assert isinstance(answer, ServiceError)
    assert str(answer).endswith("gave no answer within 0.3 s")
    assert times in (2, 3)


@pytest.mark.parametrize(
    "fault",
    [
        (429, "", {"Retry-After": "0.05"}),
        (429, "", {"Retry-After": formatdate(0, usegmt=True)}),
        (503, "", {"Retry-After": "soon"}),
        (500, "", {}),
        (200, '{"choices": [{"mess', {}),
        (200, b"\xff", {}),
        Fault("cut", b"{"),
        Fault("reset"),
        Fault("reset", b"{"),
    ],
)
def test_what_fails_once_is_overcome(fault: Reply) -> None:
    """A fault that passes costs one more request, whose answer counts; without a key none is sent."""
    replies: list[Reply] = ["yes", fault]
    with serving(lambda _: replies.pop()) as server:
        assert ["yes"] == OpenAIChat(server.url, "small", pause=0.005).answer([ASKED])
        assert [False, False] == ["Authorization" in asked["headers"] for asked in server.asked]


@pytest.mark.parametrize("as_date", [False, True])
def test_a_pause_is_kept(as_date: bool) -> None:
    """After a 429 the server is not asked before the time it named, in seconds or as a date."""
    until = datetime.now(UTC).replace(microsecond=0) + timedelta(seconds=2)
    header = formatdate(until.timestamp(), usegmt=True) if as_date else "0.5"
    earliest = until.timestamp() if as_date else time() + 0.5
    replies: list[Reply] = ["yes", (429, "", {"Retry-After": header})]
    came: list[float] = []

    def answer(_: str) -> Reply:
        came.append(time())
        return replies.pop()

    with serving(answer) as server:
        assert ["yes"] == OpenAIChat(server.url, "small").answer([ASKED])
    assert came[1] >= earliest - 0.05


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        (completion(""), ""),
        (completion("half a", finish_reason="length"), "half a"),
        (completion([{"type": "text", "text": "in "}, {"type": "image"}, 7, {"text": "parts"}]), "in parts"),
        (completion("yes", message={"content": "yes", "refusal": ""}), "yes"),
        (completion("\n<think>Is it?\n</think>\n\nIt is."), "It is."),
        (completion("It is </think> not cut."), "It is </think> not cut."),
        (completion("first <think>later</think>"), "first <think>later</think>"),
        (completion("cut \ud83d"), "cut \ufffd"),
        (completion("whole \U0001f600"), "whole \U0001f600"),
        ((200, '{"choices": [{"message": {"content": "yes"}}]}', {"Content-Type": "text/html"}), "yes"),
    ],
)
def test_answers_of_every_shape_are_text(reply: Reply, text: str) -> None:
    """Empty, cut off, in parts, after thoughts, with half a character, of a wrong content type: the text counts."""
    assert (text, 1) == answered(reply)


def test_texts_of_any_characters_are_sent() -> None:
    """Half a character in a text, as some files have, does not stop its question."""
    with serving(lambda _: "yes") as server:
        assert ["yes"] == OpenAIChat(server.url, "small").answer([request("ä\ud83d\0")])
    assert ["ä?\0"] == server.prompts


def test_nobody_there_is_said() -> None:
    """A closed port is one line."""
    with serving(lambda _: "") as server:
        url = server.url
    [answer] = OpenAIChat(url, "small", pause=0.005).answer([ASKED])
    assert "cannot be reached" in str(answer)


@pytest.mark.parametrize(
    "url", ["localhost:80", "http://", "ftp://x", "http://[::1", "http://host:port", "http://:80/"]
)
def test_what_is_no_address_is_the_users_error(url: str) -> None:
    """The line says how an address begins."""
    with pytest.raises(InputError, match="http://"):
        OpenAIChat(url, "small")


@pytest.mark.parametrize("key", [f"{KEY}\nHost: evil", f"{KEY}é"])
def test_a_key_that_no_header_can_hold(key: str) -> None:
    """The line names the setting, and not the key."""
    with pytest.raises(InputError, match="CLAIMGRAPH_LLM_API_KEY") as caught:
        OpenAIChat("http://127.0.0.1:9", "small", key)
    assert KEY not in str(caught.value)


@pytest.mark.parametrize("reply", ["yes", (401, f"no {KEY}", {}), (500, f"no {KEY}", {}), (200, f"no {KEY}", {})])
def test_the_key_is_nowhere_shown(reply: Reply, caplog: pytest.LogCaptureFixture) -> None:
    """Not in an answer's error, not in the log, not in the client's own text."""
    caplog.set_level(logging.DEBUG)
    with serving(lambda _: reply) as server:
        chat = OpenAIChat(server.url, "small", KEY, pause=0.005)
        [answer] = chat.answer([ASKED])
    shown = [repr(chat), str(answer), repr(answer), caplog.text]
    assert [] == [text for text in shown if KEY in text]


def test_a_placeholder_for_a_key_is_no_secret() -> None:
    """Keys like EMPTY, which servers that want none are given, are left in texts."""
    with serving(lambda _: (400, "EMPTY prompt", {})) as server:
        [answer] = OpenAIChat(server.url, "small", "EMPTY").answer([ASKED])
    assert str(answer).endswith("answered 400: EMPTY prompt")


def test_answers_come_in_order_and_at_once() -> None:
    """Whoever is answered first, the order is the requests'; as many are under way as may be, and never more."""
    together = threading.Barrier(3)

    def answer(prompt: str) -> Reply:
        together.wait(60)
        return (400, prompt, {}) if prompt == "7" else prompt

    with serving(answer) as server:
        answers = OpenAIChat(server.url, "small", max_concurrency=3).answer([request(str(n)) for n in range(12)])
    assert [str(n) for n in range(12) if n != 7] == [answer for answer in answers if isinstance(answer, str)]
    assert isinstance(answers[7], ServiceError)
    assert str(answers[7]).endswith("answered 400: 7")
    assert 3 == server.most


def test_nothing_asked_is_nothing_answered() -> None:
    """No request needs no server."""
    assert [] == OpenAIChat("http://127.0.0.1:9", "small").answer([])


def test_a_server_that_is_gone_is_not_asked_for_everything() -> None:
    """After three requests in a row that got no answer, the rest of the batch is not sent; the next batch is."""
    with serving(lambda _: (503, "", {})) as server:
        chat = OpenAIChat(server.url, "small", max_concurrency=1, pause=0.001)
        answers = chat.answer([ASKED] * 20)
        assert 3 * 5 == len(server.asked)
        assert str(answers[-1]).endswith("is not asked any more: 3 requests in a row failed")
        chat.answer([ASKED])
        assert 4 * 5 == len(server.asked)


_ASKER = """
import sys
from pathlib import Path
from claimgraph.llm import OpenAIChat
from claimgraph.kgstore.model import Message, Request
from claimgraph.kgstore.net.file_rate_limit import Limiter
chat = OpenAIChat(sys.argv[1], "small", timeout=5, limiter=Limiter(Path(sys.argv[2]), 0.0))
print(*chat.answer([Request((Message("user", "Yes?"),))]))
"""


def test_processes_share_a_pause(tmp_path: Path) -> None:
    """A server that asked one process for a long pause is not asked by another, which says so."""
    with serving(lambda _: (429, "wait", {"Retry-After": "600"})) as server:
        [answer] = OpenAIChat(server.url, "small", limiter=Limiter(tmp_path, 0.0)).answer([ASKED])
        other = [sys.executable, "-c", _ASKER, server.url, str(tmp_path)]
        said = subprocess.run(other, capture_output=True, text=True, timeout=60, check=True).stdout
        assert 1 == len(server.asked)
    assert "answered 429: wait" in str(answer)
    assert said.strip().endswith("a pause it asked for is longer than the time left")


def test_a_spent_budget_stops_with_what_was_answered() -> None:
    """Requests under way are answered, no further one is sent, and the error holds the answers so far."""
    with serving(lambda prompt: completion(prompt, usage=(6, 4))) as server:
        chat = OpenAIChat(server.url, "small", max_concurrency=2, spending=Spending(limit=25))
        with pytest.raises(BudgetSpent, match=r"budget of 25 tokens .* is spent: [34]0 were used") as caught:
            chat.answer([request(str(n)) for n in range(9)])
        sent = len(server.asked)
        with pytest.raises(BudgetSpent):
            chat.answer([request("more")])
        assert sent == len(server.asked)
    assert sent in (3, 4)
    answers = caught.value.answers
    assert [str(n) for n in range(sent)] == list(answers[:sent])
    assert 9 - sent == sum(isinstance(answer, BudgetSpent) for answer in answers)


def _says_who_without_the_key(error: ServiceError) -> None:
    assert str(error).startswith("the language model at 127.0.0.1:")
    assert 1 == len(str(error).splitlines())
    assert KEY not in "".join(traceback.format_exception(error))

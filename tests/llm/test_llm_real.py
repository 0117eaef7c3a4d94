"""The client, the cache and the commands with a real language model behind a real server."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from local_model import LocalModel
from typer.testing import CliRunner

from claimgraph.cli.app import app
from claimgraph.detect.prompting.structured import AnswerForm, asked
from claimgraph.kgstore.model import Message, Request
from claimgraph.kgstore.store import GraphStore
from claimgraph.settings import Settings
from claimgraph.wiring import Models


@pytest.fixture
def settings(local_model: LocalModel, tmp_path: Path) -> Settings:
    """Settings that name the real model, with folders of their own."""
    return Settings(store=tmp_path / "store", cache=tmp_path, llm_base_url=local_model.url, llm_model=local_model.model)


def _names(answer: str) -> list[str]:
    found = json.loads(answer)["names"]
    if not isinstance(found, list):
        raise ValueError("names is no list")
    return [str(name) for name in found]


NAMES = AnswerForm(
    _names,
    json.dumps(
        {
            "type": "object",
            "properties": {"names": {"type": "array", "items": {"type": "string", "maxLength": 12}, "maxItems": 2}},
            "required": ["names"],
            "additionalProperties": False,
        }
    ),
)
ASKED = Request((Message("user", "Names in: Ann met Bob in Rome."),), max_tokens=48)


def test_an_answer_held_to_a_schema_can_be_read(settings: Settings) -> None:
    """A small model that is held to a JSON schema answers in its form, and the server counts the tokens."""
    models = Models(settings)
    [names] = asked(models.chat_for("this"), [("Ann", ASKED)], NAMES)
    assert isinstance(names, list)
    assert len(names) <= 2
    assert 1 == models.spending.calls
    assert models.spending.tokens_in > 0
    assert not models.spending.estimated


def test_what_was_answered_is_not_asked_again(settings: Settings, embedded: GraphStore) -> None:
    """Several questions are answered in their order; the second time the same texts come and nobody is asked."""
    requests = [Request((Message("user", f"{word} is"),), max_tokens=6) for word in ("Rome", "Paris", "Rome")]
    first, second = Models(settings, embedded), Models(settings, embedded)
    answers = first.chat_for("this").answer(requests)
    assert all(isinstance(answer, str) and answer.strip() for answer in answers)
    assert answers[0] == answers[2] != answers[1]
    assert answers == second.chat_for("this").answer(requests)
    assert (2, 1) == (first.spending.calls, first.spending.cached)
    assert (0, 3, 0) == (second.spending.calls, second.spending.cached, second.spending.tokens)


def test_status_says_that_it_answers_and_keeps_to_a_schema(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """`claimgraph llm status` asks it one question."""
    for name, value in (
        ("STORE", settings.store),
        ("CACHE", settings.cache),
        ("LLM_BASE_URL", settings.llm_base_url),
        ("LLM_MODEL", settings.llm_model),
    ):
        monkeypatch.setenv(f"CLAIMGRAPH_{name}", str(value))
    monkeypatch.delenv("NEO4J_URI", raising=False)
    done = CliRunner().invoke(app, ["llm", "status", "--json"])
    found = json.loads(done.stdout)
    assert 0 == done.exit_code, done.output
    assert ("127.0.0.1", settings.llm_model, True, True) == tuple(
        found[key] for key in ("host", "model", "answers", "schema")
    )

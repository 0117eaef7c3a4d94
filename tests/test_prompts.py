"""Prompts are files with a version and a hash, and texts put into them stay texts."""

from __future__ import annotations

from importlib.resources import files

import pytest

from detect.prompts import load

NAMES = sorted(path.name.removesuffix(".txt") for path in files("detect.prompts").iterdir() if path.name[-4:] == ".txt")


@pytest.mark.parametrize("name", NAMES)
def test_every_prompt_has_version_and_messages(name: str) -> None:
    """A version from 1 on, a hash, and at least one message with something in it."""
    prompt = load(name)
    assert 1 <= prompt.version
    assert 64 == len(prompt.sha256)
    assert prompt.templates
    assert all(message.content for message in prompt.templates)


def test_braces_in_texts_are_harmless() -> None:
    """What is filled in is not looked at: placeholders, braces and backslashes in a text arrive as they are."""
    hostile = "{context} {0} {} \\1 {summary} %s"
    [message] = load("direct").fill(summary=hostile, context="the context {summary}")
    assert f"<summary>{hostile}</summary>" in message.content
    assert "<context>the context {summary}</context>" in message.content


def test_what_does_not_exist_is_said() -> None:
    """An unknown prompt and an unknown placeholder are KeyErrors that name them."""
    with pytest.raises(KeyError, match="nothing"):
        load("nothing")
    with pytest.raises(KeyError, match="text"):
        load("direct").fill(text="x")


def test_a_placeholder_must_be_named_to_be_filled() -> None:
    """Nothing is replaced without a value for it."""
    assert load("direct").fill() == list(load("direct").templates)

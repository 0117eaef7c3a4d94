"""Load the prompts, which are files with a version and a hash: `load(name)` reads one from the installed package.

A file begins with `version: N`, then its sampling where it is not the default (`temperature: 0.7`, `top_p: 1.0`,
`max_tokens: 500`), then lines with the prompt's source and what was repaired; its messages follow, each after a line
`--- system`, `--- user` or `--- assistant`. Placeholders are `{name}` and filled in one pass, so braces in values are
only text; str.format was rejected for that reason.

Values are data from anywhere. A tag of the prompt's own in one, as "</context>", and what models take for the end of a
turn, as "<|im_end|>", would end the data; the "<" of these becomes "&lt;", and nothing else is changed. Refusing such
texts was rejected: a text about a prompt is a text.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from claimgraph.kgstore.errors import ServiceError
from claimgraph.kgstore.model import ChatModel, Message, Request

_TAG = re.compile(r"<\s{0,9}/?\s{0,9}(\w+)")
_TURNS = r"\||/?\s*(?:start_of_turn|end_of_turn|bos|eos|s|think)\s*>"
"""After "<": the control tokens of ChatML, Llama and Gemma, which servers read in the middle of a text too."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """A version of a prompt with its sampling. `sha256` is that of its messages in the file."""

    name: str
    version: int
    sha256: str
    templates: tuple[Message, ...]
    temperature: float = 0.0
    top_p: float = 1.0
    max_tokens: int | None = None

    @property
    def config(self) -> dict[str, object]:
        """The prompt's part of a verdict's configuration."""
        sampling = {"temperature": self.temperature, "top_p": self.top_p, "max_tokens": self.max_tokens}
        return {"version": self.version, "sha256": self.sha256, **sampling}

    def request(self, values: Mapping[str, str], *, sample: int = 0, likely: str = "") -> Request:
        """Return the filled prompt as a request to a language model. Raises KeyError as fill does."""
        messages = tuple(self.fill(**values))
        return Request(messages, self.temperature, self.top_p, self.max_tokens, sample=sample, likely=likely)

    def fill(self, **values: str) -> list[Message]:
        """Return the messages with each `{name}` replaced by its value, in which the tags of the messages are escaped.

        Raises KeyError for an unused name.
        """
        text = "".join(message.content for message in self.templates)
        if missing := [name for name in values if f"{{{name}}}" not in text]:
            raise KeyError(missing[0])
        harmless = {name: re.sub(f"<(?={self._marks})", "&lt;", value) for name, value in values.items()}
        places = re.compile("|".join(re.escape(f"{{{name}}}") for name in values) or r"(?!)")
        return [Message(m.role, places.sub(lambda at: harmless[at[0][1:-1]], m.content)) for m in self.templates]

    def restored(self, answer: str) -> str:
        """Return an answer that repeats the values with their tags unescaped."""
        return re.sub(f"&lt;(?={self._marks})", "<", answer)

    @property
    def _marks(self) -> str:
        """Pattern of what may not follow "<" in a value."""
        tags = dict.fromkeys(tag for message in self.templates for tag in _TAG.findall(message.content))
        return rf"(?i:{_TURNS}|\s*/?\s*(?:{'|'.join(tags) or '(?!)'})\b)"


@cache
def load(name: str) -> Prompt:
    """Return the prompt in the file `name`.txt. Raises KeyError where there is no such file."""
    path = files(__name__) / f"{name}.txt"
    if not path.is_file():
        raise KeyError(name)
    head, *parts = re.split(r"^--- (system|user|assistant)\n", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    said = dict(re.findall(r"^(version|temperature|top_p|max_tokens): ([\d.]+)$", head, flags=re.MULTILINE))
    assert "version" in said, f"{name}: the first line must be its version"
    messages = tuple(Message(role, content.strip("\n")) for role, content in zip(parts[::2], parts[1::2], strict=True))
    digest = hashlib.sha256("\0".join(f"{m.role}\0{m.content}" for m in messages).encode()).hexdigest()
    limit = int(said["max_tokens"]) if "max_tokens" in said else None
    sampling = float(said.get("temperature", 0)), float(said.get("top_p", 1)), limit
    return Prompt(name, int(said["version"]), digest, messages, *sampling)


def provenance(*configs: str) -> tuple[str | None, str | None]:
    """Return the language models and one hash of all prompts in configurations (JSON), None twice where there are none.

    A part that asks a language model has, at whatever depth, its `model` beside its `prompts`: Prompt.config by name.
    """
    asking = [found for config in configs for found in _asking(json.loads(config or "null"))]
    models = dict.fromkeys(str(found["model"]) for found in asking)
    hashes = sorted({str(prompt["sha256"]) for found in asking for prompt in found["prompts"].values()})
    digest = hashes[0] if len(hashes) == 1 else hashlib.sha256("\0".join(hashes).encode()).hexdigest()
    return (", ".join(models), digest) if asking else (None, None)


def _asking(config: object) -> Iterator[dict[str, Any]]:
    if isinstance(config, dict):
        if config.get("prompts") and "model" in config:
            yield config
        for inner in config.values():
            yield from _asking(inner)


def ask(chat: ChatModel, prompt: Prompt, values: Mapping[str, str], *, likely: str = "") -> str:
    """Return the answer to one prompt. Raises ServiceError where there is none."""
    [answer] = chat.answer([prompt.request(values, likely=likely)])
    if isinstance(answer, ServiceError):
        raise answer
    return answer

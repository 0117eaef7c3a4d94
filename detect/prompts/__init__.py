"""The prompts as files with a version and a hash: `load(name)` reads one from the installed package.

A file begins with `version: N`, then its sampling where it is not the default (`temperature: 0.7`, `top_p: 1.0`,
`max_tokens: 500`), then lines that say where the prompt comes from and what was repaired; its messages follow, each
after a line `--- system`, `--- user` or `--- assistant`. Placeholders are `{name}` and filled in one
pass, so braces in the texts filled in are only text; str.format was rejected for that reason.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from kgstore.errors import ServiceError
from kgstore.model import ChatModel, Message, Request


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt of some version with its sampling. `sha256` is that of its messages as the file has them."""

    name: str
    version: int
    sha256: str
    templates: tuple[Message, ...]
    temperature: float = 0.0
    top_p: float = 1.0
    max_tokens: int | None = None

    @property
    def config(self) -> dict[str, object]:
        """What a verdict's configuration records of it."""
        sampling = {"temperature": self.temperature, "top_p": self.top_p, "max_tokens": self.max_tokens}
        return {"version": self.version, "sha256": self.sha256, **sampling}

    def request(self, values: Mapping[str, str], *, sample: int = 0, likely: str = "") -> Request:
        """The prompt filled in, as a question to a language model. Raises KeyError as fill does."""
        messages = tuple(self.fill(**values))
        return Request(messages, self.temperature, self.top_p, self.max_tokens, sample=sample, likely=likely)

    def fill(self, **values: str) -> list[Message]:
        """The messages with each `{name}` replaced by its value. Raises KeyError for a name that stands nowhere."""
        text = "".join(message.content for message in self.templates)
        if missing := [name for name in values if f"{{{name}}}" not in text]:
            raise KeyError(missing[0])
        places = re.compile("|".join(re.escape(f"{{{name}}}") for name in values) or r"(?!)")
        return [Message(m.role, places.sub(lambda at: values[at[0][1:-1]], m.content)) for m in self.templates]


@cache
def load(name: str) -> Prompt:
    """The prompt in the file `name`.txt. Raises KeyError for a name that is no file."""
    path = files(__name__) / f"{name}.txt"
    if not path.is_file():
        raise KeyError(name)
    head, *parts = re.split(r"^--- (system|user|assistant)\n", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    said = dict(re.findall(r"^(version|temperature|top_p|max_tokens): ([\d.]+)$", head, flags=re.MULTILINE))
    assert "version" in said, f"{name}: the first line must be its version"
    messages = tuple(
        Message(role, content.strip("\n")) for role, content in zip(parts[::2], parts[1::2], strict=True)
    )
    digest = hashlib.sha256("\0".join(f"{m.role}\0{m.content}" for m in messages).encode()).hexdigest()
    limit = int(said["max_tokens"]) if "max_tokens" in said else None
    sampling = float(said.get("temperature", 0)), float(said.get("top_p", 1)), limit
    return Prompt(name, int(said["version"]), digest, messages, *sampling)


def ask(chat: ChatModel, prompt: Prompt, **values: str) -> str:
    """The answer to one prompt. Raises ServiceError where there is none."""
    [answer] = chat.answer([prompt.request(values)])
    if isinstance(answer, ServiceError):
        raise answer
    return answer

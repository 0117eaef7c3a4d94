"""The prompts as files with a version and a hash: `load(name)` reads one from the installed package.

A file begins with `version: N`, then lines that say where the prompt comes from and what was repaired; its messages
follow, each after a line `--- system`, `--- user` or `--- assistant`. Placeholders are `{name}` and filled in one
pass, so braces in the texts filled in are only text; str.format was rejected for that reason.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from kgstore.model import Message


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt of some version. `sha256` is that of its messages as the file has them."""

    name: str
    version: int
    sha256: str
    templates: tuple[Message, ...]

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
    version = re.match(r"version: (\d+)\n", head)
    assert version is not None, f"{name}: the first line must be its version"
    messages = tuple(
        Message(role, content.strip("\n")) for role, content in zip(parts[::2], parts[1::2], strict=True)
    )
    digest = hashlib.sha256("\0".join(f"{m.role}\0{m.content}" for m in messages).encode()).hexdigest()
    return Prompt(name, int(version[1]), digest, messages)

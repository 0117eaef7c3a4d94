"""GraphCorrect with a language model, and the Direct Prompt it was compared with (GraphEval, sections 6 and 7.4.2).

GraphCorrect keeps text and context apart: one prompt sees a triple and the context, the next the text and two triples,
so nothing of the context gets into the text but by a triple, and nothing is lost. Sampling is the paper's.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from detect.correct import Checked, Corrected, Draft, Edit, EditStatus, left
from detect.prompts import Prompt, load
from kgstore.model import ChatModel, Span, Triple

TEMPERATURE = 1.0
TOP_P = 1.0
"""Section 7.3; its top k of 250 is not a parameter of OpenAI-compatible servers."""

_LONGEST = 4000
"""Characters of an answer in which a triple is looked for."""


class GraphCorrect:
    """Two prompts a suspected claim, one claim after another in span order, each on the latest text."""

    name = "graphcorrect"

    def __init__(self, chat: ChatModel) -> None:
        self._ask = _asking(chat)
        self._triple, self._apply = load("graphcorrect_triple"), load("graphcorrect_apply")
        self.config = _config(chat, self._triple, self._apply)

    def correct(self, draft: Draft) -> Corrected:
        """The text with each claim above 0.5 corrected; one whose triple comes back unusable leaves it unchanged."""
        work = _Latest(draft.text)
        edits = [self._edit(item, draft, work) for item in draft.suspects]
        return Corrected(draft.text, work.text, tuple(edits))

    def _edit(self, item: Checked, draft: Draft, work: _Latest) -> Edit:
        old = _written(item.claim.triple)
        new = parse_triple(self._ask(self._triple, triple=old, context=draft.context))
        if new is None:
            return left(item, draft.text, EditStatus.MALFORMED)
        if new == item.claim.triple:
            return left(item, draft.text, EditStatus.UNCHANGED)
        answer = self._ask(self._apply, summary=work.text, old_triple=old, new_triple=_written(new))
        return work.rewrite(item, draft, answer, "context")


class DirectPrompt:
    """One prompt with text and context: the paper's baseline. Texts without a suspected claim stay as they are."""

    name = "direct"

    def __init__(self, chat: ChatModel) -> None:
        self._ask = _asking(chat)
        self._prompt = load("direct")
        self.config = _config(chat, self._prompt)

    def correct(self, draft: Draft) -> Corrected:
        """The text as the model rewrites it; the whole change is given for each suspected claim."""
        if not draft.suspects:
            return Corrected(draft.text, draft.text, ())
        answer = self._ask(self._prompt, summary=draft.text, context=draft.context)
        work = _Latest(draft.text)
        first, *others = draft.suspects
        edit = work.rewrite(first, draft, answer, "summary")
        if edit.status is not EditStatus.APPLIED:
            return Corrected(draft.text, work.text, (edit, *(left(item, draft.text, edit.status) for item in others)))
        same = (replace(edit, claim=item.claim.id, verdict=item.verdict) for item in others)
        return Corrected(draft.text, work.text, (edit, *same))


class _Latest:
    """The text as it is by now, and where each of its boundaries was in the original."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._origin = list(range(len(text) + 1))

    def rewrite(self, item: Checked, draft: Draft, answer: str, tag: str) -> Edit:
        """Take the answer for the text; white space around it stays as it was."""
        said = _untagged(answer, tag)
        if not said:
            return left(item, draft.text, EditStatus.MALFORMED)
        bare = self.text.strip()
        new = self.text.replace(bare, said, 1) if bare else said
        if new == self.text:
            return left(item, draft.text, EditStatus.UNCHANGED)
        old, words = _change(self.text, new)
        before = self.text[old.start : old.end]
        start, end = self._origin[old.start], self._origin[old.end]
        kept = self._origin[: old.start + 1] + [end] * (len(words) - 1) if words else self._origin[: old.start]
        self._origin = kept + self._origin[old.end :]
        self.text = new
        return Edit(item.claim.id, start, end, before, words, item.verdict, EditStatus.APPLIED)


def parse_triple(answer: str) -> Triple | None:
    """The triple in an answer, given as JSON, as a Python list or tuple, or as "a | b | c"; None for anything else.

    Tags, code fences and words around it do not matter; never evaluated, only read. Three strings, none empty.
    """
    text = re.sub(r"</?\w+>|```\w*", " ", answer[:_LONGEST]).strip()
    candidates = [text, *re.findall(r"[\[(][^\[\]]*[\])]", text)]
    for value in (value for candidate in candidates for value in _values(candidate)):
        inner = value[0] if isinstance(value, list | tuple) and len(value) == 1 else value
        if found := _triple(inner):
            return found
    lines = [line for line in text.splitlines() if line.count("|") == 2]
    return _triple([part.strip() for part in lines[0].split("|")]) if len(lines) == 1 else None


def _values(text: str) -> Iterator[Any]:
    readers: tuple[Callable[[str], Any], ...] = (json.loads, ast.literal_eval)
    for read in readers:
        try:
            yield read(text)
        except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
            continue


def _triple(value: Any) -> Triple | None:
    if not isinstance(value, list | tuple) or len(value) != 3:
        return None
    parts = [" ".join(part.split()) if isinstance(part, str) else "" for part in value]
    return Triple(*parts) if all(parts) else None


def _written(triple: Triple) -> str:
    return json.dumps([triple.subject, triple.predicate, triple.object], ensure_ascii=False)


def _asking(chat: ChatModel) -> Callable[..., str]:
    def ask(prompt: Prompt, **values: str) -> str:
        return chat.complete(prompt.fill(**values), temperature=TEMPERATURE, top_p=TOP_P)

    return ask


def _config(chat: ChatModel, *prompts: Prompt) -> str:
    hashes = {prompt.name: [prompt.version, prompt.sha256] for prompt in prompts}
    parts = {"model": chat.model, "prompts": hashes, "temperature": TEMPERATURE, "top_p": TOP_P}
    return json.dumps(parts, sort_keys=True)


def _untagged(answer: str, tag: str) -> str:
    """The answer without the tags it was asked in, and without space around it."""
    found = re.fullmatch(rf"\s*<{tag}>(.*)</{tag}>\s*", answer, re.DOTALL)
    return (found[1] if found else answer).strip()


def _change(old: str, new: str) -> tuple[Span, str]:
    """The one stretch, of whole words, in which two texts differ: its span in the old, and its words in the new."""
    start = _shared(old, new, len(old))
    end = _shared(old[::-1], new[::-1], min(len(old), len(new)) - start)
    while start and not old[start - 1].isspace():
        start -= 1
    while end and not old[len(old) - end].isspace():
        end -= 1
    return Span(start, len(old) - end), new[start : len(new) - end]


def _shared(a: str, b: str, limit: int) -> int:
    """Length of the common beginning, at most `limit`."""
    pairs = zip(a[:limit], b, strict=False)
    return next((i for i, (x, y) in enumerate(pairs) if x != y), min(limit, len(a), len(b)))

"""Correct with a language model by GraphCorrect, and by the Direct Prompt baseline (GraphEval, sections 6 and 7.4.2).

GraphCorrect keeps text and context apart: one prompt sees a triple and the context, the next the text and two triples,
so nothing of the context gets into the text but by a triple, and nothing is lost. Sampling is the paper's (section 7.3,
in the prompts' headers; its top k of 250 is not a parameter of OpenAI-compatible servers). The first step is asked for
all claims at once; the second works on the latest text, one claim after another.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace

from claimgraph.detect.prompting.forms import TRIPLE, text_form
from claimgraph.detect.prompting.prompts import Prompt, load
from claimgraph.detect.prompting.structured import Failed, asked
from claimgraph.detect.repair.correction import Checked, Corrected, Draft, Edit, EditStatus, left
from claimgraph.kgstore.model import ChatModel, Request, Span, Triple

_ROOM = 64
"""Tokens of an answer beside those of the text: tags and a first sentence that nobody asked for."""
_BYTES = 2
"""A token has four bytes of English and three of most other scripts, so this is room for twice the text."""


class GraphCorrect:
    """Corrects by two prompts a suspected claim. A missing or unusable answer leaves the text unchanged, and is
    recorded.
    """

    name = "graphcorrect"

    def __init__(self, chat: ChatModel) -> None:
        self._chat = chat
        self._triple, self._apply = load("graphcorrect_triple"), load("graphcorrect_apply")
        self.config = _config(chat, self._triple, self._apply)

    def correct(self, draft: Draft) -> Corrected:
        """Return the text with each claim above 0.5 corrected, in span order. Raises BudgetSpent."""
        work = _Latest(draft.text)
        items = [(item.claim.triple.text, self._right(item, draft)) for item in draft.suspects]
        triples = asked(self._chat, items, TRIPLE)
        edits = [self._edit(item, new, draft, work) for item, new in zip(draft.suspects, triples, strict=True)]
        return Corrected(draft.text, work.text, tuple(edits))

    def _right(self, item: Checked, draft: Draft) -> Request:
        old = _written(item.claim.triple)
        return _bounded(self._triple.request({"triple": old, "context": draft.context}, likely=old))

    def _edit(self, item: Checked, new: Triple | Failed, draft: Draft, work: _Latest) -> Edit:
        if isinstance(new, Failed):
            return _failed(item, draft, new)
        if new == item.claim.triple:
            return left(item, draft.text, EditStatus.UNCHANGED)
        old = _written(item.claim.triple)
        values = {"summary": work.text, "old_triple": old, "new_triple": _written(new)}
        answer = _text(self._chat, self._apply, values, work.text, "context")
        return _failed(item, draft, answer) if isinstance(answer, Failed) else work.rewrite(item, draft, answer)


class DirectPrompt:
    """Corrects by one prompt with text and context: the paper's baseline. Texts without a suspected claim are
    unchanged.
    """

    name = "direct"

    def __init__(self, chat: ChatModel) -> None:
        self._chat = chat
        self._prompt = load("direct")
        self.config = _config(chat, self._prompt)

    def correct(self, draft: Draft) -> Corrected:
        """Return the text as the model rewrites it; the whole change is given for each suspected claim. Raises
        BudgetSpent.
        """
        if not draft.suspects:
            return Corrected(draft.text, draft.text, ())
        values = {"summary": draft.text, "context": draft.context}
        answer = _text(self._chat, self._prompt, values, draft.text, "summary")
        if isinstance(answer, Failed):
            return Corrected(draft.text, draft.text, tuple(_failed(item, draft, answer) for item in draft.suspects))
        work = _Latest(draft.text)
        first, *others = draft.suspects
        edit = work.rewrite(first, draft, answer)
        if edit.status is not EditStatus.APPLIED:
            return Corrected(draft.text, work.text, (edit, *(left(item, draft.text, edit.status) for item in others)))
        same = (replace(edit, claim=item.claim.id, verdict=item.verdict) for item in others)
        return Corrected(draft.text, work.text, (edit, *same))


class _Latest:
    """The current text, and the position of each of its boundaries in the original."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._origin = list(range(len(text) + 1))

    def rewrite(self, item: Checked, draft: Draft, said: str) -> Edit:
        """Replace the text by the model's answer; white space around it stays."""
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


def _written(triple: Triple) -> str:
    return json.dumps([triple.subject, triple.predicate, triple.object], ensure_ascii=False)


def _text(chat: ChatModel, prompt: Prompt, values: Mapping[str, str], text: str, tag: str) -> str | Failed:
    """Return the model's version of the text, without the tags it was asked in."""
    [answer] = asked(chat, [(prompt.name, _bounded(prompt.request(values, likely=text)))], text_form(tag))
    return answer if isinstance(answer, Failed) else prompt.restored(answer)


def _bounded(request: Request) -> Request:
    """Return the request with room for an answer of about twice the length of what is corrected, in any script: a
    longer one is no correction, and is recorded as failed.
    """
    return replace(request, max_tokens=_ROOM + len(request.likely.encode()) // _BYTES)


def _failed(item: Checked, draft: Draft, why: Failed) -> Edit:
    status = EditStatus.MODEL_FAILED if why.silent else EditStatus.MALFORMED
    return replace(left(item, draft.text, status), reason=why.reason)


def _config(chat: ChatModel, *prompts: Prompt) -> str:
    return json.dumps({"model": chat.model, "prompts": {one.name: one.config for one in prompts}}, sort_keys=True)


def _change(old: str, new: str) -> tuple[Span, str]:
    """Return the one stretch, of whole words, in which two texts differ: its span in the old, and its words in the
    new.
    """
    start = _shared(old, new, len(old))
    end = _shared(old[::-1], new[::-1], min(len(old), len(new)) - start)
    while start and not old[start - 1].isspace():
        start -= 1
    while end and not old[len(old) - end].isspace():
        end -= 1
    return Span(start, len(old) - end), new[start : len(new) - end]


def _shared(a: str, b: str, limit: int) -> int:
    """Return the length of the common prefix, at most `limit`."""
    pairs = zip(a[:limit], b, strict=False)
    return next((i for i, (x, y) in enumerate(pairs) if x != y), min(limit, len(a), len(b)))

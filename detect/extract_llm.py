"""Text to claims by a language model, with the papers' prompts or ours; only what the text says becomes a claim.

Long texts are read in overlapping windows of whole sentences, one after another, since the names found so far are told
to the next; of many texts each round asks for one window each, all at once. Reading a text whole, however long, was
rejected: answers are cut off, and a model overlooks more the longer a text is.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import count

from detect.anchors import Anchors
from detect.forms import GRAPHEVAL, TRIPLES, Triples, kea_form
from detect.outline import Outline, outlines
from detect.placing import Placing
from detect.prompts import load
from detect.structured import Failed, Form, asked
from detect.windows import pack
from detect.words import is_name
from kgstore import literals
from kgstore.errors import InputError
from kgstore.model import ChatModel, Claim, Document, Extraction, Message, Rejection, Request, Span

OVERLAP = 1
"""Sentences that a window shares with the one before."""
NAMES = 40
"""Names, the latest, that a window is told of."""


@dataclass(frozen=True, slots=True)
class Preset:
    """A prompt with the form of its answers, and how many words of a text it is given at once."""

    prompt: str
    form: Form[Triples]
    words: int


_KEA = kea_form(1)
PRESETS = {
    "llm": Preset("extract_llm", TRIPLES, 250),
    "llm-grapheval": Preset("extract_grapheval", GRAPHEVAL, 1000),
    "llm-kea": Preset("extract_kea_one", Form(lambda answer: _KEA.read(answer)[0]), 1000),
    "llm-kgr": Preset("kgr_claims", TRIPLES, 250),
}
"""By name of the extractor. The papers have no windows: theirs are as long as the articles they measure on."""


class LLMExtractor:
    """Implements Extractor with a language model; `words` is the size of a window, None the preset's.

    Raises InputError for an unknown preset.
    """

    def __init__(
        self,
        chat: ChatModel,
        preset: str = "llm",
        *,
        words: int | None = None,
        sentences: Callable[[Sequence[str]], list[Outline]] = outlines,
    ) -> None:
        if preset not in PRESETS:
            raise InputError(f"no preset {preset!r} of the language model's extractor; there are {', '.join(PRESETS)}")
        self.name, self._preset = preset, PRESETS[preset]
        self._chat, self._outlines = chat, sentences
        self._words = words or self._preset.words
        self._prompt, self._names = load(self._preset.prompt), load("extract_names")
        self.config = json.dumps(
            {
                "model": chat.model,
                "prompts": {prompt.name: prompt.config for prompt in (self._prompt, self._names)},
                "words": self._words,
                "overlap": OVERLAP,
            },
            sort_keys=True,
        )

    def extract(self, documents: Sequence[Document]) -> list[Extraction]:
        """One Extraction a document, in order; triples that a text does not say are in `rejected`.

        A window for which no usable answer came is one rejection without a triple, and the rest is read. Raises
        BudgetSpent; the model's ServiceError where none of the windows was answered.
        """
        readings = self._begun(documents)
        self._read(readings)
        return [reading.extraction() for reading in readings]

    def _begun(self, documents: Sequence[Document]) -> list[_Reading]:
        found = self._outlines([document.text for document in documents])
        return [_Reading(*pair, self._words) for pair in zip(documents, found, strict=True)]

    def _read(self, readings: Sequence[_Reading]) -> None:
        """All windows that are not read yet, in rounds."""
        for _ in count():
            waiting = [reading for reading in readings if reading.window]
            if not waiting:
                return
            items = [(reading.item, self._request(reading)) for reading in waiting]
            for reading, answer in zip(waiting, asked(self._chat, items, self._preset.form), strict=True):
                reading.take(answer)

    def _request(self, reading: _Reading) -> Request:
        request = self._prompt.request({"text": reading.window_text})
        if not reading.names:
            return request
        [more] = self._names.fill(names="\n".join(reading.names[-NAMES:]))
        *before, last = request.messages
        return replace(request, messages=(*before, Message(last.role, f"{last.content}\n\n{more.content}")))


class _Reading:
    """What was read of one document so far."""

    def __init__(self, document: Document, outline: Outline, words: int) -> None:
        self.document, self._sentences = document, outline.sentences
        sizes = [len(self._cut(span).split()) for span in self._sentences]
        self._windows = pack(sizes, words, OVERLAP)
        self._placing = Placing(document, Anchors(outline))
        self._next = 0
        self._claims: dict[str, Claim] = {}
        self._rejected: list[Rejection] = []
        self.names: list[str] = []

    @property
    def window(self) -> Sequence[Span]:
        """The sentences of the next window; none where all are read."""
        if self._next == len(self._windows):
            return ()
        at = self._windows[self._next]
        return self._sentences[at.start : at.stop]

    @property
    def window_text(self) -> str:
        """The text from its first sentence to its last."""
        return self._cut(self._whole)

    @property
    def item(self) -> str:
        """The next window's name for the record."""
        return f"{self.document.name or self.document.id} {self._whole.start}-{self._whole.end}"

    @property
    def _whole(self) -> Span:
        return Span(self.window[0].start, self.window[-1].end)

    def take(self, answer: Triples | Failed) -> None:
        """What was answered for the next window, which then is the one after it."""
        if isinstance(answer, Failed):
            self._rejected.append(Rejection((), answer.reason, self._whole))
        else:
            seen: set[tuple[str, ...]] = set()
            for row in answer:
                self._take(row, seen)
        self._next += 1

    def _take(self, row: tuple[str, ...], seen: set[tuple[str, ...]]) -> None:
        found = self._placing.place(row, self.window)
        if isinstance(found, Claim) and row in seen:
            found = Rejection(row, "it was given before", self._whole)
        seen.add(row)
        if isinstance(found, Rejection):
            self._rejected.append(found)
            return
        self._claims[found.id] = found
        self.names += [name for name in (found.subject, found.object) if _carried(name) and name not in self.names]

    def extraction(self) -> Extraction:
        claims = sorted(self._claims.values(), key=_order)
        return Extraction(self.document, tuple(self._sentences), tuple(claims), tuple(self._rejected))

    def _cut(self, span: Span) -> str:
        return self.document.text[span.start : span.end]


def _carried(name: str) -> bool:
    return is_name(name) and literals.parse(name) is None


def _order(claim: Claim) -> tuple[int, int, str, str, str]:
    return claim.span.start, claim.span.end, claim.subject, claim.predicate, claim.object

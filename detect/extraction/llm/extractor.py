"""Text to claims by a language model, with the papers' prompts or ours; only what the text says becomes a claim.

Long texts are read in overlapping windows of whole sentences, one after another, since the names found so far are told
to the next; of many texts each round asks for one window each, all at once. Reading a text whole, however long, was
rejected: answers are cut off, and a model overlooks more the longer a text is.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from claimgraph.detect.extraction.llm.mention_finder import Anchors
from claimgraph.detect.extraction.llm.outline import Outline, outlines
from claimgraph.detect.extraction.llm.span_grounding import Placing
from claimgraph.detect.prompting.forms import GRAPHEVAL, TRIPLES, Triples, kea_form
from claimgraph.detect.prompting.prompts import Prompt, load
from claimgraph.detect.prompting.structured import AnswerForm, Failed, asked
from claimgraph.detect.text.windows import pack
from claimgraph.detect.text.words import is_name
from claimgraph.kgstore.errors import InputError, ServiceError
from claimgraph.kgstore.model import ChatModel, Claim, Document, Extraction, Message, Rejection, Request, Span
from claimgraph.kgstore.values import literals

OVERLAP = 1
"""Sentences that a window shares with the one before."""
_PER_TRIPLE = 7
"""Words of a text that make a triple of it, about."""
NAMES = 40
"""Names, the latest, that a window is told of."""


@dataclass(frozen=True, slots=True)
class ExtractionPreset:
    """A prompt, its answers' form and how one with a list of triples looks, and the words of a text it reads at once.

    `two` is the prompt for two texts, where there is one.
    """

    prompt: str
    form: AnswerForm[Triples]
    usual: str
    words: int
    two: str | None = None


_KEA, _KEA_TWO = kea_form(1), kea_form(2)
PRESETS = {
    "llm": ExtractionPreset("extract_llm", TRIPLES, '{"triples": %s}', 250),
    "llm-grapheval": ExtractionPreset("extract_grapheval", GRAPHEVAL, "<python>%s</python>", 1000),
    "llm-kea": ExtractionPreset(
        "extract_kea_one",
        AnswerForm(lambda answer: _KEA.read(answer)[0]),
        '{"knowledge_graph1": %s}',
        1000,
        "extract_kea_two",
    ),
    "llm-kgr": ExtractionPreset("kgr_claims", TRIPLES, '{"triples": %s}', 250),
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
        self._two = load(self._preset.two) if self._preset.two else None
        self.config = json.dumps(
            {
                "model": chat.model,
                "prompts": {prompt.name: prompt.config for prompt in (self._prompt, self._names, self._two) if prompt},
                "words": self._words,
                "overlap": OVERLAP,
            },
            sort_keys=True,
        )

    def extract(self, documents: Sequence[Document]) -> list[Extraction]:
        """One Extraction a document, in order; triples that a text does not say are in `rejected`.

        A window for which no usable answer came is one rejection without a triple, and the rest is read. Raises
        BudgetSpent; ServiceError where none of the windows of a round was answered.
        """
        readings = self._begun(documents)
        self._read(readings)
        return [reading.extraction() for reading in readings]

    def extract_together(self, pairs: Sequence[tuple[Document, Document]]) -> list[tuple[Extraction, Extraction]]:
        """Texts, each with the context it is checked against, so that both call the same things by the same names.

        KEA's preset asks for the first windows of both in one prompt, which for texts of its length is all of them; all
        else is read as by `extract`, the context's windows told the names of the text. Raises as extract does.
        """
        texts, contexts = (self._begun(documents) for documents in zip(*pairs, strict=True)) if pairs else ([], [])
        for text, context in zip(texts, contexts, strict=True):
            text.beside(context)
        if self._two:
            self._read_both([one for one in zip(texts, contexts, strict=True) if one[0].window and one[1].window])
        self._read(texts)
        for text, context in zip(texts, contexts, strict=True):
            context.names[:0] = [name for name in text.names if name not in context.names]
        self._read(contexts)
        return [(text.extraction(), context.extraction()) for text, context in zip(texts, contexts, strict=True)]

    def _read_both(self, pairs: Sequence[tuple[_Reading, _Reading]]) -> None:
        assert self._two
        items = [
            (text.item, self._asking_both(self._two, text.window_text, context.window_text)) for text, context in pairs
        ]
        answers = asked(self._chat, items, _KEA_TWO)
        _check_heard(answers)
        for both, answer in zip(pairs, answers, strict=True):
            for number, reading in enumerate(both):
                reading.take(answer if isinstance(answer, Failed) else answer[number])

    def _asking_both(self, prompt: Prompt, text: str, context: str) -> Request:
        usual = f'{{"knowledge_graph1": {_triples_of(text)}, "knowledge_graph2": {_triples_of(context)}}}'
        return prompt.request({"text1": text, "text2": context}, likely=usual)

    def _begun(self, documents: Sequence[Document]) -> list[_Reading]:
        found = self._outlines([document.text for document in documents])
        return [_Reading(*pair, self._words) for pair in zip(documents, found, strict=True)]

    def _read(self, readings: Sequence[_Reading]) -> None:
        """All windows that are not read yet, in rounds."""
        while waiting := [reading for reading in readings if reading.window]:
            answers = asked(self._chat, [(one.item, self._request(one)) for one in waiting], self._preset.form)
            _check_heard(answers)
            for reading, answer in zip(waiting, answers, strict=True):
                reading.take(answer)

    def _request(self, reading: _Reading) -> Request:
        text = reading.window_text
        request = self._prompt.request({"text": text}, likely=self._preset.usual % _triples_of(text))
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
        self._anchors = Anchors(outline)
        self._placing = Placing(document, self._anchors)
        self._next = 0
        self._claims: dict[str, Claim] = {}
        self._rejected: list[Rejection] = []
        self.names: list[str] = []

    def beside(self, other: _Reading) -> None:
        """Read the two together: what stands in one in full may be named so in the other."""
        self._anchors.beside.append(other._anchors.folded)
        other._anchors.beside.append(self._anchors.folded)

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


def _triples_of(text: str) -> str:
    """As many triples as a text of that length usually gives, in its words: what a rehearsal goes on with."""
    words = text.split()
    cut = (words[at : at + _PER_TRIPLE] for at in range(0, len(words), _PER_TRIPLE))
    return json.dumps([[" ".join(part[:2]), " ".join(part[2:4]), " ".join(part[4:])] for part in cut])


def _check_heard(answers: Sequence[object]) -> None:
    """A server that answers nothing at all is an error, not a text without claims."""
    silent = [answer for answer in answers if isinstance(answer, Failed) and answer.silent]
    if answers and len(silent) == len(answers):
        raise ServiceError(silent[0].reason)


def _carried(name: str) -> bool:
    return is_name(name) and literals.parse(name) is None


def _order(claim: Claim) -> tuple[int, int, str, str, str]:
    return claim.span.start, claim.span.end, claim.subject, claim.predicate, claim.object

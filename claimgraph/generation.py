"""Answers by a language model: written from numbered evidence, and shown only as far as they survive a check.

A model that is given facts still writes what they do not say, and reasoning aloud makes it worse (OKGQA, table 2), so
each sentence goes through the same check as any text, against the retrieved facts and the stored graphs. Refuted
sentences are left out, with the reason beside them; what nothing speaks for stays, marked so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from claimgraph.answer_texts import PASSAGES, About, nearest
from claimgraph.asking import Sentence, Written
from detect.prompts import load
from kgstore.errors import InputError
from kgstore.identity import document_id
from kgstore.model import ChatModel, Document, Embedder, Evidence, Message, Report, Span, Subgraph, Verdict

TEMPERATURE = 0.7
TOP_P = 1.0
"""OKGQA's sampling."""

SAMPLES = 5
"""Answers that self-consistency chooses from."""

STEPS = 4
"""Sentences of thought that look for passages."""

_FILES = {"zero": "answer_zero", "4-shot": "answer_four", "cot-sc": "answer_cot"}
_CITED = re.compile(r"\s*\[(\d+(?:\s*,\s*\d+)*)\]")

Check = Callable[[Document, Subgraph, Sequence[Evidence]], Report]
"""A text, and the facts and other evidence it was written from, to the verdicts on its claims."""


class Writer:
    """Writes an answer with a prompt of asking.PROMPTS and checks it."""

    def __init__(self, chat: ChatModel, prompt: str, embedder: Embedder, check: Check) -> None:
        if prompt not in _FILES:
            raise InputError(f"no prompt {prompt!r}; there are {', '.join(_FILES)}")
        self._chat, self._prompt, self._embedder, self._check = chat, load(_FILES[prompt]), embedder, check
        self._samples = SAMPLES if prompt == "cot-sc" else 1

    def __call__(self, question: str, evidence: Sequence[Evidence], facts: Subgraph) -> Written:
        """The answer without what is refuted. Raises ServiceError where the model gives none."""
        messages = self._prompt.fill(question=question, evidence=numbered(evidence))
        said = [self._complete(messages) for _ in range(self._samples)]
        text = said[0] if len(said) == 1 else self._central(said)
        bare, cites = _uncited(text)
        if not bare.strip():
            return Written("", notes=("the language model gave no answer",))
        report = self._check(Document(document_id(bare), bare), facts, evidence)
        return _checked(report, cites, len(evidence))

    def _complete(self, messages: Sequence[Message]) -> str:
        said = self._chat.complete(messages, temperature=TEMPERATURE, top_p=TOP_P)
        return re.split(r"(?im)^\W*answer\W*:", said)[-1].strip()

    def _central(self, said: Sequence[str]) -> str:
        """The answer most like the others: what a majority vote is where answers are paragraphs. Ties: the first."""
        vectors = self._embedder.embed(said)
        return said[int((vectors @ vectors.T).sum(axis=1).round(6).argmax())]


def interleaved(question: str, texts: Sequence[About], embedder: Embedder, chat: ChatModel) -> list[About]:
    """IRCoT: passages nearest to the question, then to each thought they lead to; each once, in the order found."""
    found = {text.passage: text for text in nearest(question, texts, embedder, PASSAGES // 2)}
    thoughts: list[str] = []
    for _ in range(STEPS):
        said = load("answer_ircot").fill(
            question=question,
            evidence="\n".join(text.passage.text for text in found.values()),
            thoughts=" ".join(thoughts) or "(nothing yet)",
        )
        thought = " ".join(chat.complete(said, temperature=TEMPERATURE, top_p=TOP_P).split())
        if not thought or "so the answer is" in thought.casefold():
            break
        thoughts.append(thought)
        for text in nearest(thought, texts, embedder, PASSAGES // 2):
            found.setdefault(text.passage, text)
    return list(found.values())[: 2 * PASSAGES]


def numbered(evidence: Sequence[Evidence]) -> str:
    """The evidence a line each, numbered from 1."""
    return "\n".join(f"[{at}] {piece.text}" for at, piece in enumerate(evidence, 1)) or "(none)"


def _uncited(text: str) -> tuple[str, list[tuple[int, tuple[int, ...]]]]:
    """The text without its numbers in brackets, and where in that text which numbers stood."""
    bare, cites, last = "", list[tuple[int, tuple[int, ...]]](), 0
    for found in _CITED.finditer(text):
        bare += text[last : found.start()]
        cites.append((len(bare), tuple(int(number) for number in found[1].split(","))))
        last = found.end()
    return bare + text[last:], cites


def _checked(report: Report, cites: Sequence[tuple[int, tuple[int, ...]]], evidence: int) -> Written:
    sentences = [_sentence(report, span, cites, evidence) for span in report.sentences]
    kept = " ".join(_cited(one) for one in sentences if one.shown)
    left_out = sum(not one.shown for one in sentences)
    notes = (f"{left_out} of {len(sentences)} sentences left out: the evidence refutes them",) if left_out else ()
    return Written(kept, tuple(sentences), (*notes, *report.notes))


def _sentence(report: Report, span: Span, cites: Sequence[tuple[int, tuple[int, ...]]], evidence: int) -> Sentence:
    pairs = zip(report.claims, report.verdicts, strict=True)
    verdicts = [verdict for claim, verdict in pairs if claim.span.start < span.end and claim.span.end > span.start]
    worst = min(verdicts, key=_severity, default=None)
    numbers = dict.fromkeys(n for at, group in cites if span.start < at <= span.end for n in group)
    return Sentence(
        text=report.document.text[span.start : span.end].strip(),
        outcome=worst.outcome.value if worst else None,
        reason=worst.reason if worst else None,
        cites=tuple(number - 1 for number in numbers if 1 <= number <= evidence),
        shown=worst is None or worst.outcome.value != "REFUTED",
    )


_ORDER = ("REFUTED", "NOT_ENOUGH_INFO", "SUPPORTED")


def _severity(verdict: Verdict) -> int:
    return _ORDER.index(verdict.outcome.value)


def _cited(sentence: Sentence) -> str:
    numbers = "".join(f" [{at + 1}]" for at in sentence.cites)
    end = re.search(r"[.!?]+[\"'”’)]*$", sentence.text)
    at = end.start() if end else len(sentence.text)
    return sentence.text[:at] + numbers + sentence.text[at:]

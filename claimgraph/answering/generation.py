"""Write answers by a language model from numbered evidence, and show only the sentences that pass a check.

A model that is given facts still adds others, and reasoning aloud makes it worse (OKGQA, table 2), so each sentence
goes through the same check as any text, against the retrieved facts and the stored graphs. Refuted sentences are left
out, with the reason beside them; sentences without evidence stay, marked so.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence

from claimgraph.answering.answer import Sentence, Written
from claimgraph.answering.answer_texts import PASSAGES, About, nearest
from claimgraph.detect.prompting.prompts import ask, load
from claimgraph.kgstore.errors import InputError, ServiceError
from claimgraph.kgstore.identity import document_id
from claimgraph.kgstore.model import (
    ChatModel,
    Claim,
    Document,
    Embedder,
    Evidence,
    Extraction,
    Report,
    Span,
    Subgraph,
    Verdict,
)

SAMPLES = 5
"""Number of answers that self-consistency chooses from."""

STEPS = 4
"""Sentences of thought that are used as queries for passages."""

NO_DRAFT = "the language model gave no answer"

_SENTENCES = 5
"""Length of a usual answer."""

_FILES = {"zero": "answer_zero", "4-shot": "answer_four", "cot": "answer_cot", "cot-sc": "answer_cot"}
_CITED = re.compile(r"(?<!\s)\s*\[(\d+(?:\s{0,9},\s{0,9}\d+)*)\]")
_HEADED = re.compile(r"^[^\w\n]*answer[^\w\n:]*:", re.IGNORECASE | re.MULTILINE)

Cites = Sequence[tuple[int, tuple[int, ...]]]
"""Positions of citation numbers in a text from which they were removed."""

Check = Callable[[Document, Subgraph, Sequence[Evidence]], Report]
"""Returns the verdicts on a text, given the facts and other evidence it was written from."""


class Writer:
    """Writes an answer with a prompt of PROMPTS and checks it."""

    def __init__(self, chat: ChatModel, prompt: str, embedder: Embedder, check: Check) -> None:
        if prompt not in _FILES:
            raise InputError(f"no prompt {prompt!r}; there are {', '.join(_FILES)}")
        self._chat, self._prompt, self._embedder, self._check = chat, load(_FILES[prompt]), embedder, check
        self._samples = SAMPLES if prompt == "cot-sc" else 1
        parts = {"model": chat.model, "prompts": {self._prompt.name: self._prompt.config}, "samples": self._samples}
        self.config = json.dumps(parts, sort_keys=True)

    def __call__(self, question: str, evidence: Sequence[Evidence], facts: Subgraph) -> Written:
        """Return the answer without refuted sentences. Raises ServiceError where the model gives none."""
        bare, cites = self.draft(question, evidence)
        if not bare.strip():
            return Written("", notes=(NO_DRAFT,))
        report = self._check(Document(document_id(bare), bare), facts, evidence)
        return _checked(report, cites, len(evidence))

    def draft(self, question: str, evidence: Sequence[Evidence]) -> tuple[str, Cites]:
        """Return an unchecked answer without its citation numbers, and their positions. Raises ServiceError where there
        is none.
        """
        said = self._answers(question, evidence)
        return _uncited(said[0] if len(said) == 1 else self._central(said))

    def _answers(self, question: str, evidence: Sequence[Evidence]) -> list[str]:
        """Return the samples that came, all requested at once."""
        values, likely = {"question": question, "evidence": numbered(evidence)}, _likely(evidence)
        requests = [self._prompt.request(values, sample=sample, likely=likely) for sample in range(self._samples)]
        answers = self._chat.answer(requests)
        silent = [one for one in answers if isinstance(one, ServiceError)]
        if len(silent) == len(answers):
            raise silent[0]
        return [_HEADED.split(one)[-1].strip() for one in answers if isinstance(one, str)]

    def _central(self, said: Sequence[str]) -> str:
        """Return the answer most like the others, which replaces a majority vote for paragraphs. Ties: the first."""
        vectors = self._embedder.embed(said)
        return said[int((vectors @ vectors.T).sum(axis=1).round(6).argmax())]


def interleaved(question: str, texts: Sequence[About], embedder: Embedder, chat: ChatModel) -> list[About]:
    """Return IRCoT's passages: nearest to the question, then to each thought they lead to; each once, in the order
    found.
    """
    found = {text.passage: text for text in nearest(question, texts, embedder, PASSAGES // 2)}
    thoughts: list[str] = []
    for _ in range(STEPS):
        values = {
            "question": question,
            "evidence": "\n".join(text.passage.text for text in found.values()),
            "thoughts": " ".join(thoughts) or "(nothing yet)",
        }
        thought = " ".join(
            ask(chat, load("answer_ircot"), values, likely=f"{question} So far little is known.").split()
        )
        if not thought or "so the answer is" in thought.casefold():
            break
        thoughts.append(thought)
        for text in nearest(thought, texts, embedder, PASSAGES // 2):
            found.setdefault(text.passage, text)
    return list(found.values())[: 2 * PASSAGES]


def numbered(evidence: Sequence[Evidence]) -> str:
    """Return the evidence, numbered from 1, each piece on one line: a piece cannot number others."""
    return "\n".join(f"[{at}] {' '.join(piece.text.split())}" for at, piece in enumerate(evidence, 1)) or "(none)"


def _likely(evidence: Sequence[Evidence]) -> str:
    """Return a likely answer of a model: the first pieces, each a sentence with its number."""
    return " ".join(f"{piece.text} [{at}]." for at, piece in enumerate(evidence[:_SENTENCES], 1)) or "Nobody knows."


def _uncited(text: str) -> tuple[str, Cites]:
    """Return the text without its numbers in brackets, and the positions of the numbers in it."""
    bare, cites, last = "", list[tuple[int, tuple[int, ...]]](), 0
    for found in _CITED.finditer(text):
        bare += text[last : found.start()]
        cites.append((len(bare), tuple(int(number) for number in found[1].split(","))))
        last = found.end()
    return bare + text[last:], cites


def sentences_of(found: Extraction, verdicts: Sequence[Verdict], cites: Cites, evidence: int) -> list[Sentence]:
    """Return the sentences of a text, with the result of the verdicts on its claims, of an answer from that many
    pieces.
    """
    pairs = list(zip(found.claims, verdicts, strict=True))
    return [_sentence(found.document.text, span, pairs, cites, evidence) for span in found.sentences]


def _checked(report: Report, cites: Cites, evidence: int) -> Written:
    found = Extraction(report.document, report.sentences, report.claims)
    sentences = sentences_of(found, report.verdicts, cites, evidence)
    kept = " ".join(_cited(one) for one in sentences if one.shown)
    left_out = sum(not one.shown for one in sentences)
    notes = (f"{left_out} of {len(sentences)} sentences left out: the evidence refutes them",) if left_out else ()
    return Written(kept, tuple(sentences), (*notes, *report.notes))


def _sentence(text: str, span: Span, pairs: Sequence[tuple[Claim, Verdict]], cites: Cites, evidence: int) -> Sentence:
    verdicts = [verdict for claim, verdict in pairs if claim.span.start < span.end and claim.span.end > span.start]
    worst = min(verdicts, key=_severity, default=None)
    numbers = dict.fromkeys(n for at, group in cites if span.start < at <= span.end for n in group)
    return Sentence(
        text=text[span.start : span.end].strip(),
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
    end = re.search(r"(?<![.!?])[.!?]+[\"'”’)]*$", sentence.text)
    at = end.start() if end else len(sentence.text)
    return sentence.text[:at] + numbers + sentence.text[at:]

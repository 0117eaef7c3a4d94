"""Break an answer into atomic facts: short statements of one piece of information each (FActScore, section 3.1).

Without a language model the claims of the extractor are the atoms, with their pronouns resolved; a sentence without a
claim is an atom itself, since leaving it out would make an answer look better than it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from claimgraph.detect.compare.relations import sentence
from claimgraph.detect.prompting.prompts import load
from claimgraph.detect.prompting.structured import Failed, answered
from claimgraph.kgstore.errors import ServiceError
from claimgraph.kgstore.identity import document_id
from claimgraph.kgstore.model import ChatModel, Document, Extraction, Extractor

_PRONOUN = re.compile(r"(he|she|they|it)\b(?!['’])|(his|her|their|its)\b", re.IGNORECASE)
_ITEM = re.compile(r"^[^\S\n]*(?:[-*•]|\d{1,4}[.)])\s{1,20}(\S(?:.*\S)?)", re.MULTILINE)


class Atomiser(Protocol):
    """Breaks answers into atomic facts."""

    name: str

    def atoms(self, texts: Sequence[str]) -> list[list[str]]:
        """Return the atomic facts of each text, in order, each once."""
        ...


class RuleAtomiser:
    """Takes the extractor's claims as sentences. Implements Atomiser."""

    def __init__(self, extractor: Extractor) -> None:
        self._extractor = extractor
        self.name = extractor.name

    def atoms(self, texts: Sequence[str]) -> list[list[str]]:
        """Return the claims of each sentence in words, or the sentence where it has none."""
        return [_distinct(_claimed(found)) for found in _read(texts, self._extractor)]


class LLMAtomiser:
    """Asks a language model sentence by sentence, with examples. Implements Atomiser."""

    name = "llm"

    def __init__(self, chat: ChatModel, extractor: Extractor) -> None:
        """`extractor` finds the sentences."""
        self._chat, self._extractor = chat, extractor
        self._prompt = load("factscore_atoms")

    def atoms(self, texts: Sequence[str]) -> list[list[str]]:
        """Return the items of each answer; a sentence whose answer has none, or did not come, is its own atom.

        All sentences are asked about at once. Raises BudgetSpent, and ServiceError where no answer came at all.
        """
        read = _read(texts, self._extractor)
        said = [[one.document.text[span.start : span.end] for span in one.sentences] for one in read]
        found = self._asked([sentence for sentences in said for sentence in sentences])
        return [_distinct(atom for sentence in sentences for atom in found[sentence]) for sentences in said]

    def _asked(self, sentences: Sequence[str]) -> dict[str, list[str]]:
        items = [(one, self._prompt.request({"sentence": one}, likely=f"- {one}\n- {one}")) for one in sentences]
        found = answered(self._chat, items, lambda answer: _ITEM.findall(answer))
        if found and all(isinstance(one, Failed) for one in found):
            raise ServiceError(next(one.reason for one in found if isinstance(one, Failed)))
        pairs = zip(sentences, found, strict=True)
        return {said: [said] if isinstance(atoms, Failed) or not atoms else atoms for said, atoms in pairs}


def named(fact: str, topic: str) -> str:
    """Return the fact with the topic instead of a pronoun at its beginning: "He sang." is "Ann sang."."""
    found = _PRONOUN.match(fact)
    if not found or not topic:
        return fact
    return f"{topic}{'' if found[1] else _genitive(topic)}{fact[found.end() :]}"


def _genitive(name: str) -> str:
    return "'" if name.endswith("s") else "'s"


def _read(texts: Sequence[str], extractor: Extractor) -> list[Extraction]:
    return extractor.extract([Document(document_id(text), text) for text in texts])


def _claimed(found: Extraction) -> Iterator[str]:
    for span in found.sentences:
        claims = [claim for claim in found.claims if span.start <= claim.span.start < span.end]
        yield from [sentence(claim.triple) for claim in claims] or [found.document.text[span.start : span.end]]


def _distinct(facts: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(" ".join(fact.split()) for fact in facts))

"""Define an answer as users get it: in words, with its evidence; and the protocol of its writers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from claimgraph.kgstore.model import Evidence, Subgraph
from claimgraph.retrieval.answers.answers import NodeAnswer
from claimgraph.retrieval.linking.link import Candidate

if TYPE_CHECKING:
    from claimgraph.repair.retrofitting import RetrofitReport


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a written answer; `shown` is False where it is refuted, `cites` are places in the evidence."""

    text: str
    outcome: str | None
    reason: str | None
    cites: tuple[int, ...]
    shown: bool


@dataclass(frozen=True, slots=True)
class Written:
    """An answer in words, its checked sentences, notes for the reader, and KGR's report on its draft."""

    text: str
    sentences: tuple[Sentence, ...] = ()
    notes: tuple[str, ...] = ()
    retrofitted: RetrofitReport | None = None


@dataclass(frozen=True, slots=True)
class AskReport:
    """The result of `ask`: `answer` in words, the entities or values that answer, and the evidence of both.

    `answered` is whether evidence answers, `confidence` the probability in [0, 1] that the first answers are right
    (None for a language model's), `lacks` what the graph lacks otherwise (answer_choice.Lack), `count` how many there
    are where the question asks for that, and `nearest` what is no answer but near. `retrofitted` leads from a language
    model's draft to the answer, None where nothing was retrofitted.
    """

    id: str
    question: str
    mode: str
    prompt: str | None
    answer: str
    answers: tuple[NodeAnswer, ...]
    evidence: tuple[Evidence, ...]
    linked: tuple[Candidate, ...]
    sentences: tuple[Sentence, ...]
    seconds: float
    notes: tuple[str, ...] = field(default=())
    retrofitted: RetrofitReport | None = None
    answered: bool = True
    confidence: float | None = None
    lacks: str | None = None
    count: int | None = None
    nearest: tuple[NodeAnswer, ...] = ()


class Write(Protocol):
    """Writes an answer from a question, numbered evidence and its facts; `config` (JSON) is the model's
    configuration.
    """

    config: str

    def __call__(self, question: str, evidence: Sequence[Evidence], facts: Subgraph) -> Written:
        """Return the answer. Raises ServiceError where the model gives none."""
        ...

"""Define claimgraph's types: frozen dataclasses over the standard library, with no database in them.

All layers use these. They hold values only; records.py stores them, and identity.py makes their ids. All spans are
half-open intervals of Unicode code points in the named document's text. None stands for "unknown" everywhere; it never
means zero, empty or false.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from claimgraph.kgstore.errors import ServiceError


class Outcome(StrEnum):
    """The result of checking a claim against the evidence."""

    SUPPORTED = "SUPPORTED"
    REFUTED = "REFUTED"
    NOT_ENOUGH_INFO = "NOT_ENOUGH_INFO"


class Status(StrEnum):
    """How a verdict was made; everything but COMPLETE says why the outcome is not known."""

    COMPLETE = "complete"
    NO_EVIDENCE = "no_evidence"
    UNLINKED = "unlinked"
    FETCH_INCOMPLETE = "fetch_incomplete"
    MODEL_FAILED = "model_failed"
    UNCLEAR = "unclear"
    """A model was asked, and its answer says neither."""
    TIMEOUT = "timeout"
    CONFLICTING = "conflicting"
    """The evidence speaks for the claim and against it."""


class Hallucination(StrEnum):
    """Maynez et al. 2020: INTRINSIC contradicts the evidence, EXTRINSIC cannot be found in it."""

    INTRINSIC = "intrinsic"
    EXTRINSIC = "extrinsic"


class Stance(StrEnum):
    """The relation of a piece of evidence to the claim."""

    SUPPORTS = "supports"
    REFUTES = "refutes"
    NEUTRAL = "neutral"


@dataclass(frozen=True, slots=True)
class Span:
    """A half-open interval [start, end) of code points."""

    start: int
    end: int

    def overlaps(self, other: Span) -> bool:
        """Return whether both share a code point."""
        return self.start < other.end and other.start < self.end


@dataclass(frozen=True, slots=True)
class Document:
    """A text that is checked, or a context it is checked against."""

    id: str
    text: str
    name: str | None = None
    source: str | None = None
    language: str | None = None
    created_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Entity:
    """A thing that facts are about; `graphs` names every KG that contains it."""

    id: str
    name: str
    aliases: tuple[str, ...] = ()
    description: str | None = None
    source: str | None = None
    graphs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Literal:
    """A typed value. `value` is the normal form of values/literals.py; `precision` e.g. day, month, year or a
    tolerance.
    """

    id: str
    value: str
    datatype: str
    unit: str | None = None
    precision: str | None = None

    @property
    def name(self) -> str:
        """Value with its unit, as shown to people."""
        return f"{self.value} {self.unit}" if self.unit else self.value


Node = Entity | Literal


@dataclass(frozen=True, slots=True)
class Predicate:
    """A relation; `functional` means at most one value at a time, None unknown."""

    id: str
    name: str
    domain: str | None = None
    range: str | None = None
    functional: bool | None = None
    source: str | None = None


@dataclass(frozen=True, slots=True)
class Triple:
    """Subject, predicate and object in words."""

    subject: str
    predicate: str
    object: str

    @property
    def text(self) -> str:
        """The three joined by spaces: the form the papers embed and entail (KEA, FactAlign, GraphEval)."""
        return f"{self.subject} {self.predicate} {self.object}"


@dataclass(frozen=True, slots=True)
class Fact:
    """An edge of a KG. `subject` and `object` are node ids, `predicate` a predicate id, `name` the relation in words.

    `valid_from` and `valid_to` are ISO 8601 prefixes ("1989", "1989-11"); `qualifiers` is a JSON object as a string.
    `document` and `span` say where a fact extracted from a text stands in it.
    """

    id: str
    graph: str
    subject: str
    predicate: str
    name: str
    object: str
    rank: str | None = None
    valid_from: str | None = None
    valid_to: str | None = None
    qualifiers: str | None = None
    source: str | None = None
    retrieved_at: datetime | None = None
    document: str | None = None
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Subgraph:
    """Facts with the nodes they join: `nodes` maps every id that occurs in `facts`. Parallel edges are kept."""

    nodes: Mapping[str, Node]
    facts: tuple[Fact, ...]
    _ties: dict[str, set[str]] = field(default_factory=dict, init=False, repr=False, compare=False)

    def tied(self, node: str) -> Collection[str]:
        """Return the ids of the other nodes that a fact joins to the node of that id."""
        if not self._ties:
            found: dict[str, set[str]] = {}
            for fact in self.facts:
                found.setdefault(fact.subject, set()).add(fact.object)
                found.setdefault(fact.object, set()).add(fact.subject)
            self._ties.update(found)
        return self._ties.get(node, set()) - {node}

    def triple(self, fact: Fact) -> Triple:
        """Return the fact in words."""
        return Triple(self.nodes[fact.subject].name, fact.name, self.nodes[fact.object].name)

    def joined(self, other: Subgraph) -> Subgraph:
        """Return these facts, then those of the other."""
        return Subgraph({**self.nodes, **other.nodes}, self.facts + other.facts)


@dataclass(frozen=True, slots=True)
class Claim:
    """One checkable statement of a document.

    `span` covers the clause it was read from. The element spans say where subject, predicate and object stand; a
    pronoun's span with the resolved name as `subject` is normal. None where an element was supplied, not written.
    `statement` is the claim as a self-contained English sentence, which is what people are shown and what an entailment
    model reads: the whole clause, with names in the place of resolved pronouns. Claims of one clause share it. "" where
    the extractor gives none; `sentence` is then made of the triple.
    """

    id: str
    document: str
    subject: str
    predicate: str
    object: str
    text: str
    span: Span
    subject_span: Span | None = None
    predicate_span: Span | None = None
    object_span: Span | None = None
    statement: str = ""

    @property
    def sentence(self) -> str:
        """The statement, or the triple's words as a sentence."""
        if self.statement:
            return self.statement
        words = " ".join(self.triple.text.split())
        return f"{words[:1].upper()}{words[1:]}{'' if words.endswith(('.', '!', '?')) else '.'}"

    @property
    def triple(self) -> Triple:
        """The claim in words, as its triple."""
        return Triple(self.subject, self.predicate, self.object)


@dataclass(frozen=True, slots=True)
class Rejection:
    """A rejected claim of a language model: the triple (with as many elements as it had), and why.

    `triple` is empty where the whole answer, about `span` of the document, could not be used.
    """

    triple: tuple[str, ...]
    reason: str
    span: Span


class Silence(StrEnum):
    """Why a sentence makes no claims."""

    QUESTION = "question"
    OPINION = "opinion"
    INSTRUCTION = "instruction"
    GREETING = "greeting"
    HEADING = "heading"
    CODE = "code"


@dataclass(frozen=True, slots=True)
class Silent:
    """A sentence that states nothing to check, and why."""

    span: Span
    why: Silence


@dataclass(frozen=True, slots=True)
class Extraction:
    """The claims of one document: its sentences in order, and its claims by (span, triple).

    `rejected` are claims of a language model that the text does not support, in the order given. `silent` are the
    sentences that state nothing to check, in order, as far as the extractor tells.
    """

    document: Document
    sentences: tuple[Span, ...]
    claims: tuple[Claim, ...]
    rejected: tuple[Rejection, ...] = ()
    silent: tuple[Silent, ...] = ()


@dataclass(frozen=True, slots=True)
class Link:
    """A mention of a claim resolved to an entity, or a recorded NIL (`entity` None).

    `role` is "subject" or "object"; `score` in [0, 1] is of the best candidate, `margin` its lead over the second.
    """

    claim: str
    role: str
    mention: str
    entity: Entity | None
    score: float
    margin: float


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of text that may be evidence for a claim: a sentence of a context, or an entity's description.

    `statements` are what a text states in the sentence, as it was read. `placed` is the sentence with what its place
    says of it, "Not included: mounting bracket"; "" where that is nothing.
    """

    text: str
    source: str
    document: str | None = None
    span: Span | None = None
    statements: tuple[str, ...] = ()
    placed: str = ""

    @property
    def read(self) -> str:
        """The passage as a model is to read it, with single spaces."""
        return self.placed or " ".join(self.text.split())


@dataclass(frozen=True, slots=True)
class Evidence:
    """A frozen copy of a fact or a sentence at the time of a verdict.

    A fact has `fact_id` and its triple; a sentence of a context has None there and the sentence as `text`. `source`
    names the graph or document, or an address a reader can open; `span` is in the document `document`; `rank` is a
    stored fact's.
    """

    id: str
    text: str
    source: str
    fact_id: str | None = None
    triple: Triple | None = None
    document: str | None = None
    span: Span | None = None
    rank: str | None = None


@dataclass(frozen=True, slots=True)
class Citation:
    """Evidence of a verdict, with its stance and a score in [0, 1]; order is by weight.

    Pieces of one `path` decide only together, in their order; one without decides alone.
    """

    evidence: Evidence
    stance: Stance
    score: float
    path: int | None = None


@dataclass(frozen=True, slots=True)
class Signal:
    """One number of a method: `value` None where it is unknown. The method's name has no underscore."""

    method: str
    name: str
    value: float | None


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of detection for one claim, before it becomes a stored Verdict."""

    outcome: Outcome
    status: Status
    reason: str
    confidence: float | None = None
    citations: tuple[Citation, ...] = ()
    signals: tuple[Signal, ...] = ()


HUMAN = "human"
"""The method of a person's ruling, which outranks every other."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcome for one claim, by one method, on one evidence scope. `confidence` in [0, 1], None if unknown.

    A store keeps the signals whose values are known.
    """

    id: str
    claim: str
    outcome: Outcome
    status: Status
    method: str
    reason: str
    confidence: float | None = None
    hallucination: Hallucination | None = None
    citations: tuple[Citation, ...] = ()
    signals: tuple[Signal, ...] = ()
    created_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Correction:
    """A change made to a document because of a verdict on one of its claims.

    `before` stood at `span` of that document; `result` is the id of the corrected document. `method` and `config`
    (JSON) say how `after` was found.
    """

    id: str
    claim: str
    verdict: str
    result: str
    span: Span
    before: str
    after: str
    method: str
    config: str
    created_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer to a question, as shown, with its evidence, in the order its numbers cite it.

    `mode` is that of retrieval; `prompt` (JSON: model, prompts with version, hash and sampling) is the language model's
    configuration, None without one.
    """

    id: str
    question: str
    mode: str
    text: str
    evidence: tuple[Evidence, ...] = ()
    prompt: str | None = None
    created_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Run:
    """One piece of work: its method and configuration (JSON), its times, and how it ended."""

    id: str
    method: str
    config: str
    started_at: datetime
    finished_at: datetime | None = None
    status: str = "running"
    model: str | None = None
    prompt_hash: str | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """The result of `check`: the document with its sentences, claims and their verdicts, in document order.

    `verdicts` is parallel to `claims`; `notes` are lines for the reader (another language, a truncated context).
    `rejected` are claims of a language model that the text does not support: they have no verdict. `contexts` are the
    texts it was checked against, in the order given. `silent` are the sentences that state nothing to check.
    """

    document: Document
    sentences: tuple[Span, ...]
    claims: tuple[Claim, ...]
    verdicts: tuple[Verdict, ...]
    run: Run
    seconds: float
    notes: tuple[str, ...] = field(default=())
    rejected: tuple[Rejection, ...] = ()
    contexts: tuple[Document, ...] = ()
    silent: tuple[Silent, ...] = ()


class Embedder(Protocol):
    """Embeds texts as vectors."""

    model: str
    """Name and version of the model: part of every cache key and configuration."""

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return unit-length vectors, shape (len(texts), d), row i for texts[i]; equal texts give equal rows."""
        ...


class Extractor(Protocol):
    """Extracts claims from texts."""

    name: str

    def extract(self, documents: Sequence[Document]) -> list[Extraction]:
        """Return one Extraction per document, in order."""
        ...


class EntailmentModel(Protocol):
    """Scores pairs of premise and hypothesis."""

    model: str

    def entail(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """Return shape (len(pairs), 3): P(entailment), P(neutral), P(contradiction), rows summing to 1.

        A model that only separates consistent from inconsistent gives P(entailment) and nan twice: unknown, not 0.
        """
        ...


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation; `role` is system, user or assistant."""

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class Request:
    """One question to a language model, with its sampling.

    `schema` is a JSON schema, as JSON text, for servers that can enforce one. `max_tokens` bounds the answer, None
    leaves it to the server. `sample` distinguishes several answers to the same question. `likely` is an answer of the
    usual form and length, which a dry run uses instead of asking.
    """

    messages: tuple[Message, ...]
    temperature: float = 0.0
    top_p: float = 1.0
    max_tokens: int | None = None
    schema: str | None = None
    sample: int = 0
    likely: str = ""


class ChatModel(Protocol):
    """Answers messages in words."""

    model: str

    def answer(self, requests: Sequence[Request]) -> list[str | ServiceError]:
        """Return the answers in order, several requested at once; in place of one that failed its error.

        Raises BudgetSpent where the run may ask no more.
        """
        ...

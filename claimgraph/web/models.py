"""Define what the API takes and gives: the objects of docs/json.md, as OpenAPI shows them.

Answers allow more keys than are named here, so that a field added to a report reaches clients at once; a test says
which are not named.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from claimgraph.kgstore.model import Outcome
from claimgraph.wiring import METHODS

_EXAMPLE: dict[str, Any] = {"text": "Marie Curie was born in Paris.", "context": "Marie Curie was born in Warsaw."}


def _examples(example: Any) -> dict[str, Any]:
    return {"examples": [example]}


class TextRequest(BaseModel):
    """A text."""

    model_config = ConfigDict(json_schema_extra=_examples({"text": _EXAMPLE["text"]}))
    text: str = Field(description="The text.")


class CheckRequest(BaseModel):
    """A text with the evidence to check it against."""

    model_config = ConfigDict(json_schema_extra=_examples(_EXAMPLE))
    text: str = Field(description="The text to check.")
    context: str | list[str] | None = Field(default=None, description="Text or texts to check against (closed domain).")
    graphs: list[str] = Field(default=[], description="Stored graphs to check against (open domain).")
    method: str = Field(default="fused", description=f"One of {', '.join(METHODS)}.")


class CorrectRequest(BaseModel):
    """A text with the context that says what is right."""

    model_config = ConfigDict(json_schema_extra=_examples(_EXAMPLE))
    text: str = Field(description="The text to correct.")
    context: str = Field(description="Text that says what is right.")
    method: str = Field(default="deterministic", description="deterministic, graphcorrect or direct.")


class RetrofitRequest(BaseModel):
    """A draft with the graphs to check it against."""

    text: str = Field(description="The draft.")
    question: str | None = Field(default=None, description="What the draft answers.")
    graphs: list[str] = Field(default=[], description="Stored graphs; none: all world graphs.")
    max_iterations: int | None = Field(default=None, ge=0, description="Rewritings at most; null: 3.")
    mode: str | None = Field(default=None, description="deterministic or llm; null: llm where one is set.")


class AskRequest(BaseModel):
    """A question with the graphs to answer it from."""

    model_config = ConfigDict(json_schema_extra=_examples({"question": "Where was Marie Curie born?"}))
    question: str = Field(description="The question.")
    graphs: list[str] = Field(default=[], description="Stored graphs; none: all world graphs.")
    mode: str = Field(default="subgraph", description="none, random, text, triplet, path or subgraph.")


class RulingRequest(BaseModel):
    """A person's verdict on a claim."""

    model_config = ConfigDict(json_schema_extra=_examples({"outcome": "SUPPORTED", "note": "see the register"}))
    outcome: Outcome = Field(description="What the person says of it.")
    note: str = Field(description="Why.")


class CypherRequest(BaseModel):
    """One read statement."""

    model_config = ConfigDict(
        json_schema_extra=_examples({"query": "MATCH (c:Claim)-[:CURRENT]->(v:Refuted) RETURN c.name, v.reason"})
    )
    query: str = Field(description="MATCH ... RETURN ...; writes are refused.")
    params: dict[str, Any] = Field(default={}, description="Values of its $parameters.")
    limit: int | None = Field(default=None, ge=1, description="At most so many rows; null: the setting.")
    timeout: float | None = Field(default=None, gt=0, description="Seconds it may take; null: the setting.")


class Answer(BaseModel):
    """An answer of the API."""

    model_config = ConfigDict(extra="allow")


class Problem(Answer):
    """Why a request failed (RFC 9457)."""

    type: str
    title: str
    status: int
    detail: str


class Place(Answer):
    """A half-open interval of code points."""

    start: int | None
    end: int | None


class EvidenceAnswer(Place):
    """A piece of evidence with its stance on the claim."""

    subject: str | None
    predicate: str | None
    object: str | None
    text: str
    source: str
    stance: str
    score: float
    document: str | None
    line: int | None
    page: int | None


class VerdictAnswer(Answer):
    """A verdict with its evidence."""

    outcome: Outcome
    status: str
    hallucination: str | None
    confidence: float | None
    method: str
    reason: str
    evidence: list[EvidenceAnswer]


class ClaimAnswer(Place):
    """A claim with the verdict that holds."""

    id: str
    subject: str
    predicate: str
    object: str
    statement: str
    verdict: VerdictAnswer


class LevelAnswer(Answer):
    """What the claims of a sentence or a text come to."""

    label: int | None
    score: float | None
    status: str


class SentenceAnswer(LevelAnswer, Place):
    """A sentence of the text."""


class TextVerdict(LevelAnswer):
    """What the claims of the whole text come to."""

    outcome: Outcome | None


class DocumentAnswer(Answer):
    """A text."""

    id: str
    text: str


class CheckedText(DocumentAnswer):
    """The checked text."""

    verdict: TextVerdict


class RunAnswer(Answer):
    """The run and its seconds."""

    id: str
    seconds: float


class ContextAnswer(Answer):
    """A text that was checked against."""

    id: str
    name: str | None
    source: str | None


class CheckAnswer(Answer):
    """A checked text."""

    document: CheckedText
    contexts: list[ContextAnswer]
    method: str
    preset: str | None
    sentences: list[SentenceAnswer]
    claims: list[ClaimAnswer]
    notes: list[str]
    rejected: list[dict[str, Any]]
    run: RunAnswer


class ExtractAnswer(Answer):
    """The claims of a text."""

    document: DocumentAnswer
    extractor: str
    claims: list[dict[str, Any]]
    notes: list[str]


class EditAnswer(Place):
    """A change to a text, or why there is none."""

    before: str
    after: str
    claim: str
    reason: str | None


class CorrectAnswer(Answer):
    """A corrected text."""

    text: str
    original: str
    method: str
    edits: list[EditAnswer]
    before: dict[Outcome, int]
    after: dict[Outcome, int]


class RetrofitAnswer(Answer):
    """A retrofitted draft."""

    text: str
    original: str
    edits: list[EditAnswer]
    iterations: int
    stopped: str
    mode: str
    document: str


class AskAnswer(Answer):
    """An answer to a question."""

    question: str
    mode: str
    answer: str | None
    answers: list[dict[str, Any]]
    evidence: list[dict[str, Any]]
    seconds: float


class VerdictRow(Place):
    """A verdict that holds, with its claim and document."""

    verdict: str
    outcome: Outcome
    status: str
    method: str
    confidence: float | None
    hallucination: str | None
    reason: str
    createdAt: datetime
    stale: bool
    claim: str
    claimText: str
    statement: str
    subject: str
    predicate: str
    object: str
    document: str
    documentName: str | None


class HistoryRow(Answer):
    """A verdict on a claim; `holds` says which one is current."""

    verdict: str
    outcome: Outcome
    status: str
    method: str
    confidence: float | None
    reason: str
    createdAt: datetime
    stale: bool
    holds: bool
    run: str | None


class DocumentRow(Answer):
    """A checked document with its statements by outcome, and the number of its claims."""

    id: str
    name: str | None
    createdAt: datetime | None
    claims: int
    refuted: int
    open: int
    supported: int


class StoredAnswer(Answer):
    """A stored document with its claims and corrections."""

    document: DocumentAnswer
    claims: list[ClaimAnswer]
    corrections: list[dict[str, Any]]


class GraphRow(Answer):
    """A knowledge graph of the store."""

    name: str
    kind: str


class FactAnswer(Answer):
    """A fact in words."""

    id: str
    graph: str
    subject: str
    predicate: str
    object: str


class EntityAnswer(Answer):
    """An entity, with facts around it where they were asked for."""

    id: str
    name: str
    aliases: list[str]
    description: str | None
    graphs: list[str]
    facts: list[FactAnswer] = []


class TableAnswer(Answer):
    """The result of a query; `truncated` says that the row limit cut it."""

    columns: list[str]
    rows: list[list[Any]]
    truncated: bool

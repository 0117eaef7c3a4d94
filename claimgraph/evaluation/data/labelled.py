"""Define labelled texts of all documented schemas as one type, and the statistics of a set of them.

labelled_files.py reads them. Labels: 1 is hallucinated, 0 consistent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from claimgraph.kgstore.model import Hallucination, Span, Triple


class Unit(StrEnum):
    """The unit of a label, a score or a figure."""

    CLAIM = "claim"
    SENTENCE = "sentence"
    DOCUMENT = "document"


@dataclass(frozen=True, slots=True)
class LabelledSpan:
    """A sentence of the text with its label."""

    span: Span
    label: int


@dataclass(frozen=True, slots=True)
class LabelledTriple:
    """A claim given as a triple, its span in the text, and its label, None where claims have none."""

    triple: Triple
    span: Span
    label: int | None = None
    kind: Hallucination | None = None


@dataclass(frozen=True, slots=True)
class Annotation:
    """One annotator's mark of a hallucination in the text, with its type."""

    span: Span
    kind: Hallucination


@dataclass(frozen=True, slots=True)
class LabelledCase:
    """A text with labels, beside the evidence to check it against.

    `group` is shared by rows that must not be split between fitting and judging: the article, the context, the
    question. `unit` is that of the row's own label. `context` is None where only `evidence` came, or nothing (an open
    domain). `claims` is None where they are to be extracted; `sentences` and `annotations` are None where those are not
    labelled. `published` is a score in [0, 1] that came with the row, `line` the row's in its file, `rating` its
    annotators' on their own scale, greater being better.
    """

    id: str
    group: str
    dataset: str
    unit: Unit
    text: str
    label: int
    context: str | None = None
    evidence: tuple[Triple, ...] | None = None
    claims: tuple[LabelledTriple, ...] | None = None
    sentences: tuple[LabelledSpan, ...] | None = None
    annotations: tuple[Annotation, ...] | None = None
    question: str | None = None
    published: float | None = None
    line: int = 0
    rating: float | str | None = None

    @property
    def closed(self) -> bool:
        """Whether the row itself has the evidence for the text."""
        return self.context is not None or self.evidence is not None


@dataclass(frozen=True, slots=True)
class SetStatistics:
    """GraphEval's table 1. `label_ratio` is consistent texts to one inconsistent, None without any inconsistent."""

    n: int
    label_ratio: float | None
    mean_output_words: float
    mean_context_words: float | None


def statistics(cases: Sequence[LabelledCase]) -> SetStatistics:
    """Statistics over whole texts; the context's words only where every case has a context."""
    wrong = sum(case.label for case in cases)
    contexts = [len(case.context.split()) for case in cases if case.context is not None]
    return SetStatistics(
        n=len(cases),
        label_ratio=(len(cases) - wrong) / wrong if wrong else None,
        mean_output_words=sum(len(case.text.split()) for case in cases) / len(cases),
        mean_context_words=sum(contexts) / len(contexts) if len(contexts) == len(cases) else None,
    )

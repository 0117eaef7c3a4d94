"""Measure explanations on labelled texts, for `claimgraph eval explanation`.

KEA Explain had twenty explanations rated by people. Beside its rating sheet (rating_sheet.py) there are counts: the
claims called hallucinated that have a contradictory pair as explanation, by the severity of the text's hallucination;
and, for right texts made wrong in one known place, the explanations that name that place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil
from random import Random

from claimgraph.detect.check_input import Case, Detector
from claimgraph.detect.explanation.document_script import operations_of, script_of
from claimgraph.detect.explanation.edit_script import EditOperation, EditThresholds
from claimgraph.detect.models.embedder import Space
from claimgraph.detect.reasons.contrast import Contrast, contrasts
from claimgraph.evaluation.batches import Advance, silent
from claimgraph.evaluation.data.labelled import LabelledCase
from claimgraph.evaluation.detection.cases import Preparer
from claimgraph.evaluation.made.known_edits import KnownEdit, known_edits
from claimgraph.evaluation.made.naming_edits import Naming, named
from claimgraph.evaluation.statistics.shares import mean
from claimgraph.kgstore.errors import InputError
from claimgraph.kgstore.identity import document_id
from claimgraph.kgstore.model import Document, Embedder, Extraction, Extractor, Finding, Outcome

BATCH = 20
"""Texts in a batch: between two steps of the progress bar."""


@dataclass(frozen=True, slots=True)
class PairFigures:
    """Claims that the detector does not call supported, and the share with a contradictory pair; None of none."""

    hallucinated: int
    with_pair: float | None


@dataclass(frozen=True, slots=True)
class NamedEdits:
    """Known edits, and the shares whose place (element, new and old words) is named; None of no edits.

    By the `contrast` of a claim over the place, by the minimal edit `script`, and by `either`; `operations`: by KEA's
    Algorithm 1. `refuted`: the detector refutes a claim over the place.
    """

    n: int
    contrast: float | None
    script: float | None
    either: float | None
    operations: float | None
    refuted: float | None


@dataclass(frozen=True, slots=True)
class ExplanationFigures:
    """One file with one detector. `by_severity` has labels, and the ratings where there are any, each with its pairs;
    the groups of numbers above 1 are those of the paper's figure 5 and on."""

    dataset: str
    detector: str
    n: int
    claims: int
    pairs: PairFigures
    by_severity: dict[str, PairFigures]
    known_edits: NamedEdits
    known_edits_by_kind: dict[str, NamedEdits]


@dataclass(frozen=True, slots=True)
class Explained:
    """A labelled text with its findings, contradictory pairs (by claim), minimal script and operations of
    Algorithm 1.
    """

    labelled: LabelledCase
    case: Case
    findings: tuple[Finding, ...]
    pairs: tuple[Contrast | None, ...]
    script: tuple[EditOperation, ...]
    operations: tuple[EditOperation, ...]

    @property
    def hallucinated(self) -> list[int]:
        """Numbers of the claims that are not supported."""
        return [row for row, found in enumerate(self.findings) if found.outcome is not Outcome.SUPPORTED]


def evaluate(
    cases: Sequence[LabelledCase],
    *,
    extractor: Extractor,
    detector: Detector,
    embedder: Embedder,
    thresholds: EditThresholds | None = None,
    seed: int = 0,
    advance: Advance = silent,
) -> tuple[ExplanationFigures, list[Explained]]:
    """Explain each text that has a context, and each known edit: one of each kind, drawn by `seed`, for each text
    labelled 0.

    `thresholds` are those of Algorithm 1. `advance` is called with (texts done, total). Raises InputError where no text
    has a context.
    """
    usable = [case for case in cases if case.context is not None and case.claims is None]
    if not usable:
        raise InputError("no text with a context in it, so nothing to explain by")
    work = _Explanations(Preparer(extractor), detector, embedder, thresholds, advance)
    texts = list(work.run(usable))
    drawn = [(text.labelled, edit) for text in texts if not text.labelled.label for edit in _drawn(text.case, seed)]
    edited = [replace(labelled, text=edit.edited, sentences=None) for labelled, edit in drawn]
    known = [
        (edit, named(edit, text.case.claims, text.findings, text.pairs, text.script, text.operations))
        for (_, edit), text in zip(drawn, work.run(edited), strict=True)
    ]
    figures = ExplanationFigures(
        dataset=usable[0].dataset,
        detector=detector.name,
        n=len(texts),
        claims=sum(len(text.case.claims) for text in texts),
        pairs=_pairs(texts),
        by_severity={name: _pairs(group) for name, group in _groups(texts).items()},
        known_edits=_named([found for _, found in known]),
        known_edits_by_kind={
            kind: _named([found for edit, found in known if edit.kind == kind])
            for kind in sorted({edit.kind for edit, _ in known})
        },
    )
    return figures, texts


class _Explanations:
    """Explains texts, a batch at a time."""

    def __init__(
        self,
        preparer: Preparer,
        detector: Detector,
        embedder: Embedder,
        thresholds: EditThresholds | None,
        advance: Advance,
    ) -> None:
        self._preparer, self._detector, self._embedder, self._advance = preparer, detector, embedder, advance
        self._thresholds = thresholds
        self._done = self._total = 0

    def run(self, cases: Sequence[LabelledCase]) -> Iterator[Explained]:
        self._total += len(cases)
        for start in range(0, len(cases), BATCH):
            batch = cases[start : start + BATCH]
            prepared = [made.case for made in self._preparer.prepare(batch)]
            for labelled, case, found in zip(batch, prepared, self._detector.detect(prepared), strict=True):
                space = Space(self._embedder)
                pairs = contrasts(case, space)
                script = script_of(case, pairs, space)
                operations = operations_of(case, pairs, space, self._thresholds)
                yield Explained(labelled, case, tuple(found), tuple(pairs), tuple(script), tuple(operations))
            self._done += len(batch)
            self._advance(self._done, self._total)


def _drawn(case: Case, seed: int) -> list[KnownEdit]:
    """Return one known edit of each kind that the text has."""
    document = Document(document_id(case.text), case.text)
    edits = known_edits(Extraction(document, case.sentences, case.claims), seed)
    random = Random(f"{seed}:{document.id}")
    kinds = sorted({edit.kind for edit in edits})
    return [random.choice([edit for edit in edits if edit.kind == kind]) for kind in kinds]


def _pairs(texts: Sequence[Explained]) -> PairFigures:
    found = [text.pairs[row] is not None for text in texts for row in text.hallucinated]
    return PairFigures(len(found), mean(found))


def _groups(texts: Sequence[Explained]) -> dict[str, list[Explained]]:
    """Return texts by label, then by rating from the most severe on."""
    rated = [(text.labelled.rating, text) for text in texts]
    whole = any(isinstance(rating, int | float) and rating > 1 for rating, _ in rated)
    groups: dict[str, list[Explained]] = {}
    for text in texts:
        groups.setdefault(f"label {text.labelled.label}", []).append(text)
    for rating, text in rated:
        if rating is not None:
            groups.setdefault(_severity(rating, whole), []).append(text)
    return dict(sorted(groups.items()))


def _severity(rating: float | str, whole: bool) -> str:
    """Return the group of a rating: one wide, (0, 1] and on as in the paper, or a quarter wide where ratings are
    shares.
    """
    if isinstance(rating, str):
        return f"rated {rating}"
    width = 1.0 if whole else 0.25
    last = max(1, ceil(rating / width))
    return f"rated {(last - 1) * width:g} to {last * width:g}"


def _named(found: Sequence[Naming]) -> NamedEdits:
    return NamedEdits(
        n=len(found),
        contrast=mean([one.contrast for one in found]),
        script=mean([one.script for one in found]),
        either=mean([one.contrast or one.script for one in found]),
        operations=mean([one.operations for one in found]),
        refuted=mean([one.refuted for one in found]),
    )

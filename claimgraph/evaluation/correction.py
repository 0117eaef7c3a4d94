"""Measure corrections on labelled texts, for `claimgraph eval correction`.

The paper asks the detector that found a hallucination whether its correction is one (GraphEval, section 7.4.2), and
says itself that this is believed, not known. So beside it: another judge; and right texts made wrong in one known
place, where it is certain whether the place was found, its words restored, and other words changed. An output is
suspected where a claim has P(hallucination) above 0.5, as in the paper; only these are corrected.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from claimgraph.detect.check_input import Case, Detector
from claimgraph.detect.repair.correction import Corrected, Corrector, Draft, draft
from claimgraph.evaluation.batches import Advance, silent
from claimgraph.evaluation.data.labelled import LabelledCase
from claimgraph.evaluation.detection.cases import Preparer
from claimgraph.evaluation.made.repairs import Repairs, drawn_edit, outcomes, repairs
from claimgraph.evaluation.statistics.metrics import mean_interval
from claimgraph.evaluation.statistics.shares import mean
from claimgraph.kgstore.errors import InputError
from claimgraph.kgstore.extras import require
from claimgraph.kgstore.model import Extractor

BATCH = 40
"""Texts in a batch: between two steps of the progress bar."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """The judge's figures on the suspected outputs.

    `found` it calls hallucinated too; `corrected`: share of these that it no longer does after the correction, with
    judge and detector one the paper's table 4; `broken`: share of the others that it calls hallucinated only then.
    """

    found: int
    corrected: float | None
    broken: float | None


@dataclass(frozen=True, slots=True)
class Touched:
    """Outputs of one label: their number, and the numbers suspected and changed."""

    n: int
    suspected: int
    changed: int


@dataclass(frozen=True, slots=True)
class CorrectionFigures:
    """One method of correction on one file; every share is None where it is undefined.

    ROUGE is between original and corrected text, mean over the suspected outputs (the paper's table 3). `consistent`
    has the outputs labelled 0: each change to one of them touches a right text. `edits` counts edits by status. `ci95`
    has the interval, drawn by articles, of ROUGE, of the judge's shares, and of those of `known_edits`.
    """

    dataset: str
    method: str
    detector: str
    judge: str
    n: int
    suspected: int
    changed: int
    judgement: Judgement
    rouge1: float | None
    rouge2: float | None
    rouge_l: float | None
    hallucinated: Touched
    consistent: Touched
    known_edits: Repairs
    known_edits_by_kind: dict[str, Repairs]
    edits: dict[str, int]
    ci95: dict[str, tuple[float, float] | None]


@dataclass(frozen=True, slots=True)
class _Attempt:
    labelled: LabelledCase
    case: Case
    draft: Draft
    corrected: Corrected

    @property
    def suspected(self) -> bool:
        return bool(self.draft.suspects)

    @property
    def changed(self) -> bool:
        return self.corrected.text != self.corrected.original


def evaluate(
    cases: Sequence[LabelledCase],
    *,
    extractor: Extractor,
    detector: Detector,
    judge: Detector,
    corrector: Corrector,
    seed: int = 0,
    advance: Advance = silent,
) -> CorrectionFigures:
    """Correct the claims that the detector suspects among the texts with a context, and in known edits of the right
    ones.

    Each text labelled 0 is made wrong in one place, drawn by `seed`: first a kind of edit, then a place. `advance` is
    called with (texts done, total). Raises InputError where no text has a context and no given claims, MissingExtra
    without the extra `eval`.
    """
    require("eval")
    usable = [case for case in cases if case.context is not None and case.claims is None]
    if not usable:
        raise InputError("no text with a context in it, so nothing to correct by")
    work = _Corrections(Preparer(extractor), detector, corrector, advance)
    work.expect(len(usable))
    attempts = work.run(usable)
    drawn = [(a, edit) for a in attempts if not a.labelled.label and (edit := drawn_edit(a.case, seed))]
    work.expect(len(drawn))
    edited = work.run([replace(a.labelled, text=edit.edited, sentences=None) for a, edit in drawn])
    known = list(zip((edit for _, edit in drawn), ((a.draft, a.corrected.text) for a in edited), strict=True))
    suspected = [attempt for attempt in attempts if attempt.suspected]
    judged = _judged(suspected, judge, work.prepare)
    values = _rouge([(a.corrected.original, a.corrected.text) for a in suspected]) | judged
    return CorrectionFigures(
        dataset=usable[0].dataset,
        method=corrector.name,
        detector=detector.name,
        judge=judge.name,
        n=len(usable),
        suspected=len(suspected),
        changed=sum(attempt.changed for attempt in suspected),
        judgement=Judgement(
            sum(value is not None for value in judged["corrected"]), mean(judged["corrected"]), mean(judged["broken"])
        ),
        **{name: mean(values[name]) for name in _ROUGE},
        hallucinated=_touched([a for a in attempts if a.labelled.label]),
        consistent=_touched([a for a in attempts if not a.labelled.label]),
        known_edits=repairs(known),
        known_edits_by_kind={
            kind: repairs([pair for pair in known if pair[0].kind == kind])
            for kind in sorted({edit.kind for edit, _ in known})
        },
        edits=dict(sorted(Counter(e.status.value for a in suspected for e in a.corrected.edits).items())),
        ci95=_intervals(values, suspected, seed) | _intervals(outcomes(known), [a for a, _ in drawn], seed),
    )


class _Corrections:
    """Corrects texts, a batch at a time."""

    def __init__(self, preparer: Preparer, detector: Detector, corrector: Corrector, advance: Advance) -> None:
        self._preparer, self._detector, self._corrector, self._advance = preparer, detector, corrector, advance
        self._done = self._total = 0

    def expect(self, more: int) -> None:
        """Add texts to the total."""
        self._total += more

    def prepare(self, cases: Sequence[LabelledCase]) -> list[Case]:
        return [prepared.case for prepared in self._preparer.prepare(cases)] if cases else []

    def run(self, cases: Sequence[LabelledCase]) -> list[_Attempt]:
        attempts: list[_Attempt] = []
        for start in range(0, len(cases), BATCH):
            batch = cases[start : start + BATCH]
            prepared = self.prepare(batch)
            found = self._detector.detect(prepared)
            for labelled, case, findings in zip(batch, prepared, found, strict=True):
                made = draft(case.text, labelled.context or "", case.claims, findings, self._detector.name)
                attempts.append(_Attempt(labelled, case, made, self._corrected(made)))
                self._done += 1
                self._advance(self._done, self._total)
        return attempts

    def _corrected(self, made: Draft) -> Corrected:
        return self._corrector.correct(made) if made.suspects else Corrected(made.text, made.text, ())


def _intervals(
    values: Mapping[str, Sequence[float | None]], attempts: Sequence[_Attempt], seed: int
) -> dict[str, tuple[float, float] | None]:
    groups = [attempt.labelled.group for attempt in attempts]
    return {name: mean_interval(each, groups, seed) for name, each in values.items()}


def _judged(
    suspected: Sequence[_Attempt], judge: Detector, prepare: Callable[[Sequence[LabelledCase]], list[Case]]
) -> dict[str, list[float | None]]:
    """Return for each output whether it was corrected, and whether broken, by the names of Judgement; None where it
    could not be.
    """
    before = _suspects(judge, [attempt.case for attempt in suspected])
    after = list(before)
    changed = [row for row, attempt in enumerate(suspected) if attempt.changed]
    texts = [replace(suspected[i].labelled, text=suspected[i].corrected.text, sentences=None) for i in changed]
    for start in range(0, len(texts), BATCH):
        again = _suspects(judge, prepare(texts[start : start + BATCH]))
        for row, verdict in zip(changed[start : start + BATCH], again, strict=True):
            after[row] = verdict
    pairs = list(zip(before, after, strict=True))
    return {
        "corrected": [float(not now) if then else None for then, now in pairs],
        "broken": [None if then else float(now) for then, now in pairs],
    }


def _suspects(judge: Detector, cases: Sequence[Case]) -> list[bool]:
    """Return whether the judge suspects a claim of each text."""
    batches = [cases[start : start + BATCH] for start in range(0, len(cases), BATCH)]
    pairs = [pair for batch in batches for pair in zip(batch, judge.detect(batch), strict=True)]
    return [bool(draft(case.text, "", case.claims, findings, judge.name).suspects) for case, findings in pairs]


_ROUGE = {"rouge1": "rouge1", "rouge2": "rouge2", "rouge_l": "rougeL"}


def _rouge(pairs: Sequence[tuple[str, str]]) -> dict[str, list[float | None]]:
    """Return the F1 in [0, 1] of ROUGE-1, ROUGE-2 and ROUGE-L between the texts of each pair, unstemmed (Lin 2004)."""
    from rouge_score.rouge_scorer import RougeScorer

    found = [RougeScorer(list(_ROUGE.values())).score(*pair) for pair in pairs]
    return {name: [each[key].fmeasure for each in found] for name, key in _ROUGE.items()}


def _touched(attempts: Sequence[_Attempt]) -> Touched:
    return Touched(len(attempts), sum(a.suspected for a in attempts), sum(a.changed for a in attempts))

"""Check, correct, check again: one text against its context, with every change stored beside the verdict behind it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from claimgraph.ruling import METHOD as HUMAN
from detect.correct import Corrected, Corrector, Edit, EditStatus, draft
from kgstore import identity, reads, records
from kgstore.model import Correction, Document, Outcome, Report, Span, Verdict
from kgstore.store import GraphStore


@dataclass(frozen=True, slots=True)
class CorrectionReport:
    """What `correct` returns: the original, the corrected text and the edits, and what checks say of both texts.

    `after` is `before` where nothing was changed.
    """

    corrected: Corrected
    method: str
    before: Report
    after: Report


def correct(
    document: Document,
    context: Document,
    *,
    check: Callable[[Document], Report],
    corrector: Corrector,
    store: GraphStore,
) -> CorrectionReport:
    """Correct a document by its context; `check` checks a document against that context and stores the verdicts.

    A claim that a person has ruled SUPPORTED is not touched. Doing it again changes nothing in the store where the
    corrector answers the same.
    """
    before = check(document)
    found = draft(document.text, context.text, before.claims, _held(store, before.verdicts), before.run.method)
    corrected = corrector.correct(found)
    if corrected.text == document.text:
        return CorrectionReport(corrected, corrector.name, before, before)
    name = f"{document.name}, corrected" if document.name else None
    after = check(Document(identity.document_id(corrected.text), corrected.text, name))
    made = [edit for edit in corrected.edits if edit.status is EditStatus.APPLIED]
    store.write(*records.correction_steps([_correction(edit, after.document, corrector) for edit in made]))
    return CorrectionReport(corrected, corrector.name, before, after)


def _held(store: GraphStore, verdicts: Sequence[Verdict]) -> list[Verdict]:
    """The verdicts, those on claims that a person has ruled SUPPORTED turned into that."""
    current = {found.claim: found for found in reads.load_verdicts(store, [verdict.claim for verdict in verdicts])}
    upheld = {c for c, v in current.items() if v.method == HUMAN and v.outcome is Outcome.SUPPORTED}
    return [replace(v, outcome=Outcome.SUPPORTED, signals=()) if v.claim in upheld else v for v in verdicts]


def _correction(edit: Edit, result: Document, corrector: Corrector) -> Correction:
    verdict = edit.verdict or ""
    return Correction(
        id=identity.correction_id(edit.claim, edit.before, edit.after, verdict),
        claim=edit.claim,
        verdict=verdict,
        result=result.id,
        span=Span(edit.start, edit.end),
        before=edit.before,
        after=edit.after,
        method=corrector.name,
        config=corrector.config,
    )

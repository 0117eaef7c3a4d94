"""Check, correct, check again: one text against its context, with every change stored beside its verdict."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from claimgraph.detect.repair.correction import Corrected, Corrector, Edit, EditStatus, draft
from claimgraph.kgstore import identity, records
from claimgraph.kgstore.model import Correction, Document, Report, Span
from claimgraph.kgstore.store import GraphStore, Step


@dataclass(frozen=True, slots=True)
class CorrectionReport:
    """The result of `correct`: the original, the corrected text and the edits, and the checks of both texts.

    `after` is `before` where nothing was changed.
    """

    corrected: Corrected
    method: str
    before: Report
    after: Report


def correct(
    document: Document,
    contexts: Sequence[Document],
    *,
    check: Callable[[Document], Report],
    corrector: Corrector,
    store: GraphStore,
) -> CorrectionReport:
    """Correct a document by its contexts; `check` checks a document against those and stores the verdicts.

    A claim that a person has ruled SUPPORTED is not changed. Repeating it changes nothing in the store where the
    corrector answers the same.
    """
    return correct_checked(check(document), contexts, check=check, corrector=corrector, store=store)


def correct_checked(
    before: Report,
    contexts: Sequence[Document],
    *,
    check: Callable[[Document], Report],
    corrector: Corrector,
    store: GraphStore,
) -> CorrectionReport:
    """Correct a document that was checked: see correct. `store` is queried for rulings, and corrections are written to
    it.
    """
    document, verdicts = before.document, before.verdicts
    context, sources = "\n\n".join(one.text for one in contexts), {one.id: one.text for one in contexts}
    work = draft(document.text, context, before.claims, verdicts, before.run.method)
    corrected = corrector.correct(replace(work, sources=sources))
    if corrected.text == document.text:
        return CorrectionReport(corrected, corrector.name, before, before)
    name = f"{document.name}, corrected" if document.name else None
    after = check(Document(identity.document_id(corrected.text), corrected.text, name))
    store.write(*made_steps(corrected, after.document, corrector.name, corrector.config))
    return CorrectionReport(corrected, corrector.name, before, after)


def made_steps(corrected: Corrected, result: Document, method: str, config: str) -> list[Step]:
    """Return steps that store the edits made. Claims, verdicts and the resulting document must be in the store."""
    made = [edit for edit in corrected.edits if edit.status is EditStatus.APPLIED]
    return records.correction_steps([_correction(edit, result, method, config) for edit in made])


def _correction(edit: Edit, result: Document, method: str, config: str) -> Correction:
    verdict = edit.verdict or ""
    return Correction(
        id=identity.correction_id(edit.claim, edit.before, edit.after, verdict),
        claim=edit.claim,
        verdict=verdict,
        result=result.id,
        span=Span(edit.start, edit.end),
        before=edit.before,
        after=edit.after,
        method=method,
        config=config,
    )

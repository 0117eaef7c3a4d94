"""Compare a rewriting with the draft word by word, and decide which of its changes to accept.

A language model that is asked for a whole text also changes what nobody found wrong, and one that obeys the text it
reads may write anything. So a change is accepted only where it stands in the sentence of a refuted claim and does not
touch only words of other claims, and it belongs to that claim; everything else stays unchanged. The paper (Guan et al.
2023) takes the whole rewriting. Asking for the changes alone was rejected: small models give spans that are not in the
text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from claimgraph.detect.repair.correction import Checked, Corrected, Edit, EditStatus, applied, left
from claimgraph.detect.repair.kgr.protocol import Pass
from claimgraph.kgstore.model import Claim, Outcome, Span

_TOKEN = re.compile(r"\s+|\w+|[^\w\s]")
_GROWN, _ROOM = 2, 400
"""A rewriting longer than this many times the draft plus this many characters is rejected."""
_REFUSAL = re.compile(
    r"\W*(?:i['’]?m sorry|sorry,|i (?:cannot|can['’]?t|am (?:unable|not able))|as an ai\b)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class DraftEdit:
    """New words for a stretch of the draft; empty spans are insertions."""

    span: Span
    words: str


def unusable(draft: str, said: str) -> bool:
    """Return whether an answer is no rewriting of the draft: a refusal, or far longer."""
    if len(said) > _GROWN * len(draft) + _ROOM:
        return True
    return bool(_REFUSAL.match(said)) and not _REFUSAL.match(draft)


def malformed(found: Pass) -> Corrected:
    """Return the draft unchanged, each refuted claim recorded as MALFORMED since no rewriting came."""
    text = found.extraction.document.text
    return applied(text, [left(item, text, EditStatus.MALFORMED) for item in _checked(found) if _refuted(item)])


def taken(found: Pass, said: str, *, guarded: bool) -> Corrected:
    """Return the draft with the changes of the rewriting `said`: all of them, or, guarded, those that belong to a
    refuted claim. Others are recorded as STRAY, with their rejected words as `after`.

    A change that reaches out of the sentences of refuted claims is rejected, as is any other of these, since half a
    rewritten sentence has neither meaning. Each is attributed to the refuted claims whose elements it touches, else to
    the nearest; stray ones to the nearest claim of any kind; ties to the earlier claim.
    """
    text, claims = found.extraction.document.text, _checked(found)
    refuted = [item for item in claims if _refuted(item)]
    fitted = text.replace(text.strip(), said.strip(), 1) if text.strip() else said
    proposed = changes(text, fitted)
    judge = _Judge(found, claims, refuted)
    stray = {change for change in proposed if guarded and not judge.allows(change, proposed)}
    edits = [
        _edit(change, text, item, change in stray)
        for change in proposed
        for item in (_nearest(change, claims)[:1] if change in stray else _nearest(change, refuted))
    ]
    behind = {edit.claim for edit in edits}
    edits += [left(item, text, EditStatus.UNCHANGED) for item in refuted if item.claim.id not in behind]
    return applied(text, edits)


def changes(old: str, new: str) -> list[DraftEdit]:
    """Return the stretches of whole words in which two texts differ, in order; those with only space between them are
    one.
    """
    ours, theirs = _TOKEN.findall(old), _TOKEN.findall(new)
    starts = _offsets(ours)
    found: list[tuple[int, int, int, int]] = []
    for tag, a, b, x, y in SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        if found and "".join(ours[found[-1][1] : a]).isspace():
            a, x = found[-1][0], found[-1][2]
            found.pop()
        found.append((a, b, x, y))
    return [DraftEdit(Span(starts[a], starts[b]), "".join(theirs[x:y])) for a, b, x, y in found]


class _Judge:
    """Decides which changes belong to a refuted claim."""

    def __init__(self, found: Pass, claims: Sequence[Checked], refuted: Sequence[Checked]) -> None:
        spans = [item.claim.span for item in refuted]
        sentences = [one for one in found.extraction.sentences if any(one.overlaps(span) for span in spans)]
        self._open = _runs(sentences or spans, found.extraction.document.text)
        self._refuted = [item.claim for item in refuted]
        self._others = [item.claim for item in claims if not _refuted(item)]

    def allows(self, change: DraftEdit, proposed: Sequence[DraftEdit]) -> bool:
        home = next((one for one in self._open if _inside(change.span, one)), None)
        if home is None or any(other.span.overlaps(home) and not _inside(other.span, home) for other in proposed):
            return False
        return any(_gap(change, c) == 0 for c in self._refuted) or all(_gap(change, c) > 0 for c in self._others)


def _checked(found: Pass) -> list[Checked]:
    pairs = zip(found.extraction.claims, found.verdicts, strict=True)
    return [Checked(claim, verdict.outcome, verdict.citations, None, verdict.id) for claim, verdict in pairs]


def _refuted(item: Checked) -> bool:
    return item.outcome is Outcome.REFUTED


def _edit(change: DraftEdit, text: str, item: Checked, stray: bool) -> Edit:
    span, status = change.span, EditStatus.STRAY if stray else EditStatus.APPLIED
    before = text[span.start : span.end]
    return Edit(item.claim.id, span.start, span.end, before, change.words, item.verdict, status)


def _nearest(change: DraftEdit, claims: Sequence[Checked]) -> list[Checked]:
    """Return the claims that a change touches, else the nearest."""
    touched = [item for item in claims if _gap(change, item.claim) == 0]
    return touched or [min(claims, key=lambda item: _gap(change, item.claim))]


def _runs(spans: Sequence[Span], text: str) -> list[Span]:
    """Return the spans in order, those with only space between them as one: words that move between them stay
    inside.
    """
    runs: list[Span] = []
    for span in sorted(spans, key=lambda one: (one.start, one.end)):
        if runs and not text[runs[-1].end : span.start].strip():
            runs[-1] = Span(runs[-1].start, max(runs[-1].end, span.end))
        else:
            runs.append(span)
    return runs


def _gap(change: DraftEdit, claim: Claim) -> int:
    """Return the characters between a change and the nearest element of a claim; 0 where they touch."""
    known = (claim.subject_span, claim.predicate_span, claim.object_span)
    spans = [span for span in known if span] or [claim.span]
    return min(max(0, change.span.start - span.end, span.start - change.span.end) for span in spans)


def _inside(span: Span, sentence: Span) -> bool:
    """Return whether a span is inside a sentence; an insertion after its last character is outside."""
    return sentence.start <= span.start < sentence.end and span.end <= sentence.end


def _offsets(tokens: Sequence[str]) -> list[int]:
    found = [0]
    for token in tokens:
        found.append(found[-1] + len(token))
    return found

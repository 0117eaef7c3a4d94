"""Keep a method's results for each text in a file, so that an interrupted evaluation continues.

One JSON object a line, written when a batch is done. A truncated last line is dropped. The file is deleted when the
evaluation is complete: a cache of whole evaluations was rejected, since it would hide a change of code.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter

from claimgraph.detect.levels import score_of
from claimgraph.kgstore.model import Claim, Finding, Outcome, Span, Status


@dataclass(frozen=True, slots=True)
class ClaimResult:
    """The result of one claim.

    `parts` are the spans of its elements, or its own where they are not known. `score` in [0, 1], the evidence for a
    hallucination; `signals` all numbers found, by "method.name"; None is unknown.
    """

    span: Span
    parts: tuple[Span, ...]
    text: str
    outcome: Outcome
    status: Status
    score: float | None
    signals: dict[str, float | None]


@dataclass(frozen=True, slots=True)
class CaseResult:
    """The claims of the text in one line of a labelled file, in order, and the seconds it took."""

    line: int
    claims: tuple[ClaimResult, ...]
    seconds: float


def claim_result(claim: Claim, finding: Finding, method: str) -> ClaimResult:
    """Return the result of a claim by the method of that name."""
    parts = tuple(span for span in (claim.subject_span, claim.predicate_span, claim.object_span) if span)
    return ClaimResult(
        claim.span,
        parts or (claim.span,),
        claim.triple.text.strip(),
        finding.outcome,
        finding.status,
        score_of(finding, method),
        {f"{signal.method}.{signal.name}": signal.value for signal in finding.signals},
    )


_RESULT = TypeAdapter(CaseResult)


class Journal:
    """The results of one evaluation by one method, in a file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.done: dict[int, CaseResult] = {}
        """Results by line of the labelled file."""
        if path.exists():
            self._resume()

    def add(self, results: Sequence[CaseResult]) -> None:
        """Store results, in memory and in the file."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("ab") as file:
            file.write(b"".join(_RESULT.dump_json(result) + b"\n" for result in results))
        self.done.update((result.line, result) for result in results)

    def delete(self) -> None:
        """Delete the file."""
        self._path.unlink(missing_ok=True)

    def _resume(self) -> None:
        data = self._path.read_bytes()
        whole = data[: data.rfind(b"\n") + 1]
        if whole != data:
            self._path.write_bytes(whole)
        self.done = {result.line: result for result in map(_RESULT.validate_json, whole.splitlines())}

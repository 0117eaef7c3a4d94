"""Check one document by all methods asked for: read once, judged by each, all stored in one write with the task's end.

A document whose time is over, or whose model failed at last, keeps the verdicts of the methods that have judged it; of
the others each claim has a verdict that says why there is none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from claimgraph.detect.text.language import caveat, language_of
from claimgraph.kgstore import records
from claimgraph.kgstore.engines.write_buffer import WriteBuffer
from claimgraph.kgstore.errors import UsageError
from claimgraph.kgstore.model import Document, Report, Run, Status, Verdict
from claimgraph.kgstore.store import Step
from claimgraph.kgstore.stored_check import context_steps, judged_steps
from claimgraph.kgstore.upkeep.stale import graph_versions
from claimgraph.pipeline import CheckInput, judge
from claimgraph.workers.tasks.task_table import Done, Work
from claimgraph.workers.tasks.unknown_outcomes import unknown_steps

if TYPE_CHECKING:
    from claimgraph.detect.check_input import Detector
    from claimgraph.kgstore.store import GraphStore
    from claimgraph.wiring.checker import Checker


@dataclass(frozen=True, slots=True)
class _Found:
    """What an attempt has found so far: steps to store, and the verdicts of each method that has judged, with its run.

    Replaced as a whole, since the attempt may be ended between any two lines.
    """

    given: CheckInput
    steps: tuple[Step, ...]
    judged: tuple[tuple[str, Run, tuple[Verdict, ...]], ...] = ()


class Check(Work):
    """The check of a document, with its explanation and correction where they are asked for."""

    _found: _Found | None = None

    def run(self) -> Done:
        """Return claims, evidence, verdicts, edits and corrections; the note `corrected` is the corrected text's id."""
        found = self._read()
        for method in self.options["methods"]:
            self._found = found = self._judged(found, method)
        steps, notes = list(found.steps), dict[str, Any]()
        if self.options.get("explain"):
            steps += self._explained(found)
        if self.options.get("correct"):
            corrected, notes["corrected"] = self._corrected(found)
            steps += corrected
        return Done(steps, notes)

    def give_up(self, status: Status, why: str) -> Done | None:
        """Return what was found, and unknown outcomes by the methods that have not judged; None before the text was
        read.
        """
        if self._found is None:
            return None
        judged = {method for method, *_ in self._found.judged}
        missing = [method for method in self.options["methods"] if method not in judged]
        claims = self._found.given.extraction.claims
        return Done([*self._found.steps, *unknown_steps(self.job, missing, claims, status, why)], failed=why)

    @cached_property
    def document(self) -> Document:
        """The text of the job, with its detected language."""
        found = super().document
        return replace(found, language=language_of(found.text))

    @cached_property
    def _contexts(self) -> tuple[Document, ...]:
        return tuple(map(self.text, self.job.contexts))

    @property
    def _graphs(self) -> tuple[str, ...]:
        return tuple(self.options["graphs"])

    @property
    def _checker(self) -> Checker:
        return self.tools.checker(self.options.get("extractor"))

    def _detector(self, method: str) -> Detector:
        graphs = None if self._contexts else sorted(self._graphs)
        return self._checker.detector(method, self.options.get("preset"), graphs=graphs)

    def _read(self) -> _Found:
        given = self._checker.prepare(self.document, context=self._contexts, graphs=self._graphs)
        steps = (
            *_lacking(tuple(context_steps(given.evidence_set.read)), self.tools.store),
            *records.extraction_steps(given.extraction, given.graph),
            *records.link_steps(given.evidence_set.links or ()),
        )
        self._found = _Found(given, steps)
        return self._found

    def _judged(self, found: _Found, method: str) -> _Found:
        said, started = caveat(self.document.language), datetime.now(UTC)
        reader = self._checker.reader(self.document, self._contexts, self._graphs)
        run, verdicts = judge(found.given, self._detector(method), reader, said, started)
        steps = judged_steps(run, verdicts, found.given.evidence_set.sources)
        return replace(found, steps=(*found.steps, *steps), judged=(*found.judged, (method, run, verdicts)))

    def _explained(self, found: _Found) -> list[Step]:
        """Explain the document's errors as a whole, on the run of each method: the minimal edit script between its
        claims and the evidence, and, where there is a context and a language model, the model's explanation.
        """
        from claimgraph.detect.explanation.document_script import explained
        from claimgraph.detect.explanation.llm import explain_llm
        from claimgraph.detect.models.embedder import Space

        script, chat = explained(found.given.case, Space(self.tools.models.embedder)), self.tools.models.chat
        said: object = None
        if chat is not None and self._contexts and script:
            context = "\n\n".join(one.text for one in self._contexts)
            [said] = explain_llm([(context, self.document.text, script)], chat)
        row = {"edits": [edit.text for edit in script], "explanation": said if isinstance(said, str) else None}
        return [("put_explanations", [{"id": run.id} | row for _, run, _ in found.judged])]

    def _corrected(self, found: _Found) -> tuple[list[Step], str]:
        """Correct the document by its contexts and one method's verdicts, all fused where that was asked, and check it
        again by it. Returns what to store, and the corrected text's id.
        """
        from claimgraph.repair.correction import correct_checked
        from claimgraph.wiring.methods import corrector

        if not self._contexts:
            raise UsageError("a correction needs a context to correct by")
        method, run, verdicts = next((one for one in found.judged if one[0] == "fused"), found.judged[-1])
        read, store = found.given.extraction, WriteBuffer(self.tools.store)
        check = partial(
            self._checker.check,
            context=self._contexts,
            graphs=self._graphs,
            method=method,
            preset=self.options.get("preset"),
            store=store,
        )
        before = Report(self.document, read.sentences, read.claims, verdicts, run, 0.0)
        way = corrector(self.tools.models, self.options["correct"])
        report = correct_checked(before, self._contexts, check=check, corrector=way, store=store)
        return store.steps, report.after.document.id


def _lacking(steps: Sequence[Step], store: GraphStore) -> Sequence[Step]:
    """Return steps that store a context's graph; none where the store has it in this version: a context is shared by
    many texts, whose writers would wait for each other.
    """
    rows = [row for name, some in steps if name == "put_graphs" for row in some]
    known = graph_versions(store, [row["id"] for row in rows])
    return () if rows and all(known.get(row["id"]) == row["version"] for row in rows) else steps

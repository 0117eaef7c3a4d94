"""Run the stages that change a text or its verdicts: explain, correct, retrofit, recheck.

Each runs the command line's function over a store that buffers writes, so that its results and its completion are one
write.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING

from claimgraph.detect.models.embedder import Space
from claimgraph.detect.text.language import caveat
from claimgraph.kgstore.engines.write_buffer import WriteBuffer
from claimgraph.kgstore.errors import UsageError
from claimgraph.kgstore.model import ChatModel, Report
from claimgraph.kgstore.runs.jobs import TaskLease
from claimgraph.workers.stages.job_state import JobState
from claimgraph.workers.stages.stage_table import Done

if TYPE_CHECKING:
    from claimgraph.detect.check_input import Detector
    from claimgraph.detect.explanation.edit_script import EditOperation
    from claimgraph.workers.stages.worker_context import WorkerContext


def explain(claimed: TaskLease, tools: WorkerContext) -> Done:
    """Explain the document's errors as a whole, on the run of each method: the minimal edit script between its claims
    and the evidence, and, where there is a context and a language model, the model's explanation.

    The reason of each verdict is part of the verdict already.
    """
    from claimgraph.detect.explanation.document_script import explained
    from claimgraph.pipeline import run_of

    work = JobState(claimed.job, tools)
    script = explained(work.given.case, Space(tools.models.embedder))
    row = {"edits": [edit.text for edit in script], "explanation": _in_words(work, script, tools.models.chat)}
    detectors = [_detector(work, method) for method in work.options["methods"]]
    runs = [run_of(work.given, detector, work.checker.extractor) for detector in detectors]
    return Done([("put_explanations", [{"id": run} | row for run in runs])])


def _in_words(work: JobState, script: Sequence[EditOperation], chat: ChatModel | None) -> str | None:
    """Return the explanation; None without a model, a context or an edit, and where the model gave no usable answer."""
    from claimgraph.detect.explanation.llm import explain_llm

    if chat is None or work.context is None or not script:
        return None
    [said] = explain_llm([(work.context.text, work.document.text, script)], chat)
    return said if isinstance(said, str) else None


def correct(claimed: TaskLease, tools: WorkerContext) -> Done:
    """Return the document corrected by its context and one method's verdicts, all fused where that was asked, and
    checked again by it.
    """
    from claimgraph.pipeline import judge
    from claimgraph.repair.correction import correct_checked
    from claimgraph.wiring.methods import corrector

    work, store = JobState(claimed.job, tools), WriteBuffer(tools.store)
    if work.context is None:
        raise UsageError("a correction needs a context to correct by")
    methods, preset = work.options["methods"], work.options.get("preset")
    method = "fused" if "fused" in methods else str(methods[-1])
    said, now = caveat(work.document.language), datetime.now(UTC)
    run, verdicts = judge(work.given, _detector(work, method), work.checker.extractor, said, now)
    found = work.extraction
    before = Report(work.document, found.sentences, found.claims, verdicts, run, 0.0)
    context, graphs = work.context, tuple(work.options["graphs"])
    check = partial(work.checker.check, context=context, graphs=graphs, method=method, preset=preset, store=store)
    way = corrector(tools.models, work.options["correct"])
    report = correct_checked(before, [context], check=check, corrector=way, store=store)
    return Done(store.steps, {"corrected": report.after.document.id})


def retrofit(claimed: TaskLease, tools: WorkerContext) -> Done:
    """Retrofit the document to stored graphs, pass by pass; the last text's id is left in the notes."""
    from claimgraph.kgstore.identity import document_id
    from claimgraph.wiring.retrofitter import Retrofitter

    options, store = json.loads(claimed.job.options), WriteBuffer(tools.store)
    ways = {key: options[key] for key in ("mode", "preset", "assume") if options.get(key)}
    retrofitter = Retrofitter(tools.settings, sorted(options["graphs"]), **ways, store=store, models=tools.models)
    document = JobState(claimed.job, tools).document
    report = retrofitter.retrofit(document, options.get("question"), options.get("limit"))
    return Done(store.steps, {"retrofitted": document_id(report.text)})


def recheck(claimed: TaskLease, tools: WorkerContext) -> Done:
    """Judge the document's stale verdicts again; the claims that flipped are left in the notes."""
    from claimgraph.rechecking import again, recheck_document, together

    store, graphs = WriteBuffer(tools.store), sorted(json.loads(claimed.job.options)["graphs"])
    texts = recheck_document(store, str(claimed.job.document), graphs)
    found = together([again(text, tools.checker(text.extractor or None), store) for text in texts])
    failed = found.left[0].why if found.left else None
    return Done(store.steps, {"flipped": [flip.claim for flip in found.flips]}, failed=failed)


def _detector(work: JobState, method: str) -> Detector:
    graphs = None if work.context else work.options["graphs"]
    return work.checker.detector(method, work.options.get("preset"), graphs=graphs)

"""Stages that change a text or its verdicts: explained, corrected, retrofitted, checked again.

Each runs what the command line runs, over a store that keeps writes aside, so that what it found and that it is done
are one write.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any

from kgstore.collected import Collected
from kgstore.errors import UsageError
from kgstore.jobs import Claimed
from kgstore.model import Report
from workers.noted import Noted
from workers.stages import Done

if TYPE_CHECKING:
    from workers.tools import Tools


def correct(claimed: Claimed, tools: Tools) -> Done:
    """The document corrected by its context because of the verdicts of the last method asked, and checked again."""
    from claimgraph.correction import correct_checked
    from claimgraph.pipeline import judge
    from claimgraph.wiring.methods import corrector
    from detect.language import caveat

    work, store = Noted(claimed.job, tools), Collected(tools.store)
    context, checker = work.context, work.checker
    if context is None:
        raise UsageError("a correction needs a context to correct by")
    method, preset = _judge(work.options), work.options.get("preset")
    way = corrector(tools.models, work.options["correct"])
    detector = checker.detector(method, preset, abstain=False)
    said, now = caveat(work.document.language), datetime.now(UTC)
    run, verdicts = judge(work.matter, detector, checker.extractor, said, now)
    found = work.extraction
    before = Report(work.document, found.sentences, found.claims, verdicts, run, 0.0)
    check = partial(
        checker.check, context=context, graphs=tuple(work.options["graphs"]), method=method, preset=preset, store=store
    )
    report = correct_checked(before, context, check=check, corrector=way, store=store)
    return Done(store.steps, {"corrected": report.after.document.id})


def retrofit(claimed: Claimed, tools: Tools) -> Done:
    """The document held against stored graphs and put right, pass by pass; the last text's id is left in the notes."""
    from claimgraph.wiring.retrofitter import Retrofitter
    from kgstore.identity import document_id

    options, store = json.loads(claimed.job.options), Collected(tools.store)
    ways = {key: options[key] for key in ("mode", "preset", "assume") if options.get(key)}
    retrofitter = Retrofitter(tools.settings, sorted(options["graphs"]), **ways, store=store, models=tools.models)
    document = Noted(claimed.job, tools).document
    report = retrofitter.retrofit(document, options.get("question"), options.get("limit"))
    return Done(store.steps, {"retrofitted": document_id(report.text)})


def recheck(claimed: Claimed, tools: Tools) -> Done:
    """The document's stale verdicts given again; the claims that flipped are left in the notes."""
    from claimgraph.rechecking import again, recheck_document, together

    store, graphs = Collected(tools.store), sorted(json.loads(claimed.job.options)["graphs"])
    texts = recheck_document(store, str(claimed.job.document), graphs)
    found = together([again(text, tools.checker(text.extractor or None), store) for text in texts])
    failed = found.left[0].why if found.left else None
    return Done(store.steps, {"flipped": [flip.claim for flip in found.flips]}, failed=failed)


def _judge(options: Mapping[str, Any]) -> str:
    """The method whose verdicts count: of all fused, where that was asked."""
    methods = options["methods"]
    return "fused" if "fused" in methods else str(methods[-1])

"""A check stage by stage, with the graph in between, gives the verdicts that it gives in one go."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from claimgraph.reading import document_from_text
from claimgraph.settings import Settings
from claimgraph.wiring import Checker
from kgstore import identity, reads, records
from kgstore.jobs import Claimed, Job
from kgstore.model import Document, Report, Verdict
from kgstore.store import GraphStore
from workers.stages import STAGES, plan, task
from workers.tools import Tools

CONTEXT = (
    "Marie Curie was born in Warsaw on 7 November 1867. She moved to Paris in 1891 and studied at the Sorbonne. "
    "Her husband was Pierre Curie. In 1903 she won the Nobel Prize in Physics."
)
TEXTS = {
    "names and dates": "Marie Curie was born in Paris on 7 November 1867. She won the Nobel Prize in 1903.",
    "repeated": "Marie Curie was born in Warsaw. Marie Curie was born in Warsaw. Marie Curie was Born in Warsaw.",
    "unicode": "Zoë Straße 🜂 was born in İstanbul. Marie Curie wurde — “born” in Łódź\u2028in 1867.",
    "no claims": "Oh! Indeed?",
}


def _document(text: str, name: str | None = None) -> Document:
    return replace(document_from_text(text, 1, "a test"), name=name)


def _job(document: Document, context: Document | None = None, **options: Any) -> Job:
    """A job as submission makes it."""
    methods = options["methods"]
    stages = ["extract"]
    stages += ["link", "retrieve"] if options.get("graphs") else []
    stages += ["compare"] if {"kea", "factalign", "rules"} & set(methods) else []
    stages += ["entail"] if options.pop("entail", False) else []
    stages += ["fuse"] if {"fused", "grapheval"} & set(methods) else []
    made = json.dumps({"graphs": {}, "preset": None, "extractor": "rules"} | options | {"stages": stages})
    return Job(
        identity.job_id("check", document.id, context and context.id, made),
        "check",
        document.id,
        context and context.id,
        made,
    )


def _submit(store: GraphStore, *documents: Document | None) -> None:
    store.write(*records.document_steps([document for document in documents if document]))


def _perform(job: Job, tools: Tools, twice: Sequence[str] = ()) -> Job:
    """The stages of a job, in order; those `twice` are killed once before their results are written, and once after."""
    parts = 1
    for stage in plan(job):
        for part in range(parts):
            claimed = Claimed(task(job, stage, part, bulk=False), job, ("b1:a",), "a test", 1)
            for _ in range(3 if stage in twice else 1):
                done = STAGES[stage].run(claimed, tools)
                if not (stage in twice and _ == 0):
                    tools.store.write(*done.steps)
            job = replace(job, notes=json.dumps(json.loads(job.notes) | json.loads(json.dumps(done.notes))))
        parts = done.parts
    return job


def _stored(store: GraphStore, job: Job) -> list[Verdict]:
    """The verdicts that hold, in the order of the claims."""
    claims = json.loads(job.notes)["claims"]
    found = {verdict.claim: replace(verdict, created_at=None) for verdict in reads.load_verdicts(store, claims)}
    return _in_order([found[claim] for claim in claims])


def _in_order(verdicts: Iterable[Verdict]) -> list[Verdict]:
    """Verdicts with their signals in the order of the store."""
    return [replace(one, signals=tuple(sorted(one.signals, key=lambda s: (s.method, s.name)))) for one in verdicts]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    folder = tmp_path_factory.mktemp("checked")
    return Settings(store=folder / "store", cache=folder / "cache")


def _checked(settings: Settings, document: Document, context: Document | None, method: str) -> Report:
    with Checker(settings, extractor_name="rules") as checker:
        return checker.check(document, context=context, method=method)


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_closed_domain(store: GraphStore, made: Settings, text: str) -> None:
    """Against a context each method has the same verdicts, whatever the text."""
    document, context = _document(text), _document(CONTEXT, "article")
    _submit(store, document, context)
    with Tools(made, store) as tools:
        for method in ("kea", "factalign", "rules", "fused"):
            job = _perform(_job(document, context, methods=[method]), tools)
            report = _checked(made, document, context, method)
            assert _in_order(report.verdicts) == _stored(store, job)
            assert report.claims == reads_claims(job, tools)


def reads_claims(job: Job, tools: Tools) -> Any:
    from workers.checking import claims_of

    return claims_of(Claimed(task(job, "fuse", 0, bulk=False), job, (), "a test", 1), tools)

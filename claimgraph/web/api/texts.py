"""Check, extract, correct, retrofit and ask over HTTP: what the commands of these names do, with the same objects."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter

from claimgraph.detect.extraction.extraction_cache import config_of
from claimgraph.reports import check_report, correction_report, extraction_report
from claimgraph.web.models import (
    AskAnswer,
    AskRequest,
    CheckAnswer,
    CheckRequest,
    CorrectAnswer,
    CorrectRequest,
    ExtractAnswer,
    RetrofitAnswer,
    RetrofitRequest,
    TextRequest,
)
from claimgraph.web.service import Shared

router = APIRouter(prefix="/api", tags=["texts"])


@router.post("/check", response_model=CheckAnswer)
def check(service: Shared, request: CheckRequest) -> dict[str, Any]:
    """Check every claim of a text and store the verdicts; the object of `claimgraph check --json`."""
    return check_report.as_json(service.check(request))


@router.post("/extract", response_model=ExtractAnswer)
def extract(service: Shared, request: TextRequest) -> dict[str, Any]:
    """Return the claims of a text, and store nothing; the object of `claimgraph extract --json`."""
    document = service.document(request.text, "the text")
    with service.turn():
        extractor = service.checker.extractor
        [found] = extractor.extract([document])
    return extraction_report.as_json(found, extractor.name, config_of(extractor))


@router.post("/correct", response_model=CorrectAnswer)
def correct(service: Shared, request: CorrectRequest) -> dict[str, Any]:
    """Put right what the context refutes and store the changes; the object of `claimgraph correct --json`."""
    return correction_report.as_json(service.correct(request))


@router.post("/retrofit", response_model=RetrofitAnswer)
def retrofit(service: Shared, request: RetrofitRequest) -> dict[str, Any]:
    """Put right what stored graphs refute in a draft; the object of `claimgraph retrofit --json`."""
    return service.retrofit(request)


@router.post("/ask", response_model=AskAnswer)
def ask(service: Shared, request: AskRequest) -> dict[str, Any]:
    """Answer a question from stored graphs; the object of `claimgraph ask --json`."""
    return service.ask(request)

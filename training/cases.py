"""A text beside its context as checking reads both."""

from __future__ import annotations

from claimgraph.detect.check_input import Case
from claimgraph.evidence.evidence_set import of_context
from claimgraph.input_texts import document_from_text
from claimgraph.kgstore.model import Extractor


def case_of(extractor: Extractor, text: str, context: str) -> Case | None:
    """Return the text's claims beside the context's sentences and facts; None where either has none."""
    document, source = (document_from_text(part, 1, "the text") for part in (text, context))
    extraction, read = extractor.extract([document, source])
    evidence = of_context(read, extractor.name)
    if not extraction.claims or not evidence.passages:
        return None
    return Case(extraction.claims, evidence.facts, evidence.passages, True, text, extraction.sentences)

"""Write an Extraction as the documented JSON object (docs/json.md)."""

from __future__ import annotations

import json
from typing import Any

from claimgraph.detect.extraction.extraction_cache import rejection_notes, rejections_json
from claimgraph.kgstore.model import Extraction, Span

_ELEMENTS = ("subject", "predicate", "object")


def as_json(extraction: Extraction, extractor: str, config: str) -> dict[str, Any]:
    """Return `{document, extractor, extraction, sentences, claims, notes, rejected}`; spans in code points.

    `config` is the extractor's configuration, as JSON; "" where its name is enough.
    """
    document = extraction.document
    return {
        "document": {"id": document.id, "text": document.text},
        "extractor": extractor,
        "extraction": json.loads(config) if config else None,
        "sentences": [_span(span) for span in extraction.sentences],
        "claims": [
            {"id": claim.id, **{name: getattr(claim, name) for name in _ELEMENTS}, **_span(claim.span)}
            | {f"{name}_span": _span(getattr(claim, f"{name}_span")) or None for name in _ELEMENTS}
            for claim in extraction.claims
        ],
        "notes": list(rejection_notes(extraction)),
        "rejected": rejections_json(extraction.rejected),
    }


def _span(span: Span | None) -> dict[str, int]:
    return {"start": span.start, "end": span.end} if span else {}

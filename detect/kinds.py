"""Which kind of text a case is, for fusion: profiles are fitted to kinds (calibration.Kind)."""

from __future__ import annotations

from detect.calibration import Kind
from detect.case import Case
from kgstore.model import Passage


def weighable(case: Case) -> bool:
    """Whether there is something that was calibrated for: sentences that are all there is."""
    return case.closed and bool(case.passages)


def kind_of(case: Case) -> Kind:
    """Triples where the context's sentences are but its facts in words."""
    said = {case.facts.triple(fact).text for fact in case.facts.facts}
    if all(_bare(passage) in said for passage in case.passages):
        return Kind.TRIPLES
    return Kind.TEXT if len(case.sentences) > 1 else Kind.SENTENCE


def _bare(passage: Passage) -> str:
    return passage.text.removesuffix(".")

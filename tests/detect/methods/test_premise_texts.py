"""What the entailment model is given of a context with lists."""

from __future__ import annotations

from claimgraph.detect.check_input import Case
from claimgraph.detect.extraction.extractor import RuleExtractor
from claimgraph.detect.methods.fusion.reading import premises
from claimgraph.detect.models.embedder import MiniLMEmbedder, Space
from claimgraph.evidence.evidence_set import of_context
from claimgraph.kgstore.identity import document_id
from claimgraph.kgstore.model import Document

LAMP = """In the box:

- Lamp with 2 m cable

Not included:

- Mounting bracket
- LED bulb (E14)
"""


def test_items_are_read_apart_and_under_what_turns_them() -> None:
    """The nearest item has the lead that denies it, and a stop parts an item from what follows."""
    said = "A mounting bracket comes with the lamp."
    read, context = RuleExtractor().extract([Document(document_id(text), text) for text in (said, LAMP)])
    evidence = of_context(context, "rules")
    case = Case(read.claims, evidence.facts, evidence.passages, True, said, read.sentences)
    passage, nearest = premises(case, Space(MiniLMEmbedder()))[said]
    assert nearest == "Not included: Mounting bracket"
    assert "Not included: Mounting bracket. Not included: LED bulb (E14)" in passage

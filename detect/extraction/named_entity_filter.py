"""FactAlign's filter: only claims between named entities are kept. The paper's first limitation, so it is a switch."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from claimgraph.detect.extraction.extractor import RuleExtractor
from claimgraph.detect.models.coreference import CoreferenceModel
from claimgraph.detect.text.parse import paragraphs
from claimgraph.detect.text.words import folded
from claimgraph.kgstore.model import Claim, Document, Extraction

_TYPES = frozenset({"PERSON", "ORG", "GPE", "LOC", "FAC", "DATE"})
"""spaCy's names of Person, Organization, Location and Date."""


def between_names(claims: Iterable[Claim], names: Iterable[str]) -> tuple[Claim, ...]:
    """The claims whose subject and object both hold one of the names as whole words, in their order.

    Resolved words count, so a pronoun that stands for a name is one; case and accents do not.
    """
    known = {f" {name} " for name in map(folded, names) if name}

    def named(element: str) -> bool:
        words = f" {folded(element)} "
        return any(name in words for name in known)

    return tuple(claim for claim in claims if named(claim.subject) and named(claim.object))


class NamedRuleExtractor:
    """The rules' claims through FactAlign's filter, with spaCy's entities; texts are parsed twice."""

    name = "rules-named"

    def __init__(self, coreference: CoreferenceModel | None = None) -> None:
        """As RuleExtractor's."""
        self._rules = RuleExtractor(coreference)
        self.config = self._rules.config

    def extract(self, documents: Sequence[Document]) -> list[Extraction]:
        """One Extraction a document, in order. Raises ModelError where the language model is missing or altered."""
        names: list[list[str]] = [[] for _ in documents]
        for number, paragraph in paragraphs([document.text for document in documents]):
            names[number].extend(found.text for found in paragraph.doc.ents if found.label_ in _TYPES)
        read = zip(self._rules.extract(documents), names, strict=True)
        return [Extraction(e.document, e.sentences, between_names(e.claims, known)) for e, known in read]

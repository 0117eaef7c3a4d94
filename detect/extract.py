"""Text to claims by rules over dependency trees, with no model beyond spaCy's English one.

The main job must run without a key and without a model hub; with an LLM, the papers' prompts take this place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from detect.atoms import Atom, atoms
from detect.clauses import clauses
from detect.parse import Paragraph, paragraphs
from kgstore import identity
from kgstore.model import Claim, Document, Extraction

if TYPE_CHECKING:
    pass


class RuleExtractor:
    """Claims by rules; English texts only. Lifetime: the model is loaded at the first use and kept by the process."""

    name = "rules"

    def extract(self, documents: Sequence[Document]) -> list[Extraction]:
        """One Extraction a document, in order. Raises ModelError where the language model is missing or altered."""
        parsed = paragraphs([document.text for document in documents])
        return [_extraction(document, parts) for document, parts in zip(documents, parsed, strict=True)]


def _extraction(document: Document, parts: Sequence[Paragraph]) -> Extraction:
    sentences = tuple(span for part in parts for span in part.sentences())
    found = {claim.id: claim for part in parts for claim in _claims(document, part)}
    return Extraction(document, sentences, tuple(sorted(found.values(), key=_order)))


def _order(claim: Claim) -> tuple[int, int, str, str, str]:
    return claim.span.start, claim.span.end, claim.subject, claim.predicate, claim.object


def _claims(document: Document, part: Paragraph) -> Iterator[Claim]:
    for sentence in part.doc.sents:
        for clause in clauses(sentence):
            for atom in atoms(clause):
                if _says_something(atom):
                    yield _claim(document, part, atom)


def _says_something(atom: Atom) -> bool:
    return all(any(t.tag_ not in _EMPTY for t in tokens) for tokens in (atom.subject, atom.object))


_EMPTY = frozenset({"DT", "PRP", "PRP$", "WP", "WDT", "WRB", "EX", "IN", "TO", "CC", "SP", "_SP", "PDT", "POS"})


def _claim(document: Document, part: Paragraph, atom: Atom) -> Claim:
    written = [piece for piece in atom.predicate if not isinstance(piece, str)]
    span = part.cover([*atom.subject, *written, *atom.object])
    subject = part.words(atom.subject)
    predicate = " ".join(p if isinstance(p, str) else part.words([p]) for p in atom.predicate)
    object = atom.lemma or part.words(atom.object)
    return Claim(
        id=identity.claim_id(document.id, span.start, span.end, subject, predicate, object),
        document=document.id,
        subject=subject,
        predicate=predicate,
        object=object,
        text=document.text[span.start : span.end],
        span=span,
        subject_span=part.run(atom.subject),
        predicate_span=part.run(written),
        object_span=part.run(atom.object),
    )

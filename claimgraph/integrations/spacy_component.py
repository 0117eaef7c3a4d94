"""A component of a spaCy pipeline that checks each document. Importing this module registers it.

    import claimgraph.integrations.spacy_component
    nlp.add_pipe("claimgraph", config={"context": source})

It sets `doc._.claim_report` and `doc.spans["claims"]`, whose labels are outcomes. A document with a context of its own
has it as `doc._.claim_context`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from spacy.language import Language
from spacy.tokens import Doc

from claimgraph.reports.statements import statements
from claimgraph.session import Session

KEY = "claims"
"""Name of the group of spans."""


@Language.factory("claimgraph", default_config={"context": None, "method": "fused"})
def make(nlp: Language, name: str, context: str | None, method: str) -> ClaimComponent:  # noqa: ARG001
    """Return the component; `context` is for documents without one of their own."""
    return ClaimComponent(context, method)


class ClaimComponent:
    """Checks documents; one without a context is left as it is."""

    def __init__(self, context: str | None, method: str) -> None:
        self._context, self._method = context, method
        for extension in ("claim_report", "claim_context"):
            if not Doc.has_extension(extension):
                Doc.set_extension(extension, default=None)

    def __call__(self, doc: Doc) -> Doc:
        """Check one document, with a store that is opened for it."""
        with Session() as session:
            return self._checked(session, doc)

    def pipe(self, stream: Iterable[Doc], batch_size: int = 1) -> Iterator[Doc]:  # noqa: ARG002
        """Check many documents with one opened store."""
        with Session() as session:
            for doc in stream:
                yield self._checked(session, doc)

    def _checked(self, session: Session, doc: Doc) -> Doc:
        context = doc._.claim_context or self._context
        if context and doc.text.strip():
            report = session.check(doc.text, context=context, method=self._method)
            spans = (
                doc.char_span(one.span.start, one.span.end, label=one.outcome.value, alignment_mode="expand")
                for one in statements(report)
            )
            doc._.claim_report = report
            doc.spans[KEY] = [span for span in spans if span is not None]
        return doc

"""Lists for a person: the documents that were checked, and what was ever said of a claim."""

from __future__ import annotations

from claimgraph.kgstore.errors import NotFound
from claimgraph.kgstore.store import GraphStore, Row


def checked_documents(
    store: GraphStore, *, words: str | None = None, run: str | None = None, skip: int = 0, limit: int = 100
) -> list[Row]:
    """Return rows of the documents that have claims, with their statements counted by outcome.

    Those with most refuted statements come first, then those with most open ones, then the latest; ties by id.
    `words` is a part of the name or the text, compared without case; `run` is the id of a run of many documents. The
    columns are those of queries/checked_documents.cypher.
    """
    folded = words.lower() if words else None
    return store.read("checked_documents", words=folded, batch=run, skip=skip, limit=limit)


def claim_history(store: GraphStore, claim: str) -> list[Row]:
    """Return rows of all verdicts on a claim: the one that holds, then the latest first, ties by id.

    The columns are those of queries/claim_history.cypher. Raises NotFound for an id that is no checked claim.
    """
    found = store.read("claim_history", claim=claim)
    if not found:
        raise NotFound("claim", claim)
    return found

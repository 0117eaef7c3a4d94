"""Read what is exported: checked documents one at a time, with the runs that gave their verdicts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from claimgraph.kgstore.model import Claim, Verdict
from claimgraph.kgstore.store import GraphStore, Row
from claimgraph.reports.stored_document import StoredDocument, stored_document


@dataclass(frozen=True, slots=True)
class JudgedDocument:
    """A checked document; `runs` maps the id of each of its verdicts to a row of queries/runs_of_verdicts.cypher."""

    stored: StoredDocument
    runs: Mapping[str, Row]

    @property
    def pairs(self) -> list[tuple[Claim, Verdict]]:
        """The claims with their verdicts, in document order."""
        return list(zip(self.stored.claims, self.stored.verdicts, strict=True))


def judged(
    store: GraphStore, *, since: datetime | None = None, document: str | None = None, run: str | None = None
) -> Iterator[JudgedDocument]:
    """Yield the checked documents, the first checked first, ties by id.

    `since` leaves out older verdicts; `document` is one document's id, `run` the id of a run of many documents. One
    document is held at a time.
    """
    for row in store.read("exported_documents", since=since, document=document, batch=run):
        found = _newer(stored_document(store, row["id"]), since)
        ids = [verdict.id for verdict in found.verdicts]
        yield JudgedDocument(found, {run["verdict"]: run for run in store.read("runs_of_verdicts", ids=ids)})


def _newer(found: StoredDocument, since: datetime | None) -> StoredDocument:
    pairs = zip(found.claims, found.verdicts, strict=True)
    kept = [pair for pair in pairs if since is None or (pair[1].created_at and pair[1].created_at >= since)]
    return replace(found, claims=tuple(claim for claim, _ in kept), verdicts=tuple(verdict for _, verdict in kept))

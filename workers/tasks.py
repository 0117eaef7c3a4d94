"""Thin tasks over the pipeline. A message carries ids; texts are read from the store, so a message stays small and
the same document submitted twice is the same work. Every task can be killed at any point and run again.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from claimgraph.wiring import Checker
from kgstore import reads, records
from kgstore.errors import NotFound
from kgstore.model import Document
from kgstore.store import GraphStore

if TYPE_CHECKING:
    from celery import Celery

    from claimgraph.settings import Settings

CHECK = "claimgraph.check"


def register(app: Celery, settings: Settings) -> None:
    """Add the tasks to the application. The store and the models are opened in the process that runs the first task."""
    checker = cache(lambda: Checker(settings))

    def check(document: str, context: str | None, graphs: Sequence[str]) -> None:
        work = checker()
        work.check(
            _stored(work.store, document),
            context=_stored(work.store, context) if context else None,
            graphs=graphs,
        )

    app.task(check, name=CHECK)


def submit(
    app: Celery, store: GraphStore, document: Document, *, context: Document | None = None, graphs: Sequence[str] = ()
) -> None:
    """Store the document and its context, and put the check of their ids on the queue."""
    store.write(*records.document_steps([d for d in (document, context) if d]))
    app.send_task(CHECK, args=[document.id, context.id if context else None, list(graphs)])


def _stored(store: GraphStore, document: str) -> Document:
    found = reads.load_document(store, document)
    if found is None:
        raise NotFound("document", document)
    return found

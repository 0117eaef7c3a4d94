"""Runs of many documents in a store, as they are before and after anything is done."""

from __future__ import annotations

from claimgraph.input_texts import document_from_text
from claimgraph.kgstore.runs.board import Board
from claimgraph.kgstore.store import GraphStore
from claimgraph.settings import Settings
from claimgraph.workers.submission.submit import Asked, Item, submit


def queued(settings: Settings, store: GraphStore, *texts: str, context: str = "Ann was born in Oslo.") -> str:
    """The id of a run that checks each text against the context, submitted to nobody."""
    documents = [document_from_text(text, 1, "the text") for text in (context, *texts)]
    items = [Item(document, documents[0]) for document in documents[1:]]
    return submit(settings, store, items, Asked(methods=("rules",)), lambda _: None).run


def park(store: GraphStore, run: str, error: str) -> None:
    """Let every task of the store that can be claimed fail until it is parked."""
    board = Board(store)
    for seen in board.unfinished():
        while claimed := board.claim(seen.task.job, "test"):
            board.fail(claimed, error)
    assert board.progress(run).parked

"""Answer a question: link, prune, retrieve, write and check, as `claimgraph ask` does, stored in one write.

The graphs come from the store by the export queries, once a version, and are kept in the cache that workers share.
"""

from __future__ import annotations

from claimgraph.kgstore.engines.write_buffer import WriteBuffer
from claimgraph.workers.tasks.task_table import Done, Work


class Ask(Work):
    """The answer to a question; the note `answer` is its id."""

    def run(self) -> Done:
        """Return the answer, as Asker.ask does."""
        store = WriteBuffer(self.tools.store)
        asked = self.options
        report = self.tools.asker(asked["graphs"]).ask(
            asked["question"], mode=asked["mode"], prompt=asked["prompt"], store=store
        )
        return Done(store.steps, {"answer": report.id})

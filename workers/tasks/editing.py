"""Retrofit a draft, and check again what is stale: the command line's functions over a store that buffers writes.

So the results and the end of the task are one write.
"""

from __future__ import annotations

from claimgraph.kgstore.engines.write_buffer import WriteBuffer
from claimgraph.workers.tasks.task_table import Done, Work


class Retrofit(Work):
    """A document retrofitted to stored graphs, pass by pass; the note `retrofitted` is the last text's id."""

    def run(self) -> Done:
        """Return passes and edits, as Retrofitter.retrofit does."""
        from claimgraph.kgstore.identity import document_id
        from claimgraph.wiring.retrofitter import Retrofitter

        options, store, tools = self.options, WriteBuffer(self.tools.store), self.tools
        ways = {key: options[key] for key in ("mode", "preset", "assume") if options.get(key)}
        retrofitter = Retrofitter(tools.settings, sorted(options["graphs"]), **ways, store=store, models=tools.models)
        report = retrofitter.retrofit(self.document, options.get("question"), options.get("limit"))
        return Done(store.steps, {"retrofitted": document_id(report.text)})


class Recheck(Work):
    """A document's stale verdicts judged again; the note `flipped` lists the claims whose outcome changed."""

    def run(self) -> Done:
        """Return the verdicts, as rechecking does."""
        from claimgraph.rechecking import again, recheck_document, together

        store, graphs = WriteBuffer(self.tools.store), sorted(self.options["graphs"])
        texts = recheck_document(store, str(self.job.document), graphs)
        found = together([again(text, self.tools.checker(text.extractor or None), store) for text in texts])
        failed = found.left[0].why if found.left else None
        return Done(store.steps, {"flipped": [flip.claim for flip in found.flips]}, failed=failed)

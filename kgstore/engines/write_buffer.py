"""Buffer the writes to a store: a worker's stage passes it to work that writes as it goes.

The results of such work and the completion of its task are then one write, so a worker that dies in between leaves
nothing half done. Reads do not see buffered writes; writing through and marking later was rejected: another worker
would build on an unfinished task. Answers of language models are stored at once all the same (they have their own
store): they cost money, and the next attempt finds them.
"""

from __future__ import annotations

from claimgraph.kgstore.engines.dry_run_store import DryRunStore
from claimgraph.kgstore.store import GraphStore, Row, Step


class WriteBuffer(DryRunStore):
    """A GraphStore that passes reads on to another and keeps writes, in order, in `steps`.

    Closing it closes nothing: the other store is lent.
    """

    def __init__(self, store: GraphStore) -> None:
        super().__init__(store)
        self.steps: list[Step] = []

    def write(self, *steps: Step) -> list[Row]:
        """Keep the steps and return no rows. Empty ones are left out."""
        self.steps += [step for step in steps if step[1]]
        return []

    def close(self) -> None:
        """Do nothing: the other store is not ours."""

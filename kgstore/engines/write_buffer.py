"""A store that is read and whose writes are kept aside: what a stage of a worker gives to work that writes as it goes.

What such work finds and that its task is done are then one write, so a worker that dies in between leaves nothing
half done. Reads do not see what was kept aside; writing through and marking later was rejected: another worker would
build on what its task has not finished. Answers of language models are stored as they come all the same (they have
their own store): they cost money, and the next attempt finds them.
"""

from __future__ import annotations

from claimgraph.kgstore.engines.dry_run_store import Unwritten
from claimgraph.kgstore.store import GraphStore, Row, Step


class Collected(Unwritten):
    """A GraphStore that passes reads on to another and keeps what is written, in order, in `steps`.

    Closing it closes nothing: the other store is lent.
    """

    def __init__(self, store: GraphStore) -> None:
        super().__init__(store)
        self.steps: list[Step] = []

    def write(self, *steps: Step) -> list[Row]:
        """Keep the steps; no rows. Empty ones are left out."""
        self.steps += [step for step in steps if step[1]]
        return []

    def close(self) -> None:
        """Nothing: the other store is not ours."""

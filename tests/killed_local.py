"""A run in one process that waits in mid-task to be killed: `python killed_local.py FOLDER`."""

from __future__ import annotations

import sys
from pathlib import Path
from threading import Event

from stub_stages import Stub, one_claim, one_verdict, submitted

from claimgraph.kgstore.engines.embedded import open_embedded
from claimgraph.kgstore.engines.migrations import migrate
from claimgraph.kgstore.runs.jobs import TaskLease
from claimgraph.settings import Settings
from claimgraph.workers.execution import local
from claimgraph.workers.stages import stage_table
from claimgraph.workers.stages.stage_table import Done
from claimgraph.workers.stages.worker_context import WorkerContext

NAMES = ("Ada", "Bob", "Cleo")


def main(folder: Path) -> None:
    """Stop in the second document's second stage, and say so with a file."""
    judged: list[str] = []

    def judge(claimed: TaskLease, tools: WorkerContext) -> Done:
        judged.append(claimed.job.id)
        if len(judged) == 2:
            (folder / "waiting").touch()
            Event().wait()
        return one_verdict(claimed, tools)

    stage_table.STAGES = {"extract": Stub(one_claim), "judge": Stub(judge)}  # type: ignore[assignment]
    settings = Settings(store=folder / "store", cache=folder / "cache")
    with open_embedded(settings.store_folder) as store:
        migrate(store)
        local.run(store, settings, submitted(store, *NAMES)[1])


if __name__ == "__main__":
    main(Path(sys.argv[1]))

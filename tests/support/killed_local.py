"""A run in one process that waits in mid-task to be killed: `python killed_local.py FOLDER`."""

from __future__ import annotations

import sys
from pathlib import Path
from threading import Event

import pytest
from stub_tasks import one_claim, one_verdict, submitted, use

from claimgraph.kgstore.engines.embedded import open_embedded
from claimgraph.kgstore.engines.migrations import migrate
from claimgraph.kgstore.runs.jobs import TaskLease
from claimgraph.settings import Settings
from claimgraph.workers.execution import local
from claimgraph.workers.tasks.task_table import Done
from claimgraph.workers.tasks.worker_context import WorkerContext

NAMES = ("Ada", "Bob", "Cleo")


def main(folder: Path) -> None:
    """Stop in the second document's second task, and say so with a file."""
    judged: list[str] = []

    def judge(claimed: TaskLease, tools: WorkerContext) -> Done:
        judged.append(claimed.job.id)
        if len(judged) == 2:
            (folder / "waiting").touch()
            Event().wait()
        return one_verdict(claimed, tools)

    use(pytest.MonkeyPatch(), extract=one_claim, judge=judge)
    settings = Settings(store=folder / "store", cache=folder / "cache")
    with open_embedded(settings.store_folder) as store:
        migrate(store)
        local.run(store, settings, submitted(store, *NAMES)[1])


if __name__ == "__main__":
    main(Path(sys.argv[1]))

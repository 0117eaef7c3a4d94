"""A run in one process that waits in mid-task to be killed: `python killed_local.py FOLDER`."""

from __future__ import annotations

import sys
from pathlib import Path
from threading import Event

from stub_stages import Stub, one_claim, one_verdict, submitted

from claimgraph.settings import Settings
from kgstore.embedded import open_embedded
from kgstore.jobs import Claimed
from kgstore.migrate import migrate
from workers import local, stages
from workers.stages import Done
from workers.tools import Tools

NAMES = ("Ada", "Bob", "Cleo")


def main(folder: Path) -> None:
    """Stop in the second document's second stage, and say so with a file."""
    judged: list[str] = []

    def judge(claimed: Claimed, tools: Tools) -> Done:
        judged.append(claimed.job.id)
        if len(judged) == 2:
            (folder / "waiting").touch()
            Event().wait()
        return one_verdict(claimed, tools)

    stages.STAGES = {"extract": Stub(one_claim), "judge": Stub(judge)}  # type: ignore[assignment]
    settings = Settings(store=folder / "store", cache=folder / "cache")
    with open_embedded(settings.store_folder) as store:
        migrate(store)
        local.run(store, settings, submitted(store, *NAMES)[1])


if __name__ == "__main__":
    main(Path(sys.argv[1]))

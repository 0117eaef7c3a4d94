"""Fetch the entities that a document's claims name from the network into the graphs they are checked against.

It is a task of its own, before the check, on a queue of its own, since it waits for its turn at public servers; both
read the document. It is the one task that writes while it works: every part that arrives is stored with its record of
completeness (kgstore/world/cache.py), so a fetch that was killed continues, and two documents that name the same thing
fetch it once. Each fetch gives its graph another version: verdicts are of the version that the check finds, never of
one at submission. A failed fetch ends no job: a claim left undecided for it is recorded as `fetch_incomplete`, or as
`unlinked` where nothing came.
"""

from __future__ import annotations

import logging
from functools import cache
from typing import TYPE_CHECKING

from claimgraph.evidence.mentioned_entities import mentioned
from claimgraph.kgstore.errors import InputError, ServiceError, StoreError, UsageError
from claimgraph.wiring.stores import world_cache
from claimgraph.workers.tasks.task_table import Done, Work

if TYPE_CHECKING:
    from claimgraph.kgstore.world.cache import WorldCache

_log = logging.getLogger(__name__)

ROWS = 50_000
"""Most rows of answers that the fetch of one document may read for each graph."""
_SHARE = 0.8
"""Greatest share of a task's time for fetches, so that they end by themselves, with what came."""


class Fetch(Work):
    """The fetch for a document. The note `fetch` has by graph the lines on incomplete entities, none where all are
    complete.
    """

    def run(self) -> Done:
        """Fetch the entities of the document's claims into each graph of the option `fetch`. Raises StoreError."""
        graphs: list[str] = self.options["fetch"]
        checker = self.tools.checker(self.options.get("extractor"))
        [read] = checker.reader(self.document, [*map(self.text, self.job.contexts)]).extract([self.document])
        names, settings = mentioned(read.claims), self.tools.settings
        seconds = _SHARE * settings.task_seconds / max(1, len(graphs))
        lacking: dict[str, list[str]] = {}
        for graph in graphs:
            worlds = world_cache(settings, self.tools.store, graph, seconds=seconds, rows=ROWS)
            lacking[graph] = _fetched(worlds, names)
            if problems := len(lacking[graph]):
                _log.info("not all was fetched into %s: %d problems, in the notes of the job", graph, problems)
        return Done(notes={"fetch": lacking})


def _fetched(worlds: WorldCache, names: list[str]) -> list[str]:
    """Fetch the entities of these names; return in lines why some are incomplete."""
    worlds.establish()
    try:
        return worlds.fetch(names).problems if names else []
    except StoreError:
        raise
    except UsageError as error:
        _warn(str(error))
        return [str(error)]
    except (InputError, ServiceError) as error:  # an unknown name, no network, a server that refuses
        return [str(error)]


@cache
def _warn(said: str) -> None:
    """Warn once a process: every document would repeat it."""
    _log.warning("nothing can be fetched: %s", said)

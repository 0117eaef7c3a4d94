"""Which tests may run at the same time, where several processes share them (`make test`, or pytest's `-n`).

The suite's Neo4j, Redis and RabbitMQ are emptied by every test that uses them: all those tests run in one process. All
others run by file. A test's id says which it is, since that is all that xdist's controller knows; its own groups
(--dist loadgroup) were rejected because pytest 9.2 no longer lets a plugin write them into ids. Servers for each
process were rejected too: a Neo4j more costs more memory and processor time than it saves on 2 cores.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest
    from xdist.remote import Producer
    from xdist.scheduler import Scheduling

VARIABLES = ("NEO4J_URI", "CLAIMGRAPH_TEST_NEO4J_CURRENT_URI", "CELERY_BROKER_URL", "CLAIMGRAPH_TEST_RABBITMQ_URL")
"""What leads to the suite's servers."""
_LONGEST = ("servers", "test_survival.py", "test_packaging.py", "test_extras.py", "test_judges.py")
_ON_SERVERS = re.compile(r"[\[-](servers|neo4j|neo4j-current)[]-]")


def on_servers(test: str) -> bool:
    """Whether the test of that id uses the suite's servers."""
    return bool(_ON_SERVERS.search(test))


def scope(test: str) -> str:
    """What the test of that id must share a process with: "servers", or a file."""
    return "servers" if on_servers(test) else test.partition("::")[0]


def rank(test: str) -> int:
    """The lower, the earlier: what takes longest and waits most is begun first."""
    name = scope(test).rpartition("/")[2]
    return _LONGEST.index(name) if name in _LONGEST else len(_LONGEST)


def scheduling(config: pytest.Config, log: Producer) -> Scheduling:
    """What hands out whole scopes, in the order of the tests."""
    from xdist.scheduler import LoadScopeScheduling

    class Scopes(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return scope(nodeid)

    config.option.loadscopereorder = False
    return Scopes(config, log)

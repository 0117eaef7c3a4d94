"""Commands in processes that can be killed, without the start of Python before each: `python command_forks.py`.

One request a line on standard input, `{"words": [...], "env": {...}, "log": FILE}`; it is run in a forked child, of
which the process id and then, when it has ended, the exit status are printed. What commands import was imported before.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path


def main() -> None:
    """Warm up, and serve requests."""
    import claimgraph.wiring.checker
    from claimgraph import cli
    from claimgraph.cli.store import admin
    from claimgraph.detect.text import parse
    from claimgraph.kgstore.engines import embedded, migrations, shared
    from claimgraph.kgstore.upkeep import dump, forget

    assert all((claimgraph.wiring.checker, admin, parse, embedded, migrations, shared, dump, forget))
    print("ready", flush=True)
    for line in sys.stdin:
        asked = json.loads(line)
        child = os.fork()
        if child == 0:
            os.environ.update(asked["env"])
            sys.argv = ["claimgraph", *asked["words"]]
            with Path(asked["log"]).open("w") as log:
                os.dup2(log.fileno(), 1)
                os.dup2(log.fileno(), 2)
            cli.main()
            os._exit(0)
        print(child, flush=True)
        print(os.waitpid(child, 0)[1], flush=True)


if __name__ == "__main__":
    main()

"""Commands in processes that can be killed, without the start of Python before each: `python command_forks.py`.

One request a line on standard input, `{"words": [...], "env": {...}, "log": FILE}`; it is run in a forked child, of
which the process id and then, when it has ended, the exit status are printed. What commands import was imported before.
With `"largest": N` no file of the child grows beyond N bytes, as on a full disk; with `"bound": true` the modes of
files bind it also where it is root.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
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
            if "largest" in asked:
                resource.setrlimit(resource.RLIMIT_FSIZE, (asked["largest"], asked["largest"]))
            if asked.get("bound"):
                _bind_to_modes()
            cli.main()
            os._exit(0)
        print(child, flush=True)
        print(os.waitpid(child, 0)[1], flush=True)


def _bind_to_modes() -> None:
    """Give up CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH, by which root passes over the modes of files."""
    libc, version_3 = ctypes.CDLL(None, use_errno=True), 0x20080522
    header, sets = (ctypes.c_uint32 * 2)(version_3, 0), (ctypes.c_uint32 * 6)()
    if libc.capget(header, sets) == 0:
        sets[0] &= ~0b110
        assert 0 == libc.capset(header, sets), os.strerror(ctypes.get_errno())


if __name__ == "__main__":
    main()

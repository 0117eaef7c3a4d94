"""The command line: one module a command group; each parses, calls and prints. `main` is the console script.

Errors of claimgraph.kgstore.errors become one line on stderr and their exit code: 2 for input, 3 for a failed service.
So do those of the system, such as a full disk: 3.
Modules with heavy imports are imported by the command that needs them, so that `claimgraph --help` answers at once.
"""

from __future__ import annotations

import gc
import os
import sys

from claimgraph.cli.command_table import command_line
from claimgraph.kgstore.errors import ClaimgraphError

__all__ = ["main"]


def main() -> None:
    """Run the command line and exit with its code."""
    gc.set_threshold(50_000)  # what imports make stays, and to look through it is a fortieth of a check
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # for small products its other threads only wait, and busily
    try:
        command_line(sys.argv[1:])(standalone_mode=True)
    except ClaimgraphError as error:
        _fail(str(error), error.exit_code)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(141)
    except OSError as error:
        _fail(f"{error.filename}: {error.strerror}" if error.filename else error.strerror or str(error), 3)


def _fail(line: str, code: int) -> None:
    sys.stderr.write("claimgraph: " + " ".join(line.split()) + "\n")
    sys.exit(code)

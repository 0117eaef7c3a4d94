"""What a service command says: progress, and one line with an exit code instead of a traceback."""

import sys


class Failed(Exception):
    """A service could not be brought up or down; exit code 1."""

    exit_code = 1


class NoJava(Failed):
    """No Java on this machine is new enough for the Neo4j that was asked for; exit code 4."""

    exit_code = 4


def say(line: object) -> None:
    """Progress or failure, on standard error; standard output is for exports."""
    print(f"services: {line}", file=sys.stderr, flush=True)

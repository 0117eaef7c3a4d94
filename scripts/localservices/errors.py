"""What a service command says instead of a traceback: one line, and the exit code that goes with it."""


class Failed(Exception):
    """A service could not be brought up or down; exit code 1."""

    exit_code = 1


class NoJava(Failed):
    """No Java on this machine is new enough for the Neo4j that was asked for; exit code 4."""

    exit_code = 4

"""Run a command (the test suite) with services of its own and stop them after it, also after a Ctrl-C.

They have a state folder of their own, because tests empty the database they are given: the Neo4j that a developer
fills by `up` is not theirs. Two runs of one checkout take turns.
"""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Sequence
from typing import ClassVar, NoReturn

from localservices import control, neo4j
from localservices.messages import NoJava, say
from localservices.rabbitmq import RabbitMQ
from localservices.state import State, locked

CURRENT_URI = "CLAIMGRAPH_TEST_NEO4J_CURRENT_URI"
OURS = "CLAIMGRAPH_TEST_SERVICES"
"""Set for the command to the names of the services that are ours, not given, with a space between."""


class _Beside(RabbitMQ):
    """The other broker beside Redis, under a variable of its own: tests of workers run on both."""

    variable: ClassVar[str] = "CLAIMGRAPH_TEST_RABBITMQ_URL"


def run(state: State, command: Sequence[str], *, current: bool = False) -> int:
    """Exit status of the command, or 128 plus the signal that ended it or us. `current`: on both lines of Neo4j."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job starts with it ignored
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _interrupt)
    with locked(state.folder / "run.lock"):
        try:
            return _supervise(command, _environment(state, current))
        finally:
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                signal.signal(number, signal.SIG_IGN)
            control.down(state, control.known(state))


def _environment(state: State, current: bool) -> dict[str, str]:
    """Variables of Neo4j and both brokers; with `current` of Neo4j's current line, where ours and a Java runs it."""
    services = (control.service("neo4j"), control.service("redis"), _Beside())
    requests = [control.request(state, service, named=False) for service in services]
    exports = control.up(state, requests)
    ours = [r.service.name for r in requests if r.given is None]
    if current and "neo4j" in ours and CURRENT_URI not in os.environ:
        try:
            line = control.up(state, [control.Request(neo4j.Neo4j(neo4j.CURRENT))])
            exports[CURRENT_URI] = line["NEO4J_URI"]
        except NoJava as error:
            say(f"left out: {error}")
    return exports | {OURS: " ".join(ours)}


def _supervise(command: Sequence[str], env: dict[str, str]) -> int:
    """Wait for the command. When we are told to end it gets an interrupt, once (a terminal's Ctrl-C has reached it
    already; a second would cut its own cleaning up short), and a minute to close."""
    with subprocess.Popen(command, env=os.environ | env) as process:
        try:
            code = process.wait()
        except BaseException as told:
            if not isinstance(told, KeyboardInterrupt):
                process.send_signal(signal.SIGINT)
            try:
                process.wait(60)
            except subprocess.TimeoutExpired:
                process.kill()
            raise
    return code if code >= 0 else 128 - code


def _interrupt(number: int, _: object) -> NoReturn:
    raise SystemExit(128 + number)

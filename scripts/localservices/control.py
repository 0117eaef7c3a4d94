"""Up, down and kill for any service, however it is run.

An instance keeps the way it was first run (compose or local), because its data lies there.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

from localservices import compose, debian, probe, processes
from localservices.messages import Failed, say
from localservices.neo4j import DEFAULT, Neo4j
from localservices.rabbitmq import RabbitMQ
from localservices.redis import Redis
from localservices.service import Service
from localservices.state import State

NAMES = ("neo4j", "redis", "rabbitmq")
_PATIENCE = 180.0
"""Seconds a server may take to answer: a loaded 2-core machine has needed a minute for Neo4j."""


@dataclass(frozen=True)
class Request:
    """A service, and the address to use instead of starting it (None: start it)."""

    service: Service
    given: str | None = None


def service(name: str, version: str | None = None) -> Service:
    """The service called `name`; the version matters to Neo4j only."""
    if name == "neo4j":
        return Neo4j(version or DEFAULT)
    return Redis() if name == "redis" else RabbitMQ()


def known(state: State, name: str | None = None, version: str | None = None) -> list[Service]:
    """Services ever started in this folder, those of this name and version where given; all Neo4j lines count."""
    split = (instance.partition("-") for instance in state.instances())
    services = [service(kind, line or None) for kind, _, line in split if name in (None, kind)]
    return [s for s in services if version is None or s.instance == f"neo4j-{version}"]


def request(state: State, wanted: Service, named: bool) -> Request:
    """What the service's environment variable means for it.

    An address of our own makes no difference to a service asked for by name, and is otherwise the service to start.
    Any other address is used as it is, unless the service was asked for by name and the address is of another kind.
    """
    value = os.environ.get(wanted.variable)
    if not value:
        return Request(wanted)
    if ours := next((s for s in known(state) if url(state, s) == value), None):
        return Request(wanted if named else ours)
    fits = urlsplit(value).scheme.partition("+")[0] in wanted.schemes
    return Request(wanted, value if fits or not named else None)


def url(state: State, one: Service) -> str | None:
    """Our address of the service, or None if it never ran."""
    port = state.port(one.instance)
    return None if port is None else one.url(state, port)


def up(state: State, requests: Sequence[Request]) -> dict[str, str]:
    """Bring the services up, wait until they answer, and return the variables that lead to them.

    Idempotent. Every service is on record before it is started, so `known` says what to stop after an interruption.
    Raises Failed.
    """
    with state.lock():
        own = [r.service for r in requests if r.given is None]
        down = [one for one in own if not is_running(state, one)]
        modes = _modes(state, down)
        _install(state, [one for one in down if modes[one.instance] == "local"])
        for one in down:
            _start(state, one, modes[one.instance])
        for one in own:
            _wait(state, one)
        return {k: v for r in requests for k, v in _exports(state, r).items()}


def is_running(state: State, one: Service) -> bool:
    """Whether our instance runs; it may not answer yet."""
    mode = state.instances().get(one.instance)
    if mode == "compose":
        return compose.running(state, one)
    return mode == "local" and processes.running(state.home(one.instance)) is not None


def down(state: State, services: Iterable[Service]) -> None:
    """Stop the services, all at once; data stays. What is not running is left alone."""
    with state.lock(), ThreadPoolExecutor() as pool:
        list(pool.map(partial(_stop, state), services))


def kill(state: State, one: Service) -> None:
    """kill -9. Raises Failed where it is not ours or not running."""
    with state.lock():
        if not is_running(state, one):
            raise Failed(f"{one.instance} is not running here")
        if state.instances()[one.instance] == "compose":
            compose.kill(state, one)
        else:
            processes.kill(state.home(one.instance))


def _stop(state: State, one: Service) -> None:
    if is_running(state, one):
        say(f"{one.instance}: stopping")
        if state.instances()[one.instance] == "compose":
            compose.stop(state, one)
        else:
            processes.stop(state.home(one.instance))


def _modes(state: State, services: Sequence[Service]) -> dict[str, str]:
    kept = state.instances()
    fresh = "compose" if any(s.instance not in kept for s in services) and compose.available() else "local"
    return {s.instance: kept.get(s.instance, fresh) for s in services}


def _install(state: State, services: Iterable[Service]) -> None:
    if packages := [p for one in services for p in one.missing()]:
        debian.install(packages, state.folder / "install.log")


def _start(state: State, one: Service, mode: str) -> None:
    port = state.choose_port(one.instance)
    say(f"{one.instance}: starting ({mode})")
    state.record(one.instance, mode)
    if mode == "compose":
        compose.start(state, one)
        return
    home = state.home(one.instance)
    home.mkdir(parents=True, exist_ok=True, mode=0o700)
    command = one.command(state, port)
    processes.start(home, command.argv, command.env)


def _wait(state: State, one: Service) -> None:
    address = url(state, one) or ""
    deadline = time.monotonic() + _PATIENCE
    while (why := probe.failure(address)) is not None:
        if not is_running(state, one) or time.monotonic() > deadline:
            raise Failed(f"{one.instance} does not answer at {probe.address(address)}: {why}\n{_log(state, one)}")
        time.sleep(0.1)
    say(f"{one.instance}: answers at {probe.address(address)}")


def _log(state: State, one: Service) -> str:
    if state.instances()[one.instance] == "compose":
        return compose.last_lines(state, one)
    return processes.last_lines(Path(state.home(one.instance)))


def _exports(state: State, made: Request) -> dict[str, str]:
    one = made.service
    if made.given is None:
        return one.exports(state, url(state, one) or "")
    if (why := probe.failure(made.given)) is not None:
        raise Failed(f"{one.variable}={probe.address(made.given)} does not answer ({why}); start it, or unset that")
    say(f"{one.variable}: {probe.address(made.given)} answers")
    return {k: os.environ[k] for k in one.exports(state, made.given) if k in os.environ}

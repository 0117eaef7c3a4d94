"""The same services from docker-compose.yml, where an engine answers; each instance is a Compose project of its own."""

from __future__ import annotations

import hashlib
import os
import subprocess
from collections.abc import Sequence

from localservices.messages import Failed
from localservices.neo4j import DEFAULT
from localservices.service import Service
from localservices.state import CHECKOUT, State


def available() -> bool:
    """Whether an engine answers and the client has Compose; the client alone is often there without an engine."""
    return _docker(["info"]).returncode == 0 and _docker(["compose", "version"]).returncode == 0


def start(state: State, service: Service) -> None:
    """Start the service on its kept port. Raises Failed."""
    if service.name == "neo4j":
        state.choose_port(f"{service.instance}.http")
    done = _compose(state, service, ["up", "-d", "--no-deps", service.name])
    if done.returncode != 0:
        raise Failed(f"docker compose could not start {service.instance}: {done.stdout.strip()[-300:]}")


def running(state: State, service: Service) -> bool:
    """Whether the container runs."""
    done = _compose(state, service, ["ps", "-q", "--status", "running", service.name])
    return done.returncode == 0 and bool(done.stdout.strip())


def stop(state: State, service: Service) -> None:
    """Stop the container; its volume stays."""
    _compose(state, service, ["stop", service.name])


def kill(state: State, service: Service) -> None:
    """kill -9 in the container."""
    _compose(state, service, ["kill", "-s", "SIGKILL", service.name])


def last_lines(state: State, service: Service, count: int = 5) -> str:
    """The end of the container's log."""
    return _compose(state, service, ["logs", "--no-color", "--tail", str(count), service.name]).stdout.strip()


def _compose(state: State, service: Service, words: Sequence[str]) -> subprocess.CompletedProcess[str]:
    key = hashlib.sha256(str(state.folder).encode()).hexdigest()[:8]
    project = f"claimgraph-{key}-{service.instance.replace('.', '-')}"
    env = {f"{name}_PASSWORD": state.password() for name in ("NEO4J", "REDIS", "RABBITMQ")}
    env |= {"CLAIMGRAPH_WEB_KEY": "unused", "NEO4J_VERSION": service.instance.partition("-")[2] or DEFAULT}
    ports = {service.name.upper(): service.instance, "NEO4J_HTTP": f"{service.instance}.http"}
    env |= {f"{name}_PORT": str(state.port(key) or "") for name, key in ports.items()}
    return _docker(["compose", "-f", str(CHECKOUT / "docker-compose.yml"), "-p", project, *words], env)


def _docker(words: Sequence[str], env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """Run the client; one that is absent or hangs is one that failed."""
    try:
        return subprocess.run(
            ["docker", *words],
            env=os.environ | (env or {}),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=15 if words[0] == "info" else 600,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return subprocess.CompletedProcess(["docker"], 127, stdout=str(error))

"""What the three kinds of service have in common."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Protocol

from localservices.state import State


@dataclass(frozen=True)
class Command:
    """What starts a service: argv, and environment variables besides ours."""

    argv: Sequence[str]
    env: Mapping[str, str] = field(default_factory=dict)


class Service(Protocol):
    """One server that can be started here. `instance` names its folder and its kept port."""

    name: ClassVar[str]
    variable: ClassVar[str]
    """The environment variable that carries its address."""
    schemes: ClassVar[tuple[str, ...]]
    """URL schemes of servers that can stand in for it, without a +s."""

    @property
    def instance(self) -> str: ...

    def missing(self) -> list[str]:
        """Debian packages that a local start still needs."""
        ...

    def command(self, state: State, port: int) -> Command:
        """Write the configuration for this port and say how to start. Called for a stopped service, with all
        packages installed; may download."""
        ...

    def url(self, state: State, port: int) -> str:
        """Address on loopback, with user and password where the protocol carries them in its URL."""
        ...

    def exports(self, state: State, url: str) -> dict[str, str]:
        """Environment variables that lead a program to it."""
        ...

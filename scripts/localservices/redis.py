"""Redis from Debian, append-only file on, with a password: loopback is open to every user of the machine."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from typing import ClassVar

from localservices.service import Command
from localservices.state import State

_CONFIGURATION = """\
port {port}
bind 127.0.0.1
dir {home}
requirepass {password}
appendonly yes
set-proc-title no
"""


@dataclass(frozen=True)
class Redis:
    """The default broker."""

    name: ClassVar[str] = "redis"
    variable: ClassVar[str] = "CELERY_BROKER_URL"
    schemes: ClassVar[tuple[str, ...]] = ("redis", "rediss")
    instance: ClassVar[str] = "redis"

    def missing(self) -> list[str]:
        return [] if shutil.which("redis-server") else ["redis-server"]

    def command(self, state: State, port: int) -> Command:
        home = state.home(self.instance)
        configuration = home / "redis.conf"
        configuration.touch(mode=0o600)
        configuration.write_text(_CONFIGURATION.format(port=port, home=home, password=state.password()))
        return Command(["redis-server", str(configuration)])

    def url(self, state: State, port: int) -> str:
        return f"redis://:{state.password()}@127.0.0.1:{port}/0"

    def exports(self, _: State, url: str) -> dict[str, str]:
        return {"CELERY_BROKER_URL": url}

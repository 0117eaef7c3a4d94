"""RabbitMQ from Debian, the other broker that Celery knows.

Its own script is called rather than Debian's wrapper, which runs as root or rabbitmq only and keeps the cookie in
/var/lib. A port mapper (epmd) of our own is started first in the same process group; RabbitMQ would start one that
outlives it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from localservices.service import Command
from localservices.state import State

_SCRIPT = Path("/usr/lib/rabbitmq/bin/rabbitmq-server")
_CONFIGURATION = """\
default_user = claimgraph
default_pass = {password}
vm_memory_high_watermark.absolute = 256MiB
disk_free_limit.absolute = 50MB
"""


@dataclass(frozen=True)
class RabbitMQ:
    """A broker that is started by name only."""

    name: ClassVar[str] = "rabbitmq"
    variable: ClassVar[str] = "CELERY_BROKER_URL"
    schemes: ClassVar[tuple[str, ...]] = ("amqp", "amqps", "pyamqp")
    instance: ClassVar[str] = "rabbitmq"

    def missing(self) -> list[str]:
        return [] if _SCRIPT.exists() else ["rabbitmq-server"]

    def command(self, state: State, port: int) -> Command:
        home = state.home(self.instance)
        configuration = home / "rabbitmq.conf"
        configuration.touch(mode=0o600)
        configuration.write_text(_CONFIGURATION.format(password=state.password()))
        env = {
            "HOME": str(home),
            "ERL_EPMD_ADDRESS": "127.0.0.1",
            "ERL_EPMD_PORT": str(state.choose_port("rabbitmq.epmd")),
            "RABBITMQ_NODENAME": "claimgraph@localhost",
            "RABBITMQ_NODE_IP_ADDRESS": "127.0.0.1",
            "RABBITMQ_NODE_PORT": str(port),
            "RABBITMQ_DIST_PORT": str(state.choose_port("rabbitmq.dist")),
            "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS": "-kernel inet_dist_use_interface {127,0,0,1}",
            "RABBITMQ_CONFIG_FILE": str(configuration),
            "RABBITMQ_MNESIA_BASE": str(home / "data"),
            "RABBITMQ_LOG_BASE": str(home / "logs"),
            "RABBITMQ_PID_FILE": str(home / "node.pid"),
            "RABBITMQ_ENABLED_PLUGINS_FILE": str(home / "plugins"),
            "RABBITMQ_CONF_ENV_FILE": str(home / "none"),
        }
        return Command(["/bin/sh", "-c", f"epmd & exec {_SCRIPT}"], env)

    def url(self, state: State, port: int) -> str:
        return f"amqp://claimgraph:{state.password()}@127.0.0.1:{port}//"

    def exports(self, _: State, url: str) -> dict[str, str]:
        return {self.variable: url}

"""Neo4j Community from Maven's jars, one instance a version, so that both supported lines can run side by side."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from localservices import java, maven
from localservices.messages import Failed, NoJava
from localservices.service import Command
from localservices.state import State

DEFAULT = "5.26.30"
"""The long-term line, which Java 17 runs."""

CURRENT = "2026.08.1"
"""The current line; needs Java 21."""

_OPENS = ("nio", "io", "util.concurrent")
_FLAGS = (
    "-Xms256m",
    "-Xmx1g",
    "-XX:+UseSerialGC",
    "-XX:TieredStopAtLevel=1",
    *(f"--add-opens=java.base/java.{package}=ALL-UNNAMED" for package in _OPENS),
    "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
    "--add-exports=jdk.unsupported/sun.misc=ALL-UNNAMED",
    "-Dio.netty.tryReflectionSetAccessible=true",
)
"""The serial collector and the quick compiler: on 2 cores a start takes 12 instead of 25 s of CPU, and loading
50,000 facts 38 instead of 82 s."""

_CONFIGURATION = """\
server.bolt.enabled=true
server.bolt.listen_address=127.0.0.1:{port}
server.bolt.advertised_address=127.0.0.1:{port}
server.memory.pagecache.size=256m
db.memory.transaction.max=512m
dbms.security.auth_enabled=true
dbms.security.allow_csv_import_from_file_urls=false
dbms.usage_report.enabled=false
dbms.cypher.min_replan_interval=1m
server.bolt.connection_keep_alive=15s
db.transaction.timeout=10m
"""
"""A plan is kept for a minute: with the default of 10 s, planning anew was more than half of Neo4j's work where 30
documents filled an empty store on a loaded machine."""


@dataclass(frozen=True)
class Neo4j:
    """A Neo4j of this version, user neo4j, on Bolt only."""

    version: str = DEFAULT
    name: ClassVar[str] = "neo4j"
    variable: ClassVar[str] = "NEO4J_URI"
    schemes: ClassVar[tuple[str, ...]] = ("bolt", "neo4j")

    def __post_init__(self) -> None:
        if not re.fullmatch(r"\d+\.\d+\.\d+", self.version):
            raise Failed(f"{self.version!r} is no Neo4j version; give one like {DEFAULT} or {CURRENT}")

    @property
    def instance(self) -> str:
        return f"neo4j-{self.version}"

    def missing(self) -> list[str]:
        oldest, newest = self._java_range()
        lacks_java = java.find(oldest, newest) is None
        if lacks_java and oldest > 17:
            places = "JAVA_HOME, PATH or /usr/lib/jvm"
            raise NoJava(f"Neo4j {self.version} needs Java {oldest} or newer; there is none in {places}")
        return ["openjdk-17-jre-headless"] * lacks_java + ["maven"] * (shutil.which("mvn") is None)

    def command(self, state: State, port: int) -> Command:
        home = state.home(self.instance)
        (home / "conf").mkdir(parents=True, exist_ok=True)
        (home / "conf" / "neo4j.conf").write_text(_CONFIGURATION.format(port=port))
        program = java.find(*self._java_range())
        if program is None:
            raise NoJava(f"no Java runs Neo4j {self.version} here")
        base = [str(program), *_FLAGS, "-cp", f"{maven.jars(self.version, program)}/*"]
        if not (home / "data" / "databases").exists():
            _set_password(base, home, state.password())
        return Command([*base, str(maven.HERE / "Neo4jServer.java"), str(home)])

    def url(self, _: State, port: int) -> str:
        return f"bolt://127.0.0.1:{port}"

    def exports(self, state: State, url: str) -> dict[str, str]:
        return {"NEO4J_URI": url, "NEO4J_USERNAME": "neo4j", "NEO4J_PASSWORD": state.password()}

    def _java_range(self) -> tuple[int, int]:
        """Oldest and newest Java major version that run this Neo4j."""
        return (17, 21) if self.version.startswith("5.") else (21, 99)


def _set_password(base: list[str], home: Path, password: str) -> None:
    command = [*base, "org.neo4j.cli.AdminTool", "dbms", "set-initial-password", password]
    env = {"NEO4J_HOME": str(home), "NEO4J_CONF": str(home / "conf")}
    done = subprocess.run(command, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode != 0:
        raise Failed(f"Neo4j did not take its password: {done.stderr.strip().splitlines()[-1:]}")

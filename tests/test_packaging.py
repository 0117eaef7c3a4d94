"""The distribution: what the wheel carries, what an import costs, and files that name each other."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
import yaml

from claimgraph.workers.stages.stage_table import QUEUES

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """Names of the files in the wheel that pip builds from this tree."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder), str(ROOT)]
    subprocess.run(command, check=True, timeout=300)
    (built,) = folder.glob("claimgraph-*.whl")
    return set(zipfile.ZipFile(built).namelist())


def test_the_wheel_carries_every_tracked_file_of_the_package(wheel: set[str]) -> None:
    """A wheel installs `claimgraph` alone: code, queries, migrations, pages and data, none left behind."""
    rooms = ["cypher", "kgstore", "retrieval", "detect", "workers"]
    listed = subprocess.run(
        ["git", "ls-files", "claimgraph", *rooms], cwd=ROOT, capture_output=True, text=True, check=True
    )
    tracked = {name if name.startswith("claimgraph/") else f"claimgraph/{name}" for name in listed.stdout.split()}
    assert set() == tracked - {f"claimgraph/{room}" for room in rooms} - wheel
    metadata = next(name for name in wheel if ".dist-info/" in name).partition("/")[0]
    assert {"claimgraph", metadata} == {name.partition("/")[0] for name in wheel}


def test_importing_claimgraph_imports_nothing_heavy() -> None:
    """`import claimgraph` loads no model runtime, no database driver and no torch."""
    heavy = {"torch", "transformers", "spacy", "onnxruntime", "neo4j", "kglite", "scipy", "networkx", "celery"}
    code = "import sys, claimgraph; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert set() == heavy & set(done.stdout.split())


def test_the_default_install_has_no_torch() -> None:
    """torch and what brings it along are in the extra of that name only, and not in the lock file."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    default = {re.split(r"[^\w-]", line)[0].lower() for line in project["dependencies"]}
    assert set() == default & {"torch", "transformers", "sentence-transformers"}
    assert "torch==" not in (ROOT / "requirements.lock").read_text()


def test_the_lock_file_holds_every_dependency() -> None:
    """Each dependency of the default and the development install has one version in requirements.lock."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"], *extras["dev"], *extras["grakel"], *extras["py2neo"]]
    names = {_normal(re.split(r"[^\w.-]", line)[0]) for line in wanted} - {"claimgraph"}
    locked = (line.partition("==")[0] for line in (ROOT / "requirements.lock").read_text().splitlines())
    assert set() == names - {_normal(name) for name in locked}


def test_compose_services_are_checked_and_on_loopback() -> None:
    """Every Compose service has a health check, and every published port is bound to 127.0.0.1."""
    services = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
    workers = {"worker", "worker-model", "worker-net"}
    assert {"neo4j", "redis", "rabbitmq", "flower", "web", *workers} == set(services)
    assert set() == {name for name, service in services.items() if not service.get("healthcheck", {}).get("test")}
    ports = [port for service in services.values() for port in service.get("ports", [])]
    assert ports == [port for port in ports if port.startswith("127.0.0.1:")]


def test_compose_workers_work_on_every_queue() -> None:
    """Each queue has workers, whose commands are those of the command line, and each is asked whether it lives."""
    services = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
    workers = [service for name, service in services.items() if name.startswith("worker")]
    queues = [service["command"][3].split(",") for service in workers]
    assert sorted(QUEUES) == sorted(queue for some in queues for queue in some)
    assert {"claimgraph worker --ping"} == {service["healthcheck"]["test"] for service in workers}
    words = {word for service in workers for word in [*service["command"], "--ping"] if word.startswith("--")}
    assert [] == [word for word in words if word not in (ROOT / "docs" / "cli.md").read_text()]


def test_compose_brokers_keep_messages() -> None:
    """Redis writes each down and throws none away; RabbitMQ waits a day for a worker's answer."""
    services = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
    assert ["yes", "noeviction"] == services["redis"]["command"][2:5:2]
    assert f"consumer_timeout {24 * 3600 * 1000}" in str(services["rabbitmq"]["environment"])


def test_compose_passwords_come_from_the_environment() -> None:
    """No password stands in the Compose file, and .env.example names each that the default services need."""
    text = (ROOT / "docker-compose.yml").read_text()
    assert set(re.findall(r"\w+_PASSWORD", text)) == set(re.findall(r"\$\{(\w+_PASSWORD)-\}", text))
    example = (ROOT / ".env.example").read_text()
    assert ["NEO4J_PASSWORD", "REDIS_PASSWORD"] == re.findall(r"^(\w+)=$", example, re.MULTILINE)


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()

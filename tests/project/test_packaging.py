"""The distribution: what the wheel carries, what an import costs, and files that name each other."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
import zipfile
from email.parser import Parser
from importlib.metadata import Distribution, distribution
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement

from claimgraph.workers.tasks.task_table import QUEUES

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel that pip would build from this tree, by the same builder and without the network."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, timeout=300, capture_output=True)
    (built,) = folder.glob("claimgraph-*.whl")
    return built


def test_the_wheel_carries_every_tracked_file_of_the_package(wheel: Path) -> None:
    """A wheel installs `claimgraph` alone: code, queries, migrations, pages and data, none left behind."""
    held, rooms = set(zipfile.ZipFile(wheel).namelist()), ["cypher", "kgstore", "retrieval", "detect", "workers"]
    listed = subprocess.run(
        ["git", "ls-files", "claimgraph", *rooms], cwd=ROOT, capture_output=True, text=True, check=True
    )
    tracked = {name if name.startswith("claimgraph/") else f"claimgraph/{name}" for name in listed.stdout.split()}
    assert set() == tracked - {f"claimgraph/{room}" for room in rooms} - held
    metadata = next(name for name in held if ".dist-info/" in name).partition("/")[0]
    assert {"claimgraph", metadata} == {name.partition("/")[0] for name in held}


def test_a_plain_install_away_from_the_checkout_runs_the_demo(wheel: Path, tmp_path: Path) -> None:
    """In a venv with the wheel and what it requires without extras, one name is new, and `claimgraph demo` works."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "venv")], check=True)
    (installed,) = (tmp_path / "venv").glob("lib/python*/site-packages")
    needed = required(wheel)
    assert set() == {"scipy", "celery", "fastapi", "rdflib", "networkx", "onnx", "torch"} & needed.keys()
    before = {name: dist for dist in needed.values() for file in dist.files or () if (name := file.parts[0]) != ".."}
    for name, dist in before.items():
        (installed / name).symlink_to(str(dist.locate_file(name)))
    pip = [sys.executable, "-m", "pip", "--python", str(tmp_path / "venv" / "bin" / "python"), "install", "--quiet"]
    subprocess.run([*pip, "--no-deps", "--no-index", "--no-compile", str(wheel)], check=True, timeout=300)
    names = {path.name for path in installed.iterdir()} - before.keys()
    assert {"claimgraph"} == {name for name in names if not name.endswith(".dist-info")}
    done = subprocess.run(
        [tmp_path / "venv" / "bin" / "claimgraph", "demo"],
        cwd=tmp_path, env={"HOME": str(tmp_path)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert 0 == done.returncode, done.stderr
    assert "REFUTED" in done.stdout


def required(wheel: Path) -> dict[str, Distribution]:
    """The distributions that a wheel requires without extras, and those that these require, as installed here."""
    with zipfile.ZipFile(wheel) as opened:
        held = next(name for name in opened.namelist() if name.endswith(".dist-info/METADATA"))
        wanted = Parser().parsestr(opened.read(held).decode()).get_all("Requires-Dist", [])
    found: dict[str, Distribution] = {}
    asked = {(line, "") for line in wanted}
    while asked:
        line, extra = asked.pop()
        requirement = Requirement(line)
        if requirement.marker and not requirement.marker.evaluate({"extra": extra}):
            continue
        dist = distribution(requirement.name)
        new = {""} if _normal(requirement.name) not in found else set()
        asked |= {(line, extra) for extra in new | requirement.extras for line in dist.requires or ()}
        found[_normal(requirement.name)] = dist
    return found


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
    assert "torch==" in _locked("torch")
    assert "torch==" not in _locked("nightly")


@pytest.mark.parametrize("words", [("--build",), (), ("dev",), ("nightly",), ("torch",)], ids=str)
def test_the_lock_holds_every_archive_by_its_hash(words: tuple[str, ...]) -> None:
    """What is installed, and what builds it, has one version each and at least one sha256, and no address."""
    blocks = re.split(r"(?m)^(?=\w)", _locked(*words))[1:]
    hashed = re.compile(r"[\w.-]+==[^ ]+ .*\\\n +--hash=sha256:[0-9a-f]{64}")
    assert [] == [block for block in blocks if not hashed.match(block)]
    names = [_normal(block.partition("==")[0]) for block in blocks]
    assert sorted(set(names)) == sorted(names)
    assert "://" not in _locked(*words)


def test_the_lock_is_complete(wheel: Path) -> None:
    """What the wheel requires, and what that requires, is what the lock gives for no extras."""
    assert set() == required(wheel).keys() - {_normal(line) for line in re.findall(r"(?m)^([\w.-]+)==", _locked())}


def test_a_lock_without_a_dependency_is_refused(tmp_path: Path) -> None:
    """One line names what the lock lacks, and nothing is printed that could be installed in its stead."""
    (tmp_path / "scripts").mkdir()
    for name in ("pyproject.toml", "scripts/lock.py"):
        (tmp_path / name).write_text((ROOT / name).read_text())
    lock = (ROOT / "requirements.lock").read_text().replace("\nkglite==", "\nkg==")
    (tmp_path / "requirements.lock").write_text(lock)
    command = [sys.executable, str(tmp_path / "scripts" / "lock.py")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (1, "", "requirements.lock lacks kglite: run `make lock`\n") == (done.returncode, done.stdout, done.stderr)


def _locked(*words: str) -> str:
    """What `scripts/lock.py` prints for these words."""
    command = [sys.executable, str(ROOT / "scripts" / "lock.py"), *words]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_compose_services_are_checked_and_on_loopback() -> None:
    """Every Compose service has a health check, and every published port is bound to 127.0.0.1."""
    services = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
    workers = {"worker", "worker-net"}
    assert {"neo4j", "redis", "rabbitmq", "flower", "web", *workers} == set(services)
    assert set() == {name for name, service in services.items() if not service.get("healthcheck", {}).get("test")}
    ports = [port for service in services.values() for port in service.get("ports", [])]
    assert ports == [port for port in ports if port.startswith("127.0.0.1:")]


def test_the_image_has_what_compose_runs() -> None:
    """The image of the workers and the web service is installed with their extras, and with what fetches facts."""
    text = (ROOT / "Dockerfile").read_text()
    [extras] = re.findall(r"lock.py ((?:\w+ )+)>", text)
    assert ["documents", "export", "sparql", "web", "workers"] == extras.split()
    assert text.index("COPY pyproject.toml requirements.lock ./") < text.index("-r locked.txt")
    assert text.index("-r locked.txt") < text.index("COPY claimgraph")


def test_what_is_installed_is_what_the_lock_names() -> None:
    """Image, CI and development install lists with hashes alone, and nothing but this project without them."""
    for name in ("Dockerfile", "Makefile"):
        text = (ROOT / name).read_text().replace("\\\n", " ")
        found = re.findall(r"(?:pip install|\$\(PIP_INSTALL\)) (.*?)(?:&&|$)", text, re.MULTILINE)
        calls = [line for line in found if not line.startswith(("--quiet", "uv"))]
        assert 3 <= len(calls)
        assert [] == [line for line in calls if "--require-hashes" not in line and "--no-deps" not in line]


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
    assert set(re.findall(r"\w+_PASSWORD", text)) == set(re.findall(r"\$\{(\w+_PASSWORD)(?:-|:\?)", text))
    example = (ROOT / ".env.example").read_text()
    required = list(dict.fromkeys(re.findall(r"\$\{(\w+):\?", text)))
    assert sorted(required) == sorted(re.findall(r"^(\w+)=$", example, re.MULTILINE))


def test_compose_runs_ours_without_rights() -> None:
    """Workers and page run as a user of their own, on a root that nothing writes, and can gain no right."""
    services = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
    for name in ("worker", "worker-net", "web"):
        service = services[name]
        assert service["read_only"]
        assert ["ALL"] == service["cap_drop"]
        assert ["no-new-privileges:true"] == service["security_opt"]
        assert all(path.startswith(("/tmp", "/home/claimgraph:uid=10001")) for path in service["tmpfs"])
    assert re.search(r"useradd .* --uid 10001 claimgraph", (ROOT / "Dockerfile").read_text())
    assert (ROOT / "Dockerfile").read_text().index("USER claimgraph") > 0


def test_compose_limits_memory_and_passes_the_language_model_on() -> None:
    """No service may take the machine's memory, and what names a language model reaches workers and the page."""
    services = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
    assert [] == [name for name, service in services.items() if not service.get("mem_limit")]
    asked = {f"CLAIMGRAPH_LLM_{name}" for name in ("BASE_URL", "MODEL", "API_KEY", "BUDGET")}
    assert all(asked <= set(services[name]["environment"]) for name in ("worker", "worker-net", "web"))
    assert "claimgraph cache starter --sample" in services["web"]["command"][0]


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()

"""Stores for the tests: clean, migrated, closed afterwards."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import command
import engines
import local_model as local
import pytest
import sharing
from hypothesis import settings

from claimgraph.kgstore.engines.bolt import BoltStore
from claimgraph.kgstore.engines.embedded import EmbeddedStore
from claimgraph.kgstore.store import GraphStore

os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # some tests import ONNX Runtime themselves
settings.register_profile("ci", derandomize=True, database=None)
if os.environ.get("CI"):
    settings.load_profile("ci")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say at the end which engines the contract ran on; a header would be left out of quiet runs."""
    terminalreporter.write_line(f"stores: {engines.describe()}")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Where several processes share the tests, one has all those of the suite's servers."""
    return sharing.scheduling(config, log)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Only a test whose id says so sees where the suite's servers are."""
    with pytest.MonkeyPatch.context() as patch:
        for variable in () if sharing.on_servers(item.nodeid) else sharing.VARIABLES:
            patch.delenv(variable, raising=False)
        return (yield)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Tests of data that is not part of the repository: skipped where it is absent, and not collected there in CI.
    Those for `make soak` and `make nightly` (among them all that ask for `local_model`, or the current line of Neo4j)
    are collected there only."""
    for item in items:
        if "local_model" in getattr(item, "fixturenames", ()) or "neo4j-current" in item.nodeid:
            item.add_marker("nightly")
    for marker, variable in (("soak", "CLAIMGRAPH_TEST_DOCUMENTS"), ("nightly", "CLAIMGRAPH_TEST_NIGHTLY")):
        if variable not in os.environ:
            _leave_out(config, items, [item for item in items if item.get_closest_marker(marker)])
    absent = [item for item in items if (mark := item.get_closest_marker("data")) and not mark.args[0].exists()]
    for item in absent:
        item.add_marker(pytest.mark.skip(reason=f"not on this machine: {item.get_closest_marker('data').args[0]}"))
    if os.environ.get("CI"):
        _leave_out(config, items, absent)
    if "PYTEST_XDIST_WORKER" in os.environ:
        items.sort(key=lambda item: sharing.rank(item.nodeid))


def _leave_out(config: pytest.Config, items: list[pytest.Item], some: list[pytest.Item]) -> None:
    if some:
        items[:] = [item for item in items if item not in some]
        config.hook.pytest_deselected(items=some)


@pytest.fixture(params=["servers"])
def servers() -> None:
    """Asks for the suite's Neo4j, Redis and RabbitMQ."""


@pytest.fixture(params=engines.ENGINES)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[GraphStore]:
    """A clean store on each engine found."""
    with engines.open_clean(request.param, tmp_path) as opened:
        yield opened


@pytest.fixture
def embedded(tmp_path: Path) -> Iterator[EmbeddedStore]:
    """A clean embedded store in the test's folder."""
    opened = engines.open_clean("embedded", tmp_path)
    assert isinstance(opened, EmbeddedStore)
    with opened:
        yield opened


@pytest.fixture(params=["neo4j"])
def neo4j_store(tmp_path: Path) -> Iterator[BoltStore]:
    """A clean Neo4j."""
    opened = engines.open_clean("neo4j", tmp_path)
    assert isinstance(opened, BoltStore)
    with opened:
        yield opened


@pytest.fixture(scope="session")
def local_model() -> Iterator[local.LocalModel]:
    """A real, small language model behind a real server."""
    with local.serving() as found:
        yield found


@pytest.fixture
def cli_environment(tmp_path: Path) -> dict[str, str | None]:
    """An embedded store and a cache in the test's folder, and no other settings."""
    unset = dict.fromkeys(key for key in os.environ if key.startswith(("CLAIMGRAPH_", "NEO4J_", "CELERY_")))
    folders = {"CLAIMGRAPH_STORE": str(tmp_path / "store"), "CLAIMGRAPH_CACHE": str(tmp_path / "cache")}
    return unset | folders | {"COLUMNS": "200"}


@pytest.fixture
def cli(cli_environment: dict[str, str | None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> command.Cli:
    """Runs `claimgraph ...` in the test's folder, with its settings."""
    monkeypatch.chdir(tmp_path)
    return lambda *words, stdin=None, **more: command.run(*words, stdin=stdin, env=cli_environment | more)

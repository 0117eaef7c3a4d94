"""Stores for the tests: clean, migrated, closed afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import engines
import pytest

from kgstore.bolt import BoltStore
from kgstore.embedded import EmbeddedStore
from kgstore.store import GraphStore


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say at the end which engines the contract ran on; a header would be left out of quiet runs."""
    terminalreporter.write_line(f"stores: {engines.describe()}")


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


@pytest.fixture
def neo4j_store(tmp_path: Path) -> Iterator[BoltStore]:
    """A clean Neo4j."""
    opened = engines.open_clean("neo4j", tmp_path)
    assert isinstance(opened, BoltStore)
    with opened:
        yield opened

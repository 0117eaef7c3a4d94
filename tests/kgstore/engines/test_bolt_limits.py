"""The settings of a Neo4j that bound what a query may take, as `claimgraph doctor` reads them."""

from __future__ import annotations

from typing import Any, cast

import pytest

from claimgraph.health import State, examine
from claimgraph.kgstore.engines.bolt import BoltStore
from claimgraph.kgstore.engines.bolt_limits import missing_limits
from claimgraph.kgstore.errors import StoreError
from claimgraph.settings import load_settings

BOUNDED = {
    "db.transaction.timeout": "10m",
    "db.memory.transaction.max": "512.00MiB",
    "dbms.memory.transaction.total.max": "692.91MiB",
    "server.bolt.connection_keep_alive": "15s",
    "dbms.security.allow_csv_import_from_file_urls": "false",
}


class _Server:
    def __init__(self, **changed: str) -> None:
        self._shown = BOUNDED | {name.replace("__", "."): value for name, value in changed.items()}

    def server_settings(self, names: list[str]) -> dict[str, str]:
        return {name: value for name, value in self._shown.items() if name in names}


@pytest.mark.parametrize(
    ("changed", "lacking"),
    [
        ({}, []),
        ({"db__transaction__timeout": "0s"}, ["db.transaction.timeout=10m"]),
        ({"db__memory__transaction__max": "0B"}, ["db.memory.transaction.max=512m"]),
        ({"dbms__memory__transaction__total__max": "0B"}, ["dbms.memory.transaction.total.max=700m"]),
        ({"server__bolt__connection_keep_alive": "1m"}, ["server.bolt.connection_keep_alive=15s"]),
        (
            {"dbms__security__allow_csv_import_from_file_urls": "true"},
            ["dbms.security.allow_csv_import_from_file_urls=false"],
        ),
    ],
)
def test_what_is_unbounded_is_named_as_a_line_of_the_configuration(changed: dict[str, str], lacking: list[str]) -> None:
    """Each setting without a limit comes with the line that sets one; a bounded server lacks nothing."""
    assert lacking == missing_limits(cast(Any, _Server(**changed)))


def test_hidden_settings_are_not_taken_for_good() -> None:
    """A server that shows this user no settings is not called bounded."""
    server = _Server()
    server._shown.clear()
    with pytest.raises(StoreError, match="does not show"):
        missing_limits(cast(Any, server))


@pytest.mark.parametrize("silent", [True, False])
def test_the_doctor_reads_them_from_the_server(
    neo4j_store: BoltStore, monkeypatch: pytest.MonkeyPatch, silent: bool
) -> None:
    """The Neo4j of scripts/services is bounded; one that is not is told with what it lacks."""
    assert BOUNDED.keys() <= neo4j_store.server_settings(list(BOUNDED)).keys()
    if not silent:
        monkeypatch.setattr("claimgraph.kgstore.engines.bolt_limits._SILENT", 1.0)
    [found] = [part for part in examine(load_settings()) if part.part == "store limits"]
    said = "bounded by the server" if silent else "neo4j.conf lacks server.bolt.connection_keep_alive=15s"
    assert (State.OK if silent else State.ABSENT) == found.state
    assert said in found.detail

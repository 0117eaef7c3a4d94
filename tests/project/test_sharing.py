"""Several processes share the tests, and one of them has the suite's servers."""

from __future__ import annotations

import os

import pytest
import sharing


@pytest.mark.parametrize(
    ("test", "scope"),
    [
        ("tests/test_a.py::test_b[neo4j]", "servers"),
        ("tests/test_a.py::test_b[neo4j-current-7]", "servers"),
        ("tests/test_a.py::test_b[7-neo4j]", "servers"),
        ("tests/test_a.py::test_b[servers-7]", "servers"),
        ("tests/test_a.py::test_b[embedded]", "tests/test_a.py"),
        ("tests/test_neo4j.py::test_neo4j", "tests/test_neo4j.py"),
    ],
)
def test_what_shares_a_process(test: str, scope: str) -> None:
    """Tests of the suite's servers share one, and are begun first; the others share it by file."""
    assert scope == sharing.scope(test)
    assert (scope == "servers") == (sharing.rank(test) == 0)


def test_servers_that_were_not_asked_for_are_not_seen() -> None:
    """A test that does not ask for the servers cannot empty them by mistake."""
    assert set() == os.environ.keys() & set(sharing.VARIABLES)

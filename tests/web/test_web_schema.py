"""Schemathesis against the API: whatever a client sends, no answer is a server's error."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import schemathesis
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.schemas import BaseSchema

from claimgraph.settings import load_settings
from claimgraph.web.app import make_app

READING = ("/api/check", "/api/correct", "/api/retrofit", "/api/ask", "/api/extract", "/api/runs")
"""Routes that read texts; their requests are few."""
FEW, MANY = 3, 10
HOST = {"Host": "127.0.0.1"}


@pytest.fixture
def schema(tmp_path: Path) -> Iterator[BaseSchema]:
    """The API's schema over an application on a store of its own, which is open meanwhile."""
    made = load_settings({}, Path("/nonexistent"))
    folders = {name: tmp_path / name for name in ("store", "cache", "keys")}
    app = make_app(replace(made, **folders, rate_limit=10**6, offline=True, entailment="none"))
    with TestClient(app, base_url="http://127.0.0.1"):
        yield schemathesis.openapi.from_asgi("/openapi.json", app, headers=HOST)


def test_no_request_is_a_server_error(schema: BaseSchema) -> None:
    """Generated requests, fitting the schema and not, are answered or refused with a reason, at every route."""
    routes = [found.ok() for found in schema.get_all_operations()]
    assert len(routes) >= 25
    for route in routes:
        examples = FEW if route.path in READING else MANY

        @settings(
            max_examples=examples,
            derandomize=True,
            database=None,
            deadline=None,
            phases=[Phase.explicit, Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(case=route.as_strategy())
        def answered(case: schemathesis.Case) -> None:
            answer = case.call(headers=HOST, timeout=300)
            assert answer.status_code < 500, f"{case.method} {case.formatted_path} {case.query} {case.body}"
            assert answer.status_code < 400 or answer.json()["detail"]

        answered()

"""Schemathesis against the API: whatever a client sends, no answer is a server's error."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import schemathesis
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import not_a_server_error

from claimgraph.settings import load_settings
from claimgraph.web.app import make_app

SLOW = ("/api/check", "/api/correct", "/api/retrofit", "/api/ask", "/api/extract")
"""Routes that read texts with models; their requests are few."""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[schemathesis.schemas.BaseSchema]:
    """The API's schema over an application on a store of its own, which is open meanwhile."""
    folder = tmp_path_factory.mktemp("schema")
    made = load_settings({}, Path("/nonexistent"))
    chosen = replace(
        made, store=folder / "store", cache=folder / "cache", keys=folder / "keys.json", rate_limit=10**6, offline=True
    )
    app = make_app(replace(chosen, entailment="none"))
    with TestClient(app, base_url="http://127.0.0.1"):
        schema = schemathesis.openapi.from_asgi("/openapi.json", app, headers={"Host": "127.0.0.1"})
        yield schema


schema = schemathesis.pytest.from_fixture("served")


@schema.parametrize()
@settings(
    max_examples=12,
    derandomize=True,
    database=None,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_no_request_is_a_server_error(case: schemathesis.Case) -> None:
    """Generated requests, fitting the schema and not, are answered or refused with a reason."""
    answer = case.call(headers={"Host": "127.0.0.1"})
    case.validate_response(answer, checks=(not_a_server_error,))
    if answer.status_code >= 400:
        assert answer.json()["detail"]

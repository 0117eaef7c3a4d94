"""What `claimgraph doctor` finds: parts are tried, not only named."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from oracle_bert import write_random_bert
from typer.testing import CliRunner
from worker_processes import broker_url

from claimgraph.cli.app import app
from claimgraph.detect.models import embedder
from claimgraph.health import State, examine
from claimgraph.settings import Settings
from training.pack import write

NOBODY = "127.0.0.1:1"
"""An address at which nothing answers."""


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """An embedded store, an empty cache and a small entailment model."""
    labels = ("entailment", "neutral", "contradiction")
    model = write(
        write_random_bert(tmp_path / "bert", labels), tmp_path / "packed", ("given", "1"), 1.0, tmp_path / "models"
    )
    return Settings(store=tmp_path / "store", cache=tmp_path / "cache", entailment=str(model))


def _states(settings: Settings) -> dict[str, State]:
    return {found.part: found.state for found in examine(settings)}


def test_everything_needed_is_there(settings: Settings) -> None:
    """On a fresh install store, models and extractor work; a broker is absent, which is no failure."""
    states = _states(settings)
    needed = ("claimgraph", "store", "embedding model", "entailment model", "extractor")
    assert [State.OK] * 5 == [states[part] for part in needed]
    assert [State.ABSENT] * 3 == [states[part] for part in ("broker", "workers", "language model")]


def test_what_does_not_answer_has_failed(settings: Settings) -> None:
    """A configured part at whose address nothing answers has failed; the rest is still told."""
    wrong = replace(
        settings,
        neo4j_uri=f"bolt://{NOBODY}",
        broker_url=f"redis://{NOBODY}",
        extractor="corenlp",
        corenlp_url=f"http://{NOBODY}",
        llm_base_url=f"http://{NOBODY}/v1",
        llm_model="small",
    )
    states = _states(wrong)
    assert [State.FAILED] * 4 == [states[part] for part in ("store", "broker", "extractor", "language model")]
    assert (State.OK, State.ABSENT) == (states["embedding model"], states["workers"])


@pytest.mark.usefixtures("servers")
def test_a_broker_is_asked_what_waits(settings: Settings) -> None:
    """The broker's line says how much waits in each queue; that no worker answers is no failure."""
    asked = replace(settings, broker_url=broker_url(), neo4j_uri=f"bolt://{NOBODY}")
    found = {one.part: one for one in examine(asked) if one.part in ("broker", "workers")}
    assert [State.OK, State.ABSENT] == [found[part].state for part in ("broker", "workers")]
    assert re.search(r"waiting: cpu \d+, net \d+, bulk \d+$", found["broker"].detail)
    assert "claimgraph worker" in found["workers"].detail


def test_worker_ping_without_a_broker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`claimgraph worker --ping` where nothing is configured says so in one line and exits with 3."""
    for name in ("NEO4J_URI", "CELERY_BROKER_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, ["worker", "--ping"])
    assert (3, 1, True) == (done.exit_code, len(done.output.splitlines()), "CELERY_BROKER_URL" in done.output)


def test_an_altered_model_has_failed(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """A model file that is not the one it should be is found, even where vectors and scores are cached."""
    examine(settings)
    monkeypatch.setattr("claimgraph.detect.models.embedder.SHA256", "0" * 64)
    embedder._opened.cache_clear()  # as in a process that begins
    model = Path(settings.entailment) / "model.onnx"
    model.write_bytes(model.read_bytes()[:-1])
    states = _states(settings)
    assert [State.FAILED] * 2 == [states[part] for part in ("embedding model", "entailment model")]


def test_without_an_entailment_model(settings: Settings) -> None:
    """That the settings want none is no failure."""
    assert State.ABSENT == _states(replace(settings, entailment="none"))["entailment model"]

"""What a process performs tasks with: made once, and not kept for ever."""

from __future__ import annotations

from pathlib import Path

import pytest

from claimgraph.kgstore.engines.embedded import EmbeddedStore
from claimgraph.kgstore.errors import BudgetSpent, StoreError
from claimgraph.settings import Settings
from claimgraph.workers.tasks.worker_context import WorkerContext

LLM = {"llm_base_url": "http://127.0.0.1:1/v1", "llm_model": "a-model"}


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(store=tmp_path / "made", cache=tmp_path / "cache", **LLM)


def test_what_a_task_may_spend(embedded: EmbeddedStore, settings: Settings) -> None:
    """A task's tokens are counted from where the process's account stands; no limit is none, whatever the settings."""
    with WorkerContext(settings, embedded) as tools:
        spending = tools.models.spending
        spending.called(tokens_in=100)
        tools.allow(50)
        spending.check()
        spending.called(tokens_in=50)
        with pytest.raises(BudgetSpent):
            spending.check()
        tools.allow(None)
        spending.check()


def test_what_was_composed_is_kept_for_a_while(embedded: EmbeddedStore, settings: Settings) -> None:
    """The same is asked for twice and made once; of many, those not asked for longest are dropped."""
    with WorkerContext(settings, embedded) as tools:
        first = tools.checker("rules")
        assert first is tools.checker("rules")
        assert (tools.store, tools.models) == (first.store, first.models)
        for name in ("rules-named", "corenlp", "factalign", "llm"):
            tools.checker(name)
        assert first is not tools.checker("rules")


def test_a_store_is_closed_by_who_opened_it(embedded: EmbeddedStore, settings: Settings) -> None:
    """A store that was given stays open; one that was opened here is closed."""
    with WorkerContext(settings, embedded):
        pass
    assert [] != embedded.read("label_counts")
    with WorkerContext(settings) as tools:
        opened = tools.store
    with pytest.raises(StoreError, match="is closed"):
        opened.read("label_counts")

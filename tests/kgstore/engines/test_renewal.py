"""A store of version 0.1.0 becomes what this version stores, on either engine, whatever is killed meanwhile.

`recorded/store-0.1.0.jsonl.gz` is what version 0.1.0 dumped of the store that filled.fill makes, with an answer.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest
from filled import ANSWER, BORN, RULING, VERDICTS, WORLD, fill

from claimgraph.kgstore.engines.embedded import open_embedded
from claimgraph.kgstore.engines.migrations import migrate, pending
from claimgraph.kgstore.model import Entity
from claimgraph.kgstore.naming import LONGEST_NAME
from claimgraph.kgstore.reads import current_verdicts, load_documents, load_verdicts
from claimgraph.kgstore.records import answer_steps, entity_row
from claimgraph.kgstore.store import GraphStore, Row, Step
from claimgraph.kgstore.upkeep.dump import restore
from claimgraph.kgstore.upkeep.transfer import EdgeRecord, NodeRecord, Record, load, records
from claimgraph.kgstore.values.typed_json import decode
from claimgraph.settings import Settings
from claimgraph.wiring import open_store

NEW = ("0006_schema_names", "0007_schema_jobs", "0008_schema_folded_names")
"""Migrations since version 0.1.0."""
OLD = Path(__file__).parents[2] / "recorded" / "store-0.1.0.jsonl.gz"


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> list[Record]:
    """What this version stores of the same."""
    with open_embedded(tmp_path_factory.mktemp("new")) as store:
        migrate(store)
        fill(store)
        store.write(*answer_steps([ANSWER]))
        return timeless(store)


def timeless(store: GraphStore) -> list[Record]:
    """All of a store but when things were written, and who worked on it."""
    left_out = ("beat", "holder")
    return [
        replace(
            one,
            properties={k: v for k, v in one.properties.items() if not isinstance(v, datetime) and k not in left_out},
        )
        for one in records(store)
    ]


def old_records() -> Iterator[Record]:
    """The records of the dump."""
    for line in gzip.decompress(OLD.read_bytes()).splitlines()[1:-1]:
        row = json.loads(line)
        known = {key: decode(value) for key, value in row["properties"].items()}
        yield (
            NodeRecord(row["node"], known) if "node" in row else EdgeRecord(row["edge"], row["from"], row["to"], known)
        )


def make_old(store: GraphStore) -> None:
    """Let a store be as version 0.1.0 left it."""
    for index in ("entity_name", "entity_folded_name", "claim_folded_subject", "claim_folded_object"):
        store.schema(f"DROP INDEX {index} IF EXISTS")
    store.schema("CREATE CONSTRAINT signal_id IF NOT EXISTS FOR (n:Signal) REQUIRE n.id IS UNIQUE")
    store.schema("CREATE CONSTRAINT task_id IF NOT EXISTS FOR (n:Task) REQUIRE n.id IS UNIQUE")
    for name in NEW:
        store.schema(f"MATCH (m:Migration {{id: '{name}'}}) DELETE m")
    load(store, old_records())


def test_an_old_store_becomes_a_new_one(store: GraphStore, expected: list[Record]) -> None:
    """All that is stored is what this version would have stored; a second time changes nothing."""
    make_old(store)
    assert list(NEW) == pending(store) == migrate(store)
    assert expected == timeless(store)
    assert [] == migrate(store)


def test_a_dump_of_an_old_store_is_restored_as_a_new_one(store: GraphStore, expected: list[Record]) -> None:
    """A backup by version 0.1.0 needs no old version."""
    restore(store, OLD)
    assert expected == timeless(store)


def test_killed_in_between_it_is_done_again(
    store: GraphStore, expected: list[Record], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whichever write is the last of a process, the next one ends with the same."""
    make_old(store)
    write, writes = store.write, 0
    while pending(store):
        allowed = iter(range(writes))

        def dying(*steps: Step) -> list[Row]:
            if next(allowed, None) is None:  # noqa: B023
                raise KeyboardInterrupt
            return write(*steps)

        monkeypatch.setattr(store, "write", dying)
        with suppress(KeyboardInterrupt):
            migrate(store)
        writes += 1
    assert writes > 10
    monkeypatch.undo()
    assert expected == timeless(store)


def test_a_very_long_name_is_cut_for_the_index(store: GraphStore) -> None:
    """Neo4j indexes no more than 8 kB: a longer name would stop the migration, and every later write."""
    entity = Entity("x:long", "長" * 10_000, graphs=(WORLD,))
    store.schema("DROP INDEX entity_name IF EXISTS")
    store.write(("put_entities", [entity_row(entity) | {"name": entity.name}]))
    store.schema(f"MATCH (m:Migration {{id: '{NEW[0]}'}}) DELETE m")
    migrate(store)
    store.write(("put_entities", [entity_row(entity)]))
    [row] = store.read("entities_by_id", ids=[entity.id])
    assert "長" * LONGEST_NAME == row["name"]


def test_what_was_read_is_what_was_put(store: GraphStore) -> None:
    """Signals, reasons and documents without a name come back from a renewed store as from a new one."""
    make_old(store)
    migrate(store)
    [verdict] = load_verdicts(store, [BORN.id])
    put = VERDICTS[RULING][0]
    assert [signal for signal in put.signals if signal.value is not None] == list(verdict.signals)
    assert put.reason == verdict.reason
    assert None in {document.name for document in load_documents(store, _ids(store)).values()}


@pytest.mark.parametrize("restored", [False, True], ids=["migrated", "restored"])
def test_what_was_stored_is_found_by_name(store: GraphStore, *, restored: bool) -> None:
    """Verdicts about an entity are found whatever the case of its name, as those of a new store are."""
    if restored:
        restore(store, OLD)
    else:
        make_old(store)
        migrate(store)
    assert [BORN.id] == [row["claim"] for row in current_verdicts(store, entity="1989")]
    assert 2 < len(current_verdicts(store, entity="ANN")) == len(current_verdicts(store, entity="Ann"))


def test_an_old_embedded_store_is_brought_along_before_it_is_read(tmp_path: Path) -> None:
    """A command that only reads finds in it what one that writes does."""
    settings = Settings(store=tmp_path / "store")
    with open_embedded(settings.store_folder) as old:
        migrate(old)
        make_old(old)
    with open_store(settings, read_only=True) as read:
        assert [BORN.id] == [row["claim"] for row in current_verdicts(read, entity="1989")]
    with open_embedded(settings.store_folder, read_only=True) as brought:
        assert [] == pending(brought)


def _ids(store: GraphStore) -> list[str]:
    return [one.properties["id"] for one in records(store) if isinstance(one, NodeRecord) and one.label == "Document"]

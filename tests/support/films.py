"""A small world of films for questions, as a file of triples with labels."""

from __future__ import annotations

import json
from pathlib import Path

from claimgraph.kgstore.ingest.flow import ingest
from claimgraph.kgstore.store import GraphStore
from claimgraph.settings import Settings
from claimgraph.wiring import open_store

NAMES = {
    "Q1": "The Silent River",
    "Q2": "Anna Berg",
    "Q3": "Tom Hale",
    "Q4": "drama film",
    "Q5": "Oslo",
    "Q6": "Lena Moe",
    "Q7": "The Long Field",
    "Q8": "Norway",
    "Q10": "Lone Island",
    "Q11": "Mira Voss",
}
FACTS = [
    ("Q1", "P57", "Q2"),
    ("Q1", "P58", "Q3"),
    ("Q1", "P136", "Q4"),
    ("Q7", "P57", "Q2"),
    ("Q7", "P136", "Q4"),
    ("Q2", "P19", "Q5"),
    ("Q6", "P19", "Q5"),
    ("Q9", "P19", "Q5"),
    ("Q5", "P17", "Q8"),
    ("Q6", "P27", "Q8"),
    ("Q10", "P170", "Q11"),
]
"""Q9 has no name; the last fact hangs together with no other."""


def settings(folder: Path, **values: str) -> Settings:
    """A store in the folder that holds the films as graph `films`."""
    made = Settings(store=folder / "store", cache=folder / "cache", **values)
    with open_store(made) as store:
        fill(store, folder)
    return made


def fill(store: GraphStore, folder: Path) -> None:
    """Ingest the films as graph `films`, by way of files in the folder."""
    triples, labels = folder / "films.jsonl", folder / "labels.jsonl"
    dated = {"head": "Q1", "relation": "P577", "tail": "1987-05-01", "datatype": "date"}
    rows = [*({"head": s, "relation": p, "tail": o} for s, p, o in FACTS), dated]
    triples.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    texts = [{"qid": key, "label": name, "description": f"{name} of the test"} for key, name in NAMES.items()]
    labels.write_text("".join(json.dumps(row) + "\n" for row in texts), encoding="utf-8")
    ingest(store, triples, "films", entities=labels)

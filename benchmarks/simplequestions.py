"""The world that SimpleQuestions is asked in: `python benchmarks/simplequestions.py DATA FOLDER`.

CoDEx-M knows few of the facts that the questions are about, so the gold facts of those questions whose subject stands
in a label file of DATA/kg are added. Written into FOLDER: `gold.tsv.gz`, a relation R58 turned round into P58, and
`labels.jsonl.gz`, all labels in one file. Printed are the commands that build the world and measure.
"""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

LABELS = ("wikidata_labels.jsonl.gz", "codex/entities.jsonl.gz", "fb15k237/entities.jsonl.gz")


def main(data: Path, folder: Path) -> None:
    """Write the two files and print what to do with them."""
    folder.mkdir(parents=True, exist_ok=True)
    labels = _labels(data / "kg")
    asked = list(_rows(data / "kgqa/simplequestions_wd.jsonl.gz"))
    gold = sorted({_fact(*row["triple_qids"]) for row in asked if row["triple_qids"][0] in labels})
    with gzip.open(folder / "gold.tsv.gz", "wt", encoding="utf-8") as file:
        file.writelines("\t".join(fact) + "\n" for fact in [("head", "relation", "tail"), *gold])
    with gzip.open(folder / "labels.jsonl.gz", "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in labels.values() if row.get("label"))
    print(f"{len(gold)} gold facts of {len(asked)} questions, {len(labels)} entities", file=sys.stderr)
    codex = data / "kg/codex"
    print(
        f"claimgraph ingest {codex}/codex_m_triples.tsv.gz --graph sq --entities {codex}/entities.jsonl.gz"
        f" --relations {codex}/relations.jsonl"
    )
    print(f"claimgraph ingest {folder}/gold.tsv.gz --graph sq --entities {folder}/labels.jsonl.gz")
    print(f"claimgraph eval qa {data}/kgqa/simplequestions_wd.jsonl.gz --graph sq --mode subgraph --json")


def _labels(folder: Path) -> dict[str, dict[str, Any]]:
    """Rows of all label files by Wikidata id, one with a label before one without, then the first."""
    found: dict[str, dict[str, Any]] = {}
    for row in (row for name in LABELS for row in _rows(folder / name) if row.get("qid")):
        if not found.get(row["qid"], {}).get("label"):
            found[row["qid"]] = {key: row.get(key) for key in ("qid", "label", "description", "aliases")}
    return found


def _fact(subject: str, relation: str, answer: str) -> tuple[str, str, str]:
    """R58 is P58 from the answer to the subject."""
    return (answer, f"P{relation[1:]}", subject) if relation.startswith("R") else (subject, relation, answer)


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))

"""docs/papers.md names files, functions, commands and presets that exist."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from claimgraph.answering import question_preset
from claimgraph.cli.app import app
from claimgraph.detect.methods import grapheval, kea
from claimgraph.detect.methods.factalign import detector as factalign
from claimgraph.detect.repair.kgr import llm_stages
from claimgraph.retrieval.subgraph import prizes, prune

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "benchmarks"))
papers = import_module("papers.__main__")
PRESETS = {
    "grapheval": grapheval.PRESETS,
    "kea": kea.PRESETS,
    "factalign": factalign.PRESETS,
    "retrofit": llm_stages.PRESETS,
    "questions": question_preset.PRESETS,
    "pruning": prune.PRESETS,
    "retrieval": prizes.PRESETS,
}
NUMBERED = {
    "GraphEval": [*(f"table {at}" for at in range(1, 5)), *(f"appendix {letter}" for letter in "ABCD")],
    "KEA Explain": [
        *(f"equation {at}" for at in range(1, 4)),
        "equations 4 and 5",
        "algorithm 1",
        *(f"table {at}" for at in range(1, 6)),
        *(f"figure {at}" for at in range(3, 6)),
        "prompt: knowledge graph construction",
        "prompt: natural language explanation",
    ],
    "FactAlign": [*(f"equation {at}" for at in range(1, 4)), "figure 2", "figure 3", "table 1", "table 2"],
    "KGR": ["claim extraction", "entity detection", "fact selection", "claim verification", "response retrofitting"],
    "OKGQA": ["PPR", "prizes", "S(P)", "PCST", "module 1", "module 2", "main table", "ATS, SC2D, SD2", "figure 6"],
}
"""What the papers number, or name in order; figures that only draw a method are left out."""
HEAD = ["item", "where", "command", "presets", "what differs"]


def rows(under: str = "") -> list[list[str]]:
    """The cells of the tables of items, of all sections or of those whose heading begins so."""
    found, inside, heading = [], False, ""
    for line in (ROOT / "docs" / "papers.md").read_text(encoding="utf-8").splitlines():
        heading = line.removeprefix("## ") if line.startswith("## ") else heading
        cells = [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("|") else []
        inside = cells == HEAD or (inside and bool(cells))
        if inside and cells != HEAD and not set(cells[0]) <= {"-"} and heading.startswith(under):
            found.append(cells)
    return found


def quoted(cell: str) -> list[str]:
    """What stands in backticks."""
    return re.findall(r"`([^`]+)`", cell)


def chosen(words: list[str]) -> tuple[Any, list[str]]:
    """The command that the first words name, and the other words."""
    command: Any = get_command(app)
    while words and words[0] in getattr(command, "commands", {}):
        command, words = command.commands[words[0]], words[1:]
    return command, words


def options(command: Any) -> Iterator[str]:
    """The names of a command's options."""
    for parameter in command.params:
        yield from parameter.opts


def takes(line: str) -> None:
    """Assert that a command line names a command, its options, and values that they take."""
    found, words = chosen(line.split())
    assert not hasattr(found, "commands"), line
    assert not {word for word in words if word.startswith("--")} - set(options(found)), line
    for at, word in enumerate(words[:-1]):
        asked = next((one.type_descriptor for one in found.params if word in one.opts), None)
        if asked and asked.is_choice:
            assert words[at + 1] in [getattr(choice, "value", choice) for choice in asked.choices], line


@pytest.mark.parametrize(("paper", "items"), NUMBERED.items())
def test_every_paper_has_its_numbered_items(paper: str, items: list[str]) -> None:
    """All equations, algorithms, prompts, tables and figures of results that a paper numbers are in its section."""
    text = "; ".join(cells[0] for cells in rows(paper))
    assert not [item for item in items if item not in text]


@pytest.mark.parametrize("cells", rows(), ids=lambda cells: cells[0][:40])
def test_an_item_leads_somewhere(cells: list[str]) -> None:
    """Its files hold the names, its commands take the options, its presets are known."""
    leads(cells)


@pytest.mark.parametrize(
    ("at", "dead"),
    [
        (1, "`detect/kernel/none.py::kernel`"),
        (1, "`detect/kernel/wl.py::nothing`"),
        (1, ""),
        (2, "`check --method none`"),
        (2, "`check --nothing`"),
        (2, "`none`"),
        (3, "kea `none`"),
        (4, "x | y"),
    ],
)
def test_a_dead_link_is_found(at: int, dead: str) -> None:
    """A file, name, command, option, value or preset that is not there fails, and so does a cell too many."""
    cells = ["x", "`detect/kernel/wl.py::kernel`", "`check --method kea`", "kea `paper`", ""]
    leads(cells)
    with pytest.raises((AssertionError, KeyError)):
        leads([*cells[:at], *dead.split(" | "), *cells[at + 1 :]])


def leads(cells: list[str]) -> None:
    """Assert that an item's files, names, commands and presets are there."""
    assert len(HEAD) == len(cells)
    _, where, command, presets, _ = cells
    assert quoted(where)
    for place in quoted(where):
        path, _, name = place.partition("::")
        assert (ROOT / path).is_file(), path
        text = (ROOT / path).read_text(encoding="utf-8")
        assert not name or re.search(rf"^(?:(?:class|def) {name}\b|{name}\b.*=)", text, re.MULTILINE), place
    for line in quoted(command):
        takes(line)
    for part in filter(None, presets.split(";")):
        kind = part.split("`")[0].strip()
        assert set(quoted(part)) <= set(PRESETS[kind]), part


def test_the_tables_ask_for_what_there_is() -> None:
    """Every row's commands are ours, and no two rows of a paper have one name."""
    rows = papers.read(ROOT / "benchmarks" / "papers" / "tables.toml")
    assert len(rows) == len({(row.paper, row.what) for row in rows})
    lines = [line for row in rows for line in (row.command, row.asking, *row.prepare) if line]
    for line in lines:
        if not line.startswith("python "):
            takes(line)
        elif not (ROOT / line.split()[1]).is_file():
            pytest.fail(line)


def test_a_stopped_run_goes_on(tmp_path: Path) -> None:
    """A command runs once, what fails is told and tried again; the table has figures, counts and gaps."""
    (tmp_path / "one.py").write_text(
        f"open({str(tmp_path / 'ran')!r}, 'a').write('x'); print('{{\"f\": [0.5, [0.4, 0.6]], \"n\": 3}}')"
    )
    rows = [
        papers.Row("P", "table 1", "0.9", "python {work}/one.py --json", "f.0 f.1", "n"),
        papers.Row("P", "table 2", "0.8", "python {work}/none.py --json", "f.0", "n", asking="ask x"),
    ]
    for _ in range(2):
        journal = papers.Journal(tmp_path / "journal.jsonl")
        papers.Work(journal, {"work": tmp_path, "data": tmp_path}, {}).run([row.command for row in rows])
    assert "x" == (tmp_path / "ran").read_text()
    first, second = papers.table(rows, papers.Journal(tmp_path / "journal.jsonl")).splitlines()[2:]
    assert first.startswith("| table 1 | 0.9 | 0.500, [0.400, 0.600] | – | 3 |")
    assert second.startswith("| table 2 | 0.8 | not measured | not measured | – |")

"""Print rows of verdicts as blocks: what was said and its verdict, the reason, and where it stands, a line each.

A table was rejected: in a terminal of 80 columns its six columns break every reason into a dozen lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

from rich.console import Console
from rich.text import Text

from claimgraph.cli.common.check_printing import NAMES, cut, print_lines
from claimgraph.cli.common.printing import COLOURS
from claimgraph.kgstore.id_search import SHOWN
from claimgraph.kgstore.model import Outcome

Row = Mapping[str, Any]


def print_verdicts(rows: Iterable[Row]) -> None:
    """Print three lines a statement, in the order of the rows; claims of a statement with equal verdicts once."""
    first = {(row["document"], row["statement"], row["outcome"], row["method"]): row for row in reversed(list(rows))}
    console, shown = Console(), list(reversed(first.values()))
    print_lines(console, (cut(line, console.width) for row in shown for line in _verdict(row)))
    if not shown:
        console.print("no such verdict in the store")


def print_disagreements(rows: Sequence[Row]) -> None:
    """Print a claim with its text, then a line for each method: its verdict, whether that holds, and its reason."""
    console = Console()
    for _, some in groupby(rows, key=itemgetter("claim")):
        verdicts = list(some)
        print_lines(console, [cut(line, console.width) for line in _disagreement(verdicts)])
    if not rows:
        console.print("no claim on which methods disagree")


def print_history(rows: Iterable[Row]) -> None:
    """Print all verdicts on a claim, the reason of each as long as it is."""
    console = Console()
    for row in rows:
        holds = "  holds" if row["holds"] else ""
        print_lines(console, [Text.assemble(_outcome(row), f"  by {row['method']}, {_when(row)}", (holds, "bold"))])
        console.print(Text(row["reason"]), highlight=False)


def _verdict(row: Row) -> Iterator[Text]:
    yield Text.assemble(_outcome(row), f"  {row['statement']}")
    yield Text(f"  {' '.join(row['reason'].split())}")
    yield Text(f"  {row['claim'][:SHOWN]}  {_name(row)}, by {row['method']}, {_when(row)}", style="dim")


def _disagreement(rows: Sequence[Row]) -> Iterator[Text]:
    yield Text.assemble((rows[0]["statement"], "bold"), f"  {rows[0]['claim'][:SHOWN]}, {_name(rows[0])}")
    for row in rows:
        by = f"  {row['method']}{' (holds)' if row['holds'] else ''}: {' '.join(row['reason'].split())}"
        yield Text.assemble("  ", _outcome(row), by)


def _outcome(row: Row) -> tuple[str, str]:
    outcome = Outcome(row["outcome"])
    return NAMES[outcome], f"bold {COLOURS[outcome.value]}"


def _name(row: Row) -> str:
    return str(row["documentName"] or row["document"][:SHOWN])


def _when(row: Row) -> str:
    return f"{row['createdAt']:%Y-%m-%d %H:%M}"

"""Print runs of many documents: the list, one with its documents, and what is parked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from claimgraph.cli.common.check_printing import NAMES
from claimgraph.cli.common.printing import counted, print_table, typer_echo
from claimgraph.kgstore.id_search import SHOWN
from claimgraph.kgstore.model import Outcome
from claimgraph.runs.runs_report import in_words

_RUNS = ("run", "kind", "status", "done", "submitted")
_PARKED = ("name", "document", "task", "attempts", "error")
_DOCUMENTS = ("name", "status", "refuted", "open", "supported", "document", "error")


def print_runs(found: Sequence[Mapping[str, Any]]) -> None:
    """Print runs (runs_report.as_json), a row each."""
    if found:
        print_table(_RUNS, map(_run, found))
    else:
        typer_echo("no runs yet: claimgraph submit FOLDER --context FILE makes one")


def print_parked(found: Sequence[Mapping[str, Any]]) -> None:
    """Print parked jobs (runs_report.parked_json), a row each."""
    if found:
        print_table(_PARKED, ([_short(job, column) for column in _PARKED] for job in found))
    else:
        typer_echo("nothing is parked")


def print_run(found: Mapping[str, Any]) -> None:
    """Print one run (runs_report.in_full): how far it is, its documents, its statements by outcome, and the work."""
    typer_echo(in_words(found))
    if documents := found["documents"]:
        columns = [column for column in _DOCUMENTS if column != "error" or any(row["error"] for row in documents)]
        rows = ({**row, "open": row["not_enough_info"]} for row in documents)
        print_table(columns, ([_short(row, column) for column in columns] for row in rows))
    if more := found["total"] - len(documents):
        typer_echo(f"and {more} more; --limit shows them")
    counts = (f"{count:,} {NAMES[Outcome(outcome)].lower()}" for outcome, count in found["statements"].items())
    typer_echo(f"Statements: {', '.join(counts)}. Work: {_spent(**found['spent'])}")


def _spent(seconds: float, calls: int, tokens: int) -> str:
    asked = f", {counted(calls, 'call')} and {counted(tokens, 'token')} of a language model" if calls else ""
    return f"{seconds:.1f} s{asked}"


def _run(run: Mapping[str, Any]) -> list[str]:
    counts = [f"{run[key]} {key}" for key in ("failed", "parked") if run[key]]
    done = ", ".join([f"{run['done']:,} of {run['total']:,}", *counts])
    status = f"{run['status']}: {run['reason']}" if run["reason"] else run["status"]
    return [run["id"][:SHOWN], run["kind"], status, done, f"{run['created_at']:%Y-%m-%d %H:%M}"]


def _short(row: Mapping[str, Any], column: str) -> Any:
    return row[column][:SHOWN] if column == "document" and row[column] else row[column]

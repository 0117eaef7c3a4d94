"""The five papers' tables beside ours: `python -m benchmarks.papers [PAPER ...] [--language-model too]`.

One Markdown table a paper: what the paper prints, what the command gives without a language model, what it gives with a
small one (scripts/language_model.py), how many rows that rests on, and the command. `tables.toml` holds the rows. A
command is run once: its figures go into a journal as they come, and the answers of the language model into the store of
the work folder, so a run that was stopped goes on where it was. With --print nothing is run. Data sets are read from
../shared/data beside the repository.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "scripts"))

import language_model  # noqa: E402

UNKNOWN, NOT_RUN = "–", "not measured"


@dataclass(frozen=True, slots=True)
class Row:
    """A figure of a paper: its name, what is printed, the command of ours, where its JSON has figure and number of
    rows, and the same command with a language model. Without one of the two the text is empty. What `prepare` names is
    run before.
    """

    paper: str
    what: str
    published: str
    command: str
    figure: str
    count: str
    asking: str = ""
    prepare: tuple[str, ...] = ()


class Journal:
    """Figures of commands that were run, a line each; a later line of the same command counts."""

    def __init__(self, path: Path) -> None:
        self._path = path
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        self._found: dict[str, Any] = {one["command"]: one["found"] for one in map(json.loads, lines)}

    def get(self, command: str) -> Any:
        """The JSON that the command printed, None where it was not run."""
        return self._found.get(command)

    def add(self, command: str, found: Any, seconds: float) -> None:
        """Keep what a command printed."""
        self._found[command] = found
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"command": command, "seconds": round(seconds), "found": found}) + "\n")


@dataclass(frozen=True, slots=True)
class Work:
    """Runs commands that the journal lacks, with those folders for `{data}` and `{work}`; one that fails is told and
    left out.
    """

    journal: Journal
    folders: Mapping[str, Path]
    environment: Mapping[str, str]

    def run(self, commands: Iterable[str], more: Mapping[str, str] = MappingProxyType({})) -> None:
        """Run each once, in order; `more` is added to the environment."""
        for command in filter(None, dict.fromkeys(commands)):
            if self.journal.get(command) is None:
                self._run(command, {**os.environ, **self.environment, **more})

    def _run(self, command: str, environment: Mapping[str, str]) -> None:
        words = command.format_map(self.folders).split()
        if words[0] == "python":
            words[0] = sys.executable
        else:
            words.insert(0, str(Path(sys.executable).with_name("claimgraph")))
        start = time.monotonic()
        done = subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
        seconds = time.monotonic() - start
        if done.returncode:
            print(f"{command}: {(done.stderr.strip().splitlines() or ['failed'])[-1]}", file=sys.stderr, flush=True)
            return
        print(f"{seconds:.0f} s: {command}", file=sys.stderr, flush=True)
        self.journal.add(command, json.loads(done.stdout) if "--json" in words else {}, seconds)


def main() -> None:
    """Run what was not run, and print the tables."""
    given = _arguments()
    given.work.mkdir(parents=True, exist_ok=True)
    rows = [row for row in read(HERE / "tables.toml") if not given.paper or row.paper in given.paper]
    journal = Journal(given.work / "journal.jsonl")
    environment = {"CLAIMGRAPH_STORE": str(given.work / "store"), "CLAIMGRAPH_CACHE": str(given.work / "cache")}
    if not given.print:
        work = Work(journal, {"data": given.data, "work": given.work}, environment)
        alone = [] if given.language_model == "alone" else [row.command for row in rows]
        work.run([*(command for row in rows for command in row.prepare), *alone])
        with _model(given) as asked:
            if asked:
                work.run([row.asking for row in rows], asked)
    for paper in dict.fromkeys(row.paper for row in rows):
        print(f"### {paper}\n\n{table([row for row in rows if row.paper == paper], journal)}\n")


def read(path: Path) -> list[Row]:
    """The rows of the tables."""
    papers = tomllib.loads(path.read_text(encoding="utf-8"))["paper"]
    return [
        Row(paper["name"], prepare=tuple(paper.get("prepare", ())), **row) for paper in papers for row in paper["row"]
    ]


def table(rows: list[Row], journal: Journal) -> str:
    """One paper's rows in Markdown."""
    lines = [
        "| figure | published | ours | with a 1.5 B model | n | command |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for row in rows:
        found = {command: journal.get(command) for command in (row.command, row.asking)}
        counts = [_shown(_at(one, row.count)) for one in found.values() if one is not None]
        cells = [row.what, row.published, *(_cell(row.figure, command, one) for command, one in found.items())]
        lines.append(f"| {' | '.join(cells)} | {', '.join(dict.fromkeys(counts)) or UNKNOWN} | {_commands(row)} |")
    return "\n".join(lines)


def _cell(figure: str, command: str, found: Any) -> str:
    """A row's figure for people: unknown where there is no command for it, not measured where that was not run."""
    return NOT_RUN if command and found is None else _shown(_at(found, figure))


def _commands(row: Row) -> str:
    """The commands of a row as a reader types them."""
    asked = [one.replace("{data}/", "") for one in (row.command, row.asking) if one]
    return "; ".join(f"`{one if one.startswith('python ') else f'claimgraph {one}'}`" for one in asked)


def _at(found: Any, path: str) -> Any:
    """The value at a path of keys and places ("levels.0.n"); several with spaces between."""
    if " " in path:
        return [_at(found, one) for one in path.split()]
    for key in path.split("."):
        if isinstance(found, list) and int(key) < len(found):
            found = found[int(key)]
        else:
            found = found.get(key) if isinstance(found, Mapping) else None
    return found


def _shown(value: Any) -> str:
    """A value for people; several with commas, an interval among them in brackets, unknown ones together as one."""
    if isinstance(value, list):
        cells = [f"[{_shown(one)}]" if isinstance(one, list) else _shown(one) for one in value]
        return ", ".join(cells) if set(cells) - {UNKNOWN} else UNKNOWN
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_shown(one)}" for key, one in value.items()) or "none"
    if value is None:
        return UNKNOWN
    return f"{value:.3f}" if isinstance(value, float) else str(value)


@contextmanager
def _model(given: argparse.Namespace) -> Iterator[dict[str, str] | None]:
    """The settings of the small language model, served while the block lasts; None where none is wanted."""
    if given.language_model == "no":
        yield None
        return
    path = language_model.fetch(given.models)
    with language_model.serving(path, language_model.NAME, threads=given.threads) as served:
        yield {
            "CLAIMGRAPH_LLM_BASE_URL": served.url,
            "CLAIMGRAPH_LLM_MODEL": served.model,
            "CLAIMGRAPH_LLM_TIMEOUT": "3600",
            "CLAIMGRAPH_LLM_MAX_CONCURRENCY": "1",
        }


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="The five papers' tables beside ours.")
    parser.add_argument("paper", nargs="*", help="only these")
    parser.add_argument(
        "--language-model", choices=("no", "too", "alone"), default="no", help="whether to run what asks one"
    )
    parser.add_argument("--models", type=Path, default=language_model.folder(), help="where the model lies")
    parser.add_argument("--threads", type=int, default=1, help="of the language model")
    parser.add_argument("--work", type=Path, default=ROOT / ".papers", help="journal, store and cache")
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--print", action="store_true", help="run nothing")
    return parser.parse_args()


if __name__ == "__main__":
    main()

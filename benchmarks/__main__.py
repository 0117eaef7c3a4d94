"""The benchmark suite: `make bench`, or `python -m benchmarks [--full] [--only NAME ...] [--write]`.

Every module of benchmarks/rows measures some work beside a baseline in this run: read the ratios, since times are of
one machine and moment. Prints the table and, with --json, an object a figure; --write puts both into
docs/performance.md and docs/performance.json, in the place of the rows measured. --full takes the sizes that the goals
speak of, and minutes.
"""

from __future__ import annotations

import argparse
import json
import os
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from benchmarks import rows
from benchmarks.figures import COLUMNS, Figure, table

DOCS = Path(__file__).resolve().parents[1] / "docs"
BEGIN, END = "<!-- begin: make bench -->\n", "<!-- end: make bench -->\n"
NAMES = sorted(module.name for module in iter_modules(rows.__path__))


def main() -> None:
    """Measure, print, write."""
    given = _arguments()
    found: dict[str, list[Figure]] = {}
    print(COLUMNS, flush=True)
    for name in given.only or NAMES:
        found[name] = []
        for figure in import_module(f"benchmarks.rows.{name}").measured(full=given.full):
            found[name].append(figure)
            print(figure.row(), flush=True)
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    if given.json:
        print(json.dumps([figure.as_json() for some in found.values() for figure in some], indent=1))
    if given.write:
        write(found)


def write(found: dict[str, list[Figure]]) -> None:
    """Put figures into the documents; those of rows that were not measured stay."""
    kept = DOCS / "performance.json"
    known = json.loads(kept.read_text()) if kept.exists() else {}
    known |= {name: [figure.as_json() for figure in some] for name, some in found.items()}
    known = {name: known[name] for name in NAMES if name in known}
    kept.write_text(json.dumps(known, indent=1, ensure_ascii=False) + "\n")
    figures = [Figure(**{k: v for k, v in one.items() if k != "times"}) for some in known.values() for one in some]
    page = DOCS / "performance.md"
    before, _, rest = page.read_text().partition(BEGIN)
    page.write_text(f"{before}{BEGIN}{table(figures)}\n{END}{rest.partition(END)[2]}")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="benchmarks", description="Work beside its baselines.")
    parser.add_argument("--full", action="store_true", help="the sizes the goals speak of")
    parser.add_argument("--only", nargs="+", choices=NAMES, help="these rows alone")
    parser.add_argument("--json", action="store_true", help="print an object a figure, too")
    parser.add_argument("--write", action="store_true", help="into docs/performance.md and .json")
    return parser.parse_args()


if __name__ == "__main__":
    main()

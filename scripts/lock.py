"""Print the part of requirements.lock that claimgraph needs with some extras: `lock.py EXTRA ...`.

`lock.py --build` prints what builds packages from their sources. The lock is written by `make lock` and holds every
version once for all extras, with the sha256 of each of its archives and the packages that require it. pip reads no
hashes from constraints, and installs all that a list of requirements names, so it is given this part of the list.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parents[1]


def part(wanted: Iterable[str]) -> str:
    """Return the lines of the lock for packages of these names and all that they require, in the lock's order."""
    locked = _locked()
    names, size = set(wanted), -1
    while len(names) > size:
        size = len(names)
        names |= {name for name, (_, parents) in locked.items() if parents & names}
    missing = names - locked.keys()
    if missing:
        raise SystemExit(f"requirements.lock lacks {', '.join(sorted(missing))}: run `make lock`")
    return "".join(lines for name, (lines, _) in locked.items() if name in names)


def _locked() -> dict[str, tuple[str, set[str]]]:
    """Each package of the lock: its line with hashes, and the packages that require it."""
    found: dict[str, tuple[str, set[str]]] = {}
    for block in re.split(r"(?m)^(?=\w)", (ROOT / "requirements.lock").read_text()):
        if "==" in block:
            lines, _, why = block.partition("    # via")
            parents = {_name(word) for word in re.findall(r"[\w.-]+", why.replace("claimgraph (pyproject.toml)", ""))}
            found[_name(block)] = (lines, parents)
    return found


def required(extras: Iterable[str]) -> set[str]:
    """Return the names of what pyproject.toml requires with these extras, and with the extras that they name."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    lines, left = list(project["dependencies"]), list(extras)
    while left:
        for line in project["optional-dependencies"][left.pop()]:
            own = re.fullmatch(r"claimgraph\[(.*)\]", line)
            left += own[1].split(",") if own else []
            lines += [] if own else [line]
    return {_name(line) for line in lines}


def _name(requirement: str) -> str:
    """The normal name of the package that a requirement begins with."""
    return re.sub(r"[-_.]+", "-", re.split(r"[^\w.-]", requirement)[0]).lower()


if __name__ == "__main__":
    words = sys.argv[1:]
    sys.stdout.write(part({"editables", "hatchling", "setuptools"} if words == ["--build"] else required(words)))

"""Write docs/cli.md and docs/settings.md from the code: `python scripts/reference.py [FOLDER]`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from claimgraph.settings import describe

_SETTINGS = """# Settings

A value is taken from the first of: the environment, `.env` in the working folder, `claimgraph.toml` in the working
folder, `claimgraph.toml` in the user's configuration folder, the default. In `claimgraph.toml` the keys are the names
of the first column.

The working folder may be another's. Its two files send no secret of yours away: a password or key that stands in the
environment or in your configuration folder is refused to an address that stands in the working folder. Where they say
where data goes, a command tells it once. `claimgraph --no-config ...` (`CLAIMGRAPH_NO_CONFIG=1`) ignores them.

| name | variable | default | unit | what it is |
| --- | --- | --- | --- | --- |
"""


def settings() -> str:
    """The settings table as a page."""
    return _SETTINGS + "".join(map(_row, describe()))


def _row(row: dict[str, str]) -> str:
    default = f"`{row['default']}`" if row["default"] else ""
    return f"| {row['name']} | `{row['env']}` | {default} | {row['unit']} | {row['help']} |\n"


def main(folder: Path) -> None:
    """Write both pages into the folder."""
    (folder / "settings.md").write_text(settings(), encoding="utf-8")
    page = str(folder / "cli.md")
    command = ["typer", "claimgraph.cli.app", "utils", "docs", "--name", "claimgraph", "--output", page]
    subprocess.run([sys.executable, "-m", *command], check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent.parent / "docs")

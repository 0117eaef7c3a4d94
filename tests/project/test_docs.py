"""The documents say what the code does."""

from __future__ import annotations

import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

import claimgraph

ROOT = Path(__file__).parents[2]


def test_every_export_is_there() -> None:
    """Every name of `claimgraph.__all__` can be imported and has a docstring."""
    assert [] == [name for name in claimgraph.__all__ if not getattr(claimgraph, name).__doc__]


def test_links_lead_somewhere() -> None:
    """Every relative link in the documents names a file that exists."""
    broken = []
    for page in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]:
        for target in re.findall(r"\]\(([^)#]+)", page.read_text(encoding="utf-8")):
            if "://" not in target and not (page.parent / target).exists():
                broken.append(f"{page.name}: {target}")
    assert [] == broken


def test_reference_is_what_the_code_says(tmp_path: Path) -> None:
    """docs/cli.md and docs/settings.md are what scripts/reference.py makes of the commands and settings."""
    subprocess.run([sys.executable, str(ROOT / "scripts" / "reference.py"), str(tmp_path)], check=True)
    for page in ("cli.md", "settings.md"):
        assert (tmp_path / page).read_text(encoding="utf-8") == (ROOT / "docs" / page).read_text(encoding="utf-8")


def test_picture_is_what_a_check_reports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """docs/check.svg is what scripts/picture.py draws of the bundled text's verdicts."""
    monkeypatch.setattr(sys, "argv", ["picture.py", str(tmp_path / "check.svg")])
    runpy.run_path(str(ROOT / "scripts" / "picture.py"), run_name="__main__")
    drawn, shown = (folder / "check.svg" for folder in (tmp_path, ROOT / "docs"))
    assert shown.read_text(encoding="utf-8") == drawn.read_text(encoding="utf-8")


def test_files_and_modules_named_in_the_documents_exist() -> None:
    """Paths of this repository, and what is run as `python FILE` or `python -m MODULE`, are there."""
    rooms = "claimgraph|detect|kgstore|retrieval|workers|cypher|benchmarks|scripts|training|docs|tests"
    absent = []
    for page in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]:
        text = page.read_text(encoding="utf-8")
        paths = re.findall(rf"(?<![\w./~-])((?:{rooms})/[\w./*-]*\w)", text)
        modules = [
            f"{name.replace('.', '/')}.py" for name in re.findall(r"python -m ((?:training|claimgraph)[\w.]*)", text)
        ]
        absent += [f"{page.name}: {path}" for path in (*paths, *modules) if not list(ROOT.glob(path))]
    assert [] == absent

"""The documents say what the code does."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import claimgraph

ROOT = Path(__file__).parent.parent


def test_readme_example_runs() -> None:
    """The README's Python example runs as it stands and refutes what it should."""
    code = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    done = subprocess.run([sys.executable, "-c", "\n".join(code)], capture_output=True, text=True, check=False)
    assert (0, "") == (done.returncode, done.stderr)
    assert "REFUTED | Marie Curie was born in Paris" in done.stdout
    assert "'claimed': 'Paris'" in done.stdout


def test_every_export_is_there() -> None:
    """Every name of `claimgraph.__all__` can be imported and has a docstring."""
    assert [] == [name for name in claimgraph.__all__ if not getattr(claimgraph, name).__doc__]


def test_links_lead_somewhere() -> None:
    """Every relative link in the documents names a file that exists."""
    broken = []
    for page in [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")]:
        for target in re.findall(r"\]\(([^)#]+)", page.read_text(encoding="utf-8")):
            if "://" not in target and not (page.parent / target).exists():
                broken.append(f"{page.name}: {target}")
    assert [] == broken


def test_reference_is_what_the_code_says(tmp_path: Path) -> None:
    """docs/cli.md and docs/settings.md are what scripts/reference.py makes of the commands and settings."""
    subprocess.run([sys.executable, str(ROOT / "scripts" / "reference.py"), str(tmp_path)], check=True)
    for page in ("cli.md", "settings.md"):
        assert (tmp_path / page).read_text(encoding="utf-8") == (ROOT / "docs" / page).read_text(encoding="utf-8")

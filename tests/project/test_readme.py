"""README from top to bottom: each command prints what is shown under it. Every command the documents name exists."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import command
import pytest
from known_commands import known

ROOT = Path(__file__).parents[2]
PAGES = sorted({*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")} - {ROOT / "docs" / "cli.md"})


def blocks(page: Path, language: str) -> list[str]:
    """The fenced blocks of that language in a page."""
    return re.findall(rf"```{language}\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)


def sessions(page: Path) -> Iterator[tuple[list[str], str]]:
    """The words of each command after a `$`, and the output shown under it, in order."""
    for block in blocks(page, "console"):
        for part in block.split("$ claimgraph ")[1:]:
            given, _, shown = part.partition("\n")
            yield shlex.split(given), shown.rstrip("\n")


def test_every_output_is_what_the_command_prints(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands run in their order on an empty store print what README shows; a line "…" stands for lines left out."""
    monkeypatch.chdir(ROOT)
    env = {"CLAIMGRAPH_STORE": str(tmp_path / "store"), "CLAIMGRAPH_CACHE": str(tmp_path / "cache"), "COLUMNS": "80"}
    shown = list(sessions(ROOT / "README.md"))
    assert 3 <= len(shown)
    for arguments, output in shown:
        done = command.run(*arguments, env=env)
        assert done.returncode == (arguments[0] == "check"), done.stderr
        left_out = r"(?:.*\n)*?"
        pattern = "".join(left_out if line == "…" else re.escape(line) + "\n" for line in without_scores(output))
        assert re.fullmatch(pattern, "\n".join(without_scores(done.stdout)) + "\n"), done.stdout


def test_the_example_in_python_prints_what_stands_under_it(capsys: pytest.CaptureFixture[str]) -> None:
    """The example runs as it stands."""
    [code], [shown] = blocks(ROOT / "README.md", "python"), blocks(ROOT / "README.md", "text")
    exec(compile(code, "README.md", "exec"), {})
    assert (shown, "") == capsys.readouterr()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_command_in_the_documents_exists(page: Path) -> None:
    """Commands and options named in code, in line or in blocks, are those of the command line."""
    unknown = [said for said in commands(page.read_text(encoding="utf-8")) if not known(said)]
    assert [] == unknown


def commands(text: str) -> Iterator[str]:
    """What stands after `claimgraph ` in code: to the end of the line, or of the inline code."""
    for block in re.findall(r"```(?:sh|console)\n(.*?)```", text, re.DOTALL):
        for line in block.replace("\\\n", " ").splitlines():
            yield from re.findall(r"^(?:\$ )?(?:[A-Z_]+=\S+ )*claimgraph ([^#|&;]+)", line)
    for line in re.findall(r"^    claimgraph (.+)$", text, re.MULTILINE):
        yield line.partition("  #")[0]
    outside = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    for said in re.findall(r"`claimgraph ([^`]+)`", outside):
        yield " ".join(said.split())


def without_scores(output: str) -> list[str]:
    """Return the lines with all scores as 0.00 and all seconds as 0.0 s: a new training and another machine
    move them.
    """
    given = re.sub(r"\b[01]\.\d\d\b", "0.00", re.sub(r"\b\d+\.\d s\b", "0.0 s", output))
    return [line.rstrip() for line in given.rstrip("\n").split("\n")]

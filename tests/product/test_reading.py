"""What counts as a text, a file or a mistake."""

from __future__ import annotations

from pathlib import Path

import pytest

from claimgraph.input_texts import parse_since, read_argument, read_file
from claimgraph.kgstore.errors import InputError


def test_existing_path_is_read(tmp_path: Path) -> None:
    """An argument that is a file is its text, with the file's name."""
    path = tmp_path / "a.txt"
    path.write_text("Ein Text.", encoding="utf-8")
    document = read_argument(str(path), 1)
    assert ("Ein Text.", "a.txt") == (document.text, document.name)


@pytest.mark.parametrize("text", ["Paris is in France.", "Yes", "e.g. this and/or that", "Wow!"])
def test_other_words_are_the_text(text: str) -> None:
    """An argument that is no file and does not look like one is the text itself."""
    assert text == read_argument(text, 1).text


@pytest.mark.parametrize("argument", ["missing.txt", "folder/missing", "./x", "C:\\x"])
def test_missing_path_is_an_error(argument: str) -> None:
    """A word that looks like a path and is none is refused instead of being checked as a text."""
    with pytest.raises(InputError, match="no file"):
        read_argument(argument, 1)


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b"", "empty"),
        (b" \n", "empty"),
        (b"\x7fELF\0\0", "binary"),
        (b"caf\xe9", "byte 3 is 0xe9"),
        (b"a" * 2**21, "1 MiB"),
    ],
)
def test_unusable_file_is_one_line(tmp_path: Path, data: bytes, line: str) -> None:
    """An empty, binary, badly encoded or too large file is an InputError saying which."""
    path = tmp_path / "f"
    path.write_bytes(data)
    with pytest.raises(InputError, match=line):
        read_file(path, 1)


def test_dates_are_utc() -> None:
    """A date without a time zone is midnight in UTC; anything else is refused."""
    assert "2026-01-31T00:00:00+00:00" == parse_since("2026-01-31").isoformat()
    with pytest.raises(InputError):
        parse_since("yesterday")

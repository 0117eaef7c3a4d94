"""Files, folders and JSON lines as what is to be submitted: all of it, or one line on what is wrong."""

from __future__ import annotations

import gzip
import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from written_files import docx, pdf

from claimgraph.input_texts import document_from_text
from claimgraph.kgstore.errors import InputError, UsageError
from claimgraph.kgstore.runs.jobs import Budget
from claimgraph.runs.submitted import ReadingOptions, asked_for
from claimgraph.wiring.checker import distinct
from claimgraph.workers.submission.planning import Asked
from claimgraph.workers.submission.submit import Item

CONTEXT = document_from_text("Ann was born in Oslo.", 1, "the context")


def read(*paths: str, lines: str | None = None, kind: str = "check", graphs: tuple[str, ...] = ()) -> list[Item]:
    """What is given, with a context for all where it is checked and no graph is asked."""
    asked = Asked(kind, graphs=graphs)
    contexts = (CONTEXT,) if kind == "check" and not graphs else ()
    with ReadingOptions(asked, 1, contexts).given(paths, lines) as items:
        return list(items)


def rows(folder: Path, *found: Any) -> str:
    """A JSON lines file with these lines."""
    file = folder / "rows.jsonl"
    file.write_text("".join(f"{row if isinstance(row, str) else json.dumps(row)}\n" for row in found), "utf-8")
    return str(file)


def test_a_folder_of_texts(tmp_path: Path) -> None:
    """Texts of a folder come sorted, named by their place in it; hidden files and folders and other files are left."""
    for name in ("b.txt", "a.MD", "sub/c.txt", "sub/.d.txt", ".git/e.txt", "f.csv", "g"):
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(f"This is {name}.", "utf-8")
    found = [item.document for item in read(str(tmp_path))]
    assert ["a.MD", "b.txt", "sub/c.txt"] == [document.name for document in found if document]
    assert ["This is a.MD.", "This is b.txt."] == [document.text for document in found[:2] if document]
    assert ["g", "a.MD"] == [i.document.name for i in read(str(tmp_path / "g"), str(tmp_path / "a.MD")) if i.document]


def test_files_of_every_format(tmp_path: Path) -> None:
    """PDF, Word and HTML files of a folder are texts too; a pattern takes those that match it."""
    pdf(tmp_path / "a.pdf", "Ann was born in Oslo.")
    docx(tmp_path / "b.docx", "Ann lives in Rome.")
    (tmp_path / "c.html").write_text("<p>Ann is a <b>painter</b>.</p>", "utf-8")
    (tmp_path / "d.txt").write_text("Ann sings.", "utf-8")
    texts = {document.name: document.text for item in read(str(tmp_path)) if (document := item.document)}
    expected = ("Ann was born in Oslo.", "Ann lives in Rome.", "Ann is a painter.", "Ann sings.")
    assert dict(zip(("a.pdf", "b.docx", "c.html", "d.txt"), expected, strict=True)) == texts
    assert ["d.txt"] == [item.document.name for item in read(str(tmp_path / "*.txt")) if item.document]
    with pytest.raises(InputError, match="no file matches"):
        read(str(tmp_path / "*.odt"))


@pytest.mark.parametrize(
    ("content", "says"), [(b"", "empty"), (b"a\0b", "binary"), (b"\xff\xfea", "not UTF-8"), (b"x" * 2**21, "larger")]
)
def test_one_bad_file_is_said(tmp_path: Path, content: bytes, says: str) -> None:
    """An empty, binary, undecodable or too large file among good ones is named before anything is yielded."""
    (tmp_path / "a.txt").write_text("Fine.", "utf-8")
    (tmp_path / "b.txt").write_bytes(content)
    with pytest.raises(InputError, match=says) as caught:
        read(str(tmp_path))
    assert str(tmp_path / "b.txt") in str(caught.value)


def test_what_cannot_be_submitted(tmp_path: Path) -> None:
    """Nothing, both ways at once, a folder without texts, JSON lines as a text, standard input among others."""
    (tmp_path / "empty").mkdir()
    for paths, lines, says in (
        ((), None, "say what to submit"),
        (("a",), "b", "say what to submit"),
        ((str(tmp_path / "empty"),), None, "no file there ends in .txt or .md"),
        (("rows.jsonl",), None, "--jsonl"),
        (("-", "a"), None, "goes alone"),
        ((str(tmp_path / "none"),), None, "No such file"),
        ((), str(tmp_path / "none"), "no such file"),
    ):
        with pytest.raises(InputError, match=says):
            read(*paths, lines=lines)


def test_rows_with_contexts(tmp_path: Path) -> None:
    """A row has a text, and may have context, name, graphs and question; a labelled file's row is one too."""
    file = rows(
        tmp_path,
        {"text": "Ann was born in Rome.", "context": "Ann.", "name": "one", "graphs": ["people"], "question": "Where?"},
        {"id": 7, "output": "Bob was born.", "context": "Bob.", "label": 1},
        {"text": "Only a text."},
        {"text": "Ann was born.", "context": ["Ann.", "Bob."]},
    )
    first, second, third, fourth = read(lines=file)
    assert ("one", "Ann was born in Rome.", "Ann.", ["people"], "Where?") == _parts(first)
    assert ("7", "Bob was born.", "Bob.", [], None) == _parts(second)
    assert (CONTEXT,) == third.context
    assert (None, "Ann was born.", "Ann. | Bob.", [], None) == _parts(fourth)


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ('{"text": "a"', "not JSON"),
        ("[1]", "not a JSON object"),
        ({"text": 3}, "'text' is no string"),
        ({"context": "a"}, "no text under 'text'"),
        ({"text": " "}, "empty"),
        ({"text": "a", "context": ""}, "line 3, context: empty"),
        ({"text": "a", "context": ["a", 3]}, "'context' is no string, and no list of strings"),
        ({"text": "a", "graphs": "people"}, "'graphs' is no list"),
        ('{"text": "\\ud800"}', "not JSON"),
    ],
)
def test_a_bad_row_is_named(tmp_path: Path, row: Any, says: str) -> None:
    """A row that cannot be used is one line with file and line number, and nothing is yielded before."""
    file = rows(tmp_path, {"text": "Fine."}, "", row)
    with pytest.raises(InputError, match=says) as caught:
        read(lines=file)
    assert f"{file}, line 3" in str(caught.value)


def test_a_text_needs_something_to_check_against(tmp_path: Path) -> None:
    """A row without context or graphs is named, unless graphs are asked for all."""
    file = rows(tmp_path, {"text": "One.", "context": "One."}, {"text": "Two."})
    with (
        pytest.raises(UsageError, match="line 2: nothing to check against"),
        ReadingOptions(Asked(), 1).given((), file),
    ):
        pass
    assert 2 == len(read(lines=file, graphs=("people",)))


def test_questions(tmp_path: Path) -> None:
    """To be answered, a file is one question a line, and a row is its question; blank lines are none."""
    text = tmp_path / "questions.txt"
    text.write_text("Where was Ann born?\n\n  Who is Bob? \n", "utf-8")
    expected = ["Where was Ann born?", "Who is Bob?"]
    assert expected == [item.question for item in read(str(text), kind="ask")]
    file = rows(tmp_path, {"question": expected[0], "graphs": ["people"]}, {"question": expected[1], "text": 3})
    found = read(lines=file, kind="ask")
    assert expected == [item.question for item in found]
    assert [None, None] == [item.document for item in found]
    with pytest.raises(InputError, match="line 1: no text under 'question'"):
        read(lines=rows(tmp_path, {"text": "Where?"}), kind="ask")


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    """`-` is JSON lines on standard input, compressed or not; what is wrong in it is named so."""
    line = json.dumps({"text": "Ann."}).encode()
    for content in (line, gzip.compress(line)):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
        assert ["Ann."] == [item.document.text for item in read("-") if item.document]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"{}")))
    with pytest.raises(InputError, match="standard input, line 1: no text"):
        read(lines="-")


@settings(max_examples=30, deadline=None)
@given(st.lists(st.text(st.characters(codec="utf-8"), min_size=1).filter(str.strip), min_size=1, max_size=5))
def test_any_text_comes_through(tmp_path_factory: pytest.TempPathFactory, texts: list[str]) -> None:
    """What JSON lines say is what is submitted, in order; but NUL makes a text binary."""
    file = rows(tmp_path_factory.mktemp("rows"), *({"text": text} for text in texts))
    if any("\0" in text for text in texts):
        with pytest.raises(InputError, match="binary"):
            read(lines=file)
        return
    found = [item.document.text for item in read(lines=file) if item.document]
    assert [text.removeprefix("\ufeff") for text in texts] == found


def test_options_of_another_kind_are_refused() -> None:
    """An option that means nothing to the kind of work is named; those that were not given are left out."""
    for kind, options in (("ask", {"explain": True}), ("retrofit", {"methods": ["kea"]}), ("recheck", {"mode": "llm"})):
        with pytest.raises(UsageError, match=f"means nothing to {kind}"):
            asked_for(kind, bulk=False, budget=Budget(), **options)
    with pytest.raises(UsageError, match="'context' means nothing to ask"):
        asked_for("ask", bulk=False, budget=Budget(), contexts=(CONTEXT,))
    assert Asked(graphs=["people"], bulk=True) == asked_for(
        "check", bulk=True, budget=Budget(), contexts=(), graphs=["people"], methods=[], preset=None
    )


def _parts(item: Item) -> tuple[str | None, str, str, list[str], str | None]:
    assert item.document
    contexts = distinct(item.context)
    assert contexts
    said = " | ".join(one.text for one in contexts)
    return item.document.name, item.document.text, said, list(item.graphs), item.question

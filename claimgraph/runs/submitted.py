"""Read many documents from files, folders of texts, or JSON lines; all are validated before any is submitted.

An unreadable file among thousands is reported at once and nothing is submitted: half a submission would be a run of its
own, with an unexpected id. To leave such files out was rejected: a run would be complete without them. They are then
read a second time, one by one, since all of them may be more than memory holds. A row has the columns of labelled files
(labelled_files.py): `output` is a text too, and `id` a name.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

from claimgraph.input_texts import document_from_text, read_file, text_files
from claimgraph.kgstore.errors import InputError, UsageError
from claimgraph.kgstore.ingest.lines import Broken, SourceFile
from claimgraph.kgstore.ingest.readers import objects
from claimgraph.kgstore.model import Document
from claimgraph.kgstore.runs.jobs import Budget
from claimgraph.kgstore.store import GraphStore
from claimgraph.pipeline import NOTHING_TO_CHECK_AGAINST
from claimgraph.workers.submission.planning import Asked
from claimgraph.workers.submission.submit import Item, stale_items
from claimgraph.workers.tasks.task_table import ASK, CHECK, RECHECK, RETROFIT

_ALL = {"graphs", "extractor"}
_OPTIONS = {
    CHECK: {*_ALL, "context", "methods", "preset", "fetch", "explain", "correct"},
    RETROFIT: {*_ALL, "mode", "preset", "assume"},
    ASK: {"graphs", "mode"},
    RECHECK: {"graphs"},
}


def asked_for(kind: str, *, bulk: bool, budget: Budget, contexts: Sequence[Document] = (), **options: Any) -> Asked:
    """Return the request for a kind of work; `options` are fields of Asked by name, None or empty where not given.

    Raises UsageError for an option that this kind does not have.
    """
    given = {name: value for name, value in options.items() if value}
    for name in given | ({"context": contexts} if contexts else {}):
        if name not in _OPTIONS.get(kind, options):
            raise UsageError(f"{name!r} means nothing to {kind}; what does: {', '.join(sorted(_OPTIONS[kind]))}")
    return Asked(kind, bulk=bulk, budget=budget, **given)


def stale(store: GraphStore, graphs: Sequence[str] = ()) -> Iterator[Item] | None:
    """Return the documents to recheck (claimgraph.workers.submission.submit.stale_items); None where nothing is
    stale.
    """
    found = stale_items(store, graphs)
    first = next(found, None)
    return None if first is None else chain((first,), found)


@dataclass(frozen=True, slots=True)
class ReadingOptions:
    """Settings for reading a submission: texts of at most `max_mib`, with contexts for those without one of their own;
    questions where they are to be answered.
    """

    asked: Asked
    max_mib: float
    contexts: Sequence[Document] = ()

    @contextmanager
    def given(self, paths: Sequence[str], lines: str | None = None) -> Iterator[Iterator[Item]]:
        """Yield the items of files, folders and `-` (JSON lines on standard input), or of the JSON lines file `lines`;
        in order.

        All of it has been validated. Raises InputError, naming file and line, for the first that cannot be used;
        UsageError for none or for both.
        """
        if bool(paths) == (lines is not None):
            raise UsageError("say what to submit: files or folders, or JSON lines with --jsonl FILE")
        if "-" in paths and len(paths) > 1:
            raise UsageError("standard input (-) goes alone")
        if lines is None and "-" not in paths:
            yield _looked_through(partial(self._of_paths, paths))
            return
        with _again(lines or "-") as opened:
            yield _looked_through(partial(self._of_lines, opened))

    def item(self, row: Mapping[str, Any], where: str) -> Item:
        """Return the item of a row `{text, context, name, graphs, question}`, all but `text` optional; of questions
        `{question, graphs}`.

        `where` names the row in errors.
        """
        question, graphs = _string(row, "question", where), _graphs(row, where)
        if self.asked.kind == ASK:
            if not question or not question.strip():
                raise InputError(f"{where}: no text under 'question'")
            return Item(None, None, graphs, question)
        text, name = _string(row, "text", where), row.get("name", row.get("id"))
        text = _string(row, "output", where) if text is None else text
        if text is None:
            raise InputError(f"{where}: no text under 'text'")
        document = document_from_text(text, self.max_mib, where)
        document = document if name is None else replace(document, name=str(name))
        return self._grounded(Item(document, self._own_contexts(row, where), graphs, question), where)

    def _own_contexts(self, row: Mapping[str, Any], where: str) -> Sequence[Document]:
        texts = [row["context"]] if isinstance(row.get("context"), str) else row.get("context") or []
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            raise InputError(f"{where}: 'context' is no string, and no list of strings")
        if self.asked.kind != CHECK:
            return ()
        return [document_from_text(text, self.max_mib, f"{where}, context") for text in texts] or self.contexts

    def _grounded(self, item: Item, where: str) -> Item:
        graphs = item.graphs or self.asked.graphs or self.asked.fetch
        if self.asked.kind == CHECK and not item.context and not graphs:
            raise UsageError(f"{where}: {NOTHING_TO_CHECK_AGAINST}")
        return item

    def _of_paths(self, paths: Sequence[str]) -> Iterator[Item]:
        for path, name in (found for given in paths for found in _files(given)):
            document = replace(read_file(path, self.max_mib), name=_in_unicode(name), source=_in_unicode(str(path)))
            if self.asked.kind == ASK:
                yield from (Item(None, question=line.strip()) for line in document.text.splitlines() if line.strip())
            else:
                yield self._grounded(Item(document, self.contexts), str(path))

    def _of_lines(self, opened: Callable[[], SourceFile]) -> Iterator[Item]:
        with opened() as source:
            for found in objects(source):
                if isinstance(found, Broken):
                    raise InputError(f"{source.path}, line {found.line}: {found.reason}")
                number, row = found
                yield self.item(row, f"{source.path}, line {number}")


def _looked_through(read: Callable[[], Iterator[Item]]) -> Iterator[Item]:
    if not sum(1 for _ in read()):
        raise InputError("nothing to submit: no text or question there")
    return read()


@contextmanager
def _again(file: str) -> Iterator[Callable[[], SourceFile]]:
    """Yield a file that can be opened repeatedly; standard input is copied into one."""
    if file != "-":
        yield partial(SourceFile, Path(file))
        return
    with tempfile.TemporaryFile() as copy:
        shutil.copyfileobj(sys.stdin.buffer, copy)

        def opened() -> SourceFile:
            copy.seek(0)
            return SourceFile(Path("standard input"), os.fdopen(os.dup(copy.fileno()), "rb"))

        yield opened


def _files(argument: str) -> list[tuple[Path, str]]:
    if argument.lower().endswith(".jsonl"):
        raise UsageError(f"{argument}: JSON lines are given with --jsonl")
    return text_files(argument)


def _in_unicode(name: str) -> str:
    """Return a file's name, in which bytes that are not UTF-8 are question marks: no store takes them."""
    return name.encode("utf-8", "replace").decode("utf-8")


def _string(row: Mapping[str, Any], key: str, where: str) -> str | None:
    value = row.get(key)
    if value is not None and not isinstance(value, str):
        raise InputError(f"{where}: {key!r} is no string")
    return value


def _graphs(row: Mapping[str, Any], where: str) -> tuple[str, ...]:
    value = row.get("graphs") or []
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise InputError(f"{where}: 'graphs' is no list of names")
    return tuple(value)

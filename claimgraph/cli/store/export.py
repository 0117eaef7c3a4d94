"""`claimgraph export` and `claimgraph draw`: verdicts for other programs, and pictures of claims."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, BinaryIO

import typer

from claimgraph.cli.common.completion import ids
from claimgraph.exports.labels import LabelSet
from claimgraph.exports.writing import Form


def export(
    form: Annotated[Form, typer.Option("--format", help="See docs/export.md.")] = Form.JSONL,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="File to write; else standard output.")] = None,
    since: Annotated[str | None, typer.Option(help="Only verdicts given since this date, ISO 8601.")] = None,
    document: Annotated[
        str | None,
        typer.Option(help="Only this document's: its id, or how that begins.", autocompletion=ids("document")),
    ] = None,
    run: Annotated[str | None, typer.Option(help="Only on the texts of this run.")] = None,
    labels: Annotated[
        LabelSet | None, typer.Option(help="In jsonl, csv and parquet also the outcome in the words of another tool.")
    ] = None,
) -> None:
    """Write the verdicts that hold, with claims and evidence, in a form that other programs read."""
    from claimgraph import wiring
    from claimgraph.exports.judged import judged
    from claimgraph.exports.writing import write
    from claimgraph.input_texts import parse_since
    from claimgraph.kgstore.errors import UsageError
    from claimgraph.kgstore.id_search import find_id
    from claimgraph.runs import runs_report
    from claimgraph.settings import load_settings

    if labels and form not in (Form.JSONL, Form.CSV, Form.PARQUET):
        raise UsageError("--labels is one of jsonl, csv and parquet")
    start = parse_since(since) if since else None
    with wiring.open_store(load_settings(), read_only=True) as store, _opened(output) as file:
        batch = runs_report.full_id(store, run) if run else None
        key = find_id(store, document, ("document",)) if document else None
        count = write(form, judged(store, since=start, document=key, run=batch), file, labels)
    typer.echo(f"claimgraph: {count} verdicts", err=True)


def draw(
    of: Annotated[
        str,
        typer.Argument(
            metavar="CLAIM|DOCUMENT", help="Its id, or how that begins.", autocompletion=ids("claim", "document")
        ),
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="File to write: .svg, .png or .html.")],
) -> None:
    """Draw a claim beside its evidence, or the claims of a document, as SVG, PNG or a page."""
    from claimgraph import wiring
    from claimgraph.kgstore.errors import UsageError
    from claimgraph.kgstore.id_search import find_id
    from claimgraph.reports.drawing import picture
    from claimgraph.reports.picture_file import PICTURES, as_file
    from claimgraph.reports.stored_document import stored_claim, stored_document
    from claimgraph.settings import load_settings

    kind = output.suffix.lower()
    if kind not in PICTURES:
        raise UsageError(f"{output}: a picture is written as .svg, .png or .html")
    with wiring.open_store(load_settings(), read_only=True) as store:
        key = find_id(store, of, ("claim", "document"))
        found = stored_claim(store, key) if key.startswith("c1:") else stored_document(store, key)
        drawn = picture(store, found)
    output.write_bytes(as_file(drawn, kind, found.document.name or key))


@contextmanager
def _opened(output: Path | None) -> Iterator[BinaryIO]:
    """Yield the file, which appears under its name when it is whole, or standard output."""
    if output is None:
        yield sys.stdout.buffer
        return
    fresh = output.with_name(f".{output.name}.part")
    try:
        with fresh.open("wb") as file:
            yield file
        fresh.replace(output)
    finally:
        fresh.unlink(missing_ok=True)

"""`claimgraph extract` and `claimgraph eval-extract`: the claims of a text, and how good they are on labelled texts."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from claimgraph.cli.usage import DryRun

if TYPE_CHECKING:
    from kgstore.model import Extraction


class ExtractorName(StrEnum):
    """What reads claims."""

    RULES = "rules"
    RULES_NAMED = "rules-named"
    CORENLP = "corenlp"
    FACTALIGN = "factalign"
    FACTALIGN_UNFILTERED = "factalign-unfiltered"
    LLM = "llm"
    LLM_GRAPHEVAL = "llm-grapheval"
    LLM_KEA = "llm-kea"
    LLM_KGR = "llm-kgr"


def extract(
    text: Annotated[str, typer.Argument(help="The text, a file, or - for standard input.")],
    extractor: Annotated[
        ExtractorName | None, typer.Option(help="Which extractor; unset: the configured one.", show_default=False)
    ] = None,
    dry_run: DryRun = False,
    json: Annotated[bool, typer.Option("--json", help="Print the documented JSON object.")] = False,
) -> None:
    """Show the claims of a text, and what a language model read into it; nothing is checked."""
    from claimgraph import wiring
    from claimgraph.cli import usage
    from claimgraph.cli.printing import print_json
    from claimgraph.extracted import as_json
    from claimgraph.reading import read_argument
    from claimgraph.settings import load_settings
    from detect.extractions import config_of

    settings = load_settings()
    document = read_argument(text, settings.max_text)
    with wiring.opened_models(settings, dry_run=dry_run) as models:
        reads = wiring.extractor(settings, extractor.value if extractor else None, models)
        [found] = reads.extract([document])
    usage.rehearsed(models, json=json)
    if json:
        print_json(as_json(found, reads.name, config_of(reads)) | {"usage": usage.as_json(models)})
    else:
        _print(found)
    usage.say(models)


def _print(found: Extraction) -> None:
    from claimgraph.cli.printing import print_table, typer_echo
    from claimgraph.rejections import line

    columns = ("subject", "predicate", "object", "from", "to")
    print_table(columns, [(c.subject, c.predicate, c.object, c.span.start, c.span.end) for c in found.claims])
    typer_echo(f"{len(found.claims)} claims in {len(found.sentences)} sentences. Document {found.document.id}")
    for one in found.rejected:
        typer_echo(f"Rejected: {line(one)}")


def eval_extract(
    path: Annotated[
        Path, typer.Argument(help="Labelled texts as JSON lines, plain or .gz.", exists=True, dir_okay=False)
    ],
    extractor: Annotated[ExtractorName, typer.Option(help="Which extractor to measure.")] = ExtractorName.RULES,
    limit: Annotated[int | None, typer.Option(help="Only the first so many rows.", min=1)] = None,
    dry_run: DryRun = False,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Measure an extractor's precision, recall, F1 and speed on labelled texts."""
    from dataclasses import asdict

    from claimgraph import wiring
    from claimgraph.cli import usage
    from claimgraph.cli.printing import print_json, print_table
    from claimgraph.cli.progress import bar
    from claimgraph.evaluation.extraction import evaluate
    from claimgraph.settings import load_settings

    settings = load_settings()
    with wiring.opened_models(settings, dry_run=dry_run) as models, bar() as advance:
        report = asdict(evaluate(path, wiring.extractor(settings, extractor.value, models), limit, advance))
    usage.rehearsed(models, json=json)
    if json:
        print_json(report | {"usage": usage.as_json(models)})
    else:
        print_table(tuple(report), [tuple(report.values())])
    usage.say(models)

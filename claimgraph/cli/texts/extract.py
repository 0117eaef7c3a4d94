"""`claimgraph extract`: show the claims of a text."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from claimgraph.cli.common.usage import DryRun

if TYPE_CHECKING:
    from claimgraph.kgstore.model import Extraction


class ExtractorName(StrEnum):
    """The extractors of claims."""

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
    from claimgraph.cli.common import usage
    from claimgraph.cli.common.printing import print_json
    from claimgraph.detect.extraction.extraction_cache import config_of
    from claimgraph.input_texts import read_argument
    from claimgraph.reports.extraction_report import as_json
    from claimgraph.settings import load_settings

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
    from claimgraph.cli.common.printing import print_table, typer_echo
    from claimgraph.detect.extraction.extraction_cache import line

    columns = ("subject", "predicate", "object", "from", "to")
    print_table(columns, [(c.subject, c.predicate, c.object, c.span.start, c.span.end) for c in found.claims])
    typer_echo(f"{len(found.claims)} claims in {len(found.sentences)} sentences. Document {found.document.id}")
    for one in found.rejected:
        typer_echo(f"Rejected: {line(one)}")

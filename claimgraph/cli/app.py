"""The table of commands: each line names a command, the function that runs it, and the example that its help shows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import typer

from claimgraph.cli.common.groups import GroupedCommands
from claimgraph.cli.many import keys, runs, serve, submit
from claimgraph.cli.measure.group import evaluate
from claimgraph.cli.store import admin, cache, cypher, export, ingest, init, schema
from claimgraph.cli.texts import (
    ask,
    check,
    correct,
    demo,
    doctor,
    explain,
    extract,
    llm,
    recheck,
    retrofit,
    verdicts,
    watch,
)

app = typer.Typer(
    name="claimgraph",
    cls=GroupedCommands,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # its Markdown renderer costs a quarter of a second at every start
    context_settings={"help_option_names": ["-h", "--help"]},
)
_COMMANDS: tuple[tuple[str, tuple[tuple[str, Callable[..., Any], str], ...]], ...] = (
    (
        "Check",
        (
            ("check", check.check, "check draft.txt --context source.txt"),
            ("correct", correct.correct, "correct draft.txt --context source.txt --output corrected.txt"),
            ("retrofit", retrofit.retrofit, "retrofit draft.txt --graph wikidata"),
            ("watch", watch.watch, "watch drafts/ --context source.txt"),
            ("extract", extract.extract, "extract draft.txt"),
            ("recheck", recheck.recheck, "recheck --stale"),
        ),
    ),
    (
        "Ask",
        (
            ("verdicts", verdicts.verdicts, "verdicts --outcome REFUTED --entity 'Marie Curie'"),
            ("explain", explain.explain, "explain 8f4b12c9"),
            ("history", explain.history, "history 8f4b12c9"),
            ("rule", verdicts.rule, "rule 8f4b12c9 SUPPORTED --note 'true since 2024'"),
            ("ask", ask.ask, "ask 'Where was Marie Curie born?' --graph wikidata"),
            ("cypher", cypher.cypher, 'cypher "MATCH (v:Verdict) RETURN v.outcome AS outcome, count(*) AS n"'),
            ("schema", schema.schema, "schema"),
        ),
    ),
    (
        "Store",
        (
            ("stats", admin.stats, "stats"),
            ("export", export.export, "export --format claimreview -o reviews.json"),
            ("draw", export.draw, "draw 8f4b12c9 -o claim.svg"),
            ("forget", admin.forget, "forget d1:6b4a4a7e"),
            ("backup", admin.backup, "backup store.jsonl.gz --key backup.key"),
            ("restore", admin.restore, "restore store.jsonl.gz"),
            ("repair", admin.repair, "repair"),
            ("copy", admin.copy, "copy --to bolt://127.0.0.1:7687"),
            ("migrate", admin.migrate, "migrate"),
        ),
    ),
    ("Graphs", (("ingest", ingest.ingest, "ingest facts.nt.gz --graph wikidata"),)),
    (
        "Many documents",
        (
            ("submit", submit.submit, "submit drafts/ --context source.txt"),
            ("runs", runs.runs, "runs b1:8f4b"),
            ("pause", runs.pause, "pause b1:8f4b"),
            ("resume", runs.resume, "resume b1:8f4b --max-calls 1000"),
            ("retry", runs.retry, "retry b1:8f4b"),
            ("cancel", runs.cancel, "cancel b1:8f4b"),
            ("worker", serve.worker, "worker --concurrency 4"),
            ("serve", serve.serve, "serve --port 8000"),
            ("mcp", serve.mcp, "mcp"),
        ),
    ),
    (
        "Maintain",
        (
            ("init", init.init, "init"),
            ("doctor", doctor.doctor, "doctor"),
            ("demo", demo.demo, "demo"),
        ),
    ),
)
_GROUPS = {
    "Graphs": (("graphs", admin.graphs), ("cache", cache.cache)),
    "Measure": (("eval", evaluate),),
    "Maintain": (("llm", llm.llm), ("keys", keys.app)),
}


def _version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        typer.echo(f"claimgraph {version('claimgraph')}")
        raise typer.Exit


def _folder(context: typer.Context, ignored: bool) -> None:
    from claimgraph.cli.common.folder_notice import ignore_folder, say_once

    if ignored:
        ignore_folder()
    elif not context.resilient_parsing:
        say_once()


@app.callback()
def _main(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
    no_config: Annotated[
        bool,
        typer.Option("--no-config", callback=_folder, help="Ignore .env and claimgraph.toml of the working folder."),
    ] = False,
) -> None:
    """Turn a text into claims, check each against a context or a knowledge graph, and ask the verdicts in Cypher."""


for _heading, _listed in _COMMANDS:
    for _name, _function, _example in _listed:
        app.command(_name, epilog=f"Example: claimgraph {_example}", rich_help_panel=_heading)(_function)
for _heading, _some in _GROUPS.items():
    for _name, _group in _some:
        app.add_typer(_group, name=_name, rich_help_panel=_heading)

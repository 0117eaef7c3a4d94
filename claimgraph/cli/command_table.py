"""The table of commands: each line names a command, the function that runs it, and the example that its help shows.

A function is named and not imported: a process that runs one command reads no other's module, and typer makes no
parameters of it, which were a seventh of a second at every start.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Annotated, Any

import typer

from claimgraph.cli.common.groups import GroupedCommands

_COMMANDS: tuple[tuple[str, tuple[tuple[str, str, str], ...]], ...] = (
    (
        "Check",
        (
            ("check", "texts.check.check", "check draft.txt --context source.txt"),
            ("correct", "texts.correct.correct", "correct draft.txt --context source.txt --output corrected.txt"),
            ("retrofit", "texts.retrofit.retrofit", "retrofit draft.txt --graph wikidata"),
            ("watch", "texts.watch.watch", "watch drafts/ --context source.txt"),
            ("extract", "texts.extract.extract", "extract draft.txt"),
            ("recheck", "texts.recheck.recheck", "recheck --stale"),
        ),
    ),
    (
        "Ask",
        (
            ("verdicts", "texts.verdicts.verdicts", "verdicts --outcome REFUTED --entity 'Marie Curie'"),
            ("explain", "texts.explain.explain", "explain 8f4b12c9"),
            ("history", "texts.explain.history", "history 8f4b12c9"),
            ("rule", "texts.verdicts.rule", "rule 8f4b12c9 SUPPORTED --note 'true since 2024'"),
            ("ask", "texts.ask.ask", "ask 'Where was Marie Curie born?' --graph wikidata"),
            ("cypher", "store.cypher.cypher", 'cypher "MATCH (v:Verdict) RETURN v.outcome AS outcome, count(*) AS n"'),
            ("schema", "store.schema.schema", "schema"),
        ),
    ),
    (
        "Store",
        (
            ("stats", "store.admin.stats", "stats"),
            ("export", "store.export.export", "export --format claimreview -o reviews.json"),
            ("draw", "store.export.draw", "draw 8f4b12c9 -o claim.svg"),
            ("forget", "store.admin.forget", "forget d1:6b4a4a7e"),
            ("backup", "store.admin.backup", "backup store.jsonl.gz --key backup.key"),
            ("restore", "store.admin.restore", "restore store.jsonl.gz"),
            ("repair", "store.admin.repair", "repair"),
            ("copy", "store.admin.copy", "copy --to bolt://127.0.0.1:7687"),
            ("migrate", "store.admin.migrate", "migrate"),
        ),
    ),
    ("Graphs", (("ingest", "store.ingest.ingest", "ingest facts.nt.gz --graph wikidata"),)),
    (
        "Many documents",
        (
            ("submit", "many.submit.submit", "submit drafts/ --context source.txt"),
            ("runs", "many.runs.runs", "runs b1:8f4b"),
            ("pause", "many.runs.pause", "pause b1:8f4b"),
            ("resume", "many.runs.resume", "resume b1:8f4b --max-calls 1000"),
            ("retry", "many.runs.retry", "retry b1:8f4b"),
            ("cancel", "many.runs.cancel", "cancel b1:8f4b"),
            ("worker", "many.serve.worker", "worker --concurrency 4"),
            ("serve", "many.serve.serve", "serve --port 8000"),
            ("mcp", "many.serve.mcp", "mcp"),
        ),
    ),
    (
        "Maintain",
        (
            ("init", "store.init.init", "init"),
            ("doctor", "texts.doctor.doctor", "doctor"),
            ("demo", "texts.demo.demo", "demo"),
        ),
    ),
)
_GROUPS: dict[str, tuple[tuple[str, str], ...]] = {
    "Graphs": (("graphs", "store.admin.graphs"), ("cache", "store.cache.cache")),
    "Measure": (("eval", "measure.group.evaluate"),),
    "Maintain": (("llm", "texts.llm.llm"), ("keys", "many.keys.app")),
}


def command_line(arguments: Sequence[str] = ()) -> typer.Typer:
    """Return the command line: of the one command that `arguments` name, or of all."""
    asked = next((word for word in arguments if not word.startswith("-")), None)
    only = asked if asked in _names() else None
    made = typer.Typer(
        name="claimgraph",
        cls=GroupedCommands,
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,  # its Markdown renderer costs a quarter of a second at every start
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    made.callback()(_main)
    for heading, listed in _COMMANDS:
        for name, function, example in listed:
            if only in (None, name):
                made.command(name, epilog=f"Example: claimgraph {example}", rich_help_panel=heading)(_found(function))
    for heading, some in _GROUPS.items():
        for name, group in some:
            if only in (None, name):
                made.add_typer(_found(group), name=name, rich_help_panel=heading)
    return made


def _names() -> set[str]:
    listed = [name for _, some in _COMMANDS for name, *_ in some]
    return {*listed, *(name for some in _GROUPS.values() for name, _ in some)}


def _found(path: str) -> Any:
    module, _, name = path.rpartition(".")
    return getattr(import_module(f"claimgraph.cli.{module}"), name)


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

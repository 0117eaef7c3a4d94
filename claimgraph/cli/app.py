"""The table of commands. Each line names a command and the function that runs it."""

from __future__ import annotations

import typer

from claimgraph.cli.many import keys, runs, serve, submit
from claimgraph.cli.measure.group import evaluate
from claimgraph.cli.store import admin, cache, cypher, export, ingest
from claimgraph.cli.texts import ask, check, correct, demo, doctor, extract, llm, recheck, retrofit, verdicts

app = typer.Typer(
    name="claimgraph",
    help="Turn a text into claims, check each against a context or a knowledge graph, and ask the verdicts in Cypher.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # its Markdown renderer costs a quarter of a second at every start
    context_settings={"help_option_names": ["-h", "--help"]},
)

app.command("check")(check.check)
app.command("extract")(extract.extract)
app.command("correct")(correct.correct)
app.command("retrofit")(retrofit.retrofit)
app.command("recheck")(recheck.recheck)
app.command("ask")(ask.ask)
app.command("verdicts")(verdicts.verdicts)
app.command("rule")(verdicts.rule)
app.command("cypher")(cypher.cypher)
app.command("export")(export.export)
app.command("draw")(export.draw)
app.command("ingest")(ingest.ingest)
app.add_typer(cache.cache, name="cache")
app.add_typer(llm.llm, name="llm")
app.add_typer(admin.graphs, name="graphs")
app.add_typer(keys.app, name="keys")
app.command("forget")(admin.forget)
app.command("backup")(admin.backup)
app.command("restore")(admin.restore)
app.command("copy")(admin.copy)
app.command("migrate")(admin.migrate)
app.command("stats")(admin.stats)
app.command("doctor")(doctor.doctor)
app.command("demo")(demo.demo)
app.command("submit")(submit.submit)
app.command("runs")(runs.runs)
app.command("watch")(runs.watch)
app.command("pause")(runs.pause)
app.command("resume")(runs.resume)
app.command("retry")(runs.retry)
app.command("cancel")(runs.cancel)
app.command("serve")(serve.serve)
app.command("worker")(serve.worker)
app.add_typer(evaluate, name="eval")

"""`claimgraph submit`: run many documents as one run, by workers, or here where there is no broker."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from claimgraph.cli.common.fetching import World, with_contact
from claimgraph.cli.many.runs import MaxCalls, MaxSeconds, MaxTokens
from claimgraph.cli.texts.check import Method
from claimgraph.cli.texts.correct import Method as Way
from claimgraph.cli.texts.retrofit import Assume


def submit(
    paths: Annotated[
        list[str] | None,
        typer.Argument(metavar="PATH...", help="Texts, folders of .txt and .md, or - for --jsonl on standard input."),
    ] = None,
    jsonl: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="JSON lines instead: text, context, name, graphs, question."),
    ] = None,
    context: Annotated[Path | None, typer.Option(help="Text to check those against that have no own.")] = None,
    graph: Annotated[list[str] | None, typer.Option(help="Stored graph to check against; repeatable.")] = None,
    method: Annotated[list[Method] | None, typer.Option(help="Detection method; repeatable. Unset: fused.")] = None,
    preset: Annotated[str | None, typer.Option(help="Preset of the method; unset: its default.")] = None,
    extractor: Annotated[
        str | None, typer.Option(help="What reads claims, as CLAIMGRAPH_EXTRACTOR has them; unset: that.")
    ] = None,
    fetch: Annotated[list[World] | None, typer.Option(help="First fetch what texts name; repeatable.")] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Also explain what is not supported.")] = False,
    correct: Annotated[Way | None, typer.Option(help="Also correct the texts, that way.")] = None,
    retrofit: Annotated[bool, typer.Option("--retrofit", help="Retrofit the texts instead of checking them.")] = False,
    ask: Annotated[bool, typer.Option("--ask", help="Answer questions instead: one a line or object.")] = False,
    recheck: Annotated[bool, typer.Option("--recheck", help="Check again instead what has become stale.")] = False,
    mode: Annotated[str | None, typer.Option(help="Of --retrofit and --ask, as those commands have it.")] = None,
    assume: Annotated[Assume | None, typer.Option(help="Of --retrofit: what a graph's silence means.")] = None,
    bulk: Annotated[bool, typer.Option("--bulk", help="Let other runs go first.")] = False,
    max_seconds: MaxSeconds = None,
    max_calls: MaxCalls = None,
    max_tokens: MaxTokens = None,
    watch: Annotated[bool, typer.Option("--watch", help="Follow the run until it is over or parked.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print the documented JSON object.")] = False,
) -> None:
    """Check many documents as one run: by workers, or here where no broker is set. The same again is done once.

    Exits with 0 if the run is queued or complete, else with 1.
    """
    from contextlib import ExitStack

    from claimgraph.cli.common.printing import print_json
    from claimgraph.cli.many import runs
    from claimgraph.input_texts import read_file
    from claimgraph.kgstore.errors import UsageError
    from claimgraph.kgstore.runs.jobs import Budget
    from claimgraph.runs.submitted import ReadingOptions, asked_for, stale
    from claimgraph.settings import load_settings
    from claimgraph.wiring import open_store
    from claimgraph.workers.submission.dispatch import Dispatch
    from claimgraph.workers.submission.submit import submit as put

    settings = with_contact(load_settings()) if fetch else load_settings()
    against = read_file(context, settings.max_text) if context else None
    asked = asked_for(
        _kind(retrofit=retrofit, ask=ask, recheck=recheck),
        bulk=bulk,
        budget=Budget(max_seconds, max_calls, max_tokens),
        context=against,
        methods=[one.value for one in method or ()],
        preset=preset,
        extractor=extractor,
        graphs=graph,
        fetch=[one.value for one in fetch or ()],
        explain=explain,
        correct=correct and correct.value,
        mode=mode,
        assume=assume and assume.value,
    )
    if recheck and (paths or jsonl):
        raise UsageError("--recheck finds its texts itself: those with stale verdicts")
    dispatch, reading = Dispatch(settings), ReadingOptions(asked, settings.max_text, against)
    with runs.resumable(), ExitStack() as stack:
        given = None if recheck else stack.enter_context(reading.given(paths or (), jsonl))
        store = stack.enter_context(open_store(settings))
        items = stale(store, graph or ()) if given is None else given
        if items is None:
            print_json({"run": None, "total": 0}) if json else typer.echo("nothing is stale")
            return
        found = put(settings, store, items, asked, dispatch)
        if json:
            print_json({"run": found.run, "total": found.total})
        else:
            typer.echo(f"run {found.run}: {found.total} {'questions' if ask else 'documents'}, {found.new} of them new")
        if dispatch.here:
            runs.work(store, dispatch, found.run)
    if not dispatch.here:
        if dispatch.problem or not watch:
            runs.say_queued(dispatch, found.run)
        if not watch:
            return
        runs.follow(settings, found.run)
    runs.finish(settings, found.run, quiet=json)


def _kind(**asked: bool) -> str:
    """Return the kind of work that an option selects; a check without one. Raises UsageError for several."""
    from claimgraph.kgstore.errors import UsageError

    kinds = [kind for kind, wanted in asked.items() if wanted]
    if len(kinds) > 1:
        raise UsageError(f"a run does one thing: --{kinds[0]} or --{kinds[1]}")
    return kinds[0] if kinds else "check"

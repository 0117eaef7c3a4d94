"""`claimgraph submit`: run many documents as one run, by workers, or here where there is no broker."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from claimgraph.cli.common.completion import graphs
from claimgraph.cli.common.fetching import World, with_contact
from claimgraph.cli.common.options import FailOn
from claimgraph.cli.many.runs import FailOnOption, Json, MaxCalls, MaxSeconds, MaxTokens
from claimgraph.cli.texts.check import Method
from claimgraph.cli.texts.correct import Method as Way
from claimgraph.cli.texts.retrofit import Assume

if TYPE_CHECKING:
    from claimgraph.kgstore.model import Document
    from claimgraph.settings import Settings
    from claimgraph.workers.submission.dispatch import Dispatch
    from claimgraph.workers.submission.planning import Asked
    from claimgraph.workers.submission.submit import Submitted


Paths = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="PATH...",
        help="Texts (text, .md, .html, .pdf, .docx), folders of them, patterns such as 'drafts/*.md', or - for --jsonl "
        "on standard input.",
    ),
]
JsonLines = Annotated[
    str | None, typer.Option(metavar="FILE", help="JSON lines instead: text, context, name, graphs, question.")
]
Context = Annotated[
    list[str] | None,
    typer.Option(
        help="What to check those against that have no context of their own: a file, a folder, or a pattern; "
        "repeatable."
    ),
]
Graph = Annotated[
    list[str] | None, typer.Option(help="Stored graph to check against; repeatable.", autocompletion=graphs)
]
Methods = Annotated[list[Method] | None, typer.Option(help="Detection method; repeatable. Unset: fused.")]
Preset = Annotated[str | None, typer.Option(help="Preset of the method; unset: its default.")]
ExtractorName = Annotated[
    str | None, typer.Option(help="What reads claims, as CLAIMGRAPH_EXTRACTOR has them; unset: that.")
]
Fetch = Annotated[list[World] | None, typer.Option(help="First fetch what texts name; repeatable.")]
Explain = Annotated[bool, typer.Option("--explain", help="Also explain what is not supported.")]
Correct = Annotated[Way | None, typer.Option(help="Also correct the texts, that way.")]
Retrofit = Annotated[bool, typer.Option("--retrofit", help="Retrofit the texts instead of checking them.")]
Ask = Annotated[bool, typer.Option("--ask", help="Answer questions instead: one a line or object.")]
Recheck = Annotated[bool, typer.Option("--recheck", help="Check again instead what has become stale.")]
ModeName = Annotated[str | None, typer.Option(help="Of --retrofit and --ask, as those commands have it.")]
Silence = Annotated[Assume | None, typer.Option(help="Of --retrofit: what a graph's silence means.")]
Bulk = Annotated[bool, typer.Option("--bulk", help="Let other runs go first.")]
Watch = Annotated[bool, typer.Option("--watch", help="Follow the run until it is over or parked.")]


def submit(
    paths: Paths = None,
    jsonl: JsonLines = None,
    context: Context = None,
    graph: Graph = None,
    method: Methods = None,
    preset: Preset = None,
    extractor: ExtractorName = None,
    fetch: Fetch = None,
    explain: Explain = False,
    correct: Correct = None,
    retrofit: Retrofit = False,
    ask: Ask = False,
    recheck: Recheck = False,
    mode: ModeName = None,
    assume: Silence = None,
    bulk: Bulk = False,
    max_seconds: MaxSeconds = None,
    max_calls: MaxCalls = None,
    max_tokens: MaxTokens = None,
    fail_on: FailOnOption = FailOn.NEVER,
    watch: Watch = False,
    json: Json = False,
) -> None:
    """Check many documents as one run: by workers, or here where no broker is set. The same again is done once.

    Exits with 0 if the run is queued or complete, else with 1; with --fail-on also with 1 for what it found.
    """
    from claimgraph.input_texts import read_contexts
    from claimgraph.kgstore.runs.jobs import Budget
    from claimgraph.runs.submitted import asked_for
    from claimgraph.settings import load_settings

    settings = with_contact(load_settings()) if fetch else load_settings()
    against = read_contexts(context or (), settings.max_text)
    of_check: dict[str, Any] = {"methods": method, "fetch": fetch, "explain": explain, "correct": correct}
    others: dict[str, Any] = {"preset": preset, "extractor": extractor, "graphs": graph, "mode": mode, "assume": assume}
    kind, budget = _kind(retrofit=retrofit, ask=ask, recheck=recheck), Budget(max_seconds, max_calls, max_tokens)
    asked = asked_for(kind, bulk=bulk, budget=budget, contexts=against, **of_check, **others)
    _Submission(settings, asked, against, paths or (), jsonl, json).run(watch=watch, fail_on=fail_on)


@dataclass(frozen=True, slots=True)
class _Submission:
    """What is to be done, and on which texts."""

    settings: Settings
    asked: Asked
    contexts: Sequence[Document]
    paths: Sequence[str]
    jsonl: str | None
    json: bool

    def run(self, *, watch: bool, fail_on: FailOn) -> None:
        """Submit, do the work here or follow it, and exit."""
        from claimgraph.cli.many import runs
        from claimgraph.workers.submission.dispatch import Dispatch

        dispatch = Dispatch(self.settings)
        with runs.resumable():
            found = self._submitted(dispatch)
        if found is None:
            return
        if not dispatch.here:
            if dispatch.problem or not watch:
                runs.say_queued(dispatch, found.run)
            if not watch:
                return
            runs.follow(self.settings, found.run)
        runs.finish(self.settings, found.run, quiet=self.json, fail_on=fail_on)

    def _submitted(self, dispatch: Dispatch) -> Submitted | None:
        """Write the run, and work on it where that is here; None where nothing is stale."""
        from claimgraph.cli.many import runs
        from claimgraph.kgstore.errors import UsageError
        from claimgraph.runs.submitted import ReadingOptions, stale
        from claimgraph.wiring import open_store
        from claimgraph.workers.submission.submit import submit as put
        from claimgraph.workers.tasks.task_table import RECHECK

        recheck = self.asked.kind == RECHECK
        if recheck and (self.paths or self.jsonl):
            raise UsageError("--recheck finds its texts itself: those with stale verdicts")
        reading = ReadingOptions(self.asked, self.settings.max_text, self.contexts)
        with ExitStack() as stack:
            given = None if recheck else stack.enter_context(reading.given(self.paths, self.jsonl))
            store = stack.enter_context(open_store(self.settings))
            items = stale(store, self.asked.graphs) if given is None else given
            found = None if items is None else put(self.settings, store, items, self.asked, dispatch)
            self._say(found)
            if found and dispatch.here:
                runs.work(store, dispatch, found.run)
        return found

    def _say(self, found: Submitted | None) -> None:
        from claimgraph.cli.common.printing import counted, print_json
        from claimgraph.kgstore.id_search import SHOWN
        from claimgraph.workers.tasks.task_table import ASK

        if self.json:
            print_json({"run": found and found.run, "total": found.total if found else 0})
        elif found is None:
            typer.echo("nothing is stale")
        else:
            things = counted(found.total, "question" if self.asked.kind == ASK else "document")
            typer.echo(f"run {found.run[:SHOWN]}: {things}, {found.new:,} of them new")


def _kind(**asked: bool) -> str:
    """Return the kind of work that an option selects; a check without one. Raises UsageError for several."""
    from claimgraph.kgstore.errors import UsageError

    kinds = [kind for kind, wanted in asked.items() if wanted]
    if len(kinds) > 1:
        raise UsageError(f"a run does one thing: --{kinds[0]} or --{kinds[1]}")
    return kinds[0] if kinds else "check"

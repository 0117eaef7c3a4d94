"""Report the cost of a language model at the end of every command that may ask one; and `--dry-run`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from claimgraph.wiring import Models

DryRun = Annotated[
    bool,
    typer.Option("--dry-run", help="Ask no language model and store nothing: estimate what asking would cost."),
]


def say(models: Models) -> None:
    """Print one line on standard error: the requests to the language model and their cost, or that there were none.

    Nothing where no language model is set and none was asked for by a dry run.
    """
    if models.chat is not None or models.dry_run:
        typer.echo(_line(models), err=True)


def rehearsed(models: Models, *, json: bool) -> None:
    """End a dry run with its estimate, in place of a result on likely answers; a result without requests is real."""
    if not models.dry_run or not models.spending.calls:
        return
    if json:
        from claimgraph.cli.common.printing import print_json

        print_json({"usage": as_json(models)})
    else:
        typer.echo(_line(models))
    raise typer.Exit


def as_json(models: Models) -> dict[str, Any]:
    """Return `model` (None where none is set), `dry_run`, and the fields of Spending.as_json."""
    name = models.chat.model if models.chat else None
    return {"model": name, "dry_run": models.dry_run, **models.spending.as_json()}


def _line(models: Models) -> str:
    spent, dry = models.spending, "dry run, nothing was asked or stored. " if models.dry_run else ""
    if models.chat is None:
        return f"{dry}no language model is set (CLAIMGRAPH_LLM_BASE_URL, CLAIMGRAPH_LLM_MODEL): done without one"
    if not spent.calls and not spent.cached:
        return f"{dry}the language model {models.chat.model} is not needed"
    if not dry or not spent.calls:
        return f"{dry}{models.chat.model}: {spent.summary()}"
    return f"{dry}{models.chat.model} would take {spent.summary()}{_beyond(models)}. Estimate: {_rule()}"


def _beyond(models: Models) -> str:
    limit = models.spending.limit
    return f"; the budget of {limit} tokens would not do" if limit and models.spending.tokens > limit else ""


def _rule() -> str:
    from claimgraph.llm.rehearsal import RULE

    return RULE

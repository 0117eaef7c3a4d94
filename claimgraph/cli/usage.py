"""What asking a language model cost, said at the end of every command that may ask one; and `--dry-run`."""

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
    """One line on standard error: what was asked of the language model and its cost, or that there is none."""
    typer.echo(_line(models), err=True)


def rehearsed(models: Models, *, json: bool) -> None:
    """End a rehearsal with its estimate, in place of a result that nobody was asked for; else nothing."""
    if not models.dry_run:
        return
    if json:
        from claimgraph.cli.printing import print_json

        print_json({"usage": as_json(models)})
    else:
        typer.echo(_line(models))
    raise typer.Exit


def as_json(models: Models) -> dict[str, Any]:
    """`{model, dry_run, calls, cached, failed, tokens_in, tokens_out, estimated, cost, limit}`; `model` None: none."""
    name = models.chat.model if models.chat else None
    return {"model": name, "dry_run": models.dry_run, **models.spending.as_json()}


def _line(models: Models) -> str:
    if models.chat is None:
        return "no language model is set (CLAIMGRAPH_LLM_BASE_URL, CLAIMGRAPH_LLM_MODEL): done without one"
    spent = models.spending
    if models.dry_run:
        return f"dry run, nothing was asked or stored. Estimate: {spent.summary()}{_beyond(models)}. Rule: {_rule()}"
    if not spent.calls and not spent.cached:
        return f"the language model {models.chat.model} was not asked"
    return f"{models.chat.model}: {spent.summary()}"


def _beyond(models: Models) -> str:
    limit = models.spending.limit
    return f"; the budget of {limit} tokens would not do" if limit and models.spending.tokens > limit else ""


def _rule() -> str:
    from claimgraph.llm.rehearsal import RULE

    return RULE

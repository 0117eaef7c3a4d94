"""`claimgraph eval open-qa`: OKGQA's table of open-ended answers, by FActScore, SAFE and G-Eval."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from claimgraph.cli.common.options import GraphOption
from claimgraph.cli.common.usage import DryRun
from claimgraph.cli.measure.options import Json, Passages, Questions, Sample, Seed, show
from claimgraph.cli.measure.qa import Modes
from claimgraph.cli.texts.ask import Mode, PromptName

if TYPE_CHECKING:
    from claimgraph.evaluation.answers.open_qa import JudgedAnswer, Mean, OpenReport

_FIGURES = {
    "relev.": "context_relevance",
    "compr.": "comprehensiveness",
    "corr.": "correctness",
    "emp.": "empowerment",
    "SAFE": "safe",
    "FActScore": "factscore",
}
"""The paper's columns; --json has all figures."""


def open_qa(
    path: Questions,
    graph: GraphOption = None,
    mode: Modes = None,
    prompt: Annotated[
        list[PromptName] | None, typer.Option(help="How the language model is asked; repeatable. Unset: zero.")
    ] = None,
    passages: Passages = None,
    details: Annotated[
        Path | None,
        typer.Option(help="Write each answer with its judged facts and searches, as JSON lines.", dir_okay=False),
    ] = None,
    limit: Sample = None,
    seed: Seed = 0,
    dry_run: DryRun = False,
    json: Json = False,
) -> None:
    """Measure answers to open-ended questions by FActScore, SAFE and G-Eval; without a language model, facts in words.

    FActScore holds an answer against the passages about the question's entity.
    """
    from claimgraph.cli.common.progress import bar
    from claimgraph.evaluation.asker import EvaluationAsker
    from claimgraph.evaluation.data.questions import read_questions
    from claimgraph.settings import load_settings

    questions = read_questions(path, limit, seed)
    modes = [one.value for one in mode or (Mode.SUBGRAPH,)]
    prompts = [one.value for one in prompt or (PromptName.ZERO,)]
    asker = EvaluationAsker(load_settings(), graph or (), dry_run=dry_run)
    with asker, bar("questions") as advance, _kept(details) as keep:
        report = asker.evaluate_open(questions, modes, prompts, passages, advance, keep)
    show(asker.models, json, asdict(report), lambda: _print(report))


def _print(report: OpenReport) -> None:
    """Print a row per way of answering and type of question; an unknown figure is an empty cell. Notes follow."""
    from claimgraph.cli.common.printing import print_table

    rows = [
        (f"{row.mode}, {row.prompt}", row.type, row.n, *(_percent(getattr(row, name)) for name in _FIGURES.values()))
        for row in report.figures
    ]
    print_table(("answered", "type", "n", *_FIGURES), rows)
    typer.echo(
        f"{report.covered} of {report.n} questions are about an entity with passages. Atomic facts by "
        f"{report.atomiser}, FActScore by {report.judge}, SAFE by {report.agent}."
    )
    for note in report.notes:
        typer.echo(f"Note: {note}")


@contextmanager
def _kept(path: Path | None) -> Iterator[Callable[[JudgedAnswer], None] | None]:
    """Yield a function that writes each judged answer as a line of the file; None without a file."""
    import json

    from claimgraph.kgstore.errors import InputError

    if path is None:
        yield None
        return
    try:
        file = path.open("w", encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot write {path}: {(error.strerror or str(error)).lower()}") from error
    with file:
        yield lambda one: print(json.dumps(asdict(one), ensure_ascii=False), file=file)


def _percent(mean: Mean) -> str | None:
    return None if mean.value is None else f"{100 * mean.value:.1f}"

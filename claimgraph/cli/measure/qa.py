"""`claimgraph eval-qa`: measure how often answers are retrieved and right, by mode."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from claimgraph.cli.common.options import GraphOption
from claimgraph.cli.common.usage import DryRun
from claimgraph.cli.texts.ask import Mode, PromptName

if TYPE_CHECKING:
    from claimgraph.evaluation.answers.qa import QaFigures


def eval_qa(
    path: Annotated[
        Path,
        typer.Argument(help="Questions as JSON lines, plain or .gz.", exists=True, dir_okay=False),
    ],
    graph: GraphOption = None,
    mode: Annotated[list[Mode] | None, typer.Option(help="What is retrieved; repeatable. Unset: subgraph.")] = None,
    prompt: Annotated[
        list[PromptName] | None,
        typer.Option(help="How the language model is asked open-ended questions; repeatable. Unset: zero."),
    ] = None,
    passages: Annotated[
        Path | None,
        typer.Option(
            help="FActScore's source: folder of .txt files named by topic; unset: summaries.",
            exists=True,
            file_okay=False,
        ),
    ] = None,
    details: Annotated[
        Path | None,
        typer.Option(
            help="Write each open-ended answer with its judged facts and searches, as JSON lines.", dir_okay=False
        ),
    ] = None,
    limit: Annotated[int | None, typer.Option(help="Only a random sample of so many questions.", min=1)] = None,
    seed: Annotated[int, typer.Option(help="Of the sample.")] = 0,
    dry_run: DryRun = False,
    json: Annotated[bool, typer.Option("--json", help="Print the documented JSON.")] = False,
) -> None:
    """Measure how often answers are retrieved and right; open-ended ones by FActScore, SAFE and G-Eval."""
    from dataclasses import asdict

    from claimgraph.cli.common import usage
    from claimgraph.cli.common.printing import print_json
    from claimgraph.cli.common.progress import bar
    from claimgraph.cli.measure.open_qa import kept, print_open
    from claimgraph.evaluation.asker import EvaluationAsker
    from claimgraph.evaluation.data.questions import read_questions
    from claimgraph.settings import load_settings

    questions = read_questions(path, limit, seed)
    is_open = not any(question.answers for question in questions)
    modes = [one.value for one in mode or (Mode.SUBGRAPH,)]
    prompts = [one.value for one in prompt or (PromptName.ZERO,)]
    asker = EvaluationAsker(load_settings(), graph or (), read_only=not is_open, dry_run=dry_run)
    with asker, bar("questions") as advance:
        if is_open:
            with kept(details) as keep:
                report = asker.evaluate_open(questions, modes, prompts, passages, advance, keep)
            usage.rehearsed(asker.models, json=json)
            print_json(asdict(report) | {"usage": usage.as_json(asker.models)}) if json else print_open(report)
            usage.say(asker.models)
            return
        figures = [asker.evaluate(questions, each, advance) for each in modes]
    if json:
        found = [asdict(one) for one in figures]
        print_json(found if len(found) > 1 else found[0])
        return
    for one in figures:
        _print_figures(one)


def _print_figures(found: QaFigures) -> None:
    from dataclasses import asdict

    from claimgraph.cli.common.printing import print_table, typer_echo

    print_table(("figure", found.mode), [row for row in asdict(found).items() if row[0] not in ("graph", "mode")])
    typer_echo(
        f"{found.n} of {found.questions} questions have their entity and an answer in {found.graph} and are scored;"
        f" {found.named} have a name for the entity."
    )

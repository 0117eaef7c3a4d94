"""`claimgraph eval qa`: measure how often answers are retrieved and right, by mode."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from claimgraph.cli.common.options import GraphOption
from claimgraph.cli.measure.options import Json, Questions, Sample, Seed
from claimgraph.cli.texts.ask import Mode, PresetName, PresetOption

if TYPE_CHECKING:
    from claimgraph.evaluation.answers.qa import QaFigures

Modes = Annotated[list[Mode] | None, typer.Option("--mode", help="What is retrieved; repeatable. Unset: subgraph.")]


def qa(
    path: Questions,
    graph: GraphOption = None,
    mode: Modes = None,
    preset: PresetOption = PresetName.OURS,
    limit: Sample = None,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Measure how often the gold answers of questions are retrieved and given."""
    from claimgraph.cli.common.printing import print_json
    from claimgraph.cli.common.progress import bar
    from claimgraph.evaluation.asker import EvaluationAsker
    from claimgraph.evaluation.data.questions import read_questions
    from claimgraph.kgstore.errors import InputError
    from claimgraph.settings import load_settings

    questions = read_questions(path, limit, seed)
    if not any(question.answers for question in questions):
        raise InputError(f"{path}: no question has a gold answer; open-ended ones: claimgraph eval open-qa")
    with (
        EvaluationAsker(load_settings(), graph or (), read_only=True, preset=preset.value) as asker,
        bar("questions") as advance,
    ):
        figures = [asker.evaluate(questions, each.value, advance) for each in mode or (Mode.SUBGRAPH,)]
    if json:
        found = [asdict(one) for one in figures]
        print_json(found if len(found) > 1 else found[0])
        return
    for one in figures:
        _print(one)


def _print(found: QaFigures) -> None:
    from claimgraph.cli.common.printing import print_table, typer_echo

    print_table(("figure", found.mode), [row for row in asdict(found).items() if row[0] not in ("graph", "mode")])
    typer_echo(
        f"{found.n} of {found.questions} questions have their entity and an answer in {found.graph} and are scored;"
        f" {found.named} have a name for the entity."
    )

"""`claimgraph ask`: a question answered from stored graphs; `claimgraph eval-qa`: how well, by mode."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from claimgraph.cli.usage import DryRun

if TYPE_CHECKING:
    from claimgraph.answered import AskReport
    from claimgraph.evaluation.qa import QaFigures


class Mode(StrEnum):
    """What is retrieved for a question."""

    NONE = "none"
    RANDOM = "random"
    TEXT = "text"
    TRIPLET = "triplet"
    PATH = "path"
    SUBGRAPH = "subgraph"


class PromptName(StrEnum):
    """How a language model is asked."""

    ZERO = "zero"
    FOUR = "4-shot"
    COT = "cot-sc"


GraphOption = Annotated[list[str] | None, typer.Option(help="Stored graph; repeatable. Unset: all world graphs.")]
ModeOption = Annotated[Mode, typer.Option(help="What is retrieved: nothing, chance, texts, or facts in a shape.")]
PromptOption = Annotated[PromptName, typer.Option(help="How the language model is asked, where there is one.")]


def ask(
    question: Annotated[str, typer.Argument(help="The question.")],
    graph: GraphOption = None,
    mode: ModeOption = Mode.SUBGRAPH,
    prompt: PromptOption = PromptName.ZERO,
    retrofit: Annotated[
        bool, typer.Option("--retrofit", help="Put right by the graphs what a language model writes (KGR).")
    ] = False,
    dry_run: DryRun = False,
    json: Annotated[bool, typer.Option("--json", help="Print the documented JSON object.")] = False,
) -> None:
    """Answer a question from stored graphs, with the facts it rests on; every sentence of a model is checked."""
    from claimgraph.ask_report import as_json
    from claimgraph.cli import usage
    from claimgraph.cli.printing import print_json
    from claimgraph.settings import load_settings
    from claimgraph.wiring.asker import Asker

    with Asker(load_settings(), graph or (), dry_run=dry_run) as asker:
        report = asker.ask(question, mode=mode.value, prompt=prompt.value, retrofit=retrofit)
    usage.rehearsed(asker.models, json=json)
    if json:
        print_json(as_json(report) | {"usage": usage.as_json(asker.models)})
    else:
        _print(report)
    usage.say(asker.models)


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

    from claimgraph.cli import usage
    from claimgraph.cli.open_qa import kept, print_open
    from claimgraph.cli.printing import print_json
    from claimgraph.cli.progress import bar
    from claimgraph.questions import read_questions
    from claimgraph.settings import load_settings
    from claimgraph.wiring.asker import Asker

    questions = read_questions(path, limit, seed)
    is_open = not any(question.answers for question in questions)
    modes = [one.value for one in mode or (Mode.SUBGRAPH,)]
    prompts = [one.value for one in prompt or (PromptName.ZERO,)]
    asker = Asker(load_settings(), graph or (), read_only=not is_open, dry_run=dry_run)
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


def _print(report: AskReport) -> None:
    from claimgraph.cli.printing import print_table, typer_echo
    from claimgraph.cli.retrofit import print_changes

    typer_echo(report.answer)
    if report.answers:
        print_table(("score", "answer", "id"), [(f"{one.score:.2f}", one.name, one.id) for one in report.answers[:5]])
    if report.evidence:
        rows = [(at, piece.text, piece.source) for at, piece in enumerate(report.evidence[:10], 1)]
        print_table(("", "evidence", "source"), rows)
    if report.retrofitted:
        print_changes(report.retrofitted)
    for sentence in report.sentences:
        if not sentence.shown:
            typer_echo(f"Left out: {sentence.text} {sentence.reason}")
    for note in report.notes:
        typer_echo(f"Note: {note}")


def _print_figures(found: QaFigures) -> None:
    from dataclasses import asdict

    from claimgraph.cli.printing import print_table, typer_echo

    print_table(("figure", found.mode), [row for row in asdict(found).items() if row[0] not in ("graph", "mode")])
    typer_echo(
        f"{found.n} of {found.questions} questions have their entity and an answer in {found.graph} and are scored;"
        f" {found.named} have a name for the entity."
    )

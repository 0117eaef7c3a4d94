"""`claimgraph ask`: answer a question from stored graphs."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from claimgraph.cli.common.options import GraphOption
from claimgraph.cli.common.usage import DryRun
from claimgraph.cli.texts.retrofit import print_changes

if TYPE_CHECKING:
    from claimgraph.answering.answer import AskReport


class Mode(StrEnum):
    """The modes of retrieval for a question."""

    NONE = "none"
    RANDOM = "random"
    TEXT = "text"
    TRIPLET = "triplet"
    PATH = "path"
    SUBGRAPH = "subgraph"


class PresetName(StrEnum):
    """The presets of retrieval for a question: those of answering/question_preset.py."""

    OURS = "ours"
    OKGQA = "okgqa"


class PromptName(StrEnum):
    """The prompts of a language model."""

    ZERO = "zero"
    FOUR = "4-shot"
    COT = "cot"
    COT_SC = "cot-sc"


ModeOption = Annotated[Mode, typer.Option(help="What is retrieved: nothing, chance, texts, or facts in a shape.")]
PresetOption = Annotated[PresetName, typer.Option(help="okgqa: pruned and retrieved as the paper's code does.")]
PromptOption = Annotated[PromptName, typer.Option(help="How the language model is asked, where there is one.")]


def ask(
    question: Annotated[str, typer.Argument(help="The question.")],
    graph: GraphOption = None,
    mode: ModeOption = Mode.SUBGRAPH,
    preset: PresetOption = PresetName.OURS,
    prompt: PromptOption = PromptName.ZERO,
    retrofit: Annotated[
        bool, typer.Option("--retrofit", help="Put right by the graphs what a language model writes (KGR).")
    ] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Show what else was found: other answers, and all evidence.")
    ] = False,
    dry_run: DryRun = False,
    json: Annotated[bool, typer.Option("--json", help="Print the documented JSON object.")] = False,
) -> None:
    """Answer a question from stored graphs, with the facts it rests on; every sentence of a model is checked."""
    from claimgraph.cli.common import usage
    from claimgraph.settings import load_settings
    from claimgraph.wiring.asker import Asker

    with Asker(load_settings(), graph or (), dry_run=dry_run, preset=preset.value) as asker:
        report = asker.ask(question, mode=mode.value, prompt=prompt.value, retrofit=retrofit)
    usage.rehearsed(asker.models, json=json)
    if json:
        from claimgraph.cli.common.printing import print_json
        from claimgraph.reports.answer_report import as_json

        print_json(as_json(report) | {"usage": usage.as_json(asker.models)})
    else:
        _print(report, verbose=verbose)
    usage.say(asker.models)


def _print(report: AskReport, *, verbose: bool) -> None:
    from claimgraph.cli.common.printing import print_table, typer_echo

    typer_echo(report.answer)
    if verbose and report.answers:
        print_table(("score", "answer", "id"), [(f"{one.score:.2f}", one.name, one.id) for one in report.answers[:5]])
    found = list(enumerate(report.evidence, 1))
    shown = found[:10] if verbose else [(at, piece) for at, piece in found if at - 1 in _grounds(report)]
    if shown:
        print_table(("", "evidence", "source"), [(at, piece.text, piece.source) for at, piece in shown])
    if report.retrofitted:
        print_changes(report.retrofitted)
    for sentence in report.sentences:
        if not sentence.shown:
            typer_echo(f"Left out: {sentence.text} {sentence.reason}")
    for note in report.notes:
        typer_echo(f"Note: {note}")


def _grounds(report: AskReport) -> set[int]:
    """Return the places of the evidence that the answer rests on: what its sentences cite, else the best answer's."""
    cited = {at for sentence in report.sentences if sentence.shown for at in sentence.cites}
    best = report.answers[0].facts if report.answered and report.answers else ()
    return cited or set(range(len(best)))

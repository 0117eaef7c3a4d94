"""Extend Asker by measurements: questions with gold answers, open-ended answers, and answers under perturbation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from claimgraph.evaluation.batches import Advance, silent
from claimgraph.evaluation.judges import open_judges
from claimgraph.wiring.asker import Asker

if TYPE_CHECKING:
    from pathlib import Path

    from claimgraph.evaluation.answers.open_qa import JudgedAnswer, OpenAnswer, OpenReport
    from claimgraph.evaluation.answers.qa import QaFigures
    from claimgraph.evaluation.answers.robustness_judge import AnswerJudge
    from claimgraph.evaluation.data.questions import Question

EXTRACTIVE = "extractive"
"""Name of the prompt where no language model is asked."""


class EvaluationAsker(Asker):
    """An Asker whose answers are measured."""

    def evaluate(self, questions: Sequence[Question], mode: str, advance: Advance = silent) -> QaFigures:
        """See evaluation.answers.qa.evaluate."""
        from claimgraph.evaluation.answers.qa import evaluate

        return evaluate(questions, mode=mode, parts=self.parts, world=self.arrays, graphs=self.graphs, advance=advance)

    def evaluate_open(
        self,
        questions: Sequence[Question],
        modes: Sequence[str],
        prompts: Sequence[str],
        passages: Path | None = None,
        advance: Advance = silent,
        keep: Callable[[JudgedAnswer], None] | None = None,
    ) -> OpenReport:
        """See evaluation.answers.open_qa.evaluate: each mode with each prompt, or, without a language model, each mode.

        FActScore's source is the folder `passages`, else the summaries in the store. Answers are stored.
        """
        from claimgraph.evaluation.answers.open_qa import evaluate
        from claimgraph.evidence import searching, topics

        ways = [(mode, prompt) for mode in modes for prompt in (prompts if self.chat else (EXTRACTIVE,))]
        known = topics.from_folder(passages) if passages else topics.from_store(self.store, self.graphs)
        search = searching.StoreSearch(self.store, self.graphs, self.models.embedder)
        judges = open_judges(self.settings, self.models, search)
        return evaluate(questions, {way: partial(self._answered, way) for way in ways}, known, judges, advance, keep)

    def answer_judge(self, questions: Sequence[Question]) -> AnswerJudge | None:
        """Return the judge of the language model's answers to those questions; None without one, and for no
        questions.
        """
        if not self.chat or not questions:
            return None
        from claimgraph.answering.generation import Writer
        from claimgraph.evaluation.answers.robustness_judge import AnswerJudge
        from claimgraph.evidence import searching, topics

        search = searching.StoreSearch(self.store, self.graphs, self.models.embedder)
        judges = open_judges(self.settings, self.models, search)
        writer = Writer(self.chat, "zero", self.models.embedder, self.check_answer)
        return AnswerJudge(questions, writer, topics.from_store(self.store, self.graphs, facts=True), judges)

    def _answered(self, way: tuple[str, str], question: Question) -> OpenAnswer:
        from claimgraph.evaluation.answers.open_qa import open_answer

        mode, prompt = way
        report = self.ask(question.text, mode=mode, prompt="zero" if prompt == EXTRACTIVE else prompt)
        return open_answer(report, written=self.chat is not None)

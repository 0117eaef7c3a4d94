"""Judge a language model's answers from a perturbed graph: OKGQA-P's FActScore and G-Eval.

Answers are judged as drafted: leaving out refuted sentences would measure the check. FActScore's source is the
unperturbed graph around a question's entities, so an answer that follows a wrong fact scores low.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from claimgraph.answering.flow import Parts, evidence_for
from claimgraph.answering.generation import Writer
from claimgraph.detect.judges.factscore import AnswerFacts, factscore
from claimgraph.detect.judges.geval import DIMENSIONS, geval
from claimgraph.evaluation.answers.open_qa import OpenJudges, known_about
from claimgraph.evaluation.data.questions import Question
from claimgraph.evaluation.statistics.shares import mean
from claimgraph.evidence.topics import Topics
from claimgraph.kgstore.errors import BudgetSpent, ServiceError

JUDGED = ("factscore", *DIMENSIONS)


@dataclass(frozen=True, slots=True)
class Quality:
    """Means over the `judged` answers of a language model, in [0, 1]; None where unknown."""

    judged: int = 0
    factscore: float | None = None
    context_relevance: float | None = None
    comprehensiveness: float | None = None
    correctness: float | None = None
    empowerment: float | None = None


class AnswerJudge:
    """Answers each of the questions from the evidence that some parts retrieve, and judges the answers."""

    def __init__(self, questions: Sequence[Question], writer: Writer, topics: Topics, judges: OpenJudges) -> None:
        self._questions, self._writer, self._judges = questions, writer, judges
        self._known = {question.id: known_about(question, topics) for question in questions}

    def __call__(self, mode: str, parts: Parts) -> Quality:
        """Return the quality of answers by that retrieval mode. A question without an answer is left out.

        Raises BudgetSpent.
        """
        drafts = [(question, self._draft(question, mode, parts)) for question in self._questions]
        given = [(question, *draft) for question, draft in drafts if draft]
        if not given:
            return Quality()
        atoms = self._judges.atomiser.atoms([text for _, text, _ in given])
        answers = [
            AnswerFacts(tuple(facts), "", self._known[q.id]) for (q, _, _), facts in zip(given, atoms, strict=True)
        ]
        scores = factscore(answers, self._judges.judge)
        rated = [geval(q.text, text, seen, self._judges.chat, self._judges.samples) for q, text, seen in given]
        quality = {name: mean([one.share(name) for one in rated]) for name in DIMENSIONS}
        return Quality(len(given), mean([score.score for score in scores]), **quality)

    def _draft(self, question: Question, mode: str, parts: Parts) -> tuple[str, str] | None:
        """Return an answer and the evidence it was written from; None where the model gave none."""
        evidence = evidence_for(question.text, mode, parts)
        try:
            text, _ = self._writer.draft(question.text, evidence)
        except BudgetSpent:
            raise
        except ServiceError:
            return None
        return (text, "\n".join(piece.text for piece in evidence)) if text.strip() else None

"""What an entailment model says of claims and of the sentences they stand in, as signals of fusion."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from detect.calibration import Kind
from detect.case import Case
from detect.grapheval import GraphEvalDetector
from detect.kinds import kind_of
from detect.nli import Judgement, judge
from detect.windows import windows
from detect.wording import sentences_of
from kgstore.model import EntailmentModel, Signal

Signals = tuple[Signal, ...]


class Entailed:
    """A claim is asked as GraphEval asks it, and so is its sentence: a triple may lose what its sentence says.

    Of given triples the two are the same, and only the first is asked.
    """

    def __init__(self, model: EntailmentModel) -> None:
        self._model = model
        self._grapheval = GraphEvalDetector(model)

    def signals(self, cases: Sequence[Case]) -> list[list[Signals]]:
        """Those of each claim, in order: GraphEval's, and `entailment` and `contradiction` of its sentence.

        The last two are the greatest over the windows of the passages. Raises ModelError.
        """
        found = zip(self._grapheval.detect(cases), self._sentences(cases), strict=True)
        return [
            [(*finding.signals, *_of_sentence(judgement)) for finding, judgement in zip(*each, strict=True)]
            for each in found
        ]

    def _sentences(self, cases: Sequence[Case]) -> list[list[Judgement | None]]:
        """The judgement of each claim's sentence; sentences without a claim are not asked."""
        homes = [sentences_of(case) for case in cases]
        asked = [_with_claims(case, home) for case, home in zip(cases, homes, strict=True)]
        premises = [[window.text for window in windows(case.passages)] for case in cases]
        judged = judge(list(zip(asked, premises, strict=True)), self._model)
        by_text = [dict(zip(texts, found, strict=True)) for texts, found in zip(asked, judged, strict=True)]
        return [[found.get(texts[at]) for at in places] for (texts, places), found in zip(homes, by_text, strict=True)]


def _with_claims(case: Case, home: tuple[Sequence[str], Sequence[int]]) -> list[str]:
    texts, places = home
    return [] if kind_of(case) is Kind.TRIPLES else list(dict.fromkeys(texts[at] for at in places))


def _of_sentence(found: Judgement | None) -> Iterator[Signal]:
    if found:
        against = found.contradiction
        yield Signal("sentence", "entailment", round(found.entailment, 4))
        yield Signal("sentence", "contradiction", None if against is None else round(against, 4))

"""What is read for each claim: its statement beside the premises chosen for it, by an entailment model and by rules.

The premises are the sentence nearest to the statement, that sentence with the one before it, and a passage of at most
five sentences (compare/premise_choice.py). The claim's triple is read beside the passage too: as hypothesis the triple
says one thing, the statement all of its clause. All documents' pairs go through the model in one call.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from claimgraph.detect.check_input import Case
from claimgraph.detect.compare.premise_choice import ChosenPremises, PremiseChooser
from claimgraph.detect.compare.relations import sentence
from claimgraph.detect.compare.typed.passage_judgement import PassageJudgement, judged, read_wanted
from claimgraph.detect.compare.typed.reckoning import reckonable
from claimgraph.detect.compare.typed.sentence import Sentence
from claimgraph.detect.compare.typed.value_conflicts import held
from claimgraph.detect.compare.typed_comparison import TypedSignals, compare, words_of
from claimgraph.detect.methods.fusion.replaced_reading import Replaced, replaced
from claimgraph.detect.methods.fusion.spoken_of import described, named, subjects
from claimgraph.detect.models.embedder import Space
from claimgraph.kgstore.model import Claim, EntailmentModel

PREMISES = ("nearest", "pair", "passage", "triple")
"""What is read: the statement beside each of the first three, and the triple beside the passage."""
_TOGETHER = 256
"""Statements whose sentences are held parsed."""
_EXTREME, _LEAST = 4.0, 1e-4
"""Log odds beyond which a probability says no more, and the least probability that is told from none."""
_READ = (".entailment", ".contradiction")


@dataclass(frozen=True, slots=True)
class ClaimReading:
    """A claim's premises with what was found of them; `signals` by name, values as `features` takes them.

    `judged` is what typed comparison of the statement with the sentences of the passage tells, None where nothing;
    `replaced` what a sentence has instead of one of its words, None where none has; `unsure` whether a contradiction
    that the model reads is not to be trusted.
    """

    chosen: ChosenPremises
    typed: TypedSignals
    judged: PassageJudgement | None
    replaced: Replaced | None
    unsure: bool
    signals: Mapping[str, float]


def readings(cases: Sequence[Case], spaces: Sequence[Space], model: EntailmentModel) -> list[list[ClaimReading]]:
    """One list a case with one reading a claim, in order. The cases have passages. Raises ModelError."""
    works = [_Case(case, space) for case, space in zip(cases, spaces, strict=True)]
    asked = [(work, said, rows) for work in works for said, rows in work.passages()]
    for start in range(0, len(asked), _TOGETHER):
        _compare(asked[start : start + _TOGETHER], model)
    pairs = list(dict.fromkeys(pair for work in works for pair in work.pairs()))
    scores = dict(zip(pairs, model.entail(pairs), strict=True))
    return [[work.reading(row, scores) for row in range(len(work.claims))] for work in works]


def _compare(asked: Sequence[tuple[_Case, str, tuple[int, ...]]], model: EntailmentModel) -> None:
    """Keep what the words of each statement tell beside the sentences of its passage."""
    wanted = [(work.sentences, said, rows) for work, said, rows in asked]
    read = read_wanted(wanted)
    told, others = judged(wanted, read), replaced(wanted, read, model)
    for (work, said, rows), found, other in zip(asked, told, others, strict=True):
        work.judged[said], work.replaced[said] = found, other
        work.unsure[said] = doubtful(read[said], [read[work.sentences[row].text] for row in rows])


class _Case:
    """The claims of one document with the premises chosen for them."""

    def __init__(self, case: Case, space: Space) -> None:
        self.claims, self.sentences = case.claims, case.passages
        self.judged: dict[str, PassageJudgement | None] = {}
        self.replaced: dict[str, Replaced | None] = {}
        self.unsure: dict[str, bool] = {}
        space.add([claim.sentence for claim in case.claims] + [passage.text for passage in case.passages])
        found = subjects(case)
        self._chooser = PremiseChooser(case.passages, space, described(case, found))
        self._texts = [named(home.text.strip(), names) for home, names in zip(case.passages, found, strict=True)]
        self._words = words_of(" ".join(passage.text for passage in case.passages))
        said = list(dict.fromkeys(claim.sentence for claim in case.claims))
        self._chosen = dict(zip(said, self._chooser.choose(said), strict=True))

    def _choice(self, claim: Claim) -> ChosenPremises:
        return self._chosen[claim.sentence]

    def _pairs(self, claim: Claim) -> dict[str, tuple[str, str]]:
        chosen, text = self._choice(claim), self._text
        return {
            "nearest": (text(chosen.nearest), claim.sentence),
            "pair": (text(chosen.pair), claim.sentence),
            "passage": (text(chosen.passage), claim.sentence),
            "triple": (text(chosen.passage), sentence(claim.triple)),
        }

    def _text(self, rows: Sequence[int]) -> str:
        """The premise that these rows make, with names for pronouns."""
        return " ".join(self._texts[row] for row in rows)

    def passages(self) -> Iterator[tuple[str, tuple[int, ...]]]:
        """Each statement with the sentences of its passage."""
        for claim in {claim.sentence: claim for claim in self.claims}.values():
            yield claim.sentence, self._choice(claim).passage

    def pairs(self) -> Iterator[tuple[str, str]]:
        """What the model reads, repeats kept."""
        for claim in self.claims:
            yield from self._pairs(claim).values()

    def reading(self, row: int, scores: Mapping[tuple[str, str], NDArray[np.float32]]) -> ClaimReading:
        claim = self.claims[row]
        chosen, text = self._choice(claim), self._chooser.text
        typed = compare(claim.sentence, text(chosen.nearest), text(chosen.passage), self._words)
        signals = {"premise.nearness": chosen.nearness, "premise.coverage": chosen.coverage}
        signals |= {f"typed.{name}": value for name, value in typed.signals().items()}
        found = self.judged.get(claim.sentence)
        signals["typed.excluded"] = float(found is not None and found.judgement.excluded)
        signals["typed.stated"] = float(found is not None and not found.judgement.excluded)
        for name, pair in self._pairs(claim).items():
            entailed, _, contradicted = (float(value) for value in scores[pair])
            signals[f"{name}.entailment"] = entailed
            if not math.isnan(contradicted):
                signals[f"{name}.contradiction"] = contradicted
        rounded = {name: round(value, 4) for name, value in signals.items()}
        other, unsure = self.replaced[claim.sentence], self.unsure[claim.sentence]
        return ClaimReading(chosen, typed, found, other, unsure, rounded)


def doubtful(claim: Sentence, passage: Sequence[Sentence]) -> bool:
    """Return whether the model's contradiction of a claim is no ground: of claims that deny something it contradicts
    more true ones than false ones, it can neither reckon nor compare a limit with a value, and it takes what is said
    of the same subject for a contradiction of something else that is not mentioned.
    """
    known = [value for sentence in passage for value in sentence.values]
    unknown = [value for value in claim.values if not held(value, known)]
    if claim.denied or any(value.bounds or reckonable(value, known) for value in unknown):
        return True
    said = {word.stem for sentence in passage for word in sentence.words}
    verbs = [word.stem for word in claim.words if word.verb and not word.light]
    brought = bool(unknown) or any(word.name and word.stem not in said for word in claim.words)
    return brought and bool(verbs) and said.isdisjoint(verbs)


def features(signals: Mapping[str, float | None]) -> dict[str, float | None]:
    """The signals as they are weighed: what a model reads as log odds against neutral; others as they are.

    Two premises of the statement speak once more: `told`, which the model finds least neutral, and `best`, which it
    finds most entailing (the earlier of PREMISES on a tie). A claim is seldom decided by all premises alike.
    """
    found = {name: value for name, value in signals.items() if not name.endswith(_READ)}
    read = {part: one for part in PREMISES if (one := _Read.of(part, signals)) is not None}
    said = [read[part] for part in PREMISES[:-1] if part in read]
    if said:
        read |= {"told": min(said, key=lambda one: one.neutral), "best": max(said, key=lambda one: one.entailed)}
    for part, one in read.items():
        found[f"{part}.entailment"] = one.odds(one.entailed)
        found[f"{part}.contradiction"] = one.odds(one.contradicted)
    return found


@dataclass(frozen=True, slots=True)
class _Read:
    """Probabilities of a claim beside one premise; `contradicted` is None for a model of two classes."""

    entailed: float
    contradicted: float | None

    @classmethod
    def of(cls, part: str, signals: Mapping[str, float | None]) -> _Read | None:
        entailed = signals.get(f"{part}.entailment")
        return None if entailed is None else cls(entailed, signals.get(f"{part}.contradiction"))

    @property
    def neutral(self) -> float:
        return 1 - self.entailed - (self.contradicted or 0.0)

    def odds(self, probability: float | None) -> float | None:
        if probability is None:
            return None
        found = math.log(max(probability, _LEAST) / max(self.neutral, _LEAST))
        return max(-_EXTREME, min(_EXTREME, found))

"""What is read for each claim: its statement beside the premises chosen for it, by an entailment model and by rules.

The premises are the sentence nearest to the statement, that sentence with the one before it, and a passage of at most
five sentences (compare/premise_choice.py). The claim's triple is read beside the passage too: as hypothesis the triple
says one thing, the statement all of its clause. What none of these tells is read beside many sentences. Which of them
are read, and in which order, says premises_read.py; the pairs that all documents need next go through the model in one
call.
"""

from __future__ import annotations

import calendar
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from claimgraph.detect.check_input import Case
from claimgraph.detect.compare.premise_choice import ChosenPremises, PremiseChooser
from claimgraph.detect.compare.relations import sentence
from claimgraph.detect.compare.typed.differences import Judgement
from claimgraph.detect.compare.typed.passage_judgement import PassageJudgement, judged, read_wanted
from claimgraph.detect.compare.typed.sentence import Sentence, Value
from claimgraph.detect.compare.typed.value_conflicts import held
from claimgraph.detect.compare.typed_comparison import TypedSignals, compare, words_of
from claimgraph.detect.extraction.sentence_places import as_premise
from claimgraph.detect.methods.fusion.premises_read import WHOLE, WIDE, Read, next_premises
from claimgraph.detect.methods.fusion.replaced_reading import Replaced, replaced
from claimgraph.detect.methods.fusion.spoken_of import described, named, subjects
from claimgraph.detect.models.embedder import Space
from claimgraph.kgstore.model import Claim, EntailmentModel

_TOGETHER = 256
"""Statements whose sentences are held parsed."""
CONVERTED = 0.76
"""P(REFUTED) from which the model alone refutes a claim with a value that the passage writes in another way, "24
months" for "two-year", "June" for "1 June"."""
NEARLY = 0.9
"""The same of a claim that a clause of the passage has nearly word for word, with more words between or around. Of
twelve claims that the model refutes and either keeps open, two are false (base 10, 4,680 claims)."""
_PARTING = frozenset({",", ";", ":", "and", "or", "but", "nor", "while", "whereas", "than", "not", "no", "n't"})
_ENDS = frozenset(".!?:;\"”'’")
_MONTHS = {name.lower() for name in calendar.month_name[1:]}


@dataclass(frozen=True, slots=True)
class ClaimReading:
    """A claim's premises with what was found of them; `signals` by name, values as `features` takes them.

    `judged` is what typed comparison of the statement with the sentences of the passage tells, None where nothing;
    `replaced` what a sentence has instead of one of its words, None where none has; `least` is P(REFUTED) from which a
    contradiction that the model alone reads refutes (`least_sure`).
    """

    chosen: ChosenPremises
    typed: TypedSignals
    judged: PassageJudgement | None
    replaced: Replaced | None
    least: float
    signals: Mapping[str, float]


def readings(cases: Sequence[Case], spaces: Sequence[Space], model: EntailmentModel) -> list[list[ClaimReading]]:
    """One list a case with one reading a claim, in order. The cases have passages. Raises ModelError."""
    works = [_Case(case, space) for case, space in zip(cases, spaces, strict=True)]
    scores: dict[tuple[str, str], list[float]] = {}
    _read_next(works, scores, model)
    asked = [(work, said, rows) for work in works for said, rows in work.passages()]
    for start in range(0, len(asked), _TOGETHER):
        _compare(asked[start : start + _TOGETHER], model)
    while _read_next(works, scores, model):
        pass
    return [[work.reading(row) for row in range(len(work.claims))] for work in works]


def premises(case: Case, space: Space) -> dict[str, tuple[str, str]]:
    """Return the passage and the nearest sentence that each statement of a case is read beside, by statement."""
    work = _Case(case, space)
    pairs = {claim.sentence: work.pairs(claim) for claim in case.claims}
    return {said: (found["passage"][0], found["nearest"][0]) for said, found in pairs.items()}


def _read_next(works: Sequence[_Case], scores: dict[tuple[str, str], list[float]], model: EntailmentModel) -> bool:
    """Read each claim beside the premises that come next, all in one call; return whether any did."""
    wanted = [(work, *one) for work in works for one in work.wanted()]
    pairs = list(dict.fromkeys(pair for *_, pair in wanted if pair not in scores))
    scores |= zip(pairs, model.entail(pairs).tolist(), strict=True)
    for work, row, premise, pair in wanted:
        entailed, _, contradicted = scores[pair]
        work.read[row][premise] = Read(entailed, None if math.isnan(contradicted) else contradicted)
    return bool(wanted)


def _compare(asked: Sequence[tuple[_Case, str, tuple[int, ...]]], model: EntailmentModel) -> None:
    """Keep what the words of each statement tell beside the sentences of its passage."""
    wanted = [(work.sentences, said, rows) for work, said, rows in asked]
    read = read_wanted(wanted)
    for (work, said, rows), found in zip(asked, judged(wanted, read), strict=True):
        work.judged[said] = work.stated(said) or found
        work.least[said] = least_sure(read[said], [read[work.sentences[row].read] for row in rows])
    left = [one for one in asked if not one[0].decided(one[1])]
    others = replaced([(work.sentences, said, rows) for work, said, rows in left], read, model)
    for (work, said, _), other in zip(left, others, strict=True):
        work.replaced[said] = other


class _Case:
    """The claims of one document with the premises chosen for them."""

    def __init__(self, case: Case, space: Space) -> None:
        self.claims, self.sentences = case.claims, case.passages
        self.judged: dict[str, PassageJudgement | None] = {}
        self.replaced: dict[str, Replaced | None] = {}
        self.least: dict[str, float] = {}
        self.read: list[dict[str, Read]] = [{} for _ in case.claims]
        found = subjects(case)
        self._chooser = PremiseChooser(case.passages, space, described(case, found))
        self._texts = [named(as_premise(home.read), names) for home, names in zip(case.passages, found, strict=True)]
        self._words = words_of(" ".join(passage.read for passage in case.passages))
        self._rows = {claim.sentence: row for row, claim in enumerate(case.claims)}
        self._stated = {said: row for row, one in enumerate(case.passages) for said in one.statements}
        self._chosen = dict(zip(self._rows, self._chooser.choose(list(self._rows)), strict=True))

    def _choice(self, claim: Claim) -> ChosenPremises:
        return self._chosen[claim.sentence]

    def pairs(self, claim: Claim) -> dict[str, tuple[str, str]]:
        """Return what the model is given of a claim, by premise."""
        chosen, text = self._choice(claim), self._text
        return {
            "nearest": (text(chosen.nearest), claim.sentence),
            "pair": (text(chosen.pair), claim.sentence),
            "passage": (text(chosen.passage), claim.sentence),
            "triple": (text(chosen.passage), sentence(claim.triple)),
            WIDE: (text(chosen.wide), claim.sentence),
        }

    def _text(self, rows: Sequence[int]) -> str:
        """The premise that these rows make, with names for pronouns. A stop parts what stands under a lead that turns
        it from what has none.
        """
        texts = [self._texts[row] for row in rows]
        for at, (row, after) in enumerate(pairwise(rows)):
            turned = self.sentences[row].placed or self.sentences[after].placed
            texts[at] += "." if turned and texts[at][-1:] not in _ENDS else ""
        return " ".join(texts)

    def passages(self) -> Iterator[tuple[str, tuple[int, ...]]]:
        """Each statement with the sentences of its passage."""
        for said, chosen in self._chosen.items():
            yield said, chosen.passage

    def wanted(self) -> Iterator[tuple[int, str, tuple[str, str]]]:
        """Each premise that the model is to read a claim beside next: the claim's number, its name and the pair."""
        for row, claim in enumerate(self.claims):
            if self.says_same(claim.sentence):
                continue
            pairs, whole = self.pairs(claim), self._choice(claim).whole
            yield from ((row, premise, pairs[premise]) for premise in next_premises(self.read[row], whole))

    def stated(self, said: str) -> PassageJudgement | None:
        """Return the judgement of a statement that the context's own reading has, in the same words."""
        row = self._stated.get(said)
        return None if row is None else PassageJudgement(row, Judgement(False, "same"))

    def says_same(self, said: str) -> bool:
        """Return whether the context is known to say a statement in the same words, so that no model decides it."""
        found = self.judged.get(said)
        return found is not None and found.judgement.kind == "same"

    def decided(self, said: str) -> bool:
        """Return whether the nearest sentence entails a statement, or says the same."""
        return self.says_same(said) or self.read[self._rows[said]]["nearest"].decides

    def reading(self, row: int) -> ClaimReading:
        claim = self.claims[row]
        chosen, text = self._choice(claim), self._chooser.text
        typed = compare(claim.sentence, text(chosen.nearest), text(chosen.passage), self._words)
        signals = {"premise.nearness": chosen.nearness, "premise.coverage": chosen.coverage, WHOLE: float(chosen.whole)}
        signals |= {f"typed.{name}": value for name, value in typed.signals().items()}
        found = self.judged.get(claim.sentence)
        signals["typed.excluded"] = float(found is not None and found.judgement.excluded)
        signals["typed.stated"] = float(found is not None and not found.judgement.excluded)
        for name, read in self.read[row].items():
            signals[f"{name}.entailment"] = read.entailed
            if read.contradicted is not None:
                signals[f"{name}.contradiction"] = read.contradicted
        rounded = {name: round(value, 4) for name, value in signals.items()}
        other, least = self.replaced.get(claim.sentence), self.least[claim.sentence]
        return ClaimReading(chosen, typed, found, other, least, rounded)


def least_sure(claim: Sentence, passage: Sequence[Sentence]) -> float:
    """Return P(REFUTED) from which the model's contradiction of a claim is a ground.

    Infinite for a claim with a name and a verb that the passage lacks: what is said of the same subject does not
    exclude it. NEARLY where a clause has its words, CONVERTED where it writes a value in its own way; 0 elsewhere.
    """
    said = {word.stem for sentence in passage for word in sentence.words}
    verbs = [word.stem for word in claim.words if word.verb and not word.light]
    named = any(word.name and word.stem not in said for word in claim.words)
    if named and verbs and said.isdisjoint(verbs):
        return math.inf
    known = [value for sentence in passage for value in sentence.values]
    unknown = [value for value in claim.values if not held(value, known)]
    if any(_nearly_says(sentence, claim) for sentence in passage):
        return NEARLY
    written = {_written(value) for value in known}
    dated = {word for value in claim.values for word in _written(value).split()}
    months = _MONTHS.intersection(word.text.lower() for word in claim.words) - dated
    shortened = any(months.intersection(text.split()) for text in written)
    given = (_written(value) for value in claim.values if value not in unknown)
    return CONVERTED if shortened or any(text not in written for text in given) else 0.0


def _nearly_says(sentence: Sentence, claim: Sentence) -> bool:
    """Return whether one clause of a sentence has the claim's words from its verb on, in order, and its values; its
    subject is the claim's, or a pronoun.
    """
    verb = next((word.at for word in claim.words if word.verb), None)
    if verb is None or sentence.hedged != claim.hedged:
        return False
    subject = {word.stem for word in claim.words if word.at < verb}
    told = [word.stem for word in claim.words if word.at >= verb]
    given = [value for value in claim.values if value.at >= verb]
    if len(told) + len(given) < 2:
        return False
    parting = [token.i for token in sentence.doc if token.lower_ in _PARTING]
    for start, end in pairwise((-1, *parting, len(sentence.doc))):
        here = [word for word in sentence.words if start < word.at < end]
        at = next((word.at for word in here if word.verb), None)
        if at is None:
            continue
        before = {word.stem for word in here if word.at < at}
        values = [value for value in sentence.values if start < value.at < end]
        rest = iter(word.stem for word in here)
        same = all(stem in rest for stem in told) and all(held(value, values) for value in given)
        if same and (not before or not subject.isdisjoint(before)):
            return True
    return False


def _written(value: Value) -> str:
    """Return a value's words, without the punctuation that may follow them."""
    return value.text.lower().rstrip(".,;:")

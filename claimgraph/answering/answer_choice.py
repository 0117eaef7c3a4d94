"""Choose what answers a question among retrieved facts, or say what the graph lacks for it.

Retrieval always finds something near; an answer must also be of the kind asked for, hold at the question's time, have a
name, and be likely enough. What is nearest is kept beside, never as an answer. Asking for a higher score alone was
rejected: "Bergen: country Norway" scores 0.88 for the capital of Norway.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from claimgraph.answering.answer_grounds import (
    NAMED,
    conditions,
    equally_right,
    joined,
    link_score,
    number_of,
    place_of,
)
from claimgraph.answering.comparison import YES_NO, compared
from claimgraph.answering.retrieval_result import RetrievalResult
from claimgraph.detect.compare import relation_phrases
from claimgraph.detect.methods.open_domain.fact_validity import dropped, dropped_now, is_measure, validity
from claimgraph.detect.text.words import folded, is_country
from claimgraph.kgstore.model import Entity, Fact, Literal, Node, Subgraph
from claimgraph.kgstore.naming import is_key
from claimgraph.kgstore.values.dates import dates_in
from claimgraph.retrieval.answers.answers import NodeAnswer

BIAS, SCORE, MARGIN, PHRASE, OTHER = 0.19, 0.12, 0.46, 1.76, -5.1
"""Weights of an answer's confidence, the logistic of their sum: of the log-odds of its score, of their lead over the
best answer by another relation (at most MOST), of a known phrase of its relation in the question, and of how much
nearer the question is to a way to ask for another relation (NodeAnswer.other).

Fitted on 310 of SimpleQuestions' questions about entities of CoDEx-M and FB15k-237, 46 of them about relations that
these lack there; in five-fold cross-validation AUC 0.885 (0.805 by the score alone): docs/quality/questions.md.
"""
MOST = 3.0
RIVALS, EVEN = 3, 0.5
"""With fewer other relations than RIVALS the lead is over EVEN: it is easy to be the best of two."""
ANSWERED = 0.65
"""Least confidence of an answer."""
LINKED = 0.1
"""Least score of an entity that an answer is about: below it a question names something that no graph has."""


class Lack(StrEnum):
    """What a graph lacks to answer a question."""

    ENTITY = "entity"
    RELATION = "relation"
    VALUE = "value"
    STEPS = "steps"
    """Several facts are asked for, and what the graph has of them does not tell."""
    STATEMENT = "statement"
    """The question asks whether something is so."""


class Kind(StrEnum):
    """The kind of answer that a question asks for."""

    DATE = "a date"
    NUMBER = "a number"
    COUNTRY = "a country"
    THING = "somebody or something with a name"


@dataclass(frozen=True, slots=True)
class AnswerChoice:
    """The answers, best first, those of them that are as right as the first, and the probability that these are right.

    Without answers `lacks` says what is missing, and `nearest` are what retrieval found instead. `counted`: the
    question asks how many there are, which `count` says, None where the graph was not read whole.
    """

    answers: tuple[NodeAnswer, ...]
    alike: tuple[NodeAnswer, ...]
    confidence: float
    lacks: Lack | None = None
    kind: Kind | None = None
    nearest: tuple[NodeAnswer, ...] = ()
    counted: bool = False
    count: int | None = None


_KINDS = (
    (Kind.DATE, re.compile(r"\bwhen\b|\b(?:what|which) (?:year|date|day)\b|\bsince when\b")),
    (Kind.NUMBER, re.compile(r"\bhow (?:much|tall|old|long|high|deep|big|large|heavy)\b|\bthe population of\b")),
    (Kind.COUNTRY, re.compile(r"\b(?:which|what) (?:country|nation)\b")),
    (Kind.THING, re.compile(r"\b(?:who|whom|whose|where)\b")),
)
_STEPS = re.compile(
    r"\b(?:older|younger|newer|taller|bigger|larger|smaller|longer|shorter|higher|earlier|later|more|fewer|less) "
    r"(?:\w+ )?than\b|\b(?:which|who|what)\b.*\b(?:\w+er|first|last|more|less|\w+est)\b.* or\b|"
    r"^(?:was|were|did)\b.*\b(?:born|die|founded|built|published|released) (?:before|after|earlier|later)\b"
)
_MOST = re.compile(
    r"\b(?:old|young|large|small|bigg|tall|long|short|high|low|new|lat|earli|deep|heavi|rich)est\b|\b(?:most|fewest|least)\b"
)
_COUNT = re.compile(r"\bhow (?:many|often)\b", re.IGNORECASE)
_PRESENT = re.compile(r"\b(?:is|are|does|do|has|have|lives|works|current(?:ly)?|now)\b")
_PAST = re.compile(r"\b(?:was|were|did|had|been)\b")
_ENDING = re.compile(r"\b(?:end|ended|leave|left|stop|stopped|cease|until|divorced?|resign(?:ed)?|lose|lost)\b")


def kind_asked(question: str) -> Kind | None:
    """Return the kind of answer by the question word; None where that tells none."""
    return next((kind for kind, words in _KINDS if words.search(question.casefold())), None)


def confidence(score: float, second: float, *, phrase: bool, other: float) -> float:
    """Return the probability that an answer is right by its score and that of the best by another relation."""
    odds = _odds(score)
    lead = min(MOST, odds - _odds(second))
    return 1 / (1 + math.exp(-(BIAS + SCORE * odds + MARGIN * lead + PHRASE * phrase + OTHER * other)))


def _odds(score: float) -> float:
    sure = min(max(score, 1e-9), 1 - 1e-9)
    return math.log(sure / (1 - sure))


def chosen_answers(question: str, found: RetrievalResult, facts: Subgraph) -> AnswerChoice:
    """Return the answers among those retrieved, of which `facts` are the evidence."""
    known = {at: fact for at, key in enumerate(found.facts) if (fact := _by_id(facts).get(key))}
    nearest = tuple(one for one in found.answers if not is_key(one.name))
    none = AnswerChoice((), (), 0.0, kind=kind_asked(question), nearest=nearest)
    if _STEPS.search(question.casefold()) and (told := _by_comparison(question, found, facts)):
        return told
    if lack := _unread(question, found, known):
        return replace(none, lacks=lack)
    if found.step:
        question = found.step.question
    when = _when(question, found, known) if none.kind is Kind.DATE else ()
    if when:
        return _chosen(question, when, 1.0, none, found, facts)
    past = _out_of_time(question, facts)
    held = [replace(one, facts=tuple(_holding(at, known, past) for at in one.facts)) for one in found.answers]
    answers = tuple(
        one for one in held if _fits(none.kind, facts.nodes.get(one.id), past, [known.get(at) for at in one.facts])
    )
    steps = 1 if found.step else 0
    sure = _sureness(question, answers, known, steps)
    if answers and not steps and link_score(answers[0], known, found) < LINKED:
        return replace(none, lacks=Lack.ENTITY)
    if sure < ANSWERED:
        best = _sureness(question, nearest, known, steps)
        return replace(none, confidence=sure, lacks=Lack.VALUE if best >= ANSWERED else Lack.RELATION)
    over = [one for one in held if any(known[at].id in past for at in one.facts if at in known)]
    return _chosen(question, answers, sure, none, found, facts, over)


def _unread(question: str, found: RetrievalResult, known: Mapping[int, Fact]) -> Lack | None:
    """Return why a question is not answered whatever was retrieved; None where it may be."""
    if not found.linked:
        return Lack.ENTITY
    if _STEPS.search(question.casefold()) or found.unanswered or _greatest(question, found, known):
        return Lack.STEPS
    return Lack.STATEMENT if YES_NO.match(question.casefold()) else None


def _chosen(
    question: str,
    answers: Sequence[NodeAnswer],
    sure: float,
    none: AnswerChoice,
    found: RetrievalResult,
    facts: Subgraph,
    over: Sequence[NodeAnswer] = (),
) -> AnswerChoice:
    """Return the choice of likely answers, those as right as the first apart, with their number where it is asked for;
    `over` are those that no longer hold.
    """
    known = {at: fact for at, key in enumerate(found.facts) if (fact := _by_id(facts).get(key))}
    steps = 1 if found.step else 0
    first = place_of(answers[0], known, steps)
    alike = (
        tuple(one for one in answers if first and equally_right(first, place_of(one, known, steps), steps))
        or answers[:1]
    )
    wanted = conditions(answers[0], known, found) if answers[0].id not in found.facts else frozenset()
    if wanted:
        alike = answers = tuple(one for one in alike if wanted <= joined(one.id, facts))
    if not answers:
        return replace(none, lacks=Lack.STEPS)
    confidence = round(sure * (found.step.confidence if found.step else 1.0), 4)
    choice = replace(none, answers=tuple(answers), alike=tuple(alike), confidence=confidence, nearest=())
    if not _COUNT.search(question) or isinstance(facts.nodes.get(answers[0].id), Literal):
        return choice
    return replace(choice, counted=True, count=None if wanted else number_of(alike, over, found, known))


def _greatest(question: str, found: RetrievalResult, known: Mapping[int, Fact]) -> bool:
    """Return whether a question asks for the greatest of several things, which no relation of a graph names."""
    span = found.linked[0].span if found.linked else None
    rest = question[: span.start] + question[span.end :] if span else question
    if not (asked := _MOST.search(rest.casefold())):
        return False
    fact = known.get(found.answers[0].facts[0]) if found.answers and found.answers[0].facts else None
    return fact is None or asked[0] not in fact.name.casefold()


def _holding(at: int, known: Mapping[int, Fact], past: frozenset[str]) -> int:
    """Return the place of a fact that says what the one at that place says, and held at the question's time; the place
    itself where there is none: who holds an office twice has two facts.
    """
    fact = known.get(at)
    if fact is None or fact.id not in past:
        return at
    said = (fact.subject, fact.predicate, fact.object)
    same = (place for place, one in known.items() if (one.subject, one.predicate, one.object) == said)
    return next((place for place in same if known[place].id not in past), at)


def _by_comparison(question: str, found: RetrievalResult, facts: Subgraph) -> AnswerChoice | None:
    """Return the answer of a comparison of two things; None where their values do not tell."""
    if (told := compared(question, found.linked, facts)) is None:
        return None
    places = tuple(found.facts.index(fact.id) for fact in told.facts)
    answer = NodeAnswer(told.winner, told.said, round(told.score, 6), places)
    return AnswerChoice((answer,), (answer,), round(told.score, 4))


def _sureness(question: str, answers: Sequence[NodeAnswer], known: Mapping[int, Fact], steps: int) -> float:
    """Return the confidence of the first answer, which `steps` facts lead to; 0 where there is none."""
    if not answers or len(answers[0].facts) <= steps or (fact := known.get(answers[0].facts[steps])) is None:
        return 0.0
    direct = [
        (one.score, known[one.facts[steps]].predicate)
        for one in answers
        if len(one.facts) == steps + 1 and one.facts[steps] in known
    ]
    others = {predicate: score for score, predicate in reversed(direct) if predicate != fact.predicate}
    second = max(others.values(), default=0.0)
    if len(others) < RIVALS:
        second = max(second, EVEN)
    return confidence(answers[0].score, second, phrase=_phrased(question, fact.name), other=answers[0].other)


def _phrased(question: str, relation: str) -> bool:
    """Return whether the question has a known phrase of the relation, in either direction."""
    said, known = relation_phrases.key(question), relation_phrases.ways(relation)
    parts = {said[at : at + size] for at in range(len(said)) for size in range(1, 6)}
    return any(phrase and phrase[phrase[0] == "be" :] in parts for phrase in known.straight | known.turned)


def _by_id(facts: Subgraph) -> Mapping[str, Fact]:
    return {fact.id: fact for fact in facts.facts}


def _fits(kind: Kind | None, node: Node | None, past: frozenset[str], path: Sequence[Fact | None]) -> bool:
    """Return whether a node has a name, is of the kind, and every fact that leads to it holds."""
    if node is None or is_key(node.name) or any(fact is None or fact.id in past for fact in path):
        return False
    if kind is Kind.DATE:
        return isinstance(node, Literal) and any(True for _ in dates_in(node.name))
    if kind is Kind.NUMBER:
        return is_measure(node) or (isinstance(node, Literal) and any(c.isdigit() for c in node.name))
    return kind is None or (isinstance(node, Entity) and (kind is Kind.THING or is_country(node.name)))


def _out_of_time(question: str, facts: Subgraph) -> frozenset[str]:
    """Return the facts that did not hold at the question's time: its date, else now for a question in the present."""
    date = next((date for _, _, date in dates_in(question)), None)
    if date:
        return dropped(facts.facts, facts.nodes, *date.span)
    words = question.casefold()
    present = _PRESENT.search(words) and not _PAST.search(words)
    return dropped_now(facts.facts, facts.nodes) if present else frozenset()


def _when(question: str, found: RetrievalResult, known: Mapping[int, Fact]) -> tuple[NodeAnswer, ...]:
    """Return the start or the end of a fact that joins two things the question names."""
    linked = {one.entity.id: one for one in found.linked}
    words, ending = folded(question), bool(_ENDING.search(question.casefold()))
    answers = []
    for at, fact in known.items():
        subject, object, time = linked.get(fact.subject), linked.get(fact.object), validity(fact)
        bound = time.end if ending else time.start or next(iter(time.points), None)
        if subject and object and bound and subject.score >= NAMED and folded(object.entity.name) in words:
            answers.append(NodeAnswer(fact.id, bound.value, round(subject.score, 6), (at,)))
    return tuple(sorted(answers, key=lambda one: (one.name, one.id)))

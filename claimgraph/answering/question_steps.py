"""Answer a question that asks for a fact of another fact's end by two questions, each of one fact.

    Where was the director of The Silent River born?
      ──▶ What is the director of The Silent River? ──▶ Anna Berg ──▶ Where was Anna Berg born?

The inner question is found by the words around the name of an entity: "the ... of X", "X's ...", "the ... who ... X".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache

from claimgraph.answering.answer_choice import chosen_answers
from claimgraph.answering.retrieval_result import RetrievalResult, Step
from claimgraph.kgstore.model import Entity, Span, Subgraph
from claimgraph.kgstore.naming import search_words
from claimgraph.retrieval.answers.answers import NodeAnswer
from claimgraph.retrieval.answers.relation_wordings import all_forms
from claimgraph.retrieval.linking.link import Candidate
from claimgraph.retrieval.linking.mentions import STOP

BRIDGES = 5
"""Most answers of the inner question that the outer one is asked of."""

LEAST = 0.1
"""Least score of the entity: in a long question each name is a small part of what is told."""

_SURE = 0.95
"""Score of an entity that the inner question has found."""

_WORDS = r"(?:[\w'’-]+ ){0,3}[\w'’-]+"
_OF = re.compile(rf".*\b(?P<all>the (?P<noun>{_WORDS}) (?:of|for) )(?:the )?$", re.IGNORECASE)
_WHO = re.compile(rf".*\b(?P<all>the [\w-]+ (?:who|that|which) (?P<verb>{_WORDS}) )(?:the )?$", re.IGNORECASE)
_OWN = re.compile(r"['’]s? (?P<noun>(?:[\w-]+ ){0,2}[\w-]+)")
_AREA = re.compile(r"\bin (?:which|what) (?:country|continent|state|county|region)\b", re.IGNORECASE)
"""What holds a place: "in which country is the birthplace of X" asks for more than "what country is the home of X".
"""
_KINDS = frozenset(
    re.findall(
        r"\w+",
        "person people man woman actor country nation city town village place state province county region river "
        "island company organization film movie book novel song album band team game kind type name title "
        "year date day month current currently today now january february march april may june july august september "
        "october november december beginning start end middle part rest list "
        "music lyrics words script score soundtrack screenplay story",
    )
)
"""Words that say what kind of thing is meant, which part of a work, or when: they ask for nothing of their own."""


@dataclass(frozen=True, slots=True)
class InnerQuestion:
    """A question within a question, and the span of the outer one that its answer replaces."""

    text: str
    span: Span


def inner_question(question: str, linked: Sequence[Candidate]) -> InnerQuestion | None:
    """Return the question that must be answered first; None where the question asks for one fact."""
    named = next((one for one in linked if one.span and one.score >= LEAST), None)
    if named is None or named.span is None:
        return None
    name, before, after = named.entity.name, question[: named.span.start], question[named.span.end :]
    found: InnerQuestion | None = None
    if (of := _OF.match(before)) and of["noun"].casefold() not in _KINDS:
        found = InnerQuestion(f"What is the {of['noun']} of {name}?", Span(of.start("all"), named.span.end))
    elif who := _WHO.match(before):
        found = InnerQuestion(f"Who {who['verb']} {name}?", Span(who.start("all"), named.span.end))
    elif (own := _OWN.match(after)) and (noun := _known_noun(own["noun"])):
        end = named.span.end + own.start("noun") + len(noun)
        found = InnerQuestion(f"What is the {noun} of {name}?", Span(named.span.start, end))
    if found is None:
        return None
    rest = question[: found.span.start] + " " + question[found.span.end :]
    words = [word for word in search_words(rest) if not any(letter.isdigit() for letter in word)]
    return found if _AREA.search(rest) or any(word not in STOP | _KINDS for word in words) else None


def in_two_steps(
    question: str,
    inner: InnerQuestion,
    retrieved: Callable[[str, Sequence[Candidate] | None], RetrievalResult],
    subgraph: Callable[[Sequence[str]], Subgraph],
) -> RetrievalResult:
    """Return the evidence of both questions, with the answers of the outer one; `retrieved` finds that of one question
    about given entities, or about those that it names.
    """
    first = retrieved(inner.text, None)
    facts = subgraph(first.facts)
    choice = chosen_answers(inner.text, first, facts)
    bridges = [(one, facts.nodes[one.id]) for one in choice.alike if len(one.facts) == 1]
    taken = replace(first, answers=(), step=Step(inner.text, choice.confidence))
    if choice.lacks is not None or not 0 < len(bridges) <= BRIDGES:
        return replace(taken, answers=first.answers, step=None, unanswered=True)
    for bridge, node in bridges:
        if isinstance(node, Entity):
            text, span = _outer(question, inner.span, node.name)
            taken = _joined(taken, bridge, retrieved(text, (Candidate(node, _SURE, span),)), text)
    return taken


def _outer(question: str, span: Span, name: str) -> tuple[str, Span]:
    return question[: span.start] + name + question[span.end :], Span(span.start, span.start + len(name))


def _joined(taken: RetrievalResult, bridge: NodeAnswer, second: RetrievalResult, text: str) -> RetrievalResult:
    """Return the evidence with that of the second step, whose answers rest on the bridge's fact too."""
    facts = tuple(dict.fromkeys((*taken.facts, *second.facts)))
    place = {fact: at for at, fact in enumerate(facts)}
    own = [
        replace(one, facts=(*bridge.facts, *(place[second.facts[at]] for at in one.facts))) for one in second.answers
    ]
    known = {one.id for one in taken.answers}
    answers = (*taken.answers, *(one for one in own if one.id not in known))
    return replace(
        taken,
        facts=facts,
        answers=tuple(sorted(answers, key=lambda one: (-one.score, one.id))),
        counts={**taken.counts, **second.counts},
        step=replace(taken.step, question=text, entity=bridge.name) if taken.step else None,
    )


def _known_noun(words: str) -> str:
    """Return the longest beginning of the words that names what a relation leads to; empty where none does."""
    parts = words.split(" ")
    begun = (" ".join(parts[:size]) for size in range(len(parts), 0, -1))
    return next((noun for noun in begun if noun.casefold() in _nouns()), "")


@cache
def _nouns() -> frozenset[str]:
    of = (found for form in all_forms() for found in re.findall(r"\bthe ((?:\w+ ){0,3}?\w+) of\b", form))
    return frozenset((*of, *all_forms()))

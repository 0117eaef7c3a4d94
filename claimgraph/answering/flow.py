"""Answer a question: link, prune, retrieve, answer, check, store. Read pipeline.py first; this is its twin.

    question ──link──▶ entities ──around──▶ pruned graph ──retrieve──▶ facts ──▶ answers ──writer──▶ checked sentences

Every part is an argument. `find` needs no language model and is what eval qa measures. `choose` and `answer` are the
two halves, with only ids in between; `ask` is the whole.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

import numpy as np
from numpy.typing import NDArray

from claimgraph.answering.answer import AskReport, Write, Written
from claimgraph.answering.answer_choice import AnswerChoice, Lack, chosen_answers
from claimgraph.answering.answer_texts import About
from claimgraph.answering.answer_words import NO_ANSWER, NO_ENTITY, NO_GRAPH, fact_in_words, in_words, not_answered
from claimgraph.answering.comparison import facts_to_compare
from claimgraph.answering.question_preset import OURS, QuestionPreset
from claimgraph.answering.question_steps import in_two_steps, inner_question
from claimgraph.answering.retrieval_result import RetrievalResult
from claimgraph.detect.reasons.evidence import Sources
from claimgraph.kgstore import identity, records
from claimgraph.kgstore.arrays.graph import GraphArrays
from claimgraph.kgstore.errors import InputError
from claimgraph.kgstore.model import Answer, Embedder, Evidence, Outcome, Subgraph
from claimgraph.kgstore.store import GraphStore
from claimgraph.retrieval.answers.answers import NodeAnswer, answers, counts
from claimgraph.retrieval.answers.fact_scoring import AskedElements, Scored, facts_of_interest, score_facts
from claimgraph.retrieval.graph_source import OWN
from claimgraph.retrieval.linking.link import Candidate
from claimgraph.retrieval.subgraph.elements import ElementCosines
from claimgraph.retrieval.subgraph.prune import Pruned
from claimgraph.retrieval.subgraph.question_subgraph import QuestionSubgraph, component
from claimgraph.retrieval.subgraph.retrieve import Retrieved, retrieve

MODES = ("none", "random", "text", "triplet", "path", "subgraph")
PROMPTS = ("zero", "4-shot", "cot", "cot-sc")

SEEDS = 5
"""Entities that the graph is pruned around; of the others only their own facts are used."""

SHOWN = 10
"""Answers that have their facts first in the evidence."""


_NO_FACTS = Subgraph({}, ())
_NO_CHOICE = AnswerChoice((), (), 0.0, Lack.ENTITY)


@dataclass(frozen=True, slots=True, eq=False)
class RetrievedAnswers:
    """The result of retrieval: the linked entities, best first, the graph that fact numbers refer to, facts, best
    first, and answers, best first; `compared` are ids of facts that a question which compares things asks for, `counts`
    those of RetrievalResult; `pruned` is the part around the entities that all was looked for in.
    """

    linked: tuple[Candidate, ...]
    graph: GraphArrays
    facts: tuple[int, ...]
    answers: tuple[NodeAnswer, ...]
    pruned: Pruned
    compared: tuple[str, ...] = ()
    counts: Mapping[tuple[str, str, bool], int] = field(default_factory=dict)

    @property
    def tokens(self) -> int:
        """Tokens of the text of the retrieved facts."""
        return int(self.graph.tokens[list(self.facts)].sum())


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts that answer a question. `passages` returns texts about entities of those ids and their neighbours,
    `choose` those of them to answer a question from.
    """

    link: Callable[[str], Sequence[Candidate]]
    around: Callable[[Sequence[str]], QuestionSubgraph]
    subgraph: Callable[[Sequence[str]], Subgraph]
    passages: Callable[[Sequence[str]], Sequence[About]]
    choose: Callable[[str, Sequence[About]], Sequence[About]]
    embedder: Embedder
    elements: ElementCosines
    preset: QuestionPreset = OURS
    seed: int = 0


@dataclass(frozen=True, slots=True)
class _AnswerEvidence:
    """The evidence of an answer, an answer in its words, and what it rests on."""

    answer: str
    choice: AnswerChoice = _NO_CHOICE
    evidence: tuple[Evidence, ...] = ()
    facts: Subgraph = _NO_FACTS


def find(question: str, mode: str, parts: Parts) -> RetrievedAnswers:
    """Return the facts for a question, by a mode of MODES other than none and text, and its answers among them.

    The graph is the component, around the named entities, of the fact that answers best: a subgraph is connected, so it
    must be looked for where the answer is. `random` takes any facts around the entities.
    """
    linked = tuple(parts.link(question))
    ids = [one.entity.id for one in linked]
    near = parts.around(ids)
    compared = facts_to_compare(question, linked, near.pruned.graph)
    scored = score_facts(question, near.pruned.graph, linked, parts.embedder, degrees=near.degrees)
    pruned, published = near.pruned, parts.preset.published
    if mode != "random" and not published and scored.scores.max(initial=0) > 0:
        for narrowed in (facts_of_interest, _connected):
            kept = narrowed(pruned.graph, scored)
            scored, pruned = scored.part(pruned.graph, kept), replace(pruned, graph=pruned.graph.part(kept))
    elements = parts.elements if published else AskedElements(parts.elements, scored)
    found = retrieve(question, pruned, parts.embedder, mode, parts.preset.retrieval, elements=elements, seed=parts.seed)
    if parts.preset.tokens is not None:
        found = replace(found, facts=_within(found.facts, pruned.graph, parts.preset.tokens))
    given = _answers(pruned.graph, found, scored, linked)
    known = counts(near.pruned.graph, ids, OWN if near.degrees is None else None)
    return RetrievedAnswers(linked, pruned.graph, found.facts, given, near.pruned, compared, known)


def _connected(graph: GraphArrays, scored: Scored) -> NDArray[np.int64]:
    """Return numbers of the facts that are connected with the one that answers best."""
    return component(graph, int(np.argmax(scored.scores)))


def _within(facts: Sequence[int], graph: GraphArrays, tokens: int) -> tuple[int, ...]:
    """Return the first of the facts whose text has at most so many tokens together."""
    spent = np.cumsum(graph.tokens[list(facts)])
    return tuple(facts[: int(np.searchsorted(spent, tokens, side="right"))])


def ask(
    question: str, *, mode: str, parts: Parts | None, write: Write | None, prompt: str | None, store: GraphStore
) -> AskReport:
    """Answer one question and store the answer with its evidence; without `write` in the words of the evidence.

    `parts` None means that there is no graph: mode `none`. Raises InputError for another mode and an empty question.
    """
    clock = time.perf_counter()
    chosen = choose(question, mode, parts)
    report = answer(question, chosen, mode=mode, parts=parts, write=write, prompt=prompt, store=store)
    return replace(report, seconds=time.perf_counter() - clock)


def choose(question: str, mode: str, parts: Parts | None) -> RetrievalResult:
    """Return the evidence to answer from, by ids; for mode text only the entities: its passages are found with the
    answer.

    Raises InputError for another mode than MODES and an empty question.
    """
    if mode not in MODES:
        raise InputError(f"no mode {mode!r}; there are {', '.join(MODES)}")
    if not question.strip():
        raise InputError("the question is empty")
    if parts is None:
        return RetrievalResult(())
    if mode == "text":
        return RetrievalResult(tuple(parts.link(question)))
    if parts.preset.published:
        found = find(question, mode, parts)
        return replace(_chosen(found), notes=(_counted(found),))

    def retrieved(text: str, linked: Sequence[Candidate] | None) -> RetrievalResult:
        given = parts if linked is None else replace(parts, link=lambda _: linked)
        return _chosen(find(text, mode, given))

    linked = tuple(parts.link(question))
    if inner := inner_question(question, linked):
        return replace(in_two_steps(question, inner, retrieved, parts.subgraph), linked=linked)
    return retrieved(question, linked)


def _counted(found: RetrievedAnswers) -> str:
    known, kept = found.pruned.tokens_before, found.pruned.tokens_after
    before = "an unknown number" if known is None else f"{known:,}"
    return f"tokens: {before} within two hops, {kept:,} after pruning, {found.tokens:,} retrieved"


def _chosen(found: RetrievedAnswers) -> RetrievalResult:
    """Return the facts with those of the answers first."""
    first = [fact for answer in found.answers[:SHOWN] for fact in answer.facts]
    place = {fact: at for at, fact in enumerate(dict.fromkeys([*first, *found.facts]))}
    facts = [found.graph.facts[fact] for fact in place]
    return RetrievalResult(
        found.linked,
        tuple(dict.fromkeys([*facts, *found.compared])),
        tuple(replace(one, facts=tuple(place[fact] for fact in one.facts)) for one in found.answers),
        counts=found.counts,
    )


def answer(
    question: str,
    chosen: RetrievalResult,
    *,
    mode: str,
    parts: Parts | None,
    write: Write | None,
    prompt: str | None,
    store: GraphStore,
) -> AskReport:
    """Read the chosen evidence, answer from it, and store the answer with its evidence: see ask."""
    clock = time.perf_counter()
    found = _AnswerEvidence(NO_GRAPH) if parts is None else _grounds(question, mode, chosen, parts)
    written = write(question, found.evidence, found.facts) if write else Written(found.answer)
    config = write.config if write else None
    made_of = [*(piece.id for piece in found.evidence), *([config] if config else [])]
    key = identity.answer_id(question, mode, written.text, *made_of)
    store.write(
        *records.answer_steps([Answer(key, question, mode, written.text, found.evidence, config, datetime.now(UTC))])
    )
    return AskReport(
        id=key,
        question=question,
        mode=mode,
        prompt=prompt,
        answer=written.text,
        answers=found.choice.answers,
        evidence=found.evidence,
        linked=chosen.linked,
        sentences=written.sentences,
        seconds=time.perf_counter() - clock,
        notes=(*chosen.notes, *written.notes),
        retrofitted=written.retrofitted,
        answered=_answered(written, found.choice) if write else found.choice.lacks is None,
        confidence=None if write else found.choice.confidence,
        lacks=found.choice.lacks,
        count=found.choice.count,
        nearest=found.choice.nearest,
    )


def _answered(written: Written, choice: AnswerChoice) -> bool:
    """Return whether evidence answers: that of a shown sentence, or the choice's where none was checked."""
    if not written.sentences:
        return choice.lacks is None and bool(written.text)
    return any(one.shown and one.outcome == Outcome.SUPPORTED for one in written.sentences)


def _answers(
    graph: GraphArrays, found: Retrieved, scored: Scored, linked: Sequence[Candidate]
) -> tuple[NodeAnswer, ...]:
    named = [one.entity.id for one in linked if one.score >= 0.5]
    return tuple(answers(graph, found, scored, named))


def evidence_for(question: str, mode: str, parts: Parts) -> tuple[Evidence, ...]:
    """Return the evidence of an answer in the order its numbers cite it, by a mode of MODES other than none."""
    return _grounds(question, mode, choose(question, mode, parts), parts).evidence


def _grounds(question: str, mode: str, chosen: RetrievalResult, parts: Parts) -> _AnswerEvidence:
    """Return the chosen facts or texts as evidence."""
    if mode == "text":
        return _texts(question, chosen.linked, parts)
    facts = parts.subgraph(chosen.facts)
    choice = chosen_answers(question, chosen, facts)
    known, sources = {fact.id: fact for fact in facts.facts}, Sources(facts, ())
    first = [chosen.facts[at] for one in choice.alike for at in one.facts]
    order = dict.fromkeys((*first, *chosen.facts))
    evidence = tuple(sources.fact(known[key]) for key in order if key in known)
    return _AnswerEvidence(_said(chosen, choice, facts), choice, evidence, facts)


def _said(chosen: RetrievalResult, choice: AnswerChoice, facts: Subgraph) -> str:
    said = {fact.id: fact_in_words(facts, fact) for fact in facts.facts}
    given = choice.alike or choice.nearest
    told = {one.id: "; ".join(said[key] for at in one.facts if (key := chosen.facts[at]) in said) for one in given}
    if choice.lacks is not None:
        entity = chosen.step.entity if chosen.step else chosen.linked[0].entity.name if chosen.linked else ""
        return not_answered(choice, entity, [told[one.id] for one in choice.nearest])
    return in_words(choice, told)


def find_texts(
    question: str, linked: Sequence[Candidate], parts: Parts
) -> tuple[Sequence[About], tuple[Evidence, ...]]:
    """Return the passages nearest to the question about entities around the linked ones, also as evidence."""
    near = parts.choose(question, parts.passages([one.entity.id for one in linked]))
    sources = Sources(_NO_FACTS, [text.passage for text in near])
    return near, tuple(sources.passage(at) for at in range(len(near)))


def _texts(question: str, linked: Sequence[Candidate], parts: Parts) -> _AnswerEvidence:
    """Return the entities that the nearest passages are about, as answers, without those that the question names."""
    near, evidence = find_texts(question, linked, parts)
    named = {one.entity.id for one in linked}
    scored = {text.entity: text for text in reversed(near) if text.entity not in named}
    found = [NodeAnswer(text.entity, text.name, round(max(0.0, text.score), 6), ()) for text in scored.values()]
    said = near[0].passage.text if near else NO_ANSWER if linked else NO_ENTITY
    ranked = tuple(sorted(found, key=lambda one: (-one.score, one.id)))
    lacks = None if near else Lack.VALUE if linked else Lack.ENTITY
    return _AnswerEvidence(said, AnswerChoice(ranked, ranked[:1], 0.0, lacks), evidence)

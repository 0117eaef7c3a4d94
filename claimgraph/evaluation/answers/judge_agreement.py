"""Measure how far the judges of open-ended answers agree with people, for `claimgraph eval judges`.

FActScore's biographies come with atomic facts that people wrote and labelled: supported (S) by the encyclopedia, not
supported (NS), or irrelevant (IR). A judge is given the same facts, with the passages known about the topic. Topics
without passages are left out and counted: a judge without a source says nothing about the judge.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from claimgraph.detect.judges.agreement import accuracy, balanced_accuracy, kappa, pearson, share
from claimgraph.detect.judges.atomic_facts import named
from claimgraph.detect.judges.factscore import AnswerFacts, factscore
from claimgraph.detect.judges.passage_judges import FactJudge
from claimgraph.detect.judges.safe import Agent, RatedFact, Rating, Search, SearchTask, safe
from claimgraph.evaluation.batches import Advance, silent
from claimgraph.evaluation.data.rows import JsonRow, dataset_name, read_rows
from claimgraph.evaluation.statistics.shares import rounded
from claimgraph.evidence.topics import Topics
from claimgraph.kgstore.errors import InputError
from claimgraph.kgstore.model import Passage

LABELS = {"S": True, "NS": False, "IR": None}
"""People's labels; irrelevant facts are neither supported nor not."""


@dataclass(frozen=True, slots=True)
class Biography:
    """A labelled answer: its atomic facts as people wrote them, pronouns resolved, with their labels (LABELS)."""

    id: str
    topic: str
    text: str
    facts: tuple[str, ...]
    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Agreement:
    """The agreement of one judge with people.

    `judged` of the facts labelled S or NS got an answer: over these `accuracy`, `balanced_accuracy` and Cohen's
    `kappa`, S being the positive class. Over the `scored` biographies with a score on both sides `pearson` and
    `mean_absolute_error` of the shares of supported facts. `relevance`: balanced accuracy of SAFE's irrelevant against
    IR. None where undefined: one class only, constant scores, no relevance.
    """

    method: str
    judge: str
    judged: int
    accuracy: float | None
    balanced_accuracy: float | None
    kappa: float | None
    scored: int
    pearson: float | None
    mean_absolute_error: float | None
    relevance: float | None
    seconds: float


@dataclass(frozen=True, slots=True)
class JudgesReport:
    """Agreement on one file. `covered` of the `biographies` with labels are about `topics` with passages; `facts` of
    theirs are labelled S or NS, `supported` is the share of S among them."""

    dataset: str
    biographies: int
    covered: int
    topics: int
    facts: int
    supported: float | None
    judges: tuple[Agreement, ...]


def evaluate(
    path: Path,
    topics: Topics,
    judges: Sequence[FactJudge],
    agents: Sequence[Agent] = (),
    search: Search | None = None,
    limit: int | None = None,
    advance: Advance = silent,
) -> JudgesReport:
    """Return FActScore by each judge and, where there is a `search`, SAFE by each agent, over the labelled biographies.

    `limit`: the first so many covered ones. `advance` is called with (methods done, total). Raises InputError where the
    file holds no labelled biographies, or none of a topic with passages.
    """
    labelled = [bio for bio in read_biographies(path) if bio.facts]
    known = {topic: topics(topic) for topic in dict.fromkeys(bio.topic for bio in labelled)}
    covered = [bio for bio in labelled if known[bio.topic]][:limit]
    if not covered:
        raise InputError(f"{path}: nothing is known about any of its {len(known)} topics")
    agents, search = (agents, cache(search)) if search else ((), None)
    found: list[Agreement] = []
    for judge in judges:
        found.append(_factscore(covered, known, judge))
        advance(len(found), len(judges) + len(agents))
    for agent in agents:
        assert search is not None
        found.append(_safe(covered, agent, search))
        advance(len(found), len(judges) + len(agents))
    gold = [LABELS[label] for bio in covered for label in bio.labels]
    return JudgesReport(
        dataset=dataset_name(path),
        biographies=len(labelled),
        covered=len(covered),
        topics=len({bio.topic for bio in covered}),
        facts=sum(one is not None for one in gold),
        supported=rounded(share(gold)),
        judges=tuple(found),
    )


def read_biographies(path: Path) -> Iterator[Biography]:
    """Yield the rows of FActScore's schema: topic, output, sentences with facts. Raises InputError for any other."""
    return (found for _, found in read_rows(path, _biography, "no biography with labelled facts"))


def _biography(row: JsonRow) -> Biography:
    facts = [fact for sentence in row["sentences"] for fact in sentence["facts"] or ()]
    said = tuple(named(fact["text"], row["topic"]) for fact in facts)
    labels = tuple(fact["label"] for fact in facts)
    if not LABELS.keys() >= set(labels):
        raise ValueError("a label that is none of S, NS and IR")
    return Biography(row["id"], row["topic"], row["output"], said, labels)


def _factscore(bios: Sequence[Biography], known: dict[str, tuple[Passage, ...]], judge: FactJudge) -> Agreement:
    begun = time.perf_counter()
    scores = factscore([AnswerFacts(bio.facts, bio.topic, known[bio.topic]) for bio in bios], judge)
    judged = [[fact.supported for fact in score.facts] for score in scores]
    return _agreement("factscore", judge.name, bios, judged, None, time.perf_counter() - begun)


def _safe(bios: Sequence[Biography], agent: Agent, search: Search) -> Agreement:
    begun = time.perf_counter()
    tasks = [SearchTask(fact, f"Tell me about {bio.topic}.", bio.text, bio.topic) for bio in bios for fact in bio.facts]
    rated = iter(safe(tasks, agent, search))
    rows = [[next(rated) for _ in bio.facts] for bio in bios]
    judged = [[_supported(fact) for fact in row] for row in rows]
    return _agreement("safe", agent.name, bios, judged, _relevance(bios, rows), time.perf_counter() - begun)


def _supported(fact: RatedFact) -> bool | None:
    return {Rating.SUPPORTED: True, Rating.NOT_SUPPORTED: False}.get(fact.rating) if fact.rating else None


def _agreement(
    method: str,
    judge: str,
    bios: Sequence[Biography],
    judged: Sequence[Sequence[bool | None]],
    relevance: float | None,
    seconds: float,
) -> Agreement:
    gold = [[LABELS[label] for label in bio.labels] for bio in bios]
    pairs = [
        (ours, theirs)
        for row, labels in zip(judged, gold, strict=True)
        for ours, theirs in zip(row, labels, strict=True)
        if ours is not None and theirs is not None
    ]
    scores = [(share(row), share(labels)) for row, labels in zip(judged, gold, strict=True)]
    both = np.array([pair for pair in scores if None not in pair], dtype=np.float64).reshape(-1, 2)
    return Agreement(
        method=method,
        judge=judge,
        judged=len(pairs),
        accuracy=rounded(accuracy(pairs)),
        balanced_accuracy=rounded(balanced_accuracy(pairs)),
        kappa=rounded(kappa(pairs)),
        scored=len(both),
        pearson=rounded(pearson(both)),
        mean_absolute_error=rounded(float(np.abs(both[:, 0] - both[:, 1]).mean()) if len(both) else None),
        relevance=relevance,
        seconds=round(seconds, 1),
    )


def _relevance(bios: Sequence[Biography], rows: Sequence[Sequence[RatedFact]]) -> float | None:
    pairs = [
        (fact.rating is Rating.IRRELEVANT, label == "IR")
        for bio, row in zip(bios, rows, strict=True)
        for fact, label in zip(row, bio.labels, strict=True)
    ]
    return rounded(balanced_accuracy(pairs))

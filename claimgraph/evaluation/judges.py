"""Build the judges of open-ended answers from settings, and their sources."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from claimgraph.settings import Settings
from claimgraph.wiring.methods import detector
from claimgraph.wiring.models import Models, extractor
from claimgraph.wiring.stores import open_store

if TYPE_CHECKING:
    from claimgraph.detect.judges.passage_judges import FactJudge
    from claimgraph.detect.judges.safe import Agent, Search
    from claimgraph.evaluation.answers.open_qa import OpenJudges
    from claimgraph.evidence.topics import Topics


def fact_judges(settings: Settings, models: Models) -> list[FactJudge]:
    """Return the judges of atomic facts whose models are available: rules and fused always, then entailment,
    then llm.
    """
    from claimgraph.detect.judges import passage_judges as judges

    reads = extractor(settings, models=models)
    found: list[FactJudge] = [
        judges.DetectorJudge(detector(settings, name, models=models), reads) for name in ("rules", "fused")
    ]
    if models.entailment:
        found.append(judges.EntailmentJudge(models.entailment))
    if models.chat:
        found.append(judges.LLMJudge(models.chat))
    return found


def safe_agents(settings: Settings, models: Models, judges: Sequence[FactJudge]) -> list[Agent]:
    """Return the agents of SAFE's steps: rules with each judge, and the language model where there is one."""
    from claimgraph.detect.judges.safe_agents import LLMAgent, RuleAgent

    reads = extractor(settings, models=models)
    agents: list[Agent] = [RuleAgent(reads, judge) for judge in judges if judge.name != "llm"]
    return [*agents, *([LLMAgent(models.chat)] if models.chat else [])]


def open_judges(settings: Settings, models: Models, search: Search) -> OpenJudges:
    """Return the judges of open-ended answers: the language model, else the entailment model, else the rules."""
    from claimgraph.detect.judges.atomic_facts import LLMAtomiser, RuleAtomiser
    from claimgraph.evaluation.answers.open_qa import OpenJudges

    judges, reads, model = fact_judges(settings, models), extractor(settings, models=models), models.chat
    judge = judges[-1] if len(judges) > 2 else judges[0]
    agent = safe_agents(settings, models, [judge])[-1]
    return OpenJudges(LLMAtomiser(model, reads) if model else RuleAtomiser(reads), judge, agent, search, model)


@contextmanager
def topic_sources(
    settings: Settings, models: Models, folder: Path | None, graphs: Sequence[str], *, facts: bool = False
) -> Iterator[tuple[Topics, Search]]:
    """Yield passages by topic and a search: in a folder of texts, else in graphs of the store (() is all).

    `facts` as in topics.from_store. Raises InputError for a folder without texts, NotFound for an unknown graph.
    """
    from claimgraph.evidence import searching, topics

    if folder:
        yield topics.from_folder(folder), searching.folder_search(folder)
        return
    with open_store(settings, read_only=True) as store:
        known = topics.world_graphs(store, graphs)
        yield topics.from_store(store, known, facts=facts), searching.StoreSearch(store, known, models.embedder)

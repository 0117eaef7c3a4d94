"""Write a request as the options of jobs: fixed once, at submission, and part of a job's identity.

Options hold everything that determines the result: methods, extractor, the models' names, the versions of the graphs,
and ours. So the same submission is the same work and is done once, and one after an upgrade or another
fetch is new work. To leave it to the workers' settings was rejected: two workers would give two answers.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from importlib.metadata import version
from pathlib import PurePath
from typing import Any

from claimgraph import wiring
from claimgraph.evidence.topics import world_graphs
from claimgraph.kgstore.errors import InputError, NotFound, UsageError
from claimgraph.kgstore.runs.jobs import Budget
from claimgraph.kgstore.store import GraphStore
from claimgraph.kgstore.upkeep.stale import graph_versions
from claimgraph.pipeline import NOTHING_TO_CHECK_AGAINST
from claimgraph.settings import Settings
from claimgraph.wiring.methods import refuse_unknown
from claimgraph.workers.tasks.task_table import ASK, CHECK, RECHECK, RETROFIT

KINDS = (CHECK, RETROFIT, RECHECK, ASK)


@dataclass(frozen=True, slots=True)
class Asked:
    """The work to do on every item; None and empty leave it to the kind's default.

    `kind` is one of KINDS. Of a check: `methods`, `preset` (of a single method), `fetch` (graphs to fetch the claims'
    entities into, first), `explain`, and `correct` (a method of correction). Of retrofit and ask: `mode`; of ask:
    `prompt`; of retrofit: `assume`, `preset` and `limit`. `graphs` are for items without their own.
    """

    kind: str = CHECK
    methods: Sequence[str] = ("fused",)
    preset: str | None = None
    extractor: str | None = None
    graphs: Sequence[str] = ()
    fetch: Sequence[str] = ()
    explain: bool = False
    correct: str | None = None
    mode: str | None = None
    prompt: str | None = None
    assume: str | None = None
    limit: int | None = None
    bulk: bool = False
    budget: Budget = field(default=Budget())

    @property
    def summary(self) -> str:
        """The non-empty parts of the request as a JSON object."""
        found = {key: value for key, value in asdict(self).items() if value and key not in ("kind", "bulk", "budget")}
        return json.dumps(found, sort_keys=True)


Options = dict[str, Any]
Pinned = dict[str, str | None]


class Planner:
    """The options of jobs, for one submission.

    Raises InputError for another kind, method, preset, extractor, mode or prompt, and for no graph to answer from or
    check a draft against; UsageError where something needs a language model that the settings do not name; NotFound.
    """

    def __init__(self, settings: Settings, store: GraphStore, asked: Asked) -> None:
        kinds = {CHECK: self._check, RETROFIT: self._retrofit, RECHECK: dict, ASK: self._ask}
        if asked.kind not in kinds:
            raise InputError(f"no kind {asked.kind!r} of work; there are {', '.join(kinds)}")
        self._settings, self._store, self._asked = settings, store, asked
        self._models = wiring.Models(settings)
        self._found: dict[tuple[str, ...], Pinned] = {}
        self._extractor = _known_extractor(asked.extractor or settings.extractor, self._models)
        self._fixed: Options = {
            "version": version("claimgraph"),
            "extractor": self._extractor,
            "entailment": PurePath(settings.entailment).name if settings.entails else None,  # the name, not the path
            **kinds[asked.kind](),
        }
        self._pinned(tuple(asked.graphs))

    @property
    def budget(self) -> Budget:
        """The requested budget; its tokens, if not given, are those of the settings."""
        asked = self._asked.budget
        return replace(asked, tokens=self._settings.llm_budget) if asked.tokens is None else asked

    def options(
        self, graphs: Sequence[str], question: str | None, own: Mapping[str, Any], *, context: bool, document: bool
    ) -> str:
        """Return the options of one job as JSON with sorted keys, for an item with these properties.

        Raises NotFound for an unknown graph, UsageError where there is nothing to check against or correct by,
        InputError for an item that lacks the input of its kind.
        """
        asked = self._asked
        pinned = self._pinned(tuple(graphs or asked.graphs))
        if asked.kind == ASK and not (question or "").strip():
            raise InputError("the question is empty")
        if asked.kind != ASK and not document:
            raise InputError("no text to work on")
        if asked.kind == CHECK and not context:
            if not pinned:
                raise UsageError(NOTHING_TO_CHECK_AGAINST)
            if asked.correct:
                raise UsageError("a correction needs a context to correct by: --context FILE, or one with each text")
        found = self._fixed | {"graphs": pinned, "question": question, **own}
        return json.dumps({key: value for key, value in found.items() if value is not None}, sort_keys=True)

    def _pinned(self, graphs: tuple[str, ...]) -> Pinned:
        """Return the graphs with their versions; without one where a fetch comes first, which changes it."""
        if graphs not in self._found:
            fetched, wanted = self._asked.fetch, graphs
            if self._asked.kind in (RETROFIT, ASK):
                wanted = self._worlds(graphs)
            names = sorted({*wanted, *fetched})
            known = graph_versions(self._store, names)
            for unknown in (name for name in names if name not in known and name not in fetched):
                raise NotFound("graph", unknown)
            self._found[graphs] = {name: None if name in fetched else known[name] for name in names}
        return self._found[graphs]

    def _worlds(self, graphs: tuple[str, ...]) -> tuple[str, ...]:
        found = graphs or world_graphs(self._store)
        if not found and self._asked.mode != "none":
            raise InputError("the store has no graph to ask: claimgraph ingest FILE --graph NAME")
        return found

    def _check(self) -> Options:
        asked = self._asked
        methods = list(dict.fromkeys(asked.methods)) or ["fused"]
        if asked.preset and len(methods) > 1:
            raise UsageError("a preset is one method's: ask for that method alone")
        for method in methods:
            refuse_unknown(self._settings, method, asked.preset)
        if asked.correct:
            wiring.corrector(self._models, asked.correct)
        by_model = asked.explain or asked.correct not in (None, "deterministic")
        return {
            "methods": methods,
            "preset": asked.preset,
            "fetch": sorted(set(asked.fetch)) or None,
            "explain": asked.explain or None,
            "correct": asked.correct,
            "model": self._settings.llm_model if by_model or _by_model(self._extractor) else None,
        }

    def _retrofit(self) -> Options:
        from claimgraph.wiring.retrofitter import Retrofitter

        asked = self._asked
        mode = Retrofitter(
            self._settings,
            asked.graphs,
            mode=asked.mode,
            preset=asked.preset,
            store=self._store,
            models=self._models,
        ).mode
        return {
            "mode": str(mode),
            "preset": asked.preset,
            "assume": asked.assume,
            "limit": asked.limit,
            "model": self._settings.llm_model if mode == "llm" or _by_model(self._extractor) else None,
        }

    def _ask(self) -> Options:
        from claimgraph.answering.flow import MODES, PROMPTS

        mode, prompt = self._asked.mode or "subgraph", self._asked.prompt or "zero"
        for what, chosen, known in (("mode", mode, MODES), ("prompt", prompt, PROMPTS)):
            if chosen not in known:
                raise InputError(f"no {what} {chosen!r}; there are {', '.join(known)}")
        model = self._settings.llm_model if self._models.chat else None
        return {"mode": mode, "prompt": prompt, "model": model}


def _known_extractor(name: str, models: wiring.Models) -> str:
    if name not in wiring.EXTRACTORS:
        raise InputError(f"no extractor {name!r}; there are {', '.join(wiring.EXTRACTORS)}")
    if _by_model(name):
        models.chat_for(f"the extractor {name!r}")
    return name


def _by_model(extractor: str) -> bool:
    return extractor.startswith("llm")

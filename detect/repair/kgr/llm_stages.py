"""Run the five stages of KGR by a language model (Guan et al. 2023): each a few-shot prompt of our own, since the
source prints none, all questions of a stage asked at once.

    claim ──names──▶ entities ──graph──▶ facts around, in chunks ──numbers──▶ facts ──▶ verdict;  all of it ──▶ text

Texts come from anywhere, so a claim is judged in a prompt of its own: an instruction hidden in a sentence can at worst
reach the verdicts on that sentence. One prompt for all claims was rejected for that reason. Preset "kgr" is the
paper's; "kgr-guarded", ours, also checks verdicts by the rules (verdict.py) and accepts of the rewriting only changes
that belong to a refuted claim (edit_guard.py).
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Protocol

import numpy as np

from claimgraph.detect.check_input import linked
from claimgraph.detect.compare.shortlist import fact_nearness
from claimgraph.detect.extraction.extraction_cache import described
from claimgraph.detect.models.embedder import Space
from claimgraph.detect.prompting.prompts import Prompt, load
from claimgraph.detect.prompting.structured import Failed, asked
from claimgraph.detect.reasons import wording
from claimgraph.detect.repair.correction import Corrected
from claimgraph.detect.repair.kgr import edit_guard
from claimgraph.detect.repair.kgr.forms import JUDGED, NAMES, NUMBERS, TEXT, ModelVerdict
from claimgraph.detect.repair.kgr.prompts import LIKELY_FACTS, LIKELY_VERDICT, found_lines, likely_names, numbered
from claimgraph.detect.repair.kgr.protocol import Chunk, Mode, Pass, Selection
from claimgraph.detect.repair.kgr.verdict import METHOD, ClaimWithFacts, failed, finding, undecided
from claimgraph.detect.text.words import same_name
from claimgraph.kgstore.errors import InputError
from claimgraph.kgstore.identity import document_id, verdict_id
from claimgraph.kgstore.model import (
    ChatModel,
    Claim,
    Document,
    Embedder,
    Extraction,
    Extractor,
    Finding,
    Hallucination,
    Link,
    Outcome,
    Request,
    Status,
    Subgraph,
    Verdict,
)

PAPER = "kgr"
GUARDED = "kgr-guarded"
PRESETS = (GUARDED, PAPER)

CHUNK = 30
"""Facts a prompt of the fact selection."""
FACTS = 10
"""Selected facts a claim is judged by."""

VERSION = 1
"""Increase with any change to the stages: it is part of every verdict's configuration."""

_ROOM, _LEAST = 200, 2
"""Most tokens of a rewritten text, and characters of the draft for one token."""

_STAGES = ("kgr_entities", "kgr_facts", "kgr_verify", "kgr_retrofit")


class Graphs(Protocol):
    """The queries of the stages to stored graphs. `versions` are theirs by name; `scope` names both."""

    scope: str
    versions: Mapping[str, str]

    def named(self, claims: Sequence[Claim], names: Sequence[Sequence[str]]) -> Sequence[Link]:
        """Return links of the entities named for each claim, with the role they are written in, claim after claim; a
        NIL for a role of whose names no graph knows any, and for a claim without names. `names` is parallel to
        `claims`.
        """
        ...

    def facts(self, claims: Sequence[Claim], links: Sequence[Link]) -> Subgraph:
        """Return the local subgraph of the linked entities."""
        ...

    def incomplete(self, links: Sequence[Link]) -> frozenset[str]:
        """Return the linked entities of which only a part of the facts is known."""
        ...


class LLMStages:
    """Runs the stages by a language model. Implements Stages.

    `chunk` >= 1 facts are shown at once, at most `facts` >= 1 of them judge a claim. The question is in the last prompt
    alone, so no verdict depends on it. Not for two texts at once: a failure in one stage is reported by the next. Its
    methods raise BudgetSpent; other failures of the model are recorded. Raises InputError for another preset.
    """

    mode = Mode.LLM
    name = METHOD

    def __init__(
        self,
        chat: ChatModel,
        extractor: Extractor,
        graphs: Graphs,
        embedder: Embedder,
        *,
        question: str | None = None,
        preset: str = GUARDED,
        chunk: int = CHUNK,
        facts: int = FACTS,
    ) -> None:
        if preset not in PRESETS:
            raise InputError(f"no preset {preset!r} of KGR; there are {', '.join(PRESETS)}")
        self._chat, self._extractor, self._graphs, self._space = chat, extractor, graphs, Space(embedder)
        self._question, self._guarded = question, preset == GUARDED
        self._chunk, self._facts = chunk, facts
        self._names, self._select, self._verify, self._rewrite = map(load, _STAGES)
        self._failed: dict[str, Failed] = {}
        parts = {
            "version": VERSION,
            "preset": preset,
            "model": chat.model,
            "embedder": embedder.model,
            "prompts": {name: load(name).config for name in _STAGES},
            "chunk": chunk,
            "facts": facts,
            "against": {"context": None, "graphs": dict(graphs.versions)} | described(extractor),
        }
        self.config = json.dumps(parts, sort_keys=True)

    def extract(self, text: str) -> Extraction:
        """Return the extractor's claims."""
        return self._extractor.extract([Document(document_id(text), text)])[0]

    def detect(self, extraction: Extraction) -> tuple[Link, ...]:
        """Return the entities the model names for each claim, as the graphs know them; without a usable answer no
        link.
        """
        claims = extraction.claims
        items = [self._item(self._names, claim, "the entities of", likely_names(claim)) for claim in claims]
        answers = asked(self._chat, items, NAMES)
        self._failed = {c.id: said for c, said in zip(claims, answers, strict=True) if isinstance(said, Failed)}
        pairs = [(c, said) for c, said in zip(claims, answers, strict=True) if not isinstance(said, Failed)]
        return tuple(self._graphs.named([claim for claim, _ in pairs], [names for _, names in pairs]))

    def select(self, extraction: Extraction, links: tuple[Link, ...]) -> Selection:
        """Return those of the facts that touch a claim's entities, nearest first and in chunks, that the model chooses,
        in the order of the chunks and of the answer.
        """
        claims = extraction.claims
        around = self._graphs.facts(claims, links)
        chunks = list(self._offered(claims, links, around))
        by_id, known = {claim.id: claim for claim in claims}, {fact.id: fact for fact in around.facts}
        items = [
            self._item(
                self._select,
                by_id[one.claim],
                "the facts for",
                LIKELY_FACTS,
                facts=numbered([known[key] for key in one.offered], around),
            )
            for one in chunks
        ]
        answers = asked(self._chat, items, NUMBERS)
        found = tuple(self._chosen(chunk, said) for chunk, said in zip(chunks, answers, strict=True))
        critical: dict[str, list[str]] = defaultdict(list)
        for one in found:
            critical[one.claim] += one.chosen or ()
        by_claim = tuple(tuple(critical[claim.id][: self._facts]) for claim in claims)
        return Selection(around, by_claim, self._graphs.scope, found)

    def verify(self, extraction: Extraction, links: tuple[Link, ...], selection: Selection) -> tuple[Verdict, ...]:
        """Judge each claim that has facts by one request; the others' verdicts say why they have none."""
        known, around = {fact.id: fact for fact in selection.around.facts}, selection.around
        cases = [
            ClaimWithFacts(
                claim, tuple(known[key] for key in keys), linked(claim, links), linked(claim, _whole(claim, links))
            )
            for claim, keys in zip(extraction.claims, selection.by_claim, strict=True)
        ]
        judged = [case for case in cases if case.facts]
        items = [
            self._item(self._verify, case.claim, "a verdict on", LIKELY_VERDICT, facts=numbered(case.facts, around))
            for case in judged
        ]
        answers = asked(self._chat, items, JUDGED)
        said = {case.claim.id: answer for case, answer in zip(judged, answers, strict=True)}
        missing = self._graphs.incomplete(links)
        return tuple(
            self._verdict(case, self._finding(case, said.get(case.claim.id), around), missing, selection.scope)
            for case in cases
        )

    def rewrite(self, found: Pass) -> Corrected:
        """Rewrite by one request with everything the pass found; edit_guard.py decides which changes are accepted."""
        draft = found.extraction.document.text
        values = {"question": self._question or "(none)", "draft": draft, "found": found_lines(found)}
        likely = json.dumps({"text": draft}, ensure_ascii=False)
        request = replace(self._rewrite.request(values, likely=likely), max_tokens=_ROOM + len(draft) // _LEAST)
        [said] = asked(self._chat, [("the retrofitted text", request)], TEXT)
        if isinstance(said, Failed) or edit_guard.unusable(draft, said):
            return edit_guard.malformed(found)
        return edit_guard.taken(found, self._rewrite.restored(said), guarded=self._guarded)

    def _item(self, prompt: Prompt, claim: Claim, what: str, likely: str, **values: str) -> tuple[str, Request]:
        """Return a question about one claim, and its name."""
        return f"{what} “{claim.triple.text}”", prompt.request({"claim": claim.triple.text, **values}, likely=likely)

    def _offered(self, claims: Sequence[Claim], links: Sequence[Link], around: Subgraph) -> Iterator[Chunk]:
        """Yield the facts that touch the entities of each claim, nearest first, ties in their order, in chunks."""
        known = [linked(claim, links) for claim in claims]
        if not around.facts:
            return
        near = fact_nearness(claims, around, [one.ids for one in known], self._space).round(6)
        for claim, one, row in zip(claims, known, near, strict=True):
            ends = frozenset[str]() if one.subject_is_nil else frozenset[str]().union(*one.ids.values())
            facts = [around.facts[at] for at in np.argsort(-row, kind="stable")]
            keys = [fact.id for fact in facts if fact.subject in ends or fact.object in ends]
            for start in range(0, len(keys), self._chunk):
                yield Chunk(claim.id, tuple(keys[start : start + self._chunk]), None)

    def _chosen(self, chunk: Chunk, said: tuple[int, ...] | Failed) -> Chunk:
        if isinstance(said, Failed):
            self._failed.setdefault(chunk.claim, said)
            return chunk
        inside = [number for number in said if 1 <= number <= len(chunk.offered)]
        outside = tuple(number for number in said if number not in inside)
        return replace(chunk, chosen=tuple(chunk.offered[number - 1] for number in inside), outside=outside)

    def _finding(self, case: ClaimWithFacts, said: ModelVerdict | Failed | None, around: Subgraph) -> Finding:
        if said is not None:
            return finding(case, said, around, self._space, guarded=self._guarded)
        if why := self._failed.get(case.claim.id):
            return failed(why)
        if case.known.subject_is_nil or not case.known.ids:
            return undecided(Status.UNLINKED, wording.unlinked(case.claim))
        return undecided(Status.NO_EVIDENCE, "No fact around what it names bears on it.")

    def _verdict(self, case: ClaimWithFacts, found: Finding, missing: frozenset[str], scope: str) -> Verdict:
        undecided = found.outcome is Outcome.NOT_ENOUGH_INFO
        part = undecided and any(missing & ids for ids in case.known.ids.values())
        return Verdict(
            id=verdict_id(case.claim.id, self.name, self.config, scope),
            claim=case.claim.id,
            outcome=found.outcome,
            status=Status.FETCH_INCOMPLETE if part else found.status,
            method=self.name,
            reason=wording.incomplete(found.reason) if part else found.reason,
            hallucination=Hallucination.INTRINSIC if found.outcome is Outcome.REFUTED else None,
            citations=found.citations,
            signals=found.signals,
        )


def _whole(claim: Claim, links: Sequence[Link]) -> list[Link]:
    """Return the links of names that are all of a claim's subject or object: its film's facts are not its
    director's.
    """
    said = {"subject": claim.subject, "object": claim.object}
    return [link for link in links if same_name(link.mention, said[link.role])]

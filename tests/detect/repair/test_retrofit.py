"""KGR: the generator alone with scripted stages; the stages without a language model over a real store; the command."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

import claimgraph
from claimgraph import wiring
from claimgraph.cli.app import app
from claimgraph.detect.models.embedder import MiniLMEmbedder, Space
from claimgraph.detect.repair.correction import Corrected, Edit, EditStatus, applied
from claimgraph.detect.repair.kgr import protocol as kgr
from claimgraph.detect.repair.kgr.fact_selection import critical
from claimgraph.detect.repair.kgr.protocol import Mode, Pass, Retrofitted, Selection, Stop
from claimgraph.input_texts import document_from_text
from claimgraph.kgstore import identity
from claimgraph.kgstore.engines.bolt import BoltStore
from claimgraph.kgstore.engines.dry_run_store import DryRunStore
from claimgraph.kgstore.errors import InputError, NotFound, UsageError
from claimgraph.kgstore.model import (
    Claim,
    Document,
    Entity,
    Extraction,
    Fact,
    Link,
    Outcome,
    Span,
    Status,
    Subgraph,
    Verdict,
)
from claimgraph.kgstore.reads import load_corrections, load_verdicts
from claimgraph.kgstore.store import GraphStore
from claimgraph.kgstore.upkeep.transfer import counts
from claimgraph.repair.retrofit_stages import Choice, beside
from claimgraph.repair.retrofitting import RetrofitEdit, retrofit
from claimgraph.repair.ruling import rule
from claimgraph.settings import Settings
from claimgraph.wiring.retrofitter import NO_MODEL, Retrofitter
from claimgraph.wiring.starter_graph import load_sample

Rewriting = Callable[[str], Sequence[tuple[int, int, str]]]


class Scripted:
    """Stages that read a text as so many refuted claims, one a character, and rewrite it as they are told."""

    mode, name, config = Mode.DETERMINISTIC, "scripted", "{}"

    def __init__(self, refuted: Callable[[str], int], rewriting: Rewriting) -> None:
        self._refuted, self._rewriting = refuted, rewriting
        self.verified: list[str] = []

    def extract(self, text: str) -> Extraction:
        key = identity.document_id(text)
        claims = tuple(
            Claim(identity.claim_id(key, at, at + 1, "s", "p", "o"), key, "s", "p", "o", "s p o", Span(at, at + 1))
            for at in range(self._refuted(text))
        )
        return Extraction(Document(key, text), (), claims)

    def detect(self, extraction: Extraction) -> tuple[Link, ...]:  # noqa: ARG002
        return ()

    def select(self, extraction: Extraction, links: tuple[Link, ...]) -> Selection:  # noqa: ARG002
        return Selection(Subgraph({}, ()), tuple(() for _ in extraction.claims), "scripted")

    def verify(self, extraction: Extraction, links: tuple[Link, ...], selection: Selection) -> tuple[Verdict, ...]:  # noqa: ARG002
        self.verified.append(extraction.document.text)
        return tuple(
            Verdict(
                identity.verdict_id(claim.id, "scripted", "{}", "scripted"),
                claim.id,
                Outcome.REFUTED,
                Status.COMPLETE,
                "scripted",
                "so",
            )
            for claim in extraction.claims
        )

    def rewrite(self, found: Pass) -> Corrected:
        text, claim, verdict = found.extraction.document.text, found.extraction.claims[0].id, found.verdicts[0].id
        made = [
            Edit(claim, start, end, text[start:end], after, verdict, EditStatus.APPLIED)
            for start, end, after in self._rewriting(text)
        ]
        return applied(text, made)


def _states(following: Mapping[str, str], refuted: Mapping[str, int]) -> Scripted:
    """A text is followed by another as a whole; one that nothing follows stays."""
    return Scripted(lambda text: refuted.get(text, 0), lambda text: [(0, len(text), following.get(text, text))])


def _run(stages: Scripted, text: str, limit: int) -> Retrofitted:
    return kgr.drive(kgr.retrofit(text, limit=limit), stages)


STATES = "abcdef"


@settings(deadline=None, max_examples=200)
@given(
    st.lists(st.sampled_from(STATES), min_size=6, max_size=6),
    st.lists(st.integers(0, 3), min_size=6, max_size=6),
    st.integers(0, 8),
)
def test_it_ends_as_it_says(following: list[str], refuted: list[int], limit: int) -> None:
    """Any rewriting of any texts ends after at most limit + 1 verifications, the last text among them, for the reason
    that holds; after a cycle the text of it with the fewest refuted claims is given, the earliest of equal ones."""
    after, wrong = dict(zip(STATES, following, strict=True)), dict(zip(STATES, refuted, strict=True))
    stages = _states(after, wrong)
    found = _run(stages, "a", limit)
    seen = stages.verified
    assert len(seen) == len(found.passes) <= limit + 1
    assert all(after[one] == other for one, other in pairwise(seen))
    last = seen[-1]
    if found.stopped is Stop.CYCLE:
        assert last in seen[:-1]
        cycle = seen[seen.index(last) :]
        assert min(cycle, key=lambda text: wrong[text]) == found.text
        return
    assert last == found.text
    assert len(set(seen)) == len(seen)
    assert (wrong[last] == 0) == (found.stopped is Stop.CONSISTENT)
    if found.stopped is Stop.UNCHANGED:
        assert after[last] == last
    if found.stopped is Stop.LIMIT:
        assert limit + 1 == len(seen)
    assert len(seen) - 1 == found.iterations


@pytest.mark.parametrize("length", [2, 3, 5])
def test_cycles_of_any_length_are_seen(length: int) -> None:
    """A text that comes back ends it, whatever the limit, and each text of the cycle was verified once before."""
    cycle = STATES[:length]
    after = dict(zip(cycle, cycle[1:] + cycle[:1], strict=True))
    stages = _states(after, dict.fromkeys(cycle, 2) | {cycle[1]: 1})
    found = _run(stages, "a", 100)
    assert (Stop.CYCLE, cycle[1], length) == (found.stopped, found.text, found.iterations)
    assert [*cycle, "a"] == stages.verified


@pytest.mark.parametrize(
    ("text", "limit", "stopped"), [("a", 0, Stop.LIMIT), ("", 3, Stop.CONSISTENT), ("b", 3, Stop.CONSISTENT)]
)
def test_nothing_is_rewritten(text: str, limit: int, stopped: Stop) -> None:
    """With limit 0, in an empty text and without claims a text is verified once and stays."""
    stages = _states({"a": "b"}, {"a": 1})
    found = _run(stages, text, limit)
    assert (text, text, stopped, 0) == (found.original, found.text, found.stopped, found.iterations)
    assert [text] == stages.verified


def _composed(original: str, edits: Sequence[RetrofitEdit]) -> str:
    """The edits made one after another, pass by pass; the same change for two claims once."""
    text = original
    for iteration in sorted({edit.iteration for edit in edits}):
        changes = [(edit.start, edit.end, edit.before, edit.after) for edit in edits if edit.iteration == iteration]
        for start, end, before, after in reversed(dict.fromkeys(changes)):
            assert before == text[start:end]
            text = text[:start] + after + text[end:]
    return text


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GraphStore]:
    """An embedded store that nothing is written to."""
    folder = tmp_path_factory.mktemp("empty")
    with wiring.open_store(Settings(store=folder / "store", cache=folder / "cache")) as store:
        yield DryRunStore(store)


_EDITS = st.lists(st.tuples(st.integers(0, 12), st.integers(0, 4), st.text("ab é\n", max_size=3)), max_size=3)


@settings(deadline=None, max_examples=60)
@given(text=st.text("ab é\n", min_size=1, max_size=12), passes=st.lists(_EDITS, min_size=1, max_size=4))
@example(text="ab", passes=[[(0, 1, "b"), (1, 1, "a")], [(0, 1, "a"), (1, 1, "b")]])
def test_edits_lead_to_the_text(empty: GraphStore, text: str, passes: list[list[tuple[int, int, str]]]) -> None:
    """The reported edits, made in order, give the reported text from the original, and so nothing else was changed."""
    coming = iter(passes)

    def rewriting(latest: str) -> list[tuple[int, int, str]]:
        places = ((min(start, len(latest)), length, after) for start, length, after in next(coming, []))
        return [(start, min(start + length, len(latest)), after) for start, length, after in places]

    stages = Scripted(lambda latest: min(1, len(latest)), rewriting)
    document = document_from_text(text, 1, "x") if text.strip() else Document(identity.document_id(text), text)
    report = retrofit(document, stages=stages, store=empty, limit=5)
    assert report.text == _composed(report.original, report.edits)
    assert text == report.original
    assert report.text == report.final.extraction.document.text


def test_edits_after_the_text_that_is_given_are_not_reported(empty: GraphStore) -> None:
    """Where a cycle ends in an earlier text, only the edits up to it are given, though all passes are."""
    stages = _states({"a": "b", "b": "c", "c": "a"}, {"a": 2, "b": 1, "c": 2})
    report = retrofit(Document(identity.document_id("a"), "a"), stages=stages, store=empty)
    assert ("b", Stop.CYCLE, 3, 4) == (report.text, report.stopped, report.iterations, len(report.passes))
    assert [(1, "a", "b")] == [(edit.iteration, edit.before, edit.after) for edit in report.edits]


def test_a_negative_limit_is_refused(empty: GraphStore) -> None:
    """Fewer rewritings than none is an error in one line."""
    with pytest.raises(InputError, match="cannot be negative: -1"):
        retrofit(Document("d1:a", "a"), stages=_states({}, {}), store=empty, limit=-1)


CITIES = [Entity(f"w:{name}", name, (), None, None, ("w",)) for name in ("Warsaw", "Paris", "Poland", "France")]
CURIE = Entity("w:Curie", "Marie Curie", ("Maria Skłodowska",), None, None, ("w",))


def _fact(key: str, subject: Entity, name: str, object: Entity) -> Fact:
    return Fact(key, "w", subject.id, f"w:{name}", name, object.id)


WARSAW, PARIS, POLAND, FRANCE = CITIES
AROUND = Subgraph(
    {node.id: node for node in (*CITIES, CURIE)},
    (
        _fact("f1", CURIE, "place of birth", WARSAW),
        _fact("f2", CURIE, "award received", FRANCE),
        _fact("f3", CURIE, "place of death", PARIS),
        _fact("f4", CURIE, "country of citizenship", POLAND),
        _fact("f5", WARSAW, "country", POLAND),
        _fact("f6", CURIE, "residence", PARIS),
    ),
)


def _claim(subject: str, predicate: str, object: str) -> Claim:
    return Claim(f"c1:{subject}{predicate}{object}", "d1:a", subject, predicate, object, "", Span(0, 1))


@pytest.fixture(scope="module")
def embedder() -> MiniLMEmbedder:
    return MiniLMEmbedder()


def test_critical_facts_share_ends_and_relation(embedder: MiniLMEmbedder) -> None:
    """Of what stands around a claim's entity, the fact with both ends comes first, then what its relation is near to;
    a relation about something else is not critical, and what shares no end is not offered."""
    claim = _claim("Marie Curie", "was born in", "Paris")
    link = Link(claim.id, "subject", "Marie Curie", CURIE, 0.9, 0.5)
    [keys], [chunk] = critical([claim], [link], AROUND, Space(embedder), chunk=10, facts=10)
    assert {"f3", "f6"} == set(keys[:2])
    assert "f1" == keys[2]
    assert "f2" not in keys
    assert ("f1", "f2", "f3", "f4", "f6") == chunk.offered


def test_what_is_like_an_end_without_a_link_holds_it(embedder: MiniLMEmbedder) -> None:
    """A value that was not linked, for its article or its number, is that of the fact which names it, as in judging."""
    painter, around = Entity("w:painter", "painter"), AROUND
    fact = _fact("f7", CURIE, "occupation", painter)
    around = Subgraph({**around.nodes, painter.id: painter}, (*around.facts, fact))
    claim = _claim("Marie Curie", "earned a living as", "a painter")
    links = [
        Link(claim.id, "subject", "Marie Curie", CURIE, 0.9, 0.5),
        Link(claim.id, "object", "a painter", None, 0, 0),
    ]
    [[best, *_]], _ = critical([claim], links, around, Space(embedder), chunk=10, facts=3)
    assert "f7" == best


def test_smaller_chunks_choose_more(embedder: MiniLMEmbedder) -> None:
    """At most so many facts are kept of each chunk, so small chunks keep more; a chunk may hold none that is relevant,
    and all chunks together offer each fact once."""
    claim = _claim("Marie Curie", "was born in", "Kraków")
    link = Link(claim.id, "subject", "Marie Curie", CURIE, 0.9, 0.5)
    kept = {}
    for size in (1, 2, 10):
        [keys], chunks = critical([claim], [link], AROUND, Space(embedder), chunk=size, facts=1)
        kept[size] = set(keys)
        assert ["f1", "f2", "f3", "f4", "f6"] == [key for chunk in chunks for key in chunk.offered]
    assert {"f1"} == kept[10]
    assert kept[10] < kept[2] <= kept[1]
    [_], chunks = critical([claim], [link], AROUND, Space(embedder), chunk=1, facts=1)
    assert () in [chunk.chosen for chunk in chunks]


def test_nothing_around_nothing_selected(embedder: MiniLMEmbedder) -> None:
    """Without facts a claim has none, and no chunk was looked through."""
    claim = _claim("Nobody", "is", "here")
    assert (((),), ()) == critical([claim], [], Subgraph({}, ()), Space(embedder), chunk=5, facts=5)


DRAFT = "Marie Curie was born in Paris — in 1867. Zebulon Quux liked her.\nAlbert Einstein was born in 1880."
RIGHT = DRAFT.replace("Paris", "Warsaw").replace("1880", "1879")


def _sample(folder: Path) -> Settings:
    """A store with the sample of Wikidata, and no language model."""
    made = Settings(store=folder / "store", cache=folder / "cache")
    with wiring.open_store(made) as store:
        load_sample(store, "wikidata")
    return made


@pytest.fixture
def sample(tmp_path: Path) -> Settings:
    """A sample of the test's own."""
    return _sample(tmp_path)


def test_a_draft_is_put_right_and_stored(sample: Settings) -> None:
    """Names and values of the graph take the place of wrong ones, and the store says what was changed because of which
    verdict on which evidence; a second time changes nothing."""
    report = claimgraph.retrofit(DRAFT, settings=sample)
    assert (DRAFT, RIGHT, Stop.CONSISTENT, 1) == (report.original, report.text, report.stopped, report.iterations)
    assert [("Paris", "Warsaw"), ("1880", "1879")] == [(edit.before, edit.after) for edit in report.edits]
    assert RIGHT == _composed(DRAFT, report.edits)
    assert (Mode.DETERMINISTIC, (NO_MODEL,)) == (report.mode, report.notes)
    with claimgraph.open_store(sample) as store:
        before = counts(store)
        made = store.query(_MADE, {"first": identity.document_id(DRAFT)}).rows
    last = identity.document_id(RIGHT)
    curie, einstein = (edit.verdict.id for edit in report.edits)
    assert ("1880", "1879", "kgr", last, einstein, "Albert Einstein date of birth 1879-03-14") == made[0]
    assert ("Paris", "Warsaw", "kgr", last, curie, "Marie Curie place of birth Warsaw") == made[1]
    again = claimgraph.retrofit(DRAFT, settings=sample)
    assert [edit.verdict.id for edit in report.edits] == [edit.verdict.id for edit in again.edits]
    with claimgraph.open_store(sample) as store:
        assert before == counts(store)
        assert made == store.query(_MADE, {"first": identity.document_id(DRAFT)}).rows


_MADE = """
MATCH (k:Correction)-[:FIXES]->(:Claim)-[:IN]->(:Document {id: $first})
MATCH (k)-[:GIVES]->(d:Document), (k)-[:BECAUSE]->(v:Verdict {outcome: 'REFUTED'})-[x:CITES]->(e:Evidence)
WHERE x.position = 0
RETURN k.before, k.after, k.method, d.id, v.id, e.text ORDER BY k.before
"""


@pytest.fixture(scope="module")
def retrofitter(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Retrofitter]:
    """Over the sample, shared by tests that look at reports."""
    with Retrofitter(_sample(tmp_path_factory.mktemp("shared"))) as opened:
        yield opened


def test_what_is_left_says_why(retrofitter: Retrofitter, monkeypatch: pytest.MonkeyPatch) -> None:
    """An entity that no graph knows, a claim with no relevant fact and chunks without one are on record."""
    monkeypatch.setattr("claimgraph.detect.repair.kgr.fact_selection.NEAR", 1.1)
    text = "Zebulon Quux was born in Paris. Marie Curie sharpened pencils."
    stages = retrofitter.rules(Choice(texts=False))
    report = retrofitter.retrofit(document_from_text(text, 1, "x"), stages=stages)
    assert (text, (), Stop.CONSISTENT, 0) == (report.text, report.edits, report.stopped, report.iterations)
    assert [Status.UNLINKED, Status.NO_EVIDENCE] == [one.verdict.status for one in report.left]
    assert {"unlinked": 1, "no_evidence": 1} == {k: report.statuses[k] for k in ("unlinked", "no_evidence")}
    assert 0 < report.statuses["empty_chunk"]
    assert 0 == report.statuses["failed_chunk"]


def test_what_a_person_ruled_right_is_not_touched(retrofitter: Retrofitter) -> None:
    """A claim that the graph refutes and a person upholds stays as it is, and the ruling is what holds."""
    document = document_from_text("Marie Curie was born in Lyon. Albert Einstein was born in Rome.", 1, "x")
    before = retrofitter.retrofit(document)
    ruled = next(edit for edit in before.edits if edit.before == "Lyon")
    rule(retrofitter.store, ruled.claim.id, Outcome.SUPPORTED, "a better source says so")
    after = retrofitter.retrofit(document)
    assert ["Rome"] == [edit.before for edit in after.edits if edit.iteration == 1]
    assert "born in Lyon" in after.text
    held = {verdict.claim: verdict.method for verdict in load_verdicts(retrofitter.store, [ruled.claim.id])}
    assert {ruled.claim.id: "human"} == held


def test_each_claim_is_judged_on_its_own_facts(retrofitter: Retrofitter) -> None:
    """A verdict cites only facts that were selected for its claim, or tie them to its entities; without triples there
    are none, and texts about the entities stand in their place."""
    rules = retrofitter.rules()
    extraction = rules.extract(DRAFT)
    links = rules.detect(extraction)
    selection = rules.select(extraction, links)
    for verdict, keys in zip(rules.verify(extraction, links, selection), selection.by_claim, strict=True):
        assert {piece.evidence.fact_id for piece in verdict.citations} <= set(keys)
    texts = retrofitter.rules(Choice(triples=False, texts=True)).select(extraction, links)
    assert texts.passages
    assert {fact.document for fact in texts.around.facts} <= {passage.document for passage in texts.passages}
    assert rules.config != retrofitter.rules(Choice(chunk=7)).config


def test_judged_as_check_judges(retrofitter: Retrofitter) -> None:
    """Facts, absence and what texts about the entities tell give every claim the outcome that `check` gives it."""
    text = "Marie Curie was born in Paris. Marie Curie was a physicist. Marie Curie lived near a river."
    rules = retrofitter.rules()
    extraction = rules.extract(text)
    links = rules.detect(extraction)
    ours = [one.outcome for one in rules.verify(extraction, links, rules.select(extraction, links))]
    report = claimgraph.check(text, graphs=retrofitter.graphs, settings=retrofitter.settings)
    assert [one.outcome for one in report.verdicts] == ours
    assert {Outcome.SUPPORTED, Outcome.REFUTED, Outcome.NOT_ENOUGH_INFO} == set(ours)


def test_facts_that_tie_what_is_selected() -> None:
    """A town in the country that the claim names does not refute it: the fact that says so stands beside the chosen."""
    claim = _claim("Marie Curie", "was born in", "Poland")
    ends = (("subject", CURIE), ("object", POLAND))
    links = [Link(claim.id, role, end.name, end, 0.9, 0.5) for role, end in ends]
    assert {"f1", "f5"} == {fact.id for fact in beside(claim, ["f1"], links, AROUND).facts}
    assert {"f2"} == {fact.id for fact in beside(claim, ["f2"], links, AROUND).facts}


def test_neo4j_alike(neo4j_store: BoltStore, retrofitter: Retrofitter) -> None:
    """On a Neo4j a draft becomes the same text by the same verdicts, stored so that they can be asked."""
    load_sample(neo4j_store, "wikidata")
    document = document_from_text("Marie Curie was born in Paris.", 1, "x")
    here = retrofitter.retrofit(document)
    shared = Retrofitter(retrofitter.settings, store=neo4j_store, models=retrofitter.models)
    there = shared.retrofit(document)
    assert (here.text, [edit.verdict.id for edit in here.edits]) == (there.text, [e.verdict.id for e in there.edits])
    [stored] = load_corrections(neo4j_store, document.id)
    assert ("Paris", "Warsaw", here.edits[0].verdict.id) == (stored.before, stored.after, stored.verdict)


@pytest.mark.parametrize(
    ("options", "error", "says"),
    [
        ({"graphs": ["nowhere"]}, NotFound, "nowhere"),
        ({"mode": "llm"}, UsageError, "CLAIMGRAPH_LLM_BASE_URL and CLAIMGRAPH_LLM_MODEL"),
        ({"mode": "magic"}, InputError, "deterministic, llm"),
        ({"limit": -1}, InputError, "negative"),
        ({"text": " "}, InputError, "empty"),
    ],
)
def test_bad_input_is_refused(sample: Settings, options: dict[str, Any], error: type[Exception], says: str) -> None:
    """An unknown graph or mode, a mode that needs a model, fewer iterations than none and an empty text."""
    with pytest.raises(error, match=says):
        claimgraph.retrofit(**({"text": "Marie Curie was born in Paris.", "settings": sample} | options))


def test_a_store_without_graphs_is_refused(tmp_path: Path) -> None:
    """There is nothing to hold a draft against."""
    with pytest.raises(InputError, match="claimgraph ingest"):
        claimgraph.retrofit("Marie Curie was born in Paris.", settings=Settings(store=tmp_path / "none"))


def test_the_command(sample: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """The documented object; exit 0 where nothing refuted is left, 1 where it is; a dry run stores nothing; for people
    the diff with each edit's reason, what is left, and the mode."""
    monkeypatch.setenv("CLAIMGRAPH_STORE", str(sample.store))
    monkeypatch.setenv("CLAIMGRAPH_CACHE", str(sample.cache))
    call = partial(CliRunner().invoke, app)
    with claimgraph.open_store(sample) as store:
        before = counts(store)
    done = call(["retrofit", DRAFT, "--json", "--dry-run"])
    assert 0 == done.exit_code
    found = json.loads(done.stdout)
    assert ["text", "original", "edits", "iterations", "stopped", "mode"] == list(found)[:6]
    assert (RIGHT, DRAFT) == (found["text"], found["original"])
    assert (1, "no claim refuted", "deterministic") == (found["iterations"], found["stopped"], found["mode"])
    keys = ["iteration", "start", "end", "before", "after", "claim", "verdict", "evidence"]
    assert keys == list(found["edits"][0])[:8]
    assert [("Paris", "Warsaw"), ("1880", "1879")] == [(edit["before"], edit["after"]) for edit in found["edits"]]
    assert "Marie Curie place of birth Warsaw" == found["edits"][0]["evidence"][0]["text"]
    assert ["unlinked"] == [one["status"] for one in found["left"]]
    with claimgraph.open_store(sample) as store:
        assert before == counts(store)
    shown = call(["retrofit", "Marie Curie was born in Paris.", "--max-iterations", "0"])
    assert 1 == shown.exit_code
    assert "Left, REFUTED: Marie Curie was born in Paris." in shown.stdout
    assert NO_MODEL in shown.stdout
    shown = call(["retrofit", "Marie Curie was born in Paris."])
    assert 0 == shown.exit_code
    assert "born in [-Paris-]{+Warsaw+}." in shown.stdout
    reason = found["edits"][0]["reason"]
    assert "".join(reason.split()) in "".join(shown.stdout.replace("│", " ").split())
    refused = call(["retrofit", DRAFT, "--graph", "nowhere"])
    assert "no graph 'nowhere' in the store" == str(refused.exception)

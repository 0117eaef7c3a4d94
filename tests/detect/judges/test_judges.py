"""FActScore, SAFE and G-Eval: atomic facts, judges of one fact, scores, searches, and their agreement with people."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from math import exp
from pathlib import Path

import numpy as np
import pytest
from chat_server import ChatServer, Reply, serving
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import balanced_accuracy_score, cohen_kappa_score
from typer.testing import CliRunner

from claimgraph.cli.app import app
from claimgraph.detect.extraction.extractor import RuleExtractor
from claimgraph.detect.judges import agreement
from claimgraph.detect.judges.atomic_facts import LLMAtomiser, RuleAtomiser, named
from claimgraph.detect.judges.factscore import AnswerFacts, FactScore, factscore, length_penalty
from claimgraph.detect.judges.geval import DIMENSIONS, geval
from claimgraph.detect.judges.passage_judges import DetectorJudge, EntailmentJudge, LLMJudge, TopicFact, shown
from claimgraph.detect.judges.safe import STEPS, RatedFact, Rating, SearchStep, SearchTask, f1_at_k, precision, safe
from claimgraph.detect.judges.safe_agents import LLMAgent, RuleAgent
from claimgraph.detect.methods.rules import RuleDetector
from claimgraph.detect.models.embedder import CachedEmbedder, MiniLMEmbedder
from claimgraph.detect.models.row_cache import VectorCache
from claimgraph.detect.prompting.replies import after, told
from claimgraph.detect.prompting.structured import Failed
from claimgraph.evaluation.answers import judge_agreement
from claimgraph.evaluation.answers.open_qa import JudgedAnswer, OpenAnswer, OpenJudges, OpenReport, evaluate
from claimgraph.evaluation.data.questions import Question
from claimgraph.evidence.searching import FOUND, StoreSearch, folder_search
from claimgraph.evidence.topics import from_folder, from_store, world_graphs
from claimgraph.kgstore import identity, records
from claimgraph.kgstore.engines.embedded import EmbeddedStore
from claimgraph.kgstore.errors import InputError, NotFound, ServiceError
from claimgraph.kgstore.model import Document, Entity, Fact, Passage, Subgraph
from claimgraph.llm import OpenAIChat

CURIE = Passage(
    "Marie Curie was born in Warsaw on 7 November 1867. She discovered polonium in 1898. She married Pierre Curie.",
    "an encyclopedia",
)
RIGHT, WRONG, OTHER = "Marie Curie was born in Warsaw.", "Marie Curie was born in Paris.", "The Alps have glaciers."


class Entails:
    """An entailment model for which a premise entails what it says word for word."""

    model = "verbatim"

    def entail(self, pairs: Sequence[tuple[str, str]]) -> np.ndarray:
        rows = [(0.9, 0.05, 0.05) if said.rstrip(".") in premise else (0.1, 0.8, 0.1) for premise, said in pairs]
        return np.array(rows, np.float32).reshape(-1, 3)


@pytest.fixture(scope="module")
def embedder() -> CachedEmbedder:
    model = MiniLMEmbedder()
    return CachedEmbedder(model, VectorCache(None, model.model))


@pytest.fixture(scope="module")
def rules(embedder: CachedEmbedder) -> DetectorJudge:
    return DetectorJudge(RuleDetector(embedder), RuleExtractor())


def _chat(server: ChatServer) -> OpenAIChat:
    return OpenAIChat(server.url, "scripted")


def test_atoms_are_claims_in_words_or_the_sentence_itself() -> None:
    """Each claim of a sentence is an atom with its pronoun resolved; what has no claim is not lost."""
    text = "Marie Curie was born in Warsaw. She discovered polonium. Hard to say!"
    [found] = RuleAtomiser(RuleExtractor()).atoms([text])
    assert [RIGHT, "Marie Curie discovered polonium.", "Hard to say!"] == found


def test_a_language_model_lists_the_atoms_of_each_sentence() -> None:
    """List items of any style are atoms, each once; a sentence without a list is its own atom."""

    def answer(prompt: str) -> str:
        return "- Ann sang.\n2. Ann danced.\n- Ann sang." if "Ann sang and" in prompt.split("\n")[-1] else "No list."

    with serving(answer) as server:
        found = LLMAtomiser(_chat(server), RuleExtractor()).atoms(["Ann sang and danced. Bob slept."])
    assert [["Ann sang.", "Ann danced.", "Bob slept."]] == found
    assert [0.0, 0.0] == [asked["temperature"] for asked in server.asked]


@pytest.mark.parametrize(
    ("fact", "expected"),
    [
        ("He sang.", "Ann Banks sang."),
        ("Her songs are old.", "Ann Banks' songs are old."),
        ("It's over.", "It's over."),
        ("Heat rises.", "Heat rises."),
        ("Bob sang.", "Bob sang."),
    ],
)
def test_the_topic_takes_the_place_of_a_pronoun_in_front(fact: str, expected: str) -> None:
    """A whole pronoun at the beginning becomes the topic, with an apostrophe where it owned something."""
    assert expected == named(fact, "Ann Banks")
    assert fact == named(fact, "")


def test_rules_judge_facts_by_passages(rules: DetectorJudge) -> None:
    """Supported by a passage, contradicted, not in it; unknown without a passage or without a claim."""
    facts = [RIGHT, WRONG, OTHER, "Alas!"]
    asked = [TopicFact(fact, "Marie Curie", (CURIE,)) for fact in facts] + [TopicFact(RIGHT, "Marie Curie", ())]
    assert [True, False, False, None, None] == rules.judge(asked)


def test_entailment_judges_facts_by_the_nearest_windows() -> None:
    """A window that entails the fact supports it, however far back in a long passage it stands."""
    filler = " ".join(f"Sentence {number} tells of glaciers and rain." for number in range(400))
    judge = EntailmentJudge(Entails())
    passages = (Passage(f"{filler} {CURIE.text}", "a long text"),)
    assert [True, False] == judge.judge([TopicFact(RIGHT, "", passages), TopicFact(WRONG, "", passages)])
    assert [None] == judge.judge([TopicFact(RIGHT, "", ())])


def test_windows_nearest_to_a_fact_come_first() -> None:
    """Rare shared words weigh most; equal windows keep their order."""
    texts = ["Rain fell.", "Ann sang in the rain.", "Rain fell.", "Bob sang."]
    passages = tuple(Passage(text, "here") for text in texts)
    assert [texts[1], texts[3], texts[0], texts[2]] == [p.text for p in shown(TopicFact("Ann sang", "", passages), 9)]


@pytest.mark.parametrize(
    ("reply", "expected"), [("True", True), ("It could be true, but: false.", False), ("untrue?", None), ("", None)]
)
def test_the_last_word_counts(reply: str, expected: bool | None) -> None:
    """A reply is read by the last of the two whole words; without either it says nothing."""
    assert expected == told(reply, "true", "false")


def test_a_line_is_found_by_its_label() -> None:
    """The last line with the label counts, without quotes; an empty one is nothing."""
    assert "b c" == after("Query: a\nQuery: `b c`", "query")
    assert after("Query:", "query") is after("nothing", "query") is None


def test_a_language_model_says_true_or_false() -> None:
    """The model sees topic, passages and fact; saying neither, it is asked once more; without passages never."""
    with serving(lambda prompt: "True" if "Warsaw.\n" in prompt.split("<statement>")[1] else "Who knows?") as server:
        judge = LLMJudge(_chat(server))
        asked = [TopicFact(f"{RIGHT}\n", "Curie", (CURIE,)), TopicFact(WRONG, "", (CURIE,)), TopicFact(OTHER, "", ())]
        assert [True, Failed(WRONG, "it says neither True nor False"), None] == judge.judge(asked)
    assert 3 == len(server.asked)
    assert "could not be read: it says neither True nor False" in server.prompts[2]
    [first] = [prompt for prompt in server.prompts if RIGHT in prompt]
    assert "about Curie" in first
    assert CURIE.text.split(". ")[0] in first


def test_factscore_is_the_share_of_supported_facts(rules: DetectorJudge) -> None:
    """Facts that cannot be judged are left out, and where none can the score is unknown."""
    answers = [AnswerFacts((RIGHT, WRONG, "Alas!"), "Marie Curie", (CURIE,)), AnswerFacts((RIGHT,), "Marie Curie", ())]
    first, second = factscore(answers, rules)
    assert (0.5, 0.5 * exp(1 - 10 / 2)) == (first.share, first.score)
    assert (None, None) == (second.share, second.score)
    assert None is FactScore(()).score


@given(st.integers(1, 100), st.integers(1, 50))
@settings(max_examples=50, deadline=None)
def test_the_length_penalty_grows_to_one(facts: int, gamma: int) -> None:
    """In (0, 1], growing with the number of facts, and 1 from gamma facts on."""
    assert 0 < length_penalty(facts, gamma) <= length_penalty(facts + 1, gamma) <= 1
    assert (facts >= gamma) == (length_penalty(facts, gamma) == 1)


def test_safe_searches_and_rates_by_rules(rules: DetectorJudge) -> None:
    """Each fact is made self-contained, irrelevant ones are not searched for, and every search is kept."""
    queries: list[str] = []

    def search(query: str) -> list[Passage]:
        queries.append(query)
        return [CURIE] if "Curie" in query else []

    facts = ["She was born in Warsaw.", WRONG, "The Alps have glaciers."]
    tasks = [SearchTask(fact, "Tell me about Marie Curie.", "...", "Marie Curie") for fact in facts]
    found = safe(tasks, RuleAgent(RuleExtractor(), rules), search)
    assert [Rating.SUPPORTED, Rating.NOT_SUPPORTED, Rating.IRRELEVANT] == [fact.rating for fact in found]
    assert [RIGHT, WRONG, OTHER] == [fact.said for fact in found]
    assert sorted(queries) == sorted(step.query for fact in found for step in fact.steps)
    expected = ["Marie Curie", "Marie Curie was born in", "Marie Curie Warsaw", "Warsaw", RIGHT]
    assert expected == [step.query for step in found[0].steps]
    assert (CURIE,) == found[0].steps[0].found
    assert STEPS >= len(found[0].steps)


def test_safe_knows_nothing_where_nothing_was_found(rules: DetectorJudge) -> None:
    """A fact whose searches all came back empty is unknown, not unsupported."""
    [found] = safe([SearchTask(RIGHT, "Who is Curie?", RIGHT)], RuleAgent(RuleExtractor(), rules), lambda _: [])
    assert None is found.rating
    assert None is precision([found])
    assert None is f1_at_k([found])


def test_safe_with_a_language_model_asks_the_four_questions() -> None:
    """The model rewrites, finds relevant, writes queries until it stops, and rates what was found."""

    def answer(prompt: str) -> str:
        if "Rewrite the statement" in prompt:
            return "Statement: Marie Curie was born in Warsaw."
        if "helps to answer" in prompt:
            return "It is about her.\nRelevant"
        if "one query" in prompt:
            return "Enough." if CURIE.text in prompt else 'Query: "Marie Curie birthplace"'
        return "The text says so.\n**Supported**" if CURIE.text in prompt else "Not supported"

    with serving(answer) as server:
        [found] = safe(
            [SearchTask("She was born there.", "Who is Curie?", "...")], LLMAgent(_chat(server)), lambda _: [CURIE]
        )
    assert (
        RatedFact("She was born there.", RIGHT, (SearchStep("Marie Curie birthplace", (CURIE,)),), Rating.SUPPORTED)
        == found
    )


@pytest.mark.parametrize("step", ["Rewrite the statement", "helps to answer", "one query", "what was found supports"])
def test_a_fact_for_which_the_model_fails_is_unknown(step: str) -> None:
    """Whatever question is not answered, that fact has no rating but a reason, and the other facts are rated."""

    def answer(prompt: str) -> Reply:
        if step in prompt and "Bob" in prompt:
            return 400, "no such luck", {}
        return "Relevant" if "helps to answer" in prompt else "Query: more" if "one query" in prompt else "Supported"

    with serving(answer) as server:
        tasks = [SearchTask(fact, "Who?", "...") for fact in ("Bob sang.", "Ann sang.")]
        bob, ann = safe(tasks, LLMAgent(_chat(server)), lambda _: [CURIE])
    assert (None, Rating.SUPPORTED, None) == (bob.rating, ann.rating, ann.reason)
    assert "no such luck" in (bob.reason or "")
    assert 1.0 == precision([bob, ann])


def test_facts_and_scores_say_why_they_are_unknown() -> None:
    """A judge's failure stands beside its fact, and a dimension without a score has its reason."""
    with serving(lambda _: (400, "no such luck", {})) as server:
        [found] = factscore([AnswerFacts((RIGHT,), "Curie", (CURIE,))], LLMJudge(_chat(server)))
        rated = geval("Why?", "Because.", "", _chat(server), samples=2)
    assert (None, None) == (found.score, found.facts[0].supported)
    assert "no such luck" in (found.facts[0].reason or "")
    assert (dict.fromkeys(DIMENSIONS), set(DIMENSIONS)) == (rated.scores, set(rated.reasons))
    with serving(lambda _: "no idea") as server:
        rated = geval("Why?", "Because.", "", _chat(server), samples=2)
    assert {"none of 2 answers has a score"} == set(rated.reasons.values())


def test_a_sentence_that_is_not_answered_is_its_own_atom() -> None:
    """One answer that does not come loses no sentence; a model that never answers is an error."""
    with serving(
        lambda prompt: (400, "no", {}) if prompt.endswith("Bob slept.</sentence>") else "- Ann sang."
    ) as server:
        atomiser = LLMAtomiser(_chat(server), RuleExtractor())
        assert [["Ann sang.", "Bob slept."]] == atomiser.atoms(["Ann sang loudly. Bob slept."])
        with pytest.raises(ServiceError, match="400"):
            atomiser.atoms(["Bob slept."])


def test_safe_stops_after_five_searches() -> None:
    """A model that never stops is stopped; one that calls a fact irrelevant ends the matter."""
    with serving(lambda prompt: "Query: more" if "one query" in prompt else "Not supported") as server:
        [found] = safe([SearchTask("Ann sang.", "Who?", "...")], LLMAgent(_chat(server)), lambda _: [CURIE])
    assert (STEPS, Rating.NOT_SUPPORTED) == (len(found.steps), found.rating)
    with serving(lambda _: "Not relevant") as server:
        [found] = safe([SearchTask("Ann sang.", "Who?", "...")], LLMAgent(_chat(server)), lambda _: [CURIE])
    assert ((), Rating.IRRELEVANT) == (found.steps, found.rating)


def test_f1_at_k_weighs_precision_and_enough_facts() -> None:
    """Half right of four with K = 4: precision 1/2, recall 2/4; irrelevant facts do not count."""
    ratings = [Rating.SUPPORTED, Rating.SUPPORTED, Rating.NOT_SUPPORTED, Rating.NOT_SUPPORTED, Rating.IRRELEVANT, None]
    facts = [RatedFact("f", "f", (), rating) for rating in ratings]
    assert (0.5, 0.5) == (precision(facts), f1_at_k(facts, 4))
    assert 0.0 == f1_at_k(facts[2:3], 4)


def test_geval_is_the_mean_of_samples() -> None:
    """Each dimension is asked so many times at temperature 1; replies without a score are left out."""
    replies: Iterator[str] = iter(["4", "Score: 5", "I cannot.", "3/5"] * len(DIMENSIONS))
    with serving(lambda _: next(replies)) as server:
        one_by_one = OpenAIChat(server.url, "m", max_concurrency=1)
        found = geval("Why?", "Because.", "", one_by_one, samples=4)
    assert dict.fromkeys(DIMENSIONS, 4.0) == found.scores
    assert 0.75 == found.share("correctness")
    assert {1.0} == {asked["temperature"] for asked in server.asked}


def test_geval_is_unknown_without_a_language_model() -> None:
    """No model, or no usable reply: None, never 0."""
    assert dict.fromkeys(DIMENSIONS) == geval("Why?", "Because.", "", None).scores
    with serving(lambda _: "6 of one, half a dozen of the other") as server:
        found = geval("Why?", "Because.", "", _chat(server), samples=1)
    assert None is found.share("empowerment")


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=30))
@settings(max_examples=60, deadline=None)
def test_agreement_is_that_of_scikit_learn(pairs: list[tuple[bool, bool]]) -> None:
    """Balanced accuracy and kappa as scikit-learn has them, None where a class or all chance is missing."""
    ours, theirs = zip(*pairs, strict=True)
    both = len(set(theirs)) == 2
    assert agreement.balanced_accuracy(pairs) == (
        pytest.approx(balanced_accuracy_score(theirs, ours)) if both else None
    )
    if len({*ours, *theirs}) == 2:
        assert agreement.kappa(pairs) == pytest.approx(cohen_kappa_score(ours, theirs))
    else:
        assert agreement.kappa(pairs) is None


def test_correlation_is_undefined_without_variation() -> None:
    """Pearson's r of a line is 1; of one row, and of a constant column, unknown."""
    assert 1.0 == pytest.approx(agreement.pearson(np.array([[0.0, 1.0], [1.0, 3.0], [2.0, 5.0]])))
    assert agreement.pearson(np.array([[0.0, 1.0]])) is agreement.pearson(np.array([[1.0, 2.0], [1.0, 3.0]])) is None


def _biographies(folder: Path) -> Path:
    facts = [(RIGHT, "S"), ("She was born in Paris.", "NS"), ("Warsaw is a city.", "IR")]
    sentence = {"text": "...", "facts": [{"text": text, "label": label} for text, label in facts]}
    rows = [
        {"id": "1", "topic": "Marie Curie", "output": "...", "sentences": [sentence, {"text": "?", "facts": None}]},
        {"id": "2", "topic": "Nobody", "output": "...", "sentences": [sentence]},
        {"id": "3", "topic": "Marie Curie", "output": "I do not know.", "sentences": []},
    ]
    path = folder / "bios.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    (folder / "marie_curie.txt").write_text(CURIE.text, encoding="utf-8")
    return path


def test_judges_are_held_against_people(tmp_path: Path, rules: DetectorJudge) -> None:
    """Topics without passages and answers without facts are left out and counted; a right judge agrees fully."""
    agent = RuleAgent(RuleExtractor(), rules)
    found = judge_agreement.evaluate(
        _biographies(tmp_path), from_folder(tmp_path), [rules], [agent], folder_search(tmp_path)
    )
    assert (2, 1, 1, 2, 0.5) == (found.biographies, found.covered, found.topics, found.facts, found.supported)
    assert [("factscore", "rules"), ("safe", "rules")] == [(one.method, one.judge) for one in found.judges]
    for one in found.judges:
        assert (2, 1.0, 1.0, 1.0) == (one.judged, one.accuracy, one.balanced_accuracy, one.kappa)
    assert [None, 1.0] == [one.relevance for one in found.judges]


def test_what_is_no_biography_is_said(tmp_path: Path, rules: DetectorJudge) -> None:
    """A row of another schema, and topics of which nothing is known, are one clear line."""
    other = tmp_path / "other.jsonl"
    other.write_text('{"id": 1}', encoding="utf-8")
    with pytest.raises(InputError, match="line 1: no biography"):
        judge_agreement.evaluate(other, lambda _: (), [rules])
    with pytest.raises(InputError, match="nothing is known"):
        judge_agreement.evaluate(_biographies(tmp_path), lambda _: (), [rules])


def test_eval_judges_prints_the_documented_object(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`claimgraph eval judges --passages --json` runs every judge there is, and a folder without texts is an error."""
    monkeypatch.setenv("CLAIMGRAPH_CACHE", str(tmp_path / "cache"))
    path = _biographies(tmp_path)
    done = CliRunner().invoke(app, ["eval", "judges", str(path), "--passages", str(tmp_path), "--json"])
    assert 0 == done.exit_code, done.output
    judges = [(one["method"], one["judge"]) for one in json.loads(done.stdout)["judges"]]
    assert [(method, judge) for method in ("factscore", "safe") for judge in ("rules", "fused", "entailment")] == judges
    (tmp_path / "marie_curie.txt").unlink()
    assert "no .txt files" in str(
        CliRunner().invoke(app, ["eval", "judges", str(path), "--passages", str(tmp_path)]).exception
    )


@pytest.fixture
def world(embedded: EmbeddedStore) -> EmbeddedStore:
    """Marie Curie the physicist with a fact, a description and a summary, and a film of that name."""
    curie = Entity("wd:Q7186", "Marie Curie", description="Polish physicist", graphs=("w",))
    film = Entity("wd:Q1", "Marie Curie", description="film of 2016", graphs=("w",))
    warsaw = Entity("wd:Q270", "Warsaw", graphs=("w",))
    born = identity.fact_id("w", curie.id, "wd:P19", warsaw.id)
    fact = Fact(born, "w", curie.id, "wd:P19", "place of birth", warsaw.id)
    nodes = {entity.id: entity for entity in (curie, film, warsaw)}
    embedded.write(*records.subgraph_steps("w", "world", Subgraph(nodes, (fact,)), "1"))
    summary = Document(identity.document_id(CURIE.text), CURIE.text, source="https://example.org/curie")
    embedded.write(*records.summary_steps([(curie.id, summary)]))
    embedded.settle()
    return embedded


def test_topics_are_looked_up_by_name_hint_and_id(world: EmbeddedStore) -> None:
    """The entity of that id or name, told from others by what stands in brackets; facts if asked for."""
    known = from_store(world, world_graphs(world), facts=True)
    expected = {CURIE.text, "Marie Curie is Polish physicist.", "Marie Curie was born in Warsaw."}
    for topic in ("Marie Curie (physicist)", "wd:Q7186", "Q7186"):
        assert expected == {passage.text for passage in known(topic)}
    assert {"Marie Curie is film of 2016."} == {passage.text for passage in known("Marie Curie (film)")}
    assert () == known("Marie Curie (singer)") == known("Nobody")
    assert [CURIE.text] == [passage.text for passage in from_store(world, ["w"])("Marie Curie (physicist)")]
    with pytest.raises(NotFound):
        world_graphs(world, ["elsewhere"])


def test_a_search_finds_texts_and_facts_of_the_entities_named(world: EmbeddedStore, embedder: CachedEmbedder) -> None:
    """By words and by meaning, the best of each in turn; nothing for a query that names nobody."""
    search = StoreSearch(world, ["w"], embedder)
    found = [passage.text for passage in search("Where was Marie Curie born?")]
    assert {"Marie Curie place of birth Warsaw", CURIE.text} <= set(found)
    assert FOUND >= len(found) == len(set(found))
    assert [] == search("xyzzy")


def test_open_ended_answers_are_judged_overall_and_by_type(rules: DetectorJudge) -> None:
    """Means over the answers whose value is known, all together and by type; G-Eval unknown without a model."""
    questions = [
        Question("1", "Describe Marie Curie.", ("Marie Curie",), kind="descriptive"),
        Question("2", "Why is Nobody known?", ("Nobody",), kind="explanatory"),
    ]
    judges = OpenJudges(
        RuleAtomiser(RuleExtractor()),
        rules,
        RuleAgent(RuleExtractor(), rules),
        lambda q: [CURIE] if "Curie" in q else [],
    )
    found = evaluate(
        questions,
        {
            ("none", "zero"): lambda question: OpenAnswer(
                f"{RIGHT} {WRONG}" if question.id == "1" else "Nobody slept.", ""
            )
        },
        lambda topic: (CURIE,) if topic == "Marie Curie" else (),
        judges,
    )
    assert (2, 1) == (found.n, found.covered)
    assert ["all", "descriptive", "explanatory"] == [row.type for row in found.figures]
    overall, described, explained = found.figures
    assert (
        (0.5, 1) == (overall.supported.value, overall.supported.n) == (described.supported.value, described.supported.n)
    )
    assert (0.5, None) == (described.safe.value, explained.supported.value)
    assert {None} == {getattr(overall, name).value for name in DIMENSIONS}
    assert "G-Eval is unknown" in found.notes[0]


def test_a_question_without_an_answer_is_unknown(rules: DetectorJudge) -> None:
    """One that the language model does not answer is left out of the means, with the reason; all of them: an error."""
    questions = [Question(key, "Describe Marie Curie.", ("Marie Curie",), kind="descriptive") for key in "12"]
    agent = RuleAgent(RuleExtractor(), rules)
    judges = OpenJudges(RuleAtomiser(RuleExtractor()), rules, agent, lambda _: [CURIE])
    kept: list[JudgedAnswer] = []

    def answering(question: Question) -> OpenAnswer:
        if question.id in failing:
            raise ServiceError("no such luck")
        return OpenAnswer(RIGHT, "")

    def run() -> OpenReport:
        return evaluate(questions, {("none", "zero"): answering}, lambda _: (CURIE,), judges, keep=kept.append)

    failing = {"2"}
    overall = run().figures[0]
    assert (2, 1.0, 1.0, 1) == (overall.n, overall.facts, overall.supported.value, overall.supported.n)
    assert [None, "no such luck"] == [one.reason for one in kept]
    failing = {"1", "2"}
    with pytest.raises(ServiceError, match="no such luck"):
        run()


def test_eval_qa_judges_open_ended_questions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`claimgraph eval open-qa` prints OKGQA's table; without a model answers are facts in words."""
    monkeypatch.delenv("NEO4J_URI", raising=False)
    monkeypatch.setenv("CLAIMGRAPH_STORE", str(tmp_path / "store"))
    monkeypatch.setenv("CLAIMGRAPH_CACHE", str(tmp_path / "cache"))
    triples, entities, asked = (tmp_path / name for name in ("w.tsv", "entities.jsonl", "questions.jsonl"))
    triples.write_text("Q7186\tplace of birth\tQ270\nQ7186\tspouse\tQ37463\n", encoding="utf-8")
    labels = {"Q7186": "Marie Curie", "Q270": "Warsaw", "Q37463": "Pierre Curie"}
    rows = [
        {"qid": key, "label": label} | ({"extract": CURIE.text} if key == "Q7186" else {})
        for key, label in labels.items()
    ]
    entities.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    question = {"id": "1", "question": "Please describe Marie Curie.", "type": "descriptive", "answers": None}
    asked.write_text(json.dumps(question | {"entities": {"person": "Q7186"}}), encoding="utf-8")
    loading = ["ingest", str(triples), "--graph", "wikidata", "--entities", str(entities)]
    assert 0 == CliRunner().invoke(app, loading).exit_code
    command = ["eval", "open-qa", str(asked), "--graph", "wikidata", "--mode", "none", "--mode", "triplet"]
    done = CliRunner().invoke(app, [*command, "--json"])
    assert 0 == done.exit_code, done.output
    found = json.loads(done.stdout)
    assert (1, 1) == (found["n"], found["covered"])
    rows = {(row["mode"], row["type"]): row for row in found["figures"]}
    assert {(mode, kind) for mode in ("none", "triplet") for kind in ("all", "descriptive")} == rows.keys()
    assert {"value": None, "n": 0} == rows["none", "all"]["supported"] == rows["triplet", "all"]["correctness"]
    assert {"value": 1.0, "n": 1} == rows["triplet", "all"]["supported"] == rows["triplet", "descriptive"]["safe"]
    details = tmp_path / "details.jsonl"
    assert "triplet" in CliRunner().invoke(app, [*command, "--details", str(details)]).stdout
    nothing, judged = map(json.loads, details.read_text(encoding="utf-8").splitlines())
    assert [("1", "none"), ("1", "triplet")] == [(one["question"], one["mode"]) for one in (nothing, judged)]
    fact = judged["safe"][0]
    assert "supported" == fact["rating"]
    assert "Marie Curie" == fact["steps"][0]["query"]
    assert fact["steps"][0]["found"]

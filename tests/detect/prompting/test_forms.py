"""Answers of language models are read as far as they can be trusted, and refused in one line where they cannot."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from chat_server import Reply, serving
from hypothesis import given, settings
from hypothesis import strategies as st
from local_model import LocalModel

from claimgraph.detect.prompting.forms import (
    GRAPHEVAL,
    TRIPLE,
    TRIPLES,
    TRIPLES_SCHEMA,
    json_form,
    kea_form,
    needed,
    text_form,
)
from claimgraph.detect.prompting.json_answers import LONGEST, REPAIRED
from claimgraph.detect.prompting.replies import told
from claimgraph.detect.prompting.structured import AnswerForm, Failed, asked
from claimgraph.kgstore.errors import BudgetSpent
from claimgraph.kgstore.model import Message, Request, Triple
from claimgraph.llm import OpenAIChat, Spending

ABC = ("a", "b", "c")
OURS = '{"triples": [{"subject": "a", "predicate": "b", "object": "c"}]}'
FORMS: dict[str, AnswerForm[Any]] = {
    "ours": TRIPLES,
    "grapheval": GRAPHEVAL,
    "kea": kea_form(),
    "one": TRIPLE,
    "text": text_form("text"),
    "number": json_form(None, lambda value: float(value["n"])),
    "word": needed(lambda reply: told(reply, "true", "false"), "neither true nor false"),
}
_PIECES = st.sampled_from(
    (
        '{"triples": [',
        '{"subject": "a",',
        '"predicate": "b",',
        '"object": "c"}',
        '["a", "b", "c"]',
        '{"n": NaN}',
        OURS,
        "<python>",
        "</python>",
        "```json\n",
        "a | b | c",
        "</think>",
        "true",
        "1e999",
        '"knowledge_graph1":',
        *"[]{},:\"'\\()#/*\0\ud800é \n",
    )
)


def _read(form: str, answer: str) -> tuple[Any, str]:
    """What the form makes of an answer, None with the error where it refuses it."""
    try:
        return FORMS[form].read(answer), ""
    except ValueError as error:
        return None, str(error)


@given(st.sampled_from(sorted(FORMS)), st.lists(_PIECES | st.text(max_size=5), max_size=30).map("".join))
@settings(max_examples=300, deadline=None)
def test_any_text_is_read_or_refused_in_one_line(form: str, answer: str) -> None:
    """Whatever the answer, reading it gives a value that can be written as UTF-8, or ValueError with one line."""
    value, wrong = _read(form, answer)
    repr(value).encode()
    assert (value is None) == (1 == len(wrong.splitlines()))


@given(st.sampled_from(sorted(FORMS)), st.sampled_from(['"', "'", "\\", "[", "{", '["', "a ", '{"a":', " ", "(", "|"]))
@settings(max_examples=40, deadline=None)
def test_huge_answers_are_read_in_part(form: str, piece: str) -> None:
    """An answer of millions of characters is cut off, and costs no more than one of LONGEST."""
    huge = piece * (20 * LONGEST)
    value, wrong = _read(form, huge)
    assert len(str(value)) + len(wrong) <= 5 * LONGEST


@given(st.lists(st.tuples(*[st.text("aé \"'\\[]{}<>,:\n", max_size=8)] * 3), max_size=5))
@settings(max_examples=60, deadline=None)
def test_triples_come_back_as_they_were_written(triples: list[tuple[str, str, str]]) -> None:
    """What a serialiser writes is read element by element, white space in elements as single spaces."""
    expected = tuple(tuple(" ".join(part.split()) for part in triple) for triple in triples)
    objects = [dict(zip(("subject", "predicate", "object"), triple, strict=True)) for triple in triples]
    assert expected == TRIPLES.read(f"Here: ```json\n{json.dumps({'triples': objects})}\n``` Done.")
    graphs = {"knowledge_graph1": triples, "knowledge graph2": []}
    assert (expected, ()) == kea_form().read(json.dumps(graphs, ensure_ascii=False))


@given(st.lists(st.lists(st.text("aé \"'b", max_size=8), min_size=1, max_size=4), max_size=5))
@settings(max_examples=60, deadline=None)
def test_python_lists_come_back_as_they_were_written(triples: list[list[str]]) -> None:
    """GraphEval's form reads what Python prints, of any number of elements."""
    expected = tuple(tuple(" ".join(part.split()) for part in triple) for triple in triples)
    assert expected == GRAPHEVAL.read(f"Output:\n<python>{triples!r}</python>")


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (OURS, (ABC,)),
        (f"Sure! [see] {{name}} {OURS} {{hope}} it helps", (ABC,)),
        (f"<think>{{}} {OURS[:20]}</think>{OURS}", (ABC,)),
        (f"<think>{'much ' * LONGEST}</think>{OURS}", (ABC,)),
        (OURS.replace('"c"', '"</think>"'), (("a", "b", "</think>"),)),
        (f"{OURS} A </think> ends thoughts.", (ABC,)),
        (OURS.replace("}]", "},]"), (ABC,)),
        (OURS.replace('"a",', '"a"'), (ABC,)),
        (OURS.replace('"', "'"), (ABC,)),
        (OURS[:-2], (ABC,)),
        (OURS[:-1], (ABC,)),
        (OURS[:-5], (("a", "b"),)),
        (OURS[12:-1], (ABC,)),
        ('{"triples": [["a", "b", "c", "d"], ["a", "", null], {"subject": "a"}, "a", [1.5, true]]}',
         (("a", "b", "c", "d"), ("a", "", ""), ("a",), ("a",), ("1.5", "true"))),
        ('{"triples": []}', ()),
        (OURS.replace('"c"', '"\\ud800\\u0000"'), (("a", "b", "\ufffd\ufffd"),)),
    ],
)  # fmt: skip
def test_our_triples_are_read_from_untidy_json(answer: str, expected: tuple[tuple[str, ...], ...]) -> None:
    """Prose, fences, thoughts, commas, quotes and a lost end do no harm; what was cut off is left out."""
    assert expected == TRIPLES.read(answer)


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        ("", "there is no JSON in it"),
        ("I cannot help with that.", "there is no JSON in it"),
        ('{"facts": []}', "it lacks 'triples'"),
        ('{"triples": {"subject": "a"}}', "the triples are no list"),
        ('{"triples": [], "triples": [["a", "b", "c"]]}', "the key 'triples' stands twice in one object"),
        ("{'triples': [], 'triples': [['a', 'b', 'c']]}", "a key stands twice in one object"),
        ('{"triples": [{"subject": "a", "subject": "b"', "the key 'subject' stands twice in one object"),
        ('{"triples": [[NaN]]}', "NaN is no number"),
        ('{"triples": [[-1e999]]}', "a number in it is not finite"),
        ('{"triples":' * 50, "it is nested more than 32 deep"),
        ("[" * 50_000, "it is nested more than 32 deep"),
        ("{'triples': [" + "'" * REPAIRED, "there is no JSON in it"),
        ('{"answer": ["triples"]}', "it lacks 'triples'"),
    ],
)
def test_what_nobody_can_be_sure_of_is_refused(answer: str, wrong: str) -> None:
    """No JSON, another form, a key twice, no finite number, and deep nesting: one line says which."""
    assert (None, wrong) == _read("ours", answer)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ('<python>[["a", "b", "c"], ["a", "b", "c", "d"]]</python>', (ABC, ("a", "b", "c", "d"))),
        ('< python >\n[["a", "b", "c"] </python>', (ABC,)),
        ("<python>[['a', 'b', 'c'], ['d', 'e', 'f", (ABC, ("d", "e"))),
        ("<python>[['a', 'b', 'Bob's c'], (\"d\", 'e', 4),]</ python>", (("a", "b", "Bob's c"), ("d", "e", "4"))),
        ('<python>[["a", "b\n  b", "c \\u00e9\\"" ]]', (("a", "b b", 'c é"'),)),
        ('```python\n[["a", "b", ""]]\n```\nSee [1].', (("a", "b", ""),)),
        ("<python>[]</python>", ()),
        ('<python>[["a", "b", "c"]]</python> Input: "x" <python>[["d", "e", "f"]]</python>', (ABC,)),
        ("<python>[[__import__('os')]]", (("__import__",), ("os",))),
    ],
)  # fmt: skip
def test_graphevals_list_is_read_token_by_token(answer: str, expected: tuple[tuple[str, ...], ...]) -> None:
    """Missing tags, brackets and apostrophes cost one triple at most; nothing is evaluated."""
    assert expected == GRAPHEVAL.read(answer)


def test_a_list_there_must_be() -> None:
    """An answer without a bracket is no list; KEA's JSON must have both graphs, or as many as are asked for."""
    with pytest.raises(ValueError, match="no list of triples"):
        GRAPHEVAL.read("<python>none</python>")
    with pytest.raises(ValueError, match="it lacks knowledge_graph2"):
        kea_form().read('{"knowledge_graph1": []}')
    assert ((ABC,),) == kea_form(1).read('{"Knowledge Graph1": [["a", "b", "c"]]}')


T = Triple("a", "b c", "d")


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ('["a", "b c", "d"]', T),
        ("['a', 'b c', 'd']", T),
        ("('a', 'b c', 'd')", T),
        ("a | b  c | d", T),
        ('[["a", "b c", "d"]]', T),
        ('<triple>["a", "b c", "d"]</triple>', T),
        ('```json\n["a", "b c", "d"]\n```', T),
        ('Here it is (a, b, c):\n["a", "b c", "d"] Anything else?', T),
        ("Sure:\na | b c | d\n", T),
        ('["a", "b c"]', None),
        ('["a", "b c", ""]', None),
        ('["a", "b c", " "]', None),
        ('["a", "b c", 3]', None),
        ('["a", "b c", ["d"]]', None),
        ("a | b | c | d", None),
        ("a || d", None),
        ("", None),
        ("[" * 3000, None),
        ("__import__('os').system('true')", None),
    ],
)
def test_one_triple_is_read_leniently_and_never_evaluated(answer: str, expected: Triple | None) -> None:
    """JSON, Python and bars, with words and fences around; all but three strings with something in them is none."""
    wrong = "" if expected else "there is no triple of three strings in it, none of them empty"
    assert (expected, wrong) == _read("one", answer)


@pytest.mark.parametrize(
    "answer", ["ab <b>c</b>", " <text>\nab <b>c</b> </text>\n", "```\n<text>ab <b>c</b></text>\n```"]
)
def test_a_text_stands_without_its_tag(answer: str) -> None:
    """The tag that was asked for and a fence go, other tags stay; nothing is no text."""
    assert "ab <b>c</b>" == text_form("text").read(answer)
    with pytest.raises(ValueError, match="no text"):
        text_form("text").read("<text> </text>")


def test_errors_of_a_builder_are_lines() -> None:
    """What a builder raises says what is wrong; the first value that it takes counts."""
    assert (2.0, "") == _read("number", '{"m": 1} {"n": 2} {"n": 4}')
    assert (None, "it lacks 'n'") == _read("number", '{"m": 1} {"n": []}')
    assert (None, "it is not of the form that was asked for") == _read("number", '{"n": []}')
    assert (None, "could not convert string to float: 'two'") == _read("number", '{"n": "two"}')


def test_our_schema_is_one_that_servers_can_hold_answers_to() -> None:
    """Every object of it lists all its properties as required and takes no other, as strict modes demand."""
    schema = json.loads(TRIPLES_SCHEMA)
    item = schema["properties"]["triples"]["items"]
    for one in (schema, item):
        assert (sorted(one["properties"]), False) == (sorted(one["required"]), one["additionalProperties"])


def _asked(answer: Callable[[str], Reply], *words: str) -> tuple[list[Any], list[str]]:
    """What is read of the answers, as a number, and the prompts."""
    items = [(word, Request((Message("user", word),))) for word in words]
    with serving(answer) as server:
        return asked(OpenAIChat(server.url, "scripted"), items, FORMS["number"]), server.prompts


def test_what_cannot_be_read_is_asked_once_more_with_the_error() -> None:
    """The answer goes back, cut to what a prompt has room for, with what is wrong; others are not asked again."""
    long = "x" * 9000
    found, prompts = _asked(lambda prompt: '{"n": 2}' if "read:" in prompt or prompt == "good" else long, "good", "bad")
    assert [2.0, 2.0] == found
    [again] = [prompt for prompt in prompts if "read:" in prompt]
    expected = f"bad\n{'x' * 4000}\nThat could not be read: there is no JSON in it. Answer again, in the form that was"
    assert again.startswith(expected)
    assert 3 == len(prompts)


def test_what_fails_is_on_record_and_the_rest_is_read() -> None:
    """Unreadable twice, or not answered at all: a failure names its item and says why; nobody is asked for nothing."""

    def answer(prompt: str) -> Reply:
        return (400, "no such luck", {}) if "silent" in prompt else "{}" if "bad" in prompt else '{"n": 1}'

    (silent, bad, good), prompts = _asked(answer, "silent", "bad", "good")
    assert ("silent", True, 1.0) == (silent.item, silent.silent, good)
    assert "no such luck" in silent.reason
    assert Failed("bad", "it lacks 'n'") == bad
    assert 4 == len(prompts)
    assert ([], []) == _asked(answer)


def test_a_spent_budget_ends_it() -> None:
    """The budget of a run is no failure of an item."""
    request = Request((Message("user", "one"),))
    with serving(lambda _: "no JSON") as server:
        chat = OpenAIChat(server.url, "scripted", spending=Spending(limit=1))
        with pytest.raises(BudgetSpent):
            asked(chat, [("one", request)], FORMS["number"])


def test_a_real_model_is_read_or_put_on_record(local_model: LocalModel) -> None:
    """What a small model says is a triple, or a failure with its name and a reason after one more try."""
    said = Message("user", 'Ann lives in Rome as ["subject", "relation", "object"]:')
    spending = Spending()
    chat = OpenAIChat(local_model.url, local_model.model, spending=spending)
    [found] = asked(chat, [("Ann lives in Rome", Request((said,), max_tokens=16))], TRIPLE)
    if isinstance(found, Failed):
        assert ("Ann lives in Rome", True, 2) == (found.item, bool(found.reason), spending.calls)
    else:
        assert isinstance(found, Triple)

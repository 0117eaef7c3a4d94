"""Define the forms of answers: JSON of a schema, lists of triples as the papers' prompts ask for them, one triple.

Each reads any text in bounded time, and names in one line what is wrong with an unusable one. Triples are returned
unchanged, element by element: the caller rejects those without three elements, or with empty ones, with its reason.
Answers are never evaluated; of Python only string literals are read, with ast.literal_eval.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, TypeVar

from claimgraph.detect.prompting.json_answers import said, values
from claimgraph.detect.prompting.string_lists import lists, text_of
from claimgraph.detect.prompting.structured import AnswerForm
from claimgraph.kgstore.model import Triple

_T = TypeVar("_T")

Triples = tuple[tuple[str, ...], ...]
"""Triples as given: each with as many elements as it had, white space in them as single spaces."""

_SHOWN = 200
"""Most characters of an error sent to a model."""
_ELEMENTS = ("subject", "predicate", "object")
_TAG = re.compile(r"<\s{0,9}python\s{0,9}>", re.IGNORECASE)
_END_TAG = re.compile(r"<\s{0,9}[/\\]?\s{0,9}python\s{0,9}>", re.IGNORECASE)


def _object_of(properties: dict[str, Any]) -> dict[str, Any]:
    required = [*properties]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


TRIPLES_SCHEMA = json.dumps(
    _object_of({"triples": {"type": "array", "items": _object_of({name: {"type": "string"} for name in _ELEMENTS})}})
)
"""{"triples": [{"subject": ..., "predicate": ..., "object": ...}]}"""


def json_form(schema: str | None, build: Callable[[Any], _T]) -> AnswerForm[_T]:
    """Return a form of JSON, of a schema (JSON text) if given; `build` converts a value, or raises.

    KeyError, ValueError, TypeError and the like of `build` become the line that says what is wrong. Of several values
    in an answer the first that `build` takes counts; of several errors the first.
    """

    def read(answer: str) -> _T:
        wrong: list[str] = []
        for value in values(answer):
            try:
                return build(value)
            except (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError) as error:
                wrong.append(_wrong(error))
        raise ValueError((wrong or ["there is no JSON in it"])[0])

    return AnswerForm(read, schema)


def _wrong(error: Exception) -> str:
    if isinstance(error, KeyError):
        return f"it lacks {str(error)[:_SHOWN]}"
    return str(error)[:_SHOWN] if type(error) is ValueError else "it is not of the form that was asked for"


def needed(read: Callable[[str], _T | None], wrong: str) -> AnswerForm[_T]:
    """Return the form of a reader; `wrong` is the error where it returns None."""

    def found(answer: str) -> _T:
        value = read(said(answer))
        if value is None:
            raise ValueError(wrong)
        return value

    return AnswerForm(found)


def text_form(tag: str) -> AnswerForm[str]:
    """Return a form of text, without its tag or code fence and without surrounding space; an empty one is an error."""
    fenced, inside = re.compile(r"```\w*\n(.*)```", re.DOTALL), re.compile(rf"<{tag}>(.*)</{tag}>", re.DOTALL)

    def bare(answer: str) -> str | None:
        for around in (fenced, inside):
            found = around.fullmatch(answer.strip())
            answer = found[1] if found else answer
        return answer.strip() or None

    return needed(bare, "there is no text in it")


def kea_form(graphs: int = 2) -> AnswerForm[tuple[Triples, ...]]:
    """Return the form of KEA Explain's JSON: knowledge_graph1, knowledge_graph2, ... up to `graphs`, each a list of
    triples.

    Space, case and hyphens in the keys do not matter: the paper's own example writes "knowledge graph2".
    """
    wanted = [f"knowledge_graph{number}" for number in range(1, graphs + 1)]

    def build(value: Any) -> tuple[Triples, ...]:
        found = {re.sub(r"[\W_]", "", key.casefold()): given for key, given in value.items()}
        if missing := [name for name in wanted if name.replace("_", "") not in found]:
            raise ValueError(f"it lacks {missing[0]}")
        return tuple(_given(found[name.replace("_", "")]) for name in wanted)

    return json_form(None, build)


def _ours(value: Any) -> Triples:
    """Return the list under "triples", or a list of triples without it."""
    if isinstance(value, list) and all(isinstance(item, dict | list) for item in value):
        return _given(value)
    return _given(value["triples"])


def _given(items: Any) -> Triples:
    """Return the elements of each item of a list: of an object its subject, predicate and object, as far as it has
    them.
    """
    if not isinstance(items, list):
        raise ValueError("the triples are no list")
    return tuple(found for item in items if (found := tuple(map(_words, _elements(item)))))


def _elements(item: Any) -> list[Any]:
    if isinstance(item, dict):
        return [item[name] for name in _ELEMENTS if name in item]
    return item if isinstance(item, list) else [item]


def _words(element: Any) -> str:
    """Return an element in words: numbers as JSON writes them, null as nothing."""
    if element is None:
        return ""
    return " ".join((element if isinstance(element, str) else json.dumps(element, ensure_ascii=False)).split())


def _grapheval(answer: str) -> Triples:
    """Return the triples of the first <python> tag, or of the whole answer without one."""
    text = said(answer)
    if opening := _TAG.search(text):
        text = text[opening.end() :]
    text = _END_TAG.split(text, maxsplit=1)[0]
    if "[" not in text:
        raise ValueError("there is no list of triples in it")
    return tuple(tuple(map(text_of, found)) for found in lists(text[text.index("[") :]))


def _one_triple(answer: str) -> Triple:
    """Return three non-empty strings of the first list of such: JSON, a Python list or tuple, or "a | b | c"."""
    text = said(answer)
    for found in lists(text):
        parts = [text_of(token) for token in found if token[0] in "\"'"]
        if len(parts) == len(found) == 3 and all(parts):
            return Triple(*parts)
    lines = [line for line in re.sub(r"</?\w+>|```\w*", " ", text).splitlines() if line.count("|") == 2]
    parts = [" ".join(part.split()) for part in lines[0].split("|")] if len(lines) == 1 else []
    if not parts or not all(parts):
        raise ValueError("there is no triple of three strings in it, none of them empty")
    return Triple(*parts)


TRIPLES: AnswerForm[Triples] = json_form(TRIPLES_SCHEMA, _ours)
"""Our form: JSON with a list "triples" of objects; a bare list of them is taken too."""
GRAPHEVAL: AnswerForm[Triples] = AnswerForm(_grapheval)
"""GraphEval's: a Python list of triples between <python> tags; the closing tag and the list's end may be missing."""
TRIPLE: AnswerForm[Triple] = AnswerForm(_one_triple)
"""GraphCorrect's: one triple."""

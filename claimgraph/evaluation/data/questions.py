"""Read files of questions as one type: those with gold answers (SimpleQuestions, QALD) and open-ended ones (OKGQA).

Rows are distinguished by their keys, never by the file's name. Entities, answers and relations stay the keys of the
file (Wikidata ids, IRIs, words): `node_of` maps a key to a node of a graph.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from claimgraph.evaluation.data.rows import JsonRow, read_rows
from claimgraph.kgstore.arrays.graph import GraphArrays
from claimgraph.kgstore.identity import graph_entity_id
from claimgraph.kgstore.naming import entity_id
from claimgraph.kgstore.values import literals

_RESOURCE = re.compile(r"<(http://dbpedia\.org/resource/[^>\s]+)>|\b(?:res|dbr):([^\s{};)]*[^\s{};).,])")
_DBPEDIA = "http://dbpedia.org/resource/"


@dataclass(frozen=True, slots=True)
class Question:
    """A question with the keys of the entities it names and of its answers, either empty where the file has none.

    `relation` is that of the gold fact: "P58" from the first entity to an answer, "R58" from an answer to it; None
    where the file has no gold fact. `kind` is an open-ended question's type (descriptive, comparative, ...).
    """

    id: str
    text: str
    entities: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    relation: str | None = None
    kind: str | None = None


def read_questions(path: Path, limit: int | None = None, seed: int = 0) -> list[Question]:
    """Return the questions of a JSON lines file (plain, .gz or .bz2), in order; with `limit` a random sample of so
    many.

    Raises InputError, with file and line, for a row that is no question.
    """
    found = read_rows(path, _question, limit=limit, seed=seed)
    return [replace(question, id=question.id or f"{path.name}:{line}") for line, question in found]


def node_of(key: str, graph: GraphArrays, graphs: Sequence[str]) -> int | None:
    """Return the number of the node that a file's key means in a world made of some graphs, or None.

    A key is an id or an IRI, or a title of DBpedia in a graph whose keys are such titles, or a date or a number.
    """
    ids = [entity_id("wikidata", key)]
    if key.startswith(_DBPEDIA):
        ids += [graph_entity_id(name, key.removeprefix(_DBPEDIA)) for name in graphs]
    elif ids[0] == f"wd:{key}" and not re.fullmatch(r"[QP]\d+", key):
        ids = [literals.to_literal(parsed).id for parsed in [literals.parse(key)] if parsed]
    return next((node for identity in ids if (node := graph.node(identity)) is not None), None)


def _question(row: JsonRow) -> Question:
    text = row.get("question")
    if not isinstance(text, str) or not text.strip():
        raise ValueError("no text under 'question'")
    identity, answers = str(row.get("id", "")), tuple(str(answer) for answer in row.get("answers") or ())
    if triple := row.get("triple_qids"):
        if not isinstance(triple, list) or len(triple) != 3:
            raise ValueError("'triple_qids' is no list of three")
        return Question(identity, text, (str(triple[0]),), answers or (str(triple[2]),), str(triple[1]))
    return Question(identity, text, _entities(row, answers), answers, kind=row.get("type"))


def _entities(row: JsonRow, answers: Sequence[str]) -> tuple[str, ...]:
    """Return the entities a row names: OKGQA and made questions list them, QALD's query mentions them."""
    listed = list((row.get("dbpedia_entities") or row.get("entities") or {}).values())
    said = [whole or _DBPEDIA + short for whole, short in _RESOURCE.findall(row.get("sparql") or "")]
    return tuple(dict.fromkeys(key for key in [*listed, *said] if key and key not in answers))

"""Read label files: names, descriptions and aliases of entities and relations, as JSON lines.

The id is under qid, pid, mid or id, the name under label (or name); `description` and `aliases` are optional, an
encyclopedia's introduction under `extract` (its address under `wikipedia`) becomes a Document about the entity, and
other keys are ignored. A row with two ids, as Freebase's mids that carry a Wikidata id, makes both one node: the first
of qid, pid, mid, id is its id.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from claimgraph.kgstore.identity import document_id
from claimgraph.kgstore.ingest.lines import Broken, SourceFile, broken
from claimgraph.kgstore.ingest.readers import objects
from claimgraph.kgstore.model import Document, Predicate
from claimgraph.kgstore.naming import entity_id, relation_name

_ID_KEYS = ("qid", "pid", "mid", "id")


@dataclass(frozen=True, slots=True)
class NodeTexts:
    """The name, description and aliases of a node. `aliases` are distinct, in order, and do not hold `name`."""

    name: str | None = None
    aliases: tuple[str, ...] = ()
    description: str | None = None

    def over(self, older: NodeTexts) -> NodeTexts:
        """Return these texts where there are any, else the older ones; an older name becomes an alias."""
        name = self.name or older.name
        names = [*older.aliases, *([older.name] if older.name else []), *self.aliases]
        aliases = tuple(dict.fromkeys(alias for alias in names if alias != name))
        return NodeTexts(name, aliases, self.description or older.description)


@dataclass(frozen=True, slots=True)
class LabelRow:
    """One row of a label file: the node's id, other ids it is known by, and its texts."""

    line: int
    id: str
    also: tuple[str, ...]
    texts: NodeTexts
    row: dict[str, Any]
    summary: Document | None = None


def labels(source: SourceFile, graph: str) -> Iterator[LabelRow | Broken]:
    """Yield rows of a label file of a graph, with a Broken line for each unusable one."""
    for item in objects(source):
        if isinstance(item, Broken):
            yield item
            continue
        number, row = item
        try:
            yield _labelled(number, row, graph)
        except ValueError as error:
            yield broken(number, str(error), str(row))


def same_ids(path: Path, graph: str) -> dict[str, str]:
    """Map the second ids of a label file to their nodes: about 200 bytes of memory for each such row.

    Where two rows claim one node (Freebase has two mids for Q2141) both keep their own ids: a graph never loses a fact
    to the merging of its own entities.
    """
    same: dict[str, str] = {}
    with SourceFile(path) as source:
        for item in labels(source, graph):
            if isinstance(item, LabelRow):
                same.update(dict.fromkeys(item.also, item.id))
    claims = Counter(same.values())
    return {other: node for other, node in same.items() if claims[node] == 1}


def predicate(item: LabelRow) -> Predicate:
    """Return the row of a relation file as a Predicate; `domain`, `range` and `functional` are taken where given."""
    functional = item.row.get("functional")
    return Predicate(
        item.id,
        item.texts.name or relation_name(item.id),
        domain=_text(item.row, "domain"),
        range=_text(item.row, "range"),
        functional=functional if isinstance(functional, bool) else None,
    )


def _labelled(number: int, row: dict[str, Any], graph: str) -> LabelRow:
    keys = [key for name in _ID_KEYS if (key := _text(row, name))]
    if not keys:
        raise ValueError("no id under qid, pid, mid or id")
    first, *others = (entity_id(graph, key) for key in keys)
    name = _text(row, "label") or _text(row, "name")
    return LabelRow(
        number,
        first,
        tuple(o for o in others if o != first),
        NodeTexts(name, _aliases(row, name), _text(row, "description")),
        row,
        _summary(row, name),
    )


def _summary(row: dict[str, Any], name: str | None) -> Document | None:
    """Return the introduction of the row; None where it has none. Its source is its address, where there is one."""
    text, address = _text(row, "extract"), _text(row, "wikipedia")
    return Document(document_id(text), text, name, address, "en" if address else None) if text else None


def _text(row: dict[str, Any], key: str) -> str | None:
    value = row.get(key)
    if value is not None and not isinstance(value, str):
        raise ValueError(f"{key} is not text")
    return value.strip() or None if value else None


def _aliases(row: dict[str, Any], name: str | None) -> tuple[str, ...]:
    values = row.get("aliases") or []
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise ValueError("aliases are not a list of texts")
    return tuple(dict.fromkeys(alias for value in values if (alias := value.strip()) and alias != name))

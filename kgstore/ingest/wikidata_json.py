"""Read Wikidata's own JSON: the dump (`latest-all.json`), `Special:EntityData`, and answers of `wbgetentities`.

An entity becomes statements as the query service's do (world/wikidata.py): labels, aliases, description, and facts with
rank, validity, qualifiers and a reference; no deprecated ones, no identifiers of other data bases. JSON names neither
the things that facts lead to nor units: the first get their names where they stand in the file themselves, frequent
units come along here.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from claimgraph.kgstore.ingest.lines import Broken, SourceFile, broken
from claimgraph.kgstore.ingest.readers import FileTriple
from claimgraph.kgstore.model import Literal
from claimgraph.kgstore.values import wikidata_values
from claimgraph.kgstore.values.wikidata_values import NONE, SOME

_MOST = 64 * 1024 * 1024
"""Characters of an answer that stands on many lines."""
_LABEL, _ALIAS = "http://www.w3.org/2000/01/rdf-schema#label", "http://www.w3.org/2004/02/skos/core#altLabel"
_DESCRIPTION = "http://schema.org/description"
_LEFT_OUT = frozenset(
    ("external-id", "commonsMedia", "geo-shape", "tabular-data", "musical-notation", "math", "entity-schema")
)
_QUALIFIERS = {
    "P585": "point in time", "P276": "location", "P131": "located in", "P17": "country", "P1545": "series ordinal",
    "P1365": "replaces", "P1366": "replaced by", "P642": "of", "P1534": "end cause", "P2937": "parliamentary term",
}  # fmt: skip
_START, _END = "P580", "P582"
_UNITS = {
    "Q11573": "metre", "Q828224": "kilometre", "Q174728": "centimetre", "Q11570": "kilogram", "Q25343": "square metre",
    "Q712226": "square kilometre", "Q35852": "hectare", "Q577": "year", "Q5151": "month", "Q573": "day",
    "Q25235": "hour", "Q7727": "minute", "Q11574": "second", "Q4917": "United States dollar", "Q4916": "euro",
    "Q3710": "foot", "Q218593": "inch", "Q253276": "mile", "Q11229": "percent", "Q25267": "degree Celsius",
}  # fmt: skip

Json = Mapping[str, Any]


def entities(source: SourceFile) -> Iterator[FileTriple | Broken]:
    """Yield the statements of all entities of a file, in order, with a Broken line for each unusable one.

    An entity that was deleted, or asked for and never there, is a Broken line that says so.
    """
    for number, found in _objects(source):
        if isinstance(found, Broken):
            yield found
            continue
        for entity in found["entities"].values() if "entities" in found else (found,):
            try:
                yield from _statements(number, entity)
            except (KeyError, TypeError, ValueError, AttributeError) as error:
                yield broken(number, f"no entity of Wikidata: {error!r}", json.dumps(entity, ensure_ascii=False)[:1000])


def _objects(source: SourceFile) -> Iterator[tuple[int, Json | Broken]]:
    """Yield the JSON objects of a file: one a line, with the commas and brackets of a list, or one on many lines."""
    kept, first, size = list[str](), 0, 0
    for item in source.numbered():
        if isinstance(item, Broken):
            yield item.line, item
            continue
        number, text = item
        text = text.strip().removesuffix(",")
        if not kept and text in ("[", "]"):
            continue
        kept, first, size = [*kept, item[1] if kept else text], first if kept else number, size + len(text)
        try:
            found = json.loads("\n".join(kept)) if not kept[1:] or text == "}" else None
        except (ValueError, RecursionError) as error:
            if kept[0] not in ("{", "[") or size > _MOST:
                yield first, broken(first, f"not JSON: {error}", kept[0])
                kept, size = [], 0
            continue
        if found is None:
            continue
        yield first, found if isinstance(found, dict) else broken(first, "not a JSON object", kept[0])
        kept, size = [], 0
    if kept:
        yield first, broken(first, "not JSON: it breaks off", kept[0])


def _statements(line: int, entity: Json) -> Iterator[FileTriple | Broken]:
    item = str(entity["id"])
    if "missing" in entity:
        yield broken(line, f"{item} is not there: it was deleted or never made", item)
        return
    if entity.get("type", "item") != "item":
        return
    for relation, part in ((_LABEL, "labels"), (_DESCRIPTION, "descriptions")):
        for text in _mapping(entity.get(part)).values():
            yield FileTriple(line, item, relation, text["value"], "", text["language"])
    for texts in _mapping(entity.get("aliases")).values():
        for text in texts:
            yield FileTriple(line, item, _ALIAS, text["value"], "", text["language"])
    for statements in _mapping(entity.get("claims")).values():
        for statement in statements:
            yield from _fact(line, item, statement)


def _mapping(found: Any) -> Json:
    """Return an object; PHP writes an empty one as an empty list."""
    return found if isinstance(found, dict) else {}


def _fact(line: int, item: str, statement: Json) -> Iterator[FileTriple]:
    """Yield the statement as a triple, unless it is deprecated or of a kind that no text states."""
    main = statement["mainsnak"]
    if statement.get("rank") == "deprecated" or main.get("datatype") in _LEFT_OUT:
        return
    start, end, qualifiers = _qualified(_mapping(statement.get("qualifiers")), main)
    made = FileTriple(
        line,
        item,
        main["property"],
        "",
        valid_from=start,
        valid_to=end,
        rank=statement.get("rank"),
        source=_source(statement) or f"https://www.wikidata.org/wiki/{item}#{main['property']}",
        qualifiers=qualifiers,
    )
    if main["snaktype"] != "value":
        yield made._replace(datatype=SOME if main["snaktype"] == "somevalue" else NONE)
        return
    value = _value(main)
    if isinstance(value, Literal):
        yield made._replace(tail=value.value, datatype=value.datatype, literal=value)
    elif value:
        yield made._replace(tail=value)


def _value(snak: Json) -> str | Literal | None:
    """Return an entity's key or a typed value; None for what is neither (a place on another globe's map)."""
    kind, value = snak["datavalue"]["type"], snak["datavalue"]["value"]
    if kind == "wikibase-entityid":
        return str(value.get("id") or f"Q{value['numeric-id']}")
    if kind == "time":
        return wikidata_values.time(value["time"], int(value["precision"]), value.get("calendarmodel"))
    if kind == "quantity":
        unit = value.get("unit", "1")
        bounds = value.get("lowerBound"), value.get("upperBound")
        named = None if unit == "1" else unit
        return wikidata_values.quantity(value["amount"], named, _UNITS.get(unit.rpartition("/")[2]), *bounds)
    if kind == "globecoordinate":
        place = f"Point({value['longitude']} {value['latitude']})"
        return wikidata_values.coordinates(place, str(value.get("precision") or "") or None)
    if kind == "monolingualtext":
        return wikidata_values.words(value["text"], value["language"])
    return wikidata_values.words(str(value), None)


def _qualified(qualifiers: Json, main: Json) -> tuple[str | None, str | None, str | None]:
    """Return start and end time, and the rest as a JSON object of texts, by what it is called."""
    bounds: dict[str, str] = {}
    said: dict[str, list[str]] = {}
    for key, snaks in qualifiers.items():
        for snak in snaks:
            value = _value(snak) if snak["snaktype"] == "value" else None
            text = value.value if isinstance(value, Literal) else value or "unknown value"
            if key in (_START, _END) and isinstance(value, Literal) and value.datatype == "date" and key not in bounds:
                bounds[key] = text
            elif name := {_START: "start time", _END: "end time"}.get(key) or _QUALIFIERS.get(key):
                said.setdefault(name, []).append(text)
    if _mapping(_mapping(main.get("datavalue")).get("value")).get("calendarmodel") == wikidata_values.JULIAN:
        said["calendar"] = ["Julian"]
    texts = {name: values[0] if len(values) == 1 else sorted(values) for name, values in sorted(said.items())}
    written = json.dumps(texts, ensure_ascii=False, separators=(",", ":")) if texts else None
    return bounds.get(_START), bounds.get(_END), written


def _source(statement: Json) -> str | None:
    """Return the address of a reference, else what it was stated in; the first in the order of the texts."""
    snaks = [_mapping(one.get("snaks")) for one in statement.get("references") or ()]
    urls = [snak["datavalue"]["value"] for one in snaks for snak in one.get("P854", ()) if "datavalue" in snak]
    stated = [snak["datavalue"]["value"] for one in snaks for snak in one.get("P248", ()) if "datavalue" in snak]
    places = urls or [f"http://www.wikidata.org/entity/{value['id']}" for value in stated if "id" in value]
    return min(places, default=None)

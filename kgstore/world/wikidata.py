"""Fetch from Wikidata over SPARQL: statements with rank, qualifiers and references, as facts; no deprecated ones.

Only facts that a text can state are fetched: identifiers of other data bases, pictures and formulas are left out.
Statements are read from the full model (p:, ps:, psv:), since the plain triples (wdt:) have neither qualifiers nor
references, nor mark that a value is unknown or absent.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from itertools import groupby

from claimgraph.kgstore.identity import fact_id, literal_id
from claimgraph.kgstore.ingest.labels import NodeTexts
from claimgraph.kgstore.model import Fact, Literal, Predicate
from claimgraph.kgstore.naming import address, display_name, entity_id
from claimgraph.kgstore.net import sparql
from claimgraph.kgstore.net.sparql import Binding, Endpoint
from claimgraph.kgstore.values import wikidata_values
from claimgraph.kgstore.world.fetch_result import FetchResult

INCOMING = 500
"""Statements fetched that name an entity as their value: hubs have millions."""
CANDIDATES = 3
"""Entities taken for a name that several have."""
_SEARCHED = 1_000
_ENTITY = re.compile(r"http://www\.wikidata\.org/entity/[QPL]\d+(-[FS]\d+)?")
_REFERENCES = ("reference URL", "stated in")
_BOUNDS = ("start time", "end time")


class Wikidata:
    """Wikidata's query service, or a mirror. Names are in `language`, else in the language-independent "mul"."""

    def __init__(self, endpoint: Endpoint, language: str, graph: str = "wikidata") -> None:
        self.graph = graph
        self._endpoint, self._language = endpoint, language
        self._tags = f'"{language}", "mul"'

    def identity(self, text: str) -> str | None:
        """Return the id of `Q90`, `wd:Q90`, or an address of Wikidata."""
        if re.fullmatch(r"(wd:)?Q\d+", text):
            return f"wd:{text.removeprefix('wd:')}"
        found = entity_id("wikidata", text)
        return found if text.startswith("http") and found.startswith("wd:Q") else None

    def search(self, names: Sequence[str]) -> dict[str, list[str]]:
        """Return at most CANDIDATES items a name, by the number of articles about them, then by id."""
        written = " ".join(sparql.text(name, tag) for name in names for tag in (self._language, "mul"))
        answer = self._endpoint.select("wikidata_names", names=written)
        found: dict[str, list[str]] = defaultdict(list)
        for row in answer.rows:
            ids = found[row["text"]["value"]]
            identity = _id(row["item"]["value"])
            if identity not in ids and len(ids) < CANDIDATES:
                ids.append(identity)
        return dict(found)

    def moved(self, ids: Sequence[str]) -> dict[str, str]:
        """Return items that were merged into others."""
        same = "http://www.w3.org/2002/07/owl#sameAs"
        answer = self._endpoint.select("moved", ids=_values(ids), moved=same)
        return {_id(row["item"]["value"]): _id(row["text"]["value"]) for row in answer.rows}

    def as_subject(self, ids: Sequence[str]) -> FetchResult:
        """See World."""
        texts = self._told(ids)
        bound = sparql.load("wikidata_as_subject").replace("$ids", _values(ids))
        answer = self._endpoint.select(
            "wikidata_statement", statements=bound, languages=self._tags, divisible=len(ids) > 1
        )
        found = self._facts(answer.rows)
        found.problem = texts.problem or answer.problem
        self._texts(found, texts.rows)
        return found

    def as_object(self, entity: str) -> FetchResult:
        """See World; at most INCOMING statements."""
        bound = sparql.load("wikidata_as_object").replace("$ids", _values([entity]))
        bound = bound.replace("$most", str(INCOMING)).replace("$languages", self._tags)
        answer = self._endpoint.select("wikidata_statement", statements=bound, languages=self._tags)
        found = self._facts(answer.rows)
        found.capped = not answer.problem and len({row["statement"]["value"] for row in answer.rows}) >= INCOMING
        found.problem = f"only {INCOMING} statements with it as their value" if found.capped else answer.problem
        return found

    def articles(self, ids: Sequence[str]) -> dict[str, str]:
        """See World."""
        found = FetchResult()
        self._texts(found, self._told(ids).rows)
        return found.articles

    def predicates(self, ids: Sequence[str]) -> list[Predicate]:
        """See World. A single-value constraint makes a property functional; domain and range are ids of classes."""
        answer = self._endpoint.select("wikidata_properties", ids=_values(ids), languages=self._tags)
        return described(answer.rows, self.graph, self._language)

    def _told(self, ids: Sequence[str]) -> sparql.QueryRows:
        return self._endpoint.select(
            "wikidata_texts",
            ids=_values(ids),
            languages=self._tags,
            encyclopedia=f"https://{self._language}.wikipedia.org/",
            divisible=len(ids) > 1,
        )

    def _texts(self, found: FetchResult, rows: Iterable[Binding]) -> None:
        for item, parts in groupby(rows, lambda row: row["item"]["value"]):
            said: dict[str, list[str]] = defaultdict(list)
            for row in sorted(parts, key=lambda row: row["text"].get("xml:lang") != self._language):
                said[row["part"]["value"]].append(row["text"]["value"])
            name = next(iter(said["name"]), None)
            aliases = tuple(dict.fromkeys(alias for alias in (*said["name"], *said["alias"]) if alias != name))
            identity = _id(item)
            found.texts[identity] = NodeTexts(name, aliases, next(iter(said["description"]), None))
            if said["article"]:
                found.articles[identity] = said["article"][0]

    def _facts(self, rows: Sequence[Binding]) -> FetchResult:
        found, now = FetchResult(), datetime.now(UTC)
        for _, parts in groupby(rows, lambda row: row["statement"]["value"]):
            self._fact(found, self._parts(parts), now)
        return found

    def _parts(self, rows: Iterable[Binding]) -> list[Binding]:
        """Return the parts of a statement, each once: of several names that in the wanted language, else the first."""
        found: dict[tuple[str, str], Binding] = {}
        for row in sorted(rows, key=lambda row: [row.get(k, {}).get("xml:lang") != self._language for k in _NAMED]):
            found.setdefault((row["part"]["value"], row.get("value", {}).get("value", "")), row)
        return list(found.values())

    def _fact(self, found: FetchResult, parts: list[Binding], now: datetime) -> None:
        """Add the fact of one statement's parts; a statement truncated before its value is none."""
        main = next((part for part in parts if part["part"]["value"] in ("value", "none")), None)
        node = self._object(main) if main else None
        if main is None or node is None:
            return
        subject, predicate = _id(main["item"]["value"]), _id(main["property"]["value"])
        object = node if isinstance(node, str) else node.id
        start, end, qualifiers = _qualifiers(parts, main)
        fact = Fact(
            fact_id(self.graph, subject, predicate, object, start, end, qualifiers),
            self.graph,
            subject,
            predicate,
            display_name(predicate),
            object,
            rank=_rank(main["rank"]["value"]),
            valid_from=start,
            valid_to=end,
            qualifiers=qualifiers,
            source=_source(parts) or f"https://www.wikidata.org/wiki/{subject[3:]}#{predicate[3:]}",
            retrieved_at=now,
        )
        found.facts.setdefault(fact.id, fact)
        found.name(subject, main.get("itemName", {}).get("value"))
        if isinstance(node, Literal):
            found.literals[node.id] = node
        else:
            found.name(node, main.get("name", {}).get("value"))

    def _object(self, row: Binding) -> str | Literal | None:
        """Return an entity's id, or a typed value; None for what is neither (a place on no map)."""
        subject, predicate = _id(row["item"]["value"]), _id(row["property"]["value"])
        if row["part"]["value"] == "none":
            return wikidata_values.nothing(wikidata_values.NONE, subject, predicate)
        term, kind = row["value"], row["type"]["value"].rpartition("#")[2]
        value = term["value"]
        if _unknown(term):
            return wikidata_values.nothing(wikidata_values.SOME, subject, predicate)
        if _ENTITY.fullmatch(value):
            return _id(value)
        said = {key: row[key]["value"] for key in ("unit", "unitName", "lower", "upper", "precision") if key in row}
        if kind == "Time":
            return _time(row)
        if kind == "Quantity":
            return wikidata_values.quantity(value, *(said.get(key) for key in ("unit", "unitName", "lower", "upper")))
        if kind in ("GlobeCoordinate", "GlobeCoordinates"):
            return wikidata_values.coordinates(value, said.get("precision"))
        if term["type"] == "uri":
            return Literal(literal_id(value, "url", None, None), value, "url")
        return wikidata_values.words(value, term.get("xml:lang"))


_NAMED = ("name", "itemName")


def described(rows: Iterable[Binding], graph: str, language: str) -> list[Predicate]:
    """Return rows of a query about relations as Predicates, by id. `source` is the address of their definition."""
    found = []
    for item, parts in groupby(rows, lambda row: row["item"]["value"]):
        said: dict[str, list[str]] = defaultdict(list)
        for row in sorted(parts, key=lambda row: row["text"].get("xml:lang") != language):
            said[row["part"]["value"]].append(row["text"]["value"])
        if not said["name"]:
            continue
        identity = entity_id(graph, item)
        domain, range_ = (" ".join(entity_id(graph, iri) for iri in said[part]) or None for part in ("domain", "range"))
        functional = True if said["functional"] else None
        found.append(Predicate(identity, said["name"][0], domain, range_, functional, source=item))
    return found


def _qualifiers(parts: Iterable[Binding], main: Binding) -> tuple[str | None, str | None, str | None]:
    """valid_from and valid_to of start and end time, and the rest as a JSON object of texts, by what it is called."""
    said: dict[str, list[str]] = defaultdict(list)
    bounds: dict[str, str] = {}
    for row in parts:
        part = row["part"]["value"]
        if part in ("value", "none", *_REFERENCES):
            continue
        date = _time(row) if "precision" in row and not _unknown(row["value"]) else None
        if date and date.precision in ("day", "month", "year") and part in _BOUNDS and part not in bounds:
            bounds[part] = date.value
        else:
            said[part].append(date.value if date else _shown(row))
    if main.get("calendar", {}).get("value") == wikidata_values.JULIAN:
        said["calendar"] = ["Julian"]
    texts = {part: values[0] if len(values) == 1 else sorted(values) for part, values in sorted(said.items())}
    qualifiers = json.dumps(texts, ensure_ascii=False, separators=(",", ":")) if texts else None
    return bounds.get("start time"), bounds.get("end time"), qualifiers


def _shown(row: Binding) -> str:
    if _unknown(row["value"]):
        return "unknown value"
    return row["name"]["value"] if "name" in row else row["value"]["value"].rpartition("/")[2]


def _time(row: Binding) -> Literal:
    precision = int(row["precision"]["value"]) if "precision" in row else 11
    return wikidata_values.time(row["value"]["value"], precision, row.get("calendar", {}).get("value"))


def _unknown(term: dict[str, str]) -> bool:
    return term["type"] == "bnode" or "/.well-known/genid/" in term["value"]


def _source(rows: Iterable[Binding]) -> str | None:
    """Return the reference's address, else what it was stated in: the first of each in the order of the texts."""
    found = {part: [r["value"]["value"] for r in rows if r["part"]["value"] == part] for part in _REFERENCES}
    return next((min(addresses) for addresses in found.values() if addresses), None)


def _rank(iri: str) -> str:
    """Return "preferred" or "normal"."""
    return iri.rpartition("#")[2].removesuffix("Rank").lower()


def _id(iri: str) -> str:
    return entity_id("wikidata", iri)


def _values(ids: Iterable[str]) -> str:
    return sparql.values(address(identity) or identity for identity in ids)

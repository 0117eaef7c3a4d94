"""What nodes are called: the id of a key or an IRI, its address and name, captions for people, words for the index.

An IRI is global, so `<http://example.org/x>` is one node in every graph; the IRIs of Wikidata, DBpedia and Freebase
become the short ids of identity.py. A display name is made from the id alone, so a store can always distinguish a
made-up name from a real one, and a real one is never overwritten by it.

Nodes without a name of their own (claims, evidence, runs) have a caption, the `name` that a graph browser writes on
them. It is made here from a node's properties, so that a migration calls old nodes what new ones are called; cutting
texts in Cypher was rejected, since Neo4j counts UTF-16 units and cuts through the middle of a character. Stored names
and queries of the full-text index are split into words by one function: Lucene and kglite read the same query text
differently (quotes, slashes, AND, *), but not words of letters and digits.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from urllib.parse import quote, unquote

from claimgraph.kgstore.errors import InputError
from claimgraph.kgstore.identity import graph_entity_id
from claimgraph.kgstore.store import Row

_IRI = re.compile(r"(https?|urn|ftp|mailto|tag):\S+")
_WIKIDATA = re.compile(r"https?://(?:www\.)?wikidata\.org/(?:entity|prop(?:/[a-z-]+)*|wiki)/(?:Property:)?([QLMP]\d+)")
_FREEBASE = re.compile(r"https?://rdf\.freebase\.com/ns/(\S+)")
_DBPEDIA = re.compile(r"https?://dbpedia\.org/(resource|ontology|property)/(\S+)")
_DBPEDIA_SHORT = {"resource": "dbr", "ontology": "dbo", "property": "dbp"}
_GRAPH_NAME = re.compile(r"[^\W_][\w.-]{0,99}", re.ASCII)
_RESERVED = {"doc", "rel", "http", "https", "urn"}
_PATH_SAFE = "/:@!$&'()*+,;=-._~"


def graph_name(name: str) -> str:
    """Return the name, if it may name a graph. Raises InputError with the rule where it may not."""
    if not _GRAPH_NAME.fullmatch(name) or name in _RESERVED:
        raise InputError(
            f"{name!r} cannot name a graph: use up to 100 letters, digits, '-', '_' and '.', beginning with a letter"
            " or digit (claim:, context:, doc, rel, http, https and urn are taken)"
        )
    return name


def default_graph(path: Path) -> str:
    """Return a graph name from a file name: without its endings, other characters as hyphens."""
    stem = re.sub(r"(\.(tsv|csv|nt|ttl|jsonl))?(\.(gz|bz2))?$", "", path.name, flags=re.IGNORECASE)
    return graph_name(re.sub(r"[^\w.-]+", "-", stem, flags=re.ASCII).strip("-_."))


@lru_cache(maxsize=65536)
def entity_id(graph: str, key: str) -> str:
    """Return the id of a `key` in a file of `graph`: a key of that graph, or an IRI."""
    if not _IRI.fullmatch(key):
        return graph_entity_id(graph, key)
    if found := _WIKIDATA.fullmatch(key):
        return graph_entity_id("wikidata", found[1])
    if found := _DBPEDIA.fullmatch(key):
        return graph_entity_id(_DBPEDIA_SHORT[found[1]], unquote(found[2]))
    if found := _FREEBASE.fullmatch(key):
        return graph_entity_id("freebase", "/" + found[1].replace(".", "/"))
    scheme, _, rest = key.partition(":")
    return graph_entity_id(scheme, rest)


def address(identity: str) -> str | None:
    """Return the web address of an id, or None where the id has none."""
    prefix, _, key = identity.partition(":")
    if prefix == "wd":
        return f"http://www.wikidata.org/entity/{key}"
    if prefix in ("dbr", "dbo", "dbp"):
        folder = {short: folder for folder, short in _DBPEDIA_SHORT.items()}[prefix]
        return f"http://dbpedia.org/{folder}/{quote(key, safe=_PATH_SAFE)}"
    return identity if prefix in ("http", "https") else None


def display_name(identity: str) -> str:
    """Return a name for people, made from an id alone: `wd:Q90` is "Q90", `dbr:New_York` "New York"."""
    key = identity.partition(":")[2]
    if identity.startswith(("http:", "https:", "urn:")):
        key = unquote(re.split(r"[/#:]", key.rstrip("/#"))[-1])
    return key.replace("_", " ").strip() or identity


def relation_name(identity: str) -> str:
    """Return a relation in words, made from its id alone.

    `wd:P58` is "screenwriter" (frequent properties of Wikidata: wikidata_properties.tsv, CC0), `dbo:birthPlace`
    "birth place", `rel:was-born-in` of a text "was born in", `fb:/people/person/place_of_birth` "place of birth"; the
    two halves of a Freebase compound keep their last parts: "regular cast actor".
    """
    if identity.startswith("wd:"):
        return _properties().get(identity.removeprefix("wd:")) or display_name(identity)
    if identity.startswith(("http:", "https:", "urn:")):
        return _words(display_name(identity))
    if identity.startswith("rel:"):
        return identity.removeprefix("rel:").replace("-", " ")
    parts = [part.rstrip("/").rpartition("/")[2] for part in identity.partition(":")[2].split("./")]
    return _words(" ".join(parts)) or display_name(identity)


@cache
def _properties() -> dict[str, str]:
    """Return names of frequent properties of Wikidata by number: a file of triples without labels is readable too."""
    lines = (files("claimgraph.kgstore") / "wikidata_properties.tsv").read_text(encoding="utf-8").splitlines()
    return {key: name for key, _, name in (line.partition("\t") for line in lines)}


def _words(name: str) -> str:
    if "_" in name or " " in name:
        return " ".join(name.replace("_", " ").split())
    return re.sub(r"(?<=[a-z0-9])[A-Z](?=[a-z])", lambda found: f" {found[0].lower()}", name)


def is_key(name: str) -> bool:
    """Return whether a name is only a key of Wikidata or Freebase ("Q42", "m.0abc", "/m/0abc"), as of an entity
    without a label.
    """
    return bool(_KEY.fullmatch(name))


_KEY = re.compile(r"[QPL]\d+|[mg]\.[0-9a-z_]+|/[mg]/[0-9a-z_]+")


_MOST = 64
_LETTERS = re.compile(r"[^\W_]+")
_TOKEN = re.compile(r"\w+|[^\w\s]")


@lru_cache(maxsize=65536)
def same_name(name: str) -> str:
    """Return a form that two names share if they differ in case, accents and punctuation only."""
    return " ".join(_folded(name))


def search_words(*names: str) -> list[str]:
    """Return the distinct words of names, in order: compatibility forms unified, accents dropped, case folded."""
    return list(dict.fromkeys(_folded(" ".join(names))))


def search_text(*names: str) -> str:
    """Return the `searchText` of an entity of these names."""
    return " ".join(search_words(*names))


def search_query(mention: str) -> str:
    """Return the full-text query for a mention: its first words; "" for one without letters or digits."""
    return " ".join(search_words(mention)[:_MOST])


@lru_cache(maxsize=65536)
def tokens(text: str) -> int:
    """Estimate the number of tokens a language model reads: the text's words, and its punctuation marks one by one."""
    return len(_TOKEN.findall(text))


def _folded(text: str) -> list[str]:
    decomposed = unicodedata.normalize("NFKD", text)
    bare = "".join(char for char in decomposed if not unicodedata.combining(char))
    return _LETTERS.findall(bare.casefold())


_LONGEST = 60


def shortened(text: str, longest: int = _LONGEST) -> str:
    """Return the text on one line, cut to so many characters, the last of which is then an ellipsis."""
    line = " ".join(text.split())
    return line if len(line) <= longest else f"{line[: longest - 1].rstrip()}…"


def quoted(text: str, longest: int = _LONGEST) -> str:
    """Return the text shortened, in quotation marks: what a document without a name is called."""
    return f"“{shortened(text, longest)}”"


LONGEST_NAME = 2_000
"""Characters of an entity's name that are kept, and of a name in an index: Neo4j indexes 8 kB."""

FOLDED = {"Entity": {"foldedName": "name"}, "Claim": {"foldedSubject": "subject", "foldedObject": "object"}}
"""Properties by which nodes are found whatever the case of a name, by label: the property that each is made of."""


def folded_name(name: str) -> str:
    """Return the form that names have in an index that does not regard their case."""
    return name.lower()[:LONGEST_NAME]


def folded_names(label: str, row: Row) -> Row:
    """Return the properties of FOLDED of a node with these properties."""
    return {name: folded_name(row[of]) for name, of in FOLDED.get(label, {}).items() if row.get(of) is not None}


_NAMES: Mapping[str, Callable[[Row], str]] = {
    "Claim": lambda row: shortened(row["statement"] or row["text"]),
    "Evidence": lambda row: f"{shortened(row['source'], 20)}: {quoted(row['text'], 40)}",
    "Run": lambda row: f"{row['method']}, {row['startedAt']:%Y-%m-%d}",
    "Fetch": lambda row: f"{row['source']} into {row['target']}",
    "Answer": lambda row: shortened(row["question"]),
    "Correction": lambda row: f"{shortened(row['before'], 30)} → {shortened(row['after'], 30)}",
}
LABELS = tuple(_NAMES)
"""Labels whose nodes are named by `named`. A verdict is named where it is written, after its claim."""


def named(label: str, row: Row) -> Row:
    """Return the properties of a node with its name."""
    return row | {"name": _NAMES[label](row)}

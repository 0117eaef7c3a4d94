"""Handle the specifics of Wikidata's RDF dumps: triples that are no facts, and two forms of "no such value".

The dumps describe their own pages, articles and properties beside the items; none of that is knowledge about the world.
An unknown value is an anonymous node, and an item without a value is an instance of a class of such items.
"""

from __future__ import annotations

import re

from claimgraph.kgstore.ingest.readers import FileTriple
from claimgraph.kgstore.values.wikidata_values import NONE, SOME

_WIKIBASE = "http://wikiba.se/ontology#"
_BOOKKEEPING = (_WIKIBASE, "http://www.wikidata.org/prop/direct-normalized/")
_PAGES = (
    "https://www.wikidata.org/wiki/Special:EntityData/",
    "http://www.wikidata.org/wiki/Special:EntityData/",
    "http://www.wikidata.org/prop/",
    _WIKIBASE,
)
_ARTICLE = re.compile(r"https://[\w-]+\.(wikipedia|wiki[a-z]+|wiktionary|mediawiki)\.org/")
_OWL = "http://www.w3.org/2002/07/owl#"
_DIRECT = "http://www.wikidata.org/prop/direct/"
_ABSENT = "http://www.wikidata.org/prop/novalue/"
_UNKNOWN = ("http://www.wikidata.org/.well-known/genid/", "_:")


def is_bookkeeping(statement: FileTriple) -> bool:
    """Return whether a statement is about pages, articles, properties as such, or doubles a link to another
    data set.
    """
    head, relation, tail = statement.head, statement.relation, statement.tail
    return (
        relation.startswith(_BOOKKEEPING)
        or tail.startswith(_BOOKKEEPING)
        or head.startswith(_PAGES)
        or (head.startswith("https://") and _ARTICLE.match(head) is not None)
        or (head.startswith("_:") and (relation.startswith(_OWL) or tail.startswith(_OWL)))
    )


def plain(statement: FileTriple) -> FileTriple:
    """Return the statement, with the datatypes SOME and NONE for a value that is unknown, or does not exist."""
    if statement.datatype is not None:
        return statement
    if statement.tail.startswith(_ABSENT):
        return statement._replace(relation=_DIRECT + statement.tail.removeprefix(_ABSENT), datatype=NONE)
    if statement.relation.startswith(_DIRECT) and statement.tail.startswith(_UNKNOWN):
        return statement._replace(datatype=SOME)
    return statement

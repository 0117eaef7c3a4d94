"""Make every id in the graph.

An id is a content hash with its recipe's version in front, so a second run of the same work changes nothing and a
recipe never changes silently: to change one, raise its version and write a migration. tests/kgstore/test_identity.py
holds golden values. Random or time-based ids were rejected: they would make every re-run a duplicate.

Recipe: the parts as a compact JSON array in UTF-8 (so `["a","bc"]` and `["ab","c"]` differ, and null differs from ""),
SHA-256, the first 32 hex digits. Documents keep all 64 digits, since they name the bytes of a text.
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Sequence
from itertools import chain

_SLUG_MAX = 80
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
_STRING = json.encoder.encode_basestring
"""What the encoder writes for a string, in a third of the time."""
_KNOWN_PREFIXES = {"wikidata": "wd", "dbpedia": "dbr", "freebase": "fb"}
_KEYED_BY_TITLE = {"dbpedia", "dbr", "dbo", "dbp"}


def _digest(*parts: str | int | float | None) -> str:
    written = [
        "null" if part is None else _STRING(part) if isinstance(part, str) else _ENCODER.encode(part) for part in parts
    ]
    recipe = f"[{','.join(written)}]"
    return hashlib.sha256(recipe.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def document_id(text: str) -> str:
    """Return id of a text, be it checked or a context: `d1:` and the SHA-256 of its UTF-8 bytes."""
    return "d1:" + hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def claim_graph(document: str) -> str:
    """Return name of the claim KG of a document id."""
    return f"claim:{_bare(document)}"


def context_graph(document: str) -> str:
    """Return name of the KG extracted from a context, given the context's document id."""
    return f"context:{_bare(document)}"


def slug(name: str) -> str:
    """Return the case-folded NFKC name with runs of other than letters and digits as one hyphen; at most 80 characters.

    Longer names keep their beginning and gain a hash; names without letters or digits are a hash.
    """
    folded = unicodedata.normalize("NFKC", name).casefold()
    bare = re.sub(r"[\W_]+", "-", folded).strip("-")
    if bare and len(bare) <= _SLUG_MAX:
        return bare
    return f"{bare[:_SLUG_MAX]}-{_digest(folded)[:12]}".lstrip("-")


def text_entity_id(document: str, name: str) -> str:
    """Return id of an entity known only from a text: `doc:<hash>/<slug>`; equal names in one text are one entity."""
    return f"doc:{_bare(document)}/{slug(name)}"


def graph_entity_id(graph: str, key: str) -> str:
    """Return id of an entity of a world graph: `wd:Q90`, `dbr:Paris`, `fb:/m/05qtj`, else `<graph>:<key>`.

    Wikidata ids and Freebase mids are known by their form whatever the graph is called, so an entity that stands in
    several graphs is one node; DBpedia's keys are titles, where "M25" is a road. Keys longer than 512 characters are
    hashed: Neo4j refuses to index very long values.
    """
    if graph not in _KEYED_BY_TITLE and re.fullmatch(r"[QLM]\d+|P\d+", key):
        return f"wd:{key}"
    if re.fullmatch(r"/[mg]/[0-9a-z_]+", key):
        return f"fb:{key}"
    prefix = _KNOWN_PREFIXES.get(graph, graph)
    return f"{prefix}:{key}" if len(key) <= 512 else f"{prefix}:{_digest(key)}"


def predicate_id(graph: str, key: str) -> str:
    """Return id of a predicate: `wd:P36` for Wikidata, `rel:<slug>` for relations read from a text, else as entities.

    Relations read from a text are shared between texts: the graph of the fact says where it was read.
    """
    if graph.startswith(("claim:", "context:")):
        return f"rel:{slug(key)}"
    return graph_entity_id(graph, key)


def literal_id(value: str, datatype: str, unit: str | None, precision: str | None) -> str:
    """Return id of a typed literal in its normal form."""
    return "l1:" + _digest(value, datatype, unit, precision)


def fact_id(
    graph: str,
    subject: str,
    predicate: str,
    object: str,
    valid_from: str | None = None,
    valid_to: str | None = None,
    qualifiers: str | None = None,
) -> str:
    """Return id of a fact: the same triple with other validity or qualifiers, or in another graph, is another fact."""
    return "f1:" + _digest(graph, subject, predicate, object, valid_from, valid_to, qualifiers)


def claim_id(document: str, start: int, end: int, subject: str, predicate: str, object: str) -> str:
    """Return the id of a claim: its document, its span, and its triple."""
    return "c1:" + _digest(document, start, end, subject, predicate, object)


def evidence_id(source: str, fact: str | None, text: str, start: int | None, end: int | None) -> str:
    """Return the id of a frozen piece of evidence: its origin (a document's id, else a source) and its text at the
    time.
    """
    return "e1:" + _digest(source, fact, text, start, end)


def run_id(kind: str, method: str, configuration: str, target: str, scope: str) -> str:
    """Return id of a run: the same work on the same evidence is the same run."""
    return "r1:" + _digest(kind, method, configuration, target, scope)


def verdict_id(claim: str, method: str, configuration: str, scope: str) -> str:
    """Return id of a verdict: claim, method, its configuration, and the evidence scope with its version."""
    return "v1:" + _digest(claim, method, configuration, scope)


def correction_id(claim: str, before: str, after: str, verdict: str) -> str:
    """Return id of a correction of a claim and the verdict that caused it."""
    return "k1:" + _digest(claim, before, after, verdict)


def answer_id(question: str, mode: str, text: str, *made_of: str) -> str:
    """Return id of an answer to a question; `made_of` is what else it depends on: the ids of its evidence, which name
    graphs, and the configuration of the language model that wrote it, with its prompt.
    """
    return "a1:" + _digest(question, mode, text, *made_of)


def fetch_id(source: str, target: str) -> str:
    """Return the id of the record of a fetch: from a source into a target."""
    return "t1:" + _digest(source, target)


def prompt_id(messages: Sequence[tuple[str, str]]) -> str:
    """Return the id of a request to a language model: (role, text) of each message."""
    return "q1:" + _digest(*chain.from_iterable(messages))


def completion_id(
    model: str,
    messages: Sequence[tuple[str, str]],
    *,
    temperature: float,
    top_p: float,
    max_tokens: int | None,
    schema: str | None,
    sample: int,
) -> str:
    """Return the id of a language model's answer: its request and sampling, without the address or key of the
    server.
    """
    sampling = (float(temperature), float(top_p), max_tokens, schema, sample)
    return "m1:" + _digest(model, *sampling, *chain.from_iterable(messages))


def job_id(kind: str, document: str | None, context: str | None, options: str) -> str:
    """Return the id of the work on a document: the same document, context and options are the same work."""
    return "j1:" + _digest(kind, document, context, options)


def batch_id(kind: str, jobs: Sequence[str]) -> str:
    """Return id of many jobs submitted together, in any order."""
    return "b1:" + _digest(kind, *sorted(jobs))


def scope_version(members: list[str]) -> str:
    """Return the version of an evidence scope: a hash over the sorted ids of its members."""
    return _digest(*sorted(members))


def _bare(identity: str) -> str:
    return identity.partition(":")[2] if ":" in identity else identity

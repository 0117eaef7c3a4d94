"""Hypothesis strategies for nouns, with the texts that break stores among them."""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import strategies as st

from claimgraph.kgstore import identity
from claimgraph.kgstore.model import (
    Citation,
    Claim,
    Document,
    Entity,
    Evidence,
    Extraction,
    Fact,
    Hallucination,
    Literal,
    Outcome,
    Signal,
    Span,
    Stance,
    Status,
    Subgraph,
    Triple,
    Verdict,
)

HOSTILE = [
    "",
    " ",
    "'",
    '"',
    "`",
    "\\",
    "\\u0027",
    "a\0b",
    "line\r\nline\u2028line",
    "\u202egnirts\u202c",
    "e\u0301 é",
    "😀👩‍👩‍👧",
    "'}) DETACH DELETE n //",
    "$rows",
    "`) RETURN 1 AS `x",
    '["Oslo"]',
    "[1, 2]",
    "null",
    "true",
    "1989-11-09",
    "1e400",
    "-0",
]
"""Texts that end strings, open comments, name parameters, look like values of another type, or do not print."""

texts = st.one_of(st.sampled_from(HOSTILE), st.text(max_size=40))
maybe = st.one_of(st.none(), texts)
times = st.datetimes(datetime(1900, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC))
spans = st.tuples(st.integers(0, 10**6), st.integers(0, 1000)).map(lambda pair: Span(pair[0], sum(pair)))
shares = st.floats(0, 1)
_names = st.one_of(st.sampled_from([text for text in HOSTILE if text]), st.text(min_size=1, max_size=40))


def _id(kind: str, *parts: object) -> str:
    """Other parts, or the same in another order, have another id."""
    return f"{kind}:{identity.scope_version([repr(part) for part in enumerate(parts)])}"


@st.composite
def documents(draw: st.DrawFn, salt: str) -> Document:
    """A document that no other salt gives: a store keeps of an id what it was told first."""
    text, name, source, language = draw(texts), draw(maybe), draw(maybe), draw(maybe)
    created_at = draw(times)
    key = _id("d1", salt, text, name, source, language, created_at)
    return Document(key, text, name, source, language, created_at)


@st.composite
def entities(draw: st.DrawFn, graph: str = "world") -> Entity:
    aliases = tuple(draw(st.lists(texts, max_size=3, unique=True)))
    name, description, source = draw(_names), draw(maybe), draw(maybe)
    key = _id("x", name, aliases, description, source, graph)
    return Entity(key, name, aliases, description, source, (graph,))


@st.composite
def literals(draw: st.DrawFn) -> Literal:
    parts = (draw(texts), draw(_names), draw(maybe), draw(maybe))
    return Literal(_id("l1", *parts), *parts)


@st.composite
def subgraphs(draw: st.DrawFn, graph: str = "world") -> Subgraph:
    """Up to six facts among up to four nodes, parallel ones among them."""
    subjects = draw(st.lists(entities(graph), min_size=1, max_size=3, unique_by=lambda e: e.id))
    objects = [*subjects, *draw(st.lists(literals(), max_size=1))]
    facts: dict[str, Fact] = {}
    for _ in range(draw(st.integers(1, 6))):
        fact = draw(_facts(graph, draw(st.sampled_from(subjects)).id, draw(st.sampled_from(objects)).id))
        facts[fact.id] = fact
    nodes = {node.id: node for node in objects}
    used = {end for fact in facts.values() for end in (fact.subject, fact.object)}
    return Subgraph({key: nodes[key] for key in sorted(used)}, tuple(fact for _, fact in sorted(facts.items())))


@st.composite
def _facts(draw: st.DrawFn, graph: str, subject: str, object: str) -> Fact:
    predicate, valid_from, qualifiers = draw(_names), draw(maybe), draw(maybe)
    return Fact(
        id=identity.fact_id(graph, subject, predicate, object, valid_from, None, qualifiers),
        graph=graph,
        subject=subject,
        predicate=predicate,
        name=draw(texts),
        object=object,
        rank=draw(maybe),
        valid_from=valid_from,
        qualifiers=qualifiers,
        source=draw(maybe),
        retrieved_at=draw(st.none() | times),
        document=draw(maybe),
        span=draw(st.none() | spans),
    )


@st.composite
def extractions(draw: st.DrawFn, salt: str) -> tuple[Extraction, Subgraph]:
    """A document with up to three claims, and their claim KG."""
    document = draw(documents(salt))
    claims = draw(st.lists(_claims(document.id), max_size=3, unique_by=lambda claim: claim.id))
    graph = identity.claim_graph(document.id)
    nodes: dict[str, Entity] = {}
    facts = []
    for claim in claims:
        ends = []
        for name in (claim.subject, claim.object):
            key = _id("doc", document.id, name)
            nodes[key] = Entity(key, name, source=document.id, graphs=(graph,))
            ends.append(key)
        fact = identity.fact_id(graph, ends[0], claim.id, ends[1])
        facts.append(Fact(fact, graph, ends[0], claim.id, claim.predicate, ends[1], document=document.id))
    return Extraction(document, (), tuple(claims)), Subgraph(nodes, tuple(facts))


@st.composite
def _claims(draw: st.DrawFn, document: str) -> Claim:
    subject, predicate, object = draw(_names), draw(texts), draw(_names)
    span = draw(spans)
    return Claim(
        id=identity.claim_id(document, span.start, span.end, subject, predicate, object),
        document=document,
        subject=subject,
        predicate=predicate,
        object=object,
        text=draw(texts),
        span=span,
        subject_span=draw(st.none() | spans),
        predicate_span=draw(st.none() | spans),
        object_span=draw(st.none() | spans),
    )


@st.composite
def verdicts(draw: st.DrawFn, claim: str) -> Verdict:
    citations = draw(st.lists(_citations(), max_size=3, unique_by=lambda citation: citation.evidence.id))
    names = draw(st.lists(st.from_regex(r"[a-z][a-z_]{0,9}", fullmatch=True), max_size=3, unique=True))
    configuration = draw(texts)
    return Verdict(
        id=identity.verdict_id(claim, "m", configuration, "scope"),
        claim=claim,
        outcome=draw(st.sampled_from(Outcome)),
        status=draw(st.sampled_from(Status)),
        method="m",
        reason=draw(texts),
        confidence=draw(st.none() | shares),
        hallucination=draw(st.none() | st.sampled_from(Hallucination)),
        citations=tuple(citations),
        signals=tuple(Signal("m", name, draw(st.floats(allow_nan=False))) for name in sorted(names)),
        created_at=draw(times),
    )


@st.composite
def _citations(draw: st.DrawFn) -> Citation:
    triple = draw(st.none() | st.builds(Triple, texts, texts, texts))
    text, source, fact = draw(texts), draw(texts), draw(maybe)
    span, document = draw(st.none() | spans), draw(maybe)
    key = _id("e1", text, source, fact, triple, span, document)
    return Citation(
        Evidence(key, text, source, fact, triple, document, span), draw(st.sampled_from(Stance)), draw(shares)
    )

"""Questions in Cypher that a person asks first, by name."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class NamedQuery:
    """A read statement with the question it answers."""

    question: str
    query: str


NAMED_QUERIES = (
    NamedQuery(
        "What is refuted, and by what?",
        "MATCH (c:Claim)-[:CURRENT]->(v:Refuted)-[x:CITES]->(e:Evidence)\n"
        "RETURN c.name AS claim, v.reason AS reason, x.stance AS stance, e.text AS evidence\nORDER BY claim LIMIT 100",
    ),
    NamedQuery(
        "Which texts have most refuted claims?",
        "MATCH (d:Document)<-[:IN]-(c:Claim)-[:CURRENT]->(:Refuted)\n"
        "RETURN d.name AS document, count(c) AS refuted\nORDER BY refuted DESC, document LIMIT 100",
    ),
    NamedQuery(
        "Which texts speak against which others?",
        "MATCH (d:Document)<-[:IN]-(:Claim)-[:CURRENT]->(:Refuted)-[:CITES {stance: 'refutes'}]->(:Evidence)"
        "-[:FROM]->(s:Document)\nRETURN d.name AS document, s.name AS source, count(*) AS claims\n"
        "ORDER BY claims DESC, document LIMIT 100",
    ),
    NamedQuery(
        "What did the evidence leave open?",
        "MATCH (c:Claim)-[:CURRENT]->(v:NotEnoughInfo)\n"
        "RETURN c.name AS claim, v.status AS status, v.reason AS reason\nORDER BY claim LIMIT 100",
    ),
    NamedQuery(
        "What did people rule, and what had the methods said?",
        "MATCH (c:Claim)-[:CURRENT]->(v:Verdict {method: 'human'})-[:SUPERSEDES]->(old:Verdict)\n"
        "RETURN c.name AS claim, v.outcome AS ruling, v.reason AS why, old.outcome AS before, old.method AS method\n"
        "ORDER BY claim LIMIT 100",
    ),
    NamedQuery(
        "What do the claims say? (drawn)",
        "MATCH (c:Claim)\nRETURN c.subject AS subject, c.predicate AS predicate, c.object AS object\n"
        "ORDER BY subject, predicate, object LIMIT 12",
    ),
    NamedQuery(
        "What does the store know of linked entities?",
        "MATCH (c:Claim)-[:LINKED]->(n:Entity)-[f:FACT]->(o)\n"
        "RETURN c.text AS claim, n.name AS subject, f.name AS predicate, o.name AS object\n"
        "ORDER BY claim, predicate, object LIMIT 100",
    ),
)

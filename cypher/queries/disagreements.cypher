// Claims that methods disagree on, the one latest judged first: of each method its latest verdict that is not stale,
// where their outcomes differ. A person's rulings take no part; `holds` says which verdict is the claim's current one.
// `batch` is a run of many documents, null for any.
// params: batch, limit (of claims)
// returns: claim, claimText, statement, subject, predicate, object, document, documentName, verdict, method, outcome, confidence,
//   reason, createdAt, holds
// index: none
MATCH (d:Document)<-[:IN]-(c:Claim)<-[:OF]-(v:Verdict)
WHERE v.method <> 'human' AND v.stale = false
    AND ($batch IS NULL OR EXISTS { MATCH (d)<-[:CHECKS]-(:Job)-[:PART_OF]->(:Batch {id: $batch}) })
WITH c, v ORDER BY v.createdAt DESC, v.id
WITH c, v.method AS method, collect(v)[0] AS latest
WITH c, collect(DISTINCT latest.outcome) AS outcomes, max(latest.createdAt) AS judged, collect(latest.id) AS ids
WHERE size(outcomes) > 1
WITH c, judged, ids ORDER BY judged DESC, c.id LIMIT $limit
UNWIND ids AS wanted
MATCH (d:Document)<-[:IN]-(c)<-[:OF]-(v:Verdict {id: wanted})
RETURN c.id AS claim, c.text AS claimText, coalesce(c.statement, c.text) AS statement, c.subject AS subject,
    c.predicate AS predicate, c.object AS object, d.id AS document, d.name AS documentName, v.id AS verdict, v.method AS method, v.outcome AS outcome,
    v.confidence AS confidence, v.reason AS reason, v.createdAt AS createdAt,
    EXISTS { MATCH (c)-[:CURRENT]->(v) } AS holds
ORDER BY judged DESC, claim, method

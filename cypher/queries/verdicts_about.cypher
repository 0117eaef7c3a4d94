// The verdicts that hold now, were given since `since` and are on claims about an entity, newest first; null outcome means
// any. `entity` is an id or a name, `folded` the same in lower case: no index knows names without case.
// params: outcome, entity, folded, since, limit
// returns: verdict, outcome, status, method, confidence, hallucination, reason, createdAt, stale, claim, claimText,
//   statement, subject, predicate, object, start, end, document, documentName
// index: none
MATCH (d:Document)<-[:IN]-(c:Claim)-[:CURRENT]->(v:Verdict)
WHERE ($outcome IS NULL OR v.outcome = $outcome)
    AND v.createdAt >= $since
    AND (toLower(c.subject) = $folded OR toLower(c.object) = $folded
        OR EXISTS { MATCH (c)-[:SUBJECT|OBJECT|LINKED]->(e:Entity) WHERE e.id = $entity OR toLower(e.name) = $folded })
WITH d, c, v ORDER BY v.createdAt DESC, v.id LIMIT $limit
RETURN v.id AS verdict, v.outcome AS outcome, v.status AS status, v.method AS method, v.confidence AS confidence,
    v.hallucination AS hallucination, v.reason AS reason, v.createdAt AS createdAt, v.stale AS stale,
    c.id AS claim, c.text AS claimText, coalesce(c.statement, c.text) AS statement, c.subject AS subject,
    c.predicate AS predicate, c.object AS object, c.spanStart AS start, c.spanEnd AS `end`, d.id AS document, d.name AS documentName
ORDER BY createdAt DESC, verdict

// The verdicts on claims about an entity that hold now and were given since `since`, newest first; null outcome means
// any. The entity is called `folded` (a name as folded_name has it) or its id is `id`, or claims say it in these words. Of `v` no label is
// asked for, so that no plan begins with all verdicts since then.
// params: folded, id, outcome, since, limit
// returns: verdict, outcome, status, method, confidence, hallucination, reason, createdAt, stale, claim, claimText,
//   statement, subject, predicate, object, start, end, document, documentName
// index: entity_folded_name, entity_id, claim_folded_subject, claim_folded_object: a part of the union each
CALL () {
    MATCH (:Entity {foldedName: $folded})<-[:SUBJECT|OBJECT|LINKED]-(c:Claim) RETURN c
    UNION MATCH (:Entity {id: $id})<-[:SUBJECT|OBJECT|LINKED]-(c:Claim) RETURN c
    UNION MATCH (c:Claim {foldedSubject: $folded}) RETURN c
    UNION MATCH (c:Claim {foldedObject: $folded}) RETURN c
}
MATCH (c)-[:CURRENT]->(v)
WHERE v.createdAt >= $since AND ($outcome IS NULL OR v.outcome = $outcome)
MATCH (c)-[:IN]->(d:Document)
WITH d, c, v ORDER BY v.createdAt DESC, v.id LIMIT $limit
RETURN v.id AS verdict, v.outcome AS outcome, v.status AS status, v.method AS method, v.confidence AS confidence,
    v.hallucination AS hallucination, v.reason AS reason, v.createdAt AS createdAt, v.stale AS stale,
    c.id AS claim, c.text AS claimText, coalesce(c.statement, c.text) AS statement, c.subject AS subject,
    c.predicate AS predicate, c.object AS object, c.spanStart AS start, c.spanEnd AS `end`, d.id AS document, d.name AS documentName
ORDER BY createdAt DESC, verdict

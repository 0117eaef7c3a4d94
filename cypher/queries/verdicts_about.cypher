// The verdicts on some claims that hold now and were given since `since`, newest first; null outcome means any.
// params: claims, outcome, since, limit
// returns: verdict, outcome, status, method, confidence, hallucination, reason, createdAt, stale, claim, claimText,
//   statement, subject, predicate, object, start, end, document, documentName
// index: claim_id
UNWIND $claims AS wanted
MATCH (c:Claim {id: wanted})-[:CURRENT]->(v:Verdict)
WHERE v.createdAt >= $since AND ($outcome IS NULL OR v.outcome = $outcome)
MATCH (c)-[:IN]->(d:Document)
WITH d, c, v ORDER BY v.createdAt DESC, v.id LIMIT $limit
RETURN v.id AS verdict, v.outcome AS outcome, v.status AS status, v.method AS method, v.confidence AS confidence,
    v.hallucination AS hallucination, v.reason AS reason, v.createdAt AS createdAt, v.stale AS stale,
    c.id AS claim, c.text AS claimText, coalesce(c.statement, c.text) AS statement, c.subject AS subject,
    c.predicate AS predicate, c.object AS object, c.spanStart AS start, c.spanEnd AS `end`, d.id AS document, d.name AS documentName
ORDER BY createdAt DESC, verdict

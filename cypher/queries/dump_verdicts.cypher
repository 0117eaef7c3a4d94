// A page of all verdicts with every property, in the order of their ids.
// params: after, limit
// returns: id, outcome, status, confidence, method, hallucination, explanation, createdAt, stale
// index: verdict_id
MATCH (v:Verdict)
WHERE v.id > $after
RETURN v.id AS id, v.outcome AS outcome, v.status AS status, v.confidence AS confidence, v.method AS method,
    v.hallucination AS hallucination, v.explanation AS explanation, v.createdAt AS createdAt, v.stale AS stale
ORDER BY id
LIMIT $limit

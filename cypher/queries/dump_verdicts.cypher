// A page of all verdicts with every property, in the order of their ids. `signals` are the pairs of name and value
// of those whose names have an underscore: what methods found.
// params: after, limit
// returns: id, name, outcome, status, confidence, method, hallucination, reason, createdAt, stale, signals
// index: verdict_id
MATCH (v:Verdict)
WHERE v.id > $after
RETURN v.id AS id, v.name AS name, v.outcome AS outcome, v.status AS status, v.confidence AS confidence, v.method AS method,
    v.hallucination AS hallucination, v.reason AS reason, v.createdAt AS createdAt, v.stale AS stale,
    [key IN keys(v) WHERE key CONTAINS '_' | [key, v[key]]] AS signals
ORDER BY id
LIMIT $limit

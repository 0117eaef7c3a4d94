// The verdicts that hold for some claims, by id.
// params: ids
// returns: id, claim, outcome, status, confidence, method, hallucination, reason, createdAt
// index: claim_id
UNWIND $ids AS wanted
MATCH (c:Claim {id: wanted})-[:CURRENT]->(v:Verdict)
RETURN v.id AS id, c.id AS claim, v.outcome AS outcome, v.status AS status, v.confidence AS confidence,
    v.method AS method, v.hallucination AS hallucination, v.reason AS reason, v.createdAt AS createdAt
ORDER BY id

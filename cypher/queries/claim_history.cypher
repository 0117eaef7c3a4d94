// All verdicts on a claim, the latest first: what each method and person said of it, and which one holds.
// params: claim
// returns: verdict, outcome, status, method, confidence, reason, createdAt, stale, holds, run
// index: claim_id
MATCH (c:Claim {id: $claim})<-[:OF]-(v:Verdict)
OPTIONAL MATCH (v)-[:BY]->(r:Run)
RETURN v.id AS verdict, v.outcome AS outcome, v.status AS status, v.method AS method, v.confidence AS confidence,
    v.reason AS reason, v.createdAt AS createdAt, v.stale AS stale, EXISTS { MATCH (c)-[:CURRENT]->(v) } AS holds,
    r.id AS run
ORDER BY holds DESC, createdAt DESC, verdict

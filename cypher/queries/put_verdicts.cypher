// Writes verdicts of claims and runs that are there. One that is there keeps its creation time and staleness.
// params: rows [{id, claim, run, outcome, status, confidence, method, hallucination, explanation, createdAt}]
// returns: nothing
// index: verdict_id, claim_id, run_id
UNWIND $rows AS row
MATCH (c:Claim {id: row.claim})
MATCH (r:Run {id: row.run})
MERGE (v:Verdict {id: row.id})
ON CREATE SET v.createdAt = row.createdAt, v.stale = false
SET v.outcome = row.outcome, v.status = row.status, v.confidence = row.confidence, v.method = row.method,
    v.hallucination = row.hallucination, v.explanation = row.explanation
MERGE (v)-[:OF]->(c)
MERGE (v)-[:BY]->(r)

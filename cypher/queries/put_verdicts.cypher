// Writes verdicts of claims and runs that are there. One that is there keeps its creation time and staleness. The
// outcome is a label too, so that a graph browser can colour by it; a verdict is called by outcome and claim.
// params: rows [{id, claim, run, outcome, status, confidence, method, hallucination, reason, createdAt, signals}] where
//   signals maps method_name to a number
// returns: nothing
// index: verdict_id, claim_id, run_id
UNWIND $rows AS row
MATCH (c:Claim {id: row.claim})
MATCH (r:Run {id: row.run})
MERGE (v:Verdict {id: row.id})
ON CREATE SET v.createdAt = row.createdAt, v.stale = false
SET v.outcome = row.outcome, v.status = row.status, v.confidence = row.confidence, v.method = row.method,
    v.hallucination = row.hallucination, v.reason = row.reason, v.name = row.outcome + ': ' + c.name
SET v += row.signals
REMOVE v:Supported:Refuted:NotEnoughInfo
FOREACH (x IN CASE WHEN row.outcome = 'SUPPORTED' THEN [1] ELSE [] END | SET v:Supported)
FOREACH (x IN CASE WHEN row.outcome = 'REFUTED' THEN [1] ELSE [] END | SET v:Refuted)
FOREACH (x IN CASE WHEN row.outcome = 'NOT_ENOUGH_INFO' THEN [1] ELSE [] END | SET v:NotEnoughInfo)
MERGE (v)-[:OF]->(c)
MERGE (v)-[:BY]->(r)

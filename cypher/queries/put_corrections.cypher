// Writes corrections of claims, each with the verdict that caused it and the corrected document; all three are there.
// One that is there keeps method, configuration and time.
// params: rows [{id, name, claim, verdict, result, before, after, spanStart, spanEnd, method, config, createdAt}]
// returns: nothing
// index: correction_id, claim_id, verdict_id, document_id
UNWIND $rows AS row
MATCH (c:Claim {id: row.claim})
MATCH (v:Verdict {id: row.verdict})
MATCH (d:Document {id: row.result})
MERGE (k:Correction {id: row.id})
ON CREATE SET k.method = row.method, k.config = row.config, k.createdAt = row.createdAt
SET k.name = row.name, k.before = row.before, k.after = row.after, k.spanStart = row.spanStart, k.spanEnd = row.spanEnd
MERGE (k)-[:FIXES]->(c)
MERGE (k)-[:BECAUSE]->(v)
MERGE (k)-[:GIVES]->(d)

// Joins verdicts to the evidence they rest on; position 0 weighs most.
// params: rows [{id, evidence, stance, score, position, path}] where id is the verdict's
// returns: nothing
// index: verdict_id, evidence_id
UNWIND $rows AS row
MATCH (v:Verdict {id: row.id})
MATCH (e:Evidence {id: row.evidence})
MERGE (v)-[x:CITES]->(e)
SET x.stance = row.stance, x.score = row.score, x.position = row.position, x.path = row.path

// Deletes verdicts with the corrections they caused.
// params: rows [{id}]
// returns: nothing
// index: verdict_id
UNWIND $rows AS row
MATCH (v:Verdict {id: row.id})
OPTIONAL MATCH (k:Correction)-[:BECAUSE]->(v)
DETACH DELETE k, v

// Deletes verdicts with their signals and the corrections they caused.
// params: rows [{id}]
// returns: nothing
// index: verdict_id
UNWIND $rows AS row
MATCH (v:Verdict {id: row.id})
OPTIONAL MATCH (s:Signal)-[:FOR]->(v)
OPTIONAL MATCH (k:Correction)-[:BECAUSE]->(v)
DETACH DELETE s, k, v

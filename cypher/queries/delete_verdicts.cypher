// Deletes verdicts with their signals.
// params: rows [{id}]
// returns: nothing
// index: verdict_id
UNWIND $rows AS row
MATCH (v:Verdict {id: row.id})
OPTIONAL MATCH (s:Signal)-[:FOR]->(v)
DETACH DELETE s, v

// The verdicts a run gave.
// params: id
// returns: id
// index: run_id
MATCH (v:Verdict)-[:BY]->(r:Run {id: $id})
RETURN v.id AS id
ORDER BY id
